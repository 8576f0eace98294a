/* Tasks, which all ranks run at the same time: rank 0 sends a task to the others, and every rank
 * runs it.
 *
 * Rank 0 may start a task on any of its threads; one task runs at a time. Within a task the ranks
 * are in step: they make the same collective calls in the same order. A task that opens something
 * gives it a number that is the same on every rank (struct ranks_numbers). */
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

/* The same for a message of a head and a text behind it; task->bytes must be 0. */
enum status ranks_together_with(const struct ranks_task *task, const void *head, size_t bytes,
                                const char *text, void *own);

/* Takes such a message apart: copies the head, and sets *text, which lies in the message and is ""
 * if it was sent without. STATUS_RUNTIME: the message is truncated. */
enum status ranks_take_apart(const void *message, size_t size, void *head, size_t bytes,
                             const char **text);

/* On the ranks from 1 on, runs the tasks that rank 0 sends until rank 0 ends. Returns the program's
 * exit code. */
int ranks_serve(void);

/* Numbers of things that every rank has, with this rank's thing for each number. Use only within
 * tasks. */
enum { RANKS_NUMBERS = 64 };
struct ranks_numbers {
    void *thing[RANKS_NUMBERS];
};
/* Gives the thing the lowest free number. STATUS_RUNTIME when none is free; `what` ("films") is for
 * the message. */
enum status ranks_number(struct ranks_numbers *numbers, void *thing, const char *what,
                         uint32_t *out);
/* The thing with that number; NULL: there is none. */
void *ranks_numbered(const struct ranks_numbers *numbers, uint32_t number);
