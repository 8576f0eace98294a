/* What moves bytes between ranks: MPI (mpi.c), or nothing where it is not built in (alone.c).
 *
 * ranks.c alone calls these, after it has made sure that all ranks mean the same. Those that have a
 * lane (enum ranks_lane) are collective, and are called by one thread per lane. After a failure
 * only wire_abort may be called: the memory of a call that failed may still be in use. Failures are
 * STATUS_RUNTIME. */
#pragma once

#include "base/status.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Name and version of the library, "" if none is built in. Works before wire_open. */
const char *wire_library(void);

enum status wire_open(int *count, int *own);

/* Sets the flag that asks this process to end, besides wire_ask_to_end; NULL: no flag. */
void wire_watch(const volatile sig_atomic_t *stop);

/* Called by signal handlers. */
void wire_ask_to_end(int number);

/* The signal by which this process was asked to end; 0: none. */
int wire_stops(void);

/* Says whether the lane's thread rests: it waits for another thread of this process, not for a
 * rank, or there is no thread. A thread that does not rest works, unless it is in one of the calls
 * below. */
void wire_rest(int lane, bool rests);

/* Limits the wait in each of the following calls to this many seconds; 0: no limit. */
void wire_limit(double seconds);

/* The largest or the sum of each element over all ranks, to all. */
enum status wire_largest(int lane, uint64_t *values, size_t count);
enum status wire_sum(int lane, uint64_t *values, size_t count);

enum status wire_share(int lane, void *data, size_t bytes, int from);

/* Gives the bytes of each rank to all: the same number from each, and few. */
enum status wire_gather(int lane, const void *own, size_t bytes, void *all);

/* Sends a number to each rank, and receives one from each. */
enum status wire_swap(int lane, const uint64_t *out, uint64_t *in);

/* Moves parts between ranks. Each part sent must be expected by its receiver, with the same size.
 */
struct wire_part {
    void *data;
    size_t bytes;
    int rank; /* a rank other than this one */
};
enum status wire_move(int lane, const struct wire_part *out, size_t out_count,
                      const struct wire_part *in, size_t in_count);

/* Waits for all ranks. */
enum status wire_barrier(int lane);

void wire_close(void);
void wire_abort(int code) __attribute__((noreturn));
