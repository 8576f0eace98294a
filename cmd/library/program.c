#include "cmd/library/program.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static _Thread_local char sentence[SENTENCE_MAX];
static const char library_mark[] = "an address within this library";

int program_fail(int code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    return code;
}

const char *program_sentence(void)
{
    return sentence;
}

int program_print(char *out, size_t size, const char *format, va_list args)
{
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain)
        return -1;
    const locale_t before = uselocale(plain);
    const int length = vsnprintf(out, size, format, args);
    uselocale(before);
    freelocale(plain);
    return length >= 0 && (size_t)length < size ? length : -1;
}

static size_t count_of(const char *const *words)
{
    size_t count = 0;
    while (words && words[count])
        count++;
    return count;
}

static int open_messages(void)
{
    FILE *file = tmpfile();
    const int messages = file ? fcntl(fileno(file), F_DUPFD_CLOEXEC, 3) : -1;
    if (file)
        fclose(file);
    return messages;
}

/* This process's environment and $GRAVREEL_STDERR, which is in `own`. NULL: no memory left. */
static char **make_environment(char own[32], int number)
{
    const size_t count = count_of((const char *const *)environ);
    char **out = calloc(count + 2, sizeof *out);
    snprintf(own, 32, "GRAVREEL_STDERR=%d", number);
    if (!out)
        return NULL;
    out[0] = own;
    memcpy(out + 1, environ, count * sizeof *out);
    return out;
}

/* The program begins with no signal blocked, and with SIGPIPE as usual, which Python ignores. */
static int spawn(struct program *program, const char *const *words, int input)
{
    char own[32];
    const int speaker = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10);
    char **variables = make_environment(own, speaker);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, pipes;
    sigemptyset(&none);
    sigemptyset(&pipes);
    sigaddset(&pipes, SIGPIPE);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &pipes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, program->messages, STDERR_FILENO);
    if (speaker >= 0)
        posix_spawn_file_actions_adddup2(&actions, speaker, speaker); /* and keeps it open */
    const int failed = variables ? posix_spawnp(&program->process, words[0], &actions, &attributes,
                                                (char *const *)words, variables)
                                 : ENOMEM;
    if (speaker >= 0)
        close(speaker);
    free(variables);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (!failed)
        return 0;
    program->process = 0;
    return program_fail(FAILED,
                        "cannot start '%s': %s; install gravreel, or name the program in $GRAVREEL",
                        words[0], strerror(failed));
}

/* $GRAVREEL, else the program that is installed beside this library, else one on the path. */
static const char *find_program(char beside[PATH_MAX])
{
    Dl_info library;
    const char *named = getenv("GRAVREEL"), *end = NULL;
    if (named && *named)
        return named;
    if (dladdr(library_mark, &library) != 0 && library.dli_fname)
        end = strrchr(library.dli_fname, '/');
    if (!end)
        return "gravreel";
    const int length = snprintf(beside, PATH_MAX, "%.*s/../bin/gravreel",
                                (int)(end - library.dli_fname), library.dli_fname);
    return length < PATH_MAX && access(beside, X_OK) == 0 ? beside : "gravreel";
}

int program_start(struct program *program, const char *command, const char *const *options,
                  const char *const *more, int input)
{
    char beside[PATH_MAX];
    const size_t given = count_of(options), last = count_of(more);
    *program = (struct program){0, open_messages()};
    if (program->messages < 0)
        return program_fail(FAILED, "cannot start gravreel: no file for its messages: %s",
                            strerror(errno));
    const char **words = calloc(given + last + 3, sizeof *words);
    if (!words)
        return program_fail(FAILED, "no memory left to start gravreel");
    words[0] = find_program(beside);
    words[1] = command;
    if (given)
        memcpy(words + 2, options, given * sizeof *words);
    memcpy(words + 2 + given, more, last * sizeof *words);
    const int code = spawn(program, words, input);
    free(words);
    return code;
}

/* Finds the program's last error or warning. */
static void read_messages(const struct program *program, char *out, size_t size)
{
    static const char mark[] = "gravreel: ";
    char text[1 << 14];
    const off_t end = lseek(program->messages, 0, SEEK_END);
    const off_t begin = end > (off_t)sizeof text - 1 ? end - ((off_t)sizeof text - 1) : 0;
    const ssize_t got = pread(program->messages, text, sizeof text - 1, begin);
    *out = '\0';
    if (got <= 0)
        return;
    text[got] = '\0';
    for (char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, mark, sizeof mark - 1) == 0)
            snprintf(out, size, "%.*s", (int)strcspn(line + sizeof mark - 1, "\n"),
                     line + sizeof mark - 1);
    }
}

int program_wait(struct program *program, char said[SENTENCE_MAX])
{
    int ended = 0;
    said[0] = '\0';
    if (program->process <= 0)
        return 0;
    while (waitpid(program->process, &ended, 0) < 0 && errno == EINTR) {
    }
    program->process = 0;
    const int code = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
    if (WIFSIGNALED(ended))
        snprintf(said, SENTENCE_MAX, "gravreel was killed (signal %d)", WTERMSIG(ended));
    else if (code != 0)
        read_messages(program, said, SENTENCE_MAX);
    if (code != 0 && !said[0])
        snprintf(said, SENTENCE_MAX, "the program ended with code %d and said nothing", code);
    return code;
}

void program_close(struct program *program)
{
    if (program->messages >= 0)
        close(program->messages);
    program->messages = -1;
}
