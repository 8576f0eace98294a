/* A bounded first-in first-out queue of pointers between threads.
 *
 * push waits while the queue is full, pop while it is empty; this is the pipeline's only
 * back-pressure. The queue does not own what the pointers point to. Every function is thread-safe
 * except create and destroy.
 *
 * Ending: finish() announces that nothing more will be pushed (pop drains the rest, then returns
 * STATUS_STOPPED); abort() makes every current and later push and pop return STATUS_STOPPED at
 * once. */
#pragma once

#include "base/status.h"

#include <stddef.h>

struct queue;

struct queue *queue_create(size_t capacity); /* >= 1 */
void queue_destroy(struct queue **queue);    /* accepts a pointer to NULL */

enum status queue_push(struct queue *queue, void *item);
enum status queue_pop(struct queue *queue, void **item);
void queue_finish(struct queue *queue);
void queue_abort(struct queue *queue);

/* Number of waiting items; only a hint. */
size_t queue_length(struct queue *queue);
