/* For tests in which rank 0 alone decides what comes next: it sends a task to the others, and every
 * rank runs it.
 *
 * Rank 0 may start a task on any of its threads; one task runs at a time. Within a task the ranks
 * are in step on LANE_MAIN: they make the same collective calls in the same order. */
#pragma once

#include "base/ranks/ranks.h"

struct ranks_task {
    /* message: rank 0's, `bytes` long. own: the caller's on rank 0; NULL on the other ranks.
     *
     * It may fail anywhere on any rank, and then returns without making further collective calls:
     * the other ranks get the failure from their next call, and ranks_together brings all ranks
     * back in step. */
    enum status (*run)(const void *message, size_t bytes, void *own);
    size_t bytes; /* size of every message; 0: sizes differ */
};

/* Sets the list of tasks, ended by NULL and the same on every rank. Call before ranks_together and
 * ranks_serve. */
void ranks_offer(const struct ranks_task *const *tasks);

/* On rank 0, runs a task on all ranks, and returns the first failure. Within a task, on any rank,
 * runs it only here, because the other ranks reach the same call. */
enum status ranks_together(const struct ranks_task *task, const void *message, size_t bytes,
                           void *own);

/* On the ranks from 1 on, runs the tasks that rank 0 sends until rank 0 ends. Returns the program's
 * exit code. */
int ranks_serve(void);
