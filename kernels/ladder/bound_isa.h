/* Loops of a single kind of work, in single precision on all lanes: fused multiply-adds, estimates
 * of a reciprocal square root, and both in the mixture of an interaction (without a fused
 * instruction a multiplication and an addition count as one multiply-add). Each loop runs on the
 * calling thread and returns the amount of work done; the caller times it. `scale` multiplies the
 * work; 1 takes some milliseconds. */
#pragma once

enum ladder_mixture {
    LADDER_EACH,        /* 12 multiply-adds and a root: one interaction */
    LADDER_EACH_EQUAL,  /* 11 and a root: one interaction of equal masses */
    LADDER_PAIRS,       /* 16 and a root: two interactions, by Newton's third law */
    LADDER_PAIRS_EQUAL, /* 14 and a root: two interactions of equal masses */
    LADDER_MIXTURES
};

typedef double ladder_work(unsigned scale);
typedef double ladder_mixed_work(enum ladder_mixture mixture, unsigned scale);

ladder_work ladder_multiply_adds_baseline, ladder_multiply_adds_neon, ladder_multiply_adds_avx2,
    ladder_multiply_adds_avx512;
ladder_work ladder_roots_baseline, ladder_roots_neon, ladder_roots_avx2, ladder_roots_avx512;
ladder_mixed_work ladder_interactions_baseline, ladder_interactions_neon, ladder_interactions_avx2,
    ladder_interactions_avx512;
