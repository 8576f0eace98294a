/* A body's nearest neighbours among a crowd of bodies around it, in double precision: the same
 * results with every instruction set. Thread-safe. */
#pragma once

#include <stddef.h>

enum { NEAR_PAD = 8 }; /* numbers beyond an array's end that kernels may read and write */

struct near_kernels {
    const char *isa; /* "avx512" */
    /* Writes the squared distances from a place that are at most `bound`, in the order of the
     * bodies, and returns how many there are. at: x, y and z of the bodies, infinite in the pad;
     * out: room for all of them and the pad. */
    size_t (*within)(const double *const at[3], size_t count, const double from[3], double bound,
                     double *out);
    /* The k-th smallest of `count` values, 1 <= k <= count, which are at least 0 and at most
     * `most`. Fastest if it is close to `guess`. */
    double (*smallest)(double *value, size_t count, size_t k, double guess, double most);
};

/* By the name of an instruction set; "auto" is the best that this machine can run. NULL: this
 * machine cannot run it. */
const struct near_kernels *near_kernels_find(const char *isa);
