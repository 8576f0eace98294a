/* A thread that does one piece of work at a time while its owner does something else. If the system
 * starts no thread, the owner does the work itself, when it begins. Used by one thread. */
#pragma once

#include "base/status.h"

#include <stdbool.h>

struct worker;

/* `work` is called with `user` for each piece. beside: on a thread of its own. */
struct worker *worker_open(enum status (*work)(void *user), void *user, bool beside);
void worker_close(struct worker **worker); /* waits; accepts a pointer to NULL */

/* Starts a piece of work; the one before must have been waited for. */
void worker_begin(struct worker *worker);

/* Waits for that piece and returns how it ended, with its sentence on this thread. STATUS_OK if
 * there is none to wait for. */
enum status worker_wait(struct worker *worker);
