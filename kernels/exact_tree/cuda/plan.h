/* The plan of a tree on a CUDA device, and the counters of an evaluation. */
#pragma once

#include "kernels/exact_tree/layout.h"

#include <stdbool.h>

struct exact_tree_cuda_plan {
    size_t bodies;
    bool mixed;     /* bodies have halves of their own */
    unsigned warps; /* number of warps that walk at once, each with its own stack */
    size_t sort_bytes;
    size_t bytes; /* size of `work`, which begins with a double per body */
};

/* Counters of the last evaluation. */
struct exact_tree_cuda_work {
    unsigned long long pairs, joins;
    unsigned negative; /* whether there is a mass below 0 */
};
