/* The processes of a program that mpirun or srun started several times: ranks.
 *
 * MPI moves the bytes (mpi.c); without it (alone.c) a program is always alone, and refuses to be
 * started several times. Rank 0 runs the command; the others serve it (ranks_serve in
 * tasks.h).
 *
 * A new collective function is checked in ranks.c, moves its bytes in mpi.c, has a stand-in in
 * alone.c, and cases in tests/base/ranks/ranks_cases.c.
 *
 * The functions below `ranks_open` are collective where that is said: every rank calls them in the
 * same order, with the same lengths where these must agree. Calls or lengths that do not agree are
 * found before data is moved: the call returns STATUS_RUNTIME on every rank, no buffer has changed,
 * and the ranks are still in step.
 *
 * A rank that fails on its own reports it with ranks_agree. The others get the failure from
 * whatever collective call they are in or come to, so that none waits for one that has failed.
 *
 * While a rank waits it sleeps more and more (at most 1 ms at a time), so that waiting ranks leave
 * the processors to others. When rank 0 is asked to end (ranks_watch) and has then waited in a call
 * for RANKS_GRACE seconds, it asks the others for a sign, which they give while they wait
 * themselves. If some give none within half a second, the call returns STATUS_RUNTIME with a
 * sentence that names them with their hosts, and every later call returns the same. The other ranks
 * leave this to rank 0, which may be busy closing a film, and give up only rank 0, after
 * RANKS_PATIENCE seconds. SIGINT and SIGTERM do not end them at once, but ask them to end.
 *
 * Not thread-safe: one thread at a time calls them. */
#pragma once

#include "base/status.h"

#include <signal.h>
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

/* From now on *stop != 0 means that this process was asked to end; NULL: nothing does. */
void ranks_watch(const volatile sig_atomic_t *stop);

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

/* Since ranks_open. */
struct ranks_traffic {
    uint64_t bytes, messages; /* that this rank sends to others, as the algorithms need them: MPI
                               * may pass data on through other ranks */
    double waiting;           /* seconds in collective calls */
};
struct ranks_traffic ranks_traffic(void);
