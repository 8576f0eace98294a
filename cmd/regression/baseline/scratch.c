#include "cmd/regression/baseline/scratch.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char program[] = "/proc/self/exe";

static bool is_changed(const char *entry, const char *const *changes)
{
    const size_t name = strcspn(entry, "=") + 1;
    for (; changes && *changes; changes++)
        if (strncmp(entry, *changes, name) == 0)
            return true;
    return false;
}

/* Makes the environment with the changes; does not copy the texts. */
static char **environment(const char *const *changes)
{
    size_t count = 0, room = 1;
    for (char **entry = environ; *entry; entry++)
        room++;
    for (size_t c = 0; changes && changes[c]; c++)
        room++;
    char **out = memory_new(room, sizeof *out);
    for (char **entry = environ; *entry; entry++)
        if (!is_changed(*entry, changes))
            out[count++] = *entry;
    for (size_t c = 0; changes && changes[c]; c++)
        out[count++] = (char *)changes[c];
    return out;
}

enum status scratch_start(const char *const *arguments, const char *const *changes, const char *log,
                          pid_t *child)
{
    posix_spawn_file_actions_t files;
    char **given = environment(changes);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (log)
        posix_spawn_file_actions_addopen(&files, STDERR_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC,
                                         0666);
    const int error = posix_spawn(child, program, &files, NULL, (char *const *)arguments, given);
    posix_spawn_file_actions_destroy(&files);
    free(given);
    return error
               ? status_fail(STATUS_RUNTIME, "cannot start the program again: %s", strerror(error))
               : STATUS_OK;
}

enum status scratch_wait(pid_t child, int *code)
{
    int state;
    while (waitpid(child, &state, 0) < 0)
        if (errno != EINTR)
            return status_fail(STATUS_RUNTIME, "cannot wait for process %d: %s", (int)child,
                               strerror(errno));
    *code = WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state);
    return STATUS_OK;
}
