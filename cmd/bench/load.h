/* Whether others used the machine while something was measured. For one thread. */
#ifndef CMD_BENCH_LOAD_H
#define CMD_BENCH_LOAD_H

#include <stdbool.h>
#include <stddef.h>

/* Since when: seconds of the clock, and of processors as machine_usage counts them. Zeros: nothing
 * yet. */
struct bench_load {
    double clock, all, own;
};

/* The part of the processors that others used from `before` to `now`, 0 to 1; 0 where that is not
 * known or the time is too short to tell. */
double bench_load_of_others(const struct bench_load *before, const struct bench_load *now,
                            unsigned processors);

/* True, with a sentence, when others used so much since the last call that figures are not to be
 * believed. The first call only begins. */
bool bench_load_note(struct bench_load *load, char *note, size_t size);

#endif
