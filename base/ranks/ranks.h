/* The processes of a program that mpirun or srun started several times: ranks.
 *
 * MPI moves the bytes (mpi.c); without it (alone.c) a program is always alone, and refuses to be
 * started several times.
 *
 * A new collective function is checked in ranks.c, moves its bytes in mpi.c, has a stand-in in
 * alone.c, and cases in tests/base/ranks/ranks_cases.c.
 *
 * The functions below `ranks_open` are collective where that is said: every rank calls them in the
 * same order, with the same lengths where these must agree. Calls or lengths that do not agree are
 * found before data is moved: the call returns STATUS_RUNTIME on every rank, no buffer has changed,
 * and the ranks are still in step.
 *
 * The calls of a thread go along its *lane*, which has an order of calls of its own: those of one
 * lane do not wait for those of another. A thread has the lane that it has entered, otherwise
 * LANE_MAIN.
 *
 * A rank that fails on its own reports it with ranks_agree. The others get the failure from
 * whatever collective call of that lane they are in or come to, so that none waits for one that has
 * failed.
 *
 * While a rank waits it sleeps more and more (at most 1 ms at a time), so that waiting ranks leave
 * the processors to others. When rank 0 is asked to end (ranks_watch) and has then waited in a call
 * for RANKS_GRACE seconds, it asks the others for a sign, which they give while they wait
 * themselves on that lane, or rest there. If some give none within half a second, the call returns
 * STATUS_RUNTIME with a sentence that names them with their hosts, and every later call returns the
 * same. The other ranks leave this to rank 0, which may be busy closing a film, and give up only
 * rank 0, after RANKS_PATIENCE seconds. SIGINT and SIGTERM do not end them at once, but ask them to
 * end.
 *
 * Thread-safe between lanes; one thread at a time uses a lane. */
#pragma once

#include "base/status.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RANKS_GRACE = 3, RANKS_PATIENCE = 30 };

/* Call first in main, before threads are started. Starts MPI if a launcher started this program as
 * one of several ranks; otherwise does nothing. STATUS_DEVICE: several ranks, but built without
 * MPI, or MPI does not find the others (the sentence says so); on the ranks from 1 on the sentence
 * is empty, so that one is printed. Each rank is limited to its share of the processors of its
 * host, unless the launcher has bound it to no more or OMP_NUM_THREADS is set; for that the program
 * may be started again in the same process, by exec. */
enum status ranks_open(void);

/* Ends MPI; call last, also after failures. The other ranks' calls return STATUS_STOPPED, "rank 0
 * has ended", and STATUS_RUNTIME if another rank ends before rank 0; every later call returns the
 * same. When a rank was given up, or rank 0 has waited here for RANKS_PATIENCE seconds for one
 * that does not come (RANKS_GRACE when asked to end), ends the whole job. exit() calls it, too.
 * Does nothing if alone, and in a forked process. */
void ranks_close(void);

int ranks_count(void); /* 1 if alone; at most RANKS_MOST */
int ranks_own(void);   /* 0 if alone */
enum { RANKS_MOST = 4096 };

/* The host of a rank, valid until ranks_close, and its number of threads for computing. */
const char *ranks_host(int rank);
int ranks_threads(int rank);
int ranks_local(void);       /* number of this rank among the ranks of its host, from 0 on */
int ranks_local_count(void); /* ranks on this host */
/* "rank 3 on node07", or "" if alone; a static buffer per thread. */
const char *ranks_name(int rank);
/* Name and version of the MPI library, "Open MPI 4.1.4"; "" without MPI. */
const char *ranks_library(void);

/* Sets the flag that asks this process to end: *stop != 0 is the number of a signal. NULL: no flag.
 */
void ranks_watch(const volatile sig_atomic_t *stop);

/* Lanes, by the thread that uses each. */
enum ranks_lane { LANE_MAIN, LANE_SIMULATE, LANE_DRAW, RANKS_LANES };

/* Enters a lane: this thread's collective calls go along it until ranks_leave. Aborts the program
 * if another thread has the lane. */
void ranks_enter(enum ranks_lane name);
void ranks_leave(void);
/* Says that this thread waits for another thread of its process, until ranks_rest(false). */
void ranks_rest(bool rests);

