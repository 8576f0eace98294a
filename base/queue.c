#include "base/queue.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdlib.h>

struct queue {
    size_t capacity;

    pthread_mutex_t lock; /* protects everything below */
    pthread_cond_t not_full, not_empty;
    size_t head, length;
    bool finished, aborted;
    void *items[];
};

struct queue *queue_create(size_t capacity)
{
    struct queue *queue = memory_new(1, sizeof *queue + capacity * sizeof queue->items[0]);
    queue->capacity = capacity;
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->not_full, NULL);
    pthread_cond_init(&queue->not_empty, NULL);
    return queue;
}

void queue_destroy(struct queue **queue)
{
    if (!*queue)
        return;
    pthread_cond_destroy(&(*queue)->not_empty);
    pthread_cond_destroy(&(*queue)->not_full);
    pthread_mutex_destroy(&(*queue)->lock);
    free(*queue);
    *queue = NULL;
}

enum status queue_push(struct queue *queue, void *item)
{
    enum status status = STATUS_STOPPED;
    pthread_mutex_lock(&queue->lock);
    while (queue->length == queue->capacity && !queue->aborted)
        pthread_cond_wait(&queue->not_full, &queue->lock);
    if (!queue->aborted && !queue->finished) {
        queue->items[(queue->head + queue->length++) % queue->capacity] = item;
        pthread_cond_signal(&queue->not_empty);
        status = STATUS_OK;
    }
    pthread_mutex_unlock(&queue->lock);
    return status;
}

enum status queue_pop(struct queue *queue, void **item)
{
    enum status status = STATUS_STOPPED;
    pthread_mutex_lock(&queue->lock);
    while (queue->length == 0 && !queue->finished && !queue->aborted)
        pthread_cond_wait(&queue->not_empty, &queue->lock);
    if (queue->length > 0 && !queue->aborted) {
        *item = queue->items[queue->head];
        queue->head = (queue->head + 1) % queue->capacity;
        queue->length--;
        pthread_cond_signal(&queue->not_full);
        status = STATUS_OK;
    }
    pthread_mutex_unlock(&queue->lock);
    return status;
}

static void set_flag(struct queue *queue, bool *flag)
{
    pthread_mutex_lock(&queue->lock);
    *flag = true;
    pthread_cond_broadcast(&queue->not_full);
    pthread_cond_broadcast(&queue->not_empty);
    pthread_mutex_unlock(&queue->lock);
}

void queue_finish(struct queue *queue)
{
    set_flag(queue, &queue->finished);
}

void queue_abort(struct queue *queue)
{
    set_flag(queue, &queue->aborted);
}

size_t queue_length(struct queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    size_t length = queue->length;
    pthread_mutex_unlock(&queue->lock);
    return length;
}

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
