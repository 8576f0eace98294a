#include "tests/support/programs/run.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void check(bool good, const char *what)
{
    if (good)
        return;
    perror(what);
    abort();
}

static bool names(const char *entry, const char *variable)
{
    size_t length = strcspn(variable, "=");
    return strncmp(entry, variable, length) == 0 && entry[length] == '=';
}

static const char **make_environment(const char *const *changes)
{
    size_t count = 0, changed = 0, used = 0;
    while (environ[count])
        count++;
    while (changes && changes[changed])
        changed++;
    const char **made = calloc(count + changed + 1, sizeof *made);
    check(made != NULL, "memory");
    for (size_t i = 0; i < count; i++) {
        bool kept = true;
        for (size_t c = 0; c < changed; c++)
            kept &= !names(environ[i], changes[c]);
        if (kept)
            made[used++] = environ[i];
    }
    for (size_t c = 0; c < changed; c++)
        if (strchr(changes[c], '='))
            made[used++] = changes[c];
    return made;
}

static const char **make_arguments(const char *program, const char *const *arguments)
{
    size_t count = 0;
    while (arguments[count])
        count++;
    const char **made = calloc(count + 2, sizeof *made);
    check(made != NULL, "memory");
    made[0] = program;
    memcpy(made + 1, arguments, count * sizeof *made);
    return made;
}

static int open_terminal(int *other)
{
    struct winsize size = {.ws_row = 24, .ws_col = 100};
    int master;
    check(openpty(&master, other, NULL, NULL, &size) == 0, "terminal");
    fcntl(master, F_SETFD, FD_CLOEXEC);
    fcntl(*other, F_SETFD, FD_CLOEXEC);
    fcntl(master, F_SETFL, O_NONBLOCK);
    return master;
}

void run_start(struct run_process *process, const struct run_options *options,
               const char *const *arguments)
{
    static const struct run_options usual = {0};
    if (!options)
        options = &usual;
    const char *program = getenv("GRAVREEL_PROGRAM");
    if (!program)
        program = PROGRAM;
    *process = (struct run_process){.terminal = -1};
    process->out = memfd_create("out", MFD_CLOEXEC);
    process->err = memfd_create("err", MFD_CLOEXEC);
    check(process->out >= 0 && process->err >= 0, "memfd");
    int error_end = process->err;
    if (options->terminal)
        process->terminal = open_terminal(&error_end);

    /* as in a terminal: scripts that start this one in the background ignore signals */
    posix_spawnattr_t attributes;
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGINT);
    sigaddset(&defaults, SIGQUIT);
    sigaddset(&defaults, SIGHUP);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, options->output ? options->output : process->out,
                                     STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, error_end, STDERR_FILENO);
    if (options->folder)
        posix_spawn_file_actions_addchdir_np(&actions, options->folder);
    const char **words = make_arguments(program, arguments);
    const char **environment = make_environment(options->environment);
    errno = posix_spawn(&process->pid, program, &actions, &attributes, (char *const *)words,
                        (char *const *)environment);
    check(errno == 0, program);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    free(words);
    free(environment);
    if (options->terminal)
        close(error_end);
    process->descriptor = pidfd_open(process->pid, 0);
    check(process->descriptor >= 0, "pidfd");
}

void run_signal(const struct run_process *process, int number)
{
    pidfd_send_signal(process->descriptor, number, NULL, 0);
}

/* What a terminal shows is read while the program runs, or it would wait for ever. */
static void copy_terminal(struct run_process *process)
{
    char buffer[4096];
    ssize_t got;
    while ((got = read(process->terminal, buffer, sizeof buffer)) > 0)
        check(write(process->err, buffer, (size_t)got) == got, "memfd");
}

static bool wait_for_end(struct run_process *process)
{
    double end = clock_seconds() + RUN_LIMIT;
    for (;;) {
        struct pollfd watched[2] = {{.fd = process->descriptor, .events = POLLIN},
                                    {.fd = process->terminal, .events = POLLIN}};
        int left = (int)(1000 * (end - clock_seconds()));
        if (left <= 0)
            return false;
        poll(watched, 2, left);
        if (watched[1].revents & POLLIN)
            copy_terminal(process);
        if (watched[0].revents)
            return true;
        if (watched[1].revents & POLLHUP) { /* closed by the program: nothing more to watch */
            close(process->terminal);
            process->terminal = -1;
        }
    }
}

