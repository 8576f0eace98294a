/* A counter that one thread at a time raises and that others wait for, typically for the length of
 * a piece of work. Waiting threads poll for some microseconds and then sleep; yielding instead
 * would compete with every other program on a busy processor for the whole wait. Thread-safe. */
#pragma once

#include <stdatomic.h>

struct tally {
    atomic_uint value; /* 0 at first */
    atomic_uint sleepers;
};

/* Raises the value; earlier writes become visible to the waiting threads. */
void tally_raise(struct tally *tally, unsigned value);

/* Returns once the value is at least `value`. */
void tally_wait(struct tally *tally, unsigned value);
