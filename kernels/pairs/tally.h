/* A number that one thread at a time raises and that others wait for, as long as a stretch of work:
 * they look at it for some microseconds and then sleep. A thread that yields instead takes turns
 * with every other program on its processor, and where that is busy for all of its time.
 * Thread-safe. */
#ifndef KERNELS_PAIRS_TALLY_H
#define KERNELS_PAIRS_TALLY_H

#include <stdatomic.h>

struct tally {
    atomic_uint value; /* 0 at first */
    atomic_uint sleepers;
};

/* What was written before is seen by those who waited for it. */
void tally_raise(struct tally *tally, unsigned value);

/* Returns when the value is at least this. */
void tally_wait(struct tally *tally, unsigned value);

#endif
