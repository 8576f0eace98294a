#include "base/worker.h"

#include "base/memory.h"
#include "base/queue.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct worker {
    enum status (*work)(void *user);
    void *user;
    pthread_t thread;
    bool started, busy;
    struct queue *begun, *ended;
    struct failure failure; /* of the latest piece; the thread's while busy */
};

static void do_work(struct worker *worker)
{
    worker->failure = (struct failure){0};
    failure_keep(&worker->failure, worker->work(worker->user));
}

static void *run(void *argument)
{
    struct worker *worker = argument;
    void *item;
    while (queue_pop(worker->begun, &item) == STATUS_OK) {
        do_work(worker);
        queue_push(worker->ended, worker);
    }
    return NULL;
}

struct worker *worker_open(enum status (*work)(void *user), void *user, bool beside)
{
    struct worker *worker = memory_new(1, sizeof *worker);
    worker->work = work;
    worker->user = user;
    worker->begun = queue_create(1);
    worker->ended = queue_create(1);
    worker->started = beside && pthread_create(&worker->thread, NULL, run, worker) == 0;
    return worker;
}

void worker_close(struct worker **worker)
{
    struct worker *self = *worker;
    if (!self)
        return;
    queue_finish(self->begun);
    if (self->started)
        pthread_join(self->thread, NULL);
    queue_destroy(&self->begun);
    queue_destroy(&self->ended);
    free(self);
    *worker = NULL;
}

void worker_begin(struct worker *worker)
{
    worker->busy = true;
    if (worker->started)
        queue_push(worker->begun, worker);
    else
        do_work(worker);
}

enum status worker_wait(struct worker *worker)
{
    void *item;
    if (!worker->busy)
        return STATUS_OK;
    if (worker->started)
        queue_pop(worker->ended, &item);
    worker->busy = false;
    return failure_report(&worker->failure);
}