static char *take(int descriptor, size_t *size)
{
    struct stat found;
    check(fstat(descriptor, &found) == 0, "memfd");
    char *text = calloc(1, (size_t)found.st_size + 1);
    check(text && pread(descriptor, text, (size_t)found.st_size, 0) == found.st_size, "memfd");
    if (size)
        *size = (size_t)found.st_size;
    close(descriptor);
    return text;
}

void run_finish(struct run_process *process, struct run *result)
{
    *result = (struct run){.timed_out = !wait_for_end(process)};
    if (result->timed_out)
        run_signal(process, SIGKILL);
    int status;
    struct rusage usage;
    check(wait4(process->pid, &status, 0, &usage) == process->pid, "wait4");
    if (process->terminal >= 0) {
        copy_terminal(process);
        close(process->terminal);
    }
    result->code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
    result->peak_kb = usage.ru_maxrss;
    result->out = take(process->out, &result->out_size);
    result->err = take(process->err, NULL);
    close(process->descriptor);
}

/* Looks every few milliseconds whether `happened`. */
static bool wait_for(const struct run_process *process,
                     bool (*happened)(const struct run_process *process, const void *what),
                     const void *what)
{
    const double end = clock_seconds() + RUN_LIMIT;
    while (clock_seconds() < end) {
        if (happened(process, what))
            return true;
        struct pollfd watched = {.fd = process->descriptor, .events = POLLIN};
        if (poll(&watched, 1, 2) > 0)
            return happened(process, what);
    }
    run_signal(process, SIGKILL);
    return false;
}

struct wanted_file {
    const char *path;
    long size;
};

static bool is_there(const struct run_process *process, const void *what)
{
    (void)process;
    const struct wanted_file *wanted = what;
    struct stat found;
    return stat(wanted->path, &found) == 0 && found.st_size >= wanted->size;
}

bool run_wait_for_file(const struct run_process *process, const char *path, long size)
{
    return wait_for(process, is_there, &(struct wanted_file){path, size});
}

static bool is_halted(const struct run_process *process, const void *what)
{
    (void)what;
    siginfo_t info = {0};
    return waitid(P_PIDFD, (id_t)process->descriptor, &info, WSTOPPED | WNOHANG | WNOWAIT) == 0 &&
           info.si_code == CLD_STOPPED;
}

bool run_wait_until_halted(const struct run_process *process)
{
    return wait_for(process, is_halted, NULL);
}

static bool is_taken(const struct run_process *process, const void *what)
{
    char path[64], line[256];
    unsigned long long mask = ~0ull, pending = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)process->pid);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "SigPnd: %llx", &mask) == 1 || sscanf(line, "ShdPnd: %llx", &mask) == 1)
            pending |= mask;
    if (file)
        fclose(file);
    return mask != ~0ull && !(pending >> (*(const int *)what - 1) & 1);
}

bool run_wait_until_taken(const struct run_process *process, int number)
{
    return wait_for(process, is_taken, &number);
}

bool run_wait_until_said(struct run_process *process, const char *part)
{
    const double end = clock_seconds() + RUN_LIMIT;
    while (clock_seconds() < end) {
        struct pollfd watched = {.fd = process->descriptor, .events = POLLIN};
        const bool ended = poll(&watched, 1, 2) > 0;
        if (process->terminal >= 0)
            copy_terminal(process);
        struct stat found;
        check(fstat(process->err, &found) == 0, "memfd");
        char *text = calloc(1, (size_t)found.st_size + 1);
        check(text && pread(process->err, text, (size_t)found.st_size, 0) == found.st_size,
              "memfd");
        const bool said = strstr(text, part) != NULL;
        free(text);
        if (said || ended)
            return said;
    }
    run_signal(process, SIGKILL);
    return false;
}

void run_program(struct run *result, const struct run_options *options,
                 const char *const *arguments)
{
    struct run_process process;
    run_start(&process, options, arguments);
    run_finish(&process, result);
}

void run_free(struct run *result)
{
    free(result->out);
    free(result->err);
    *result = (struct run){0};
}
