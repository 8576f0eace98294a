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

#include <signal.h>
#include <stdbool.h>
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

/* A thread that does one piece of work at a time while its owner does something else. If the system
 * starts no thread, the owner does the work itself, when it begins. Used by one thread. */

struct worker;

/* `work` is called with `user` for each piece. beside: on a thread of its own. */
struct worker *worker_open(enum status (*work)(void *user), void *user, bool beside);
void worker_close(struct worker **worker); /* waits; accepts a pointer to NULL */

/* Starts a piece of work; the one before must have been waited for. */
void worker_begin(struct worker *worker);

/* Waits for that piece and returns how it ended, with its sentence on this thread. STATUS_OK if
 * there is none to wait for. */
enum status worker_wait(struct worker *worker);

/* ---- stopping ---- */

/* A flag that a signal handler or another thread raises, and that long work checks. C guarantees
 * only within the handler's thread that a volatile sig_atomic_t is read whole.
 * Whether to end soon; NULL: never. */
static inline bool stop_asked(const volatile sig_atomic_t *stop)
{
    return stop && __atomic_load_n(stop, __ATOMIC_RELAXED) != 0;
}
