#include "cmd/library/program.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static _Thread_local char sentence[SENTENCE_MAX];

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

static int spawn(struct program *program, const char *const *words, int input)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, program->messages, STDERR_FILENO);
    const int failed =
        posix_spawnp(&program->process, words[0], &actions, NULL, (char *const *)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (!failed)
        return 0;
    program->process = 0;
    return program_fail(FAILED,
                        "cannot start '%s': %s; install gravreel, or name the program in $GRAVREEL",
                        words[0], strerror(failed));
}

int program_start(struct program *program, const char *command, const char *const *options,
                  const char *const *more, int input)
{
    const char *named = getenv("GRAVREEL");
    const size_t given = count_of(options), last = count_of(more);
    *program = (struct program){0, open_messages()};
    if (program->messages < 0)
        return program_fail(FAILED, "cannot start gravreel: no file for its messages: %s",
                            strerror(errno));
    const char **words = calloc(given + last + 3, sizeof *words);
    if (!words)
        return program_fail(FAILED, "no memory left to start gravreel");
    words[0] = named && *named ? named : "gravreel";
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
    if (code != 0)
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