/* Whether there are several ranks and this thread has entered a lane: all ranks then make its
 * calls. */
bool ranks_are_together(void);
/* Whether this process does what one process does for all: rank 0, unless each acts alone. */
bool ranks_lead(void);

/* Returns the signal that ends long work early; 0: go on. Without a lane it is *own. On a lane it
 * is the signal that any rank had at the lane's last meeting, so that all ranks see it at the same
 * call. NULL: the work does not end early. */
int ranks_stop(const volatile sig_atomic_t *own);
/* Asks all ranks to end: the next meeting of this thread's lane tells them. */
void ranks_ask_end(void);
/* Whether a rank had called ranks_ask_end before the last meeting. ranks_stop then sees it too. */
bool ranks_end_is_asked(void);

/* Notes a decision that leads to other collective calls. The next meeting of this thread's lane
 * compares the decisions, and fails on all ranks where they differ. Only the first 31 characters of
 * `what` count. */
void ranks_decide(const char *what, uint64_t value);

/* Collective. Brings the ranks back in step after one may have failed on its own and left out its
 * calls. Returns the first failure. */
enum status ranks_scope(enum status own);

/* What rank 0 does for all, such as asking the disk, the machine or the clock:
 *
 *     if (ranks_begin_first())
 *         status = file_read(...);
 *     status = ranks_end_first(status);
 *
 * ranks_begin_first is true on rank 0, whose thread is alone until ranks_end_first; that one is
 * collective, and all get its status. Both are called, also after a failure, because they may be
 * nested. A thread without a lane is always alone. */
bool ranks_begin_first(void);
enum status ranks_end_first(enum status status);

/* Collective: gives rank 0's answer to all. A thread without a lane keeps its own. */
enum status ranks_first(void *answer, size_t bytes);

/* Collective: gives rank 0's text, which may be NULL, to all. On the other ranks a copy replaces
 * the text there, which is freed. */
enum status ranks_first_text(char **text);

/* Collective. Every rank returns the first failure in the order of ranks: the failing rank with its
 * own sentence, the others with ranks_name before it. Any failure goes before STATUS_STOPPED. */
enum status ranks_agree(enum status own);

/* Collective: copies the data of rank `from` to all. */
enum status ranks_share(void *data, size_t bytes, int from);

/* Collective: the largest or the sum (modulo 2^64) of each element over all ranks, to all;
 * independent of the order. -0 is less than 0, and NaN is larger than all numbers. */
enum status ranks_largest(double *values, size_t count);
enum status ranks_sum(uint64_t *values, size_t count);

/* Collective: gives the bytes of every rank, one after the other, to all. bytes_of[ranks_count()]:
 * the same on every rank. `own` may be the place in `all` where it belongs. */
enum status ranks_gather(const void *own, void *all, const size_t *bytes_of);

/* Collective: ranks_gather with `bytes` bytes of every rank. */
enum status ranks_gather_each(const void *own, void *all, size_t bytes);

/* Collective: ranks_gather to rank `to` alone. The other ranks' `all` and `bytes_of` are ignored;
 * `bytes` is the length of the caller's own part. */
enum status ranks_collect(const void *own, size_t bytes, void *all, const size_t *bytes_of, int to);

/* Collective: the reverse of ranks_collect. Rank `from` has all parts; each rank gets its own,
 * `bytes` long. */
enum status ranks_deal(const void *all, const size_t *bytes_of, void *own, size_t bytes, int from);

/* Collective: sends each rank its part of `out`, and receives a part from each rank into `in`;
 * parts lie one after the other. Lengths are in bytes; in_bytes must be known (ranks_swap). */
enum status ranks_exchange(const void *out, const size_t *out_bytes, void *in,
                           const size_t *in_bytes);

/* Collective: sends one number to each rank, and receives one from each. */
enum status ranks_swap(const uint64_t *out, uint64_t *in);

/* Traffic of this thread's lane since ranks_open. */
struct ranks_traffic {
    uint64_t bytes, messages; /* sent by this rank to others, as the algorithms need it: MPI may
                               * pass data on through other ranks */
    uint64_t meetings;        /* a collective call has one or two */
    double waiting;           /* seconds in collective calls */
};
struct ranks_traffic ranks_traffic(void);
