/* What all ranks do at the same time: rank 0 tells the others a task, and every rank runs it.
 *
 * Rank 0 may do so on any of its threads; one task runs at a time. In a task all ranks are in step:
 * they make the same collective calls in the same order. A task that opens something gives it a
 * number that is the same on every rank (struct ranks_numbers). */
#pragma once

#include "base/ranks/ranks.h"

struct ranks_task {
    /* message: `bytes` of it, of rank 0. own: on rank 0 what the caller gave; elsewhere NULL.
     *
     * It may fail anywhere on any rank, and then returns without further collective calls: the
     * others get the failure from their next one, and ranks_together brings all in step again. */
    enum status (*run)(const void *message, size_t bytes, void *own);
    size_t bytes; /* every message's size; 0: they differ */
};

/* Before the others serve: the tasks that there are, ended by NULL, on every rank the same. */
void ranks_offer(const struct ranks_task *const *tasks);

/* Rank 0: runs a task on all ranks, and returns the first failure of all. From within a task, on
 * any rank: runs it here, since the others are about to do the same. */
enum status ranks_together(const struct ranks_task *task, const void *message, size_t bytes,
                           void *own);

/* Whether this thread is within a task, and there are several ranks. */
bool ranks_are_together(void);

/* The ranks from 1 on: runs what rank 0 tells until it ends. Returns the program's exit code. */
int ranks_serve(void);

/* Numbers of things that every rank has, with the thing of this rank. Only within tasks. */
enum { RANKS_NUMBERS = 64 };
struct ranks_numbers {
    void *thing[RANKS_NUMBERS];
};
/* The lowest free number. STATUS_RUNTIME: none is free; `what` is for the message. */
enum status ranks_number(struct ranks_numbers *numbers, void *thing, const char *what,
                         uint32_t *out);
/* The thing; NULL: there is none of that number. */
void *ranks_numbered(const struct ranks_numbers *numbers, uint32_t number);
