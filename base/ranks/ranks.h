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

/* Where ranks run, valid until ranks_close, and how many threads each has for computing. */
const char *ranks_host(int rank);
int ranks_threads(int rank);
int ranks_local(void);       /* number of this rank among those of its host, from 0 on */
int ranks_local_count(void); /* ranks on this host */
/* "rank 3 on node07", or "" if alone; a static buffer per thread. */
const char *ranks_name(int rank);
/* Name and version of the MPI library, "Open MPI 4.1.4"; "" without MPI. */
const char *ranks_library(void);

/* From now on *stop != 0, the number of a signal, means that this process was asked to end; NULL:
 * nothing does. */
void ranks_watch(const volatile sig_atomic_t *stop);

/* Lanes, by the thread that uses each. */
enum ranks_lane { LANE_MAIN, LANE_PLAN, LANE_SIMULATE, LANE_DRAW, RANKS_LANES };

/* From now on this thread's calls go along a lane that no other thread has (otherwise the program
 * is aborted), until it leaves the lane. LANE_MAIN is not entered. */
void ranks_enter(enum ranks_lane name);
void ranks_leave(void);
/* This thread waits for another one of its process, until it calls ranks_rest(false). */
void ranks_rest(bool rests);

/* Whether this thread has entered a lane, and there are several ranks, which all make its calls. */
bool ranks_are_together(void);

/* For long work that ends soon after *own != 0, the number of a signal: that number or, on a lane,
 * the one of any rank at the lane's last meeting, so that all ranks see it at the same call. NULL:
 * the work does not end early. */
int ranks_stop(const volatile sig_atomic_t *own);
/* This rank wants to end: told by the next meeting of this thread's lane. */
void ranks_ask_end(void);
/* Whether a rank had called it before the last meeting. ranks_stop then sees it, too. */
bool ranks_end_is_asked(void);

/* A decision that leads to other collective calls: the next meeting of this thread's lane compares
 * it, and fails on all ranks where they differ. Of `what`, 31 characters count. */
void ranks_decide(const char *what, uint64_t value);

/* Collective. Brings ranks back in step of which one may have failed on its own and has left its
 * calls; returns the first failure. */
enum status ranks_scope(enum status own);

/* What rank 0 does for all, such as asking the disk, the machine or the clock:
 *
 *     if (ranks_begin_first())
 *         status = file_read(...);
 *     status = ranks_end_first(status);
 *
 * ranks_begin_first is true on rank 0, whose thread is alone until ranks_end_first; that one is
 * collective, and all get its status. A thread without a lane is always alone. */
bool ranks_begin_first(void);
enum status ranks_end_first(enum status status);

/* Collective: rank 0's answer, to all. A thread without a lane keeps its own. */
enum status ranks_first(void *answer, size_t bytes);

/* Collective: rank 0's text, which may be NULL, to all; the others get copies in place of theirs,
 * which is freed. */
enum status ranks_first_text(char **text);

/* Collective. All return the first failure in the order of ranks: the failing rank its own
 * sentence, the others the same with ranks_name before it. Any failure goes before STATUS_STOPPED.
 */
enum status ranks_agree(enum status own);

/* Collective: data of rank `from` to all. */
enum status ranks_share(void *data, size_t bytes, int from);

/* Collective: element by element the largest or the sum (modulo 2^64), to all; independent of the
 * order. -0 is less than 0, and NaN larger than all numbers. */
enum status ranks_largest(double *values, size_t count);
enum status ranks_sum(uint64_t *values, size_t count);

/* Collective: the bytes of every rank, one after the other, to all. bytes_of[ranks_count()]: known
 * to every rank alike. `own` may be where it belongs in `all`. */
enum status ranks_gather(const void *own, void *all, const size_t *bytes_of);

/* Collective: the same with `bytes` of every rank. */
enum status ranks_gather_each(const void *own, void *all, size_t bytes);

/* Collective: the same to rank `to` alone; `all` and `bytes_of` of the others are ignored, `bytes`
 * is the caller's own. */
enum status ranks_collect(const void *own, size_t bytes, void *all, const size_t *bytes_of, int to);

/* Collective: the reverse, from rank `from`, which has all; each gets its own `bytes`. */
enum status ranks_deal(const void *all, const size_t *bytes_of, void *own, size_t bytes, int from);

/* Collective: to every rank its part of `out`, parts one after the other; from every rank its part
 * into `in`. Lengths in bytes; in_bytes are known, see ranks_swap. */
enum status ranks_exchange(const void *out, const size_t *out_bytes, void *in,
                           const size_t *in_bytes);

/* Collective: one number to every rank, one from every rank. */
enum status ranks_swap(const uint64_t *out, uint64_t *in);

/* Of this thread's lane, since ranks_open. */
struct ranks_traffic {
    uint64_t bytes, messages; /* that this rank sends to others, as the algorithms need them: MPI
                               * may pass data on through other ranks */
    uint64_t meetings;        /* a collective call has one or two */
    double waiting;           /* seconds in collective calls */
};
struct ranks_traffic ranks_traffic(void);
