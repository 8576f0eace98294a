#include "base/queue.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdbool.h>
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
