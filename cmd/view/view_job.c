#include "cmd/view/view_job.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct job_run {
    pthread_mutex_t mutex;
    pthread_t thread;
    bool started; /* the thread must be joined */
    pid_t process;
    FILE *said;
    char *film;
    struct job_run_state state;
};

struct job_run *job_run_open(void)
{
    struct job_run *run = memory_new(1, sizeof *run);
    pthread_mutex_init(&run->mutex, NULL);
    return run;
}

/* Takes a line of --progress, or a message. */
static void take_line(struct job_run *run, char *line)
{
    static const struct {
        const char *name;
        size_t at;
    } numbers[] = {{"frame=", offsetof(struct job_run_state, frame)},
                   {"frames=", offsetof(struct job_run_state, frames)}};
    line[strcspn(line, "\n")] = '\0';
    pthread_mutex_lock(&run->mutex);
    bool counted = false;
    for (size_t i = 0; i < 2; i++)
        if (strncmp(line, numbers[i].name, strlen(numbers[i].name)) == 0) {
            const char *digits = line + strlen(numbers[i].name);
            counted = text_parse_digits(digits, strlen(digits),
                                        (uint64_t *)((char *)&run->state + numbers[i].at));
        }
    const size_t word = strspn(line, "abcdefghijklmnopqrstuvwxyz_0123456789");
    if (!counted && *line && line[word] != '=')
        snprintf(run->state.sentence, sizeof run->state.sentence, "%.*s", STATUS_TEXT_MAX - 1,
                 line);
    pthread_mutex_unlock(&run->mutex);
}

static void *follow(void *user)
{
    struct job_run *run = user;
    char *line = NULL;
    size_t room = 0;
    int state = 0;
    while (getline(&line, &room, run->said) > 0)
        take_line(run, line);
    free(line);
    fclose(run->said);
    while (waitpid(run->process, &state, 0) < 0 && errno == EINTR)
        ;
    pthread_mutex_lock(&run->mutex);
    run->state.running = false;
    run->state.code = WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state);
    pthread_mutex_unlock(&run->mutex);
    return NULL;
}

static enum status spawn(struct job_run *run, const char *scene, const char *film,
                         const char *motion)
{
    const char *const arguments[] = {
        "gravreel", "render", scene, "-o", film, "-y", "--progress", "-", motion ? "--run" : NULL,
        motion,     NULL};
    int ends[2];
    posix_spawn_file_actions_t files;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return status_fail(STATUS_RUNTIME, "cannot start the film: %s", strerror(errno));
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, ends[1], STDERR_FILENO);
    const int error = posix_spawn(&run->process, "/proc/self/exe", &files, NULL,
                                  (char *const *)arguments, environ);
    posix_spawn_file_actions_destroy(&files);
    close(ends[1]);
    run->said = error == 0 ? fdopen(ends[0], "r") : NULL;
    if (run->said)
        return STATUS_OK;
    close(ends[0]);
    return status_fail(STATUS_RUNTIME, "cannot start the film: %s", strerror(error));
}

static void join(struct job_run *run)
{
    if (run->started)
        pthread_join(run->thread, NULL);
    run->started = false;
}

enum status job_run_start(struct job_run *run, const char *scene, const char *film,
                          const char *motion)
{
    enum status status = STATUS_OK;
    pthread_mutex_lock(&run->mutex);
    if (run->state.running)
        status = status_fail(STATUS_USAGE, "a film is being made; stop it first");
    else
        join(run); /* which has ended, or is about to return */
    if (status == STATUS_OK)
        status = spawn(run, scene, film, motion);
    if (status == STATUS_OK) {
        free(run->film);
        run->film = memory_text(film);
    }
    if (status == STATUS_OK) {
        run->state = (struct job_run_state){.began = true, .running = true};
        run->started = pthread_create(&run->thread, NULL, follow, run) == 0;
        if (!run->started) {
            kill(run->process, SIGTERM);
            run->state.running = false;
            status = status_fail(STATUS_RUNTIME, "cannot start the thread that follows the film");
        }
    }
    pthread_mutex_unlock(&run->mutex);
    return status;
}

void job_run_stop(struct job_run *run)
{
    pthread_mutex_lock(&run->mutex);
    if (run->state.running)
        kill(run->process, SIGTERM);
    pthread_mutex_unlock(&run->mutex);
}

void job_run_state(struct job_run *run, struct job_run_state *out)
{
    pthread_mutex_lock(&run->mutex);
    *out = run->state;
    pthread_mutex_unlock(&run->mutex);
}

void job_run_close(struct job_run **run)
{
    struct job_run *self = *run;
    if (!self)
        return;
    job_run_stop(self);
    const bool stopped = self->state.running;
    join(self);
    if (stopped && self->state.code != 0)
        log_warning("'%s' is unfinished; `gravreel resume` continues it", self->film);
    free(self->film);
    pthread_mutex_destroy(&self->mutex);
    free(self);
    *run = NULL;
}
