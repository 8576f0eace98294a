/* Independent chains of the one instruction to be measured, enough of them to hide its latency.
 * Compiled once per instruction set, see kernels/isa.h. */
#include "kernels/isa.h"
#include "kernels/ladder/ladder.h"
#include "kernels/lanes.h"

enum { CHAINS = 12, ROUNDS = 1 << 20 };

/* Marks x as used, so that the compiler does not remove its computation. */
#define KEEP(x) __asm__ volatile("" : "+m"(x))

static inline lanes spread(float value)
{
    lanes v;
    for (int l = 0; l < LANES; l++)
        v[l] = value;
    return v;
}

double OF_ISA(ladder_multiply_adds)(unsigned scale)
{
    lanes sum[CHAINS], factor = spread(0.9999999f), term = spread(1e-7f);
    for (int c = 0; c < CHAINS; c++)
        sum[c] = spread(1 + 0.01f * (float)c);
    for (unsigned s = 0; s < scale; s++) {
        KEEP(factor);
        for (unsigned r = 0; r < ROUNDS; r++)
#pragma GCC unroll 12
            for (int c = 0; c < CHAINS; c++)
                sum[c] = sum[c] * factor + term;
    }
    for (int c = 0; c < CHAINS; c++)
        KEEP(sum[c]);
    return (double)scale * ROUNDS * CHAINS * LANES;
}

/* Each estimate is the argument of the next; values stay near 1. */
double OF_ISA(ladder_roots)(unsigned scale)
{
    lanes value[CHAINS];
    for (int c = 0; c < CHAINS; c++)
        value[c] = spread(1 + 0.01f * (float)c);
    for (unsigned s = 0; s < scale; s++)
        for (unsigned r = 0; r < ROUNDS / 4; r++)
#pragma GCC unroll 12
            for (int c = 0; c < CHAINS; c++)
                value[c] = lanes_rsqrt_estimate(value[c]);
    for (int c = 0; c < CHAINS; c++)
        KEEP(value[c]);
    return (double)scale * (ROUNDS / 4) * CHAINS * LANES;
}

enum { MIXED_CHAINS = 9, ROOT_CHAINS = 3, MIXED_ROUNDS = ROUNDS / 64 };

/* Nine times `adds` multiply-adds and a root, none of which waits for the previous one. */
static inline __attribute__((always_inline)) double mix(int adds, unsigned scale)
{
    lanes sum[MIXED_CHAINS], value[ROOT_CHAINS];
    lanes factor = spread(0.9999999f), term = spread(1e-7f);
    for (int c = 0; c < MIXED_CHAINS; c++)
        sum[c] = spread(1 + 0.01f * (float)c);
    for (int c = 0; c < ROOT_CHAINS; c++)
        value[c] = spread(1 + 0.01f * (float)c);
    for (unsigned s = 0; s < scale; s++) {
        KEEP(factor);
        for (unsigned r = 0; r < MIXED_ROUNDS; r++)
#pragma GCC unroll 9
            for (int k = 0; k < MIXED_CHAINS; k++) {
#pragma GCC unroll 16
                for (int a = 0; a < adds; a++) {
                    int c = (k * adds + a) % MIXED_CHAINS;
                    sum[c] = sum[c] * factor + term;
                }
                value[k % ROOT_CHAINS] = lanes_rsqrt_estimate(value[k % ROOT_CHAINS]);
            }
    }
    for (int c = 0; c < MIXED_CHAINS; c++)
        KEEP(sum[c]);
    for (int c = 0; c < ROOT_CHAINS; c++)
        KEEP(value[c]);
    return (double)scale * MIXED_ROUNDS * MIXED_CHAINS * LANES;
}

double OF_ISA(ladder_interactions)(enum ladder_mixture mixture, unsigned scale)
{
    switch (mixture) {
    case LADDER_EACH:
        return mix(12, scale);
    case LADDER_EACH_EQUAL:
        return mix(11, scale);
    case LADDER_PAIRS:
        return 2 * mix(16, scale);
    case LADDER_PAIRS_EQUAL:
        return 2 * mix(14, scale);
    case LADDER_MIXTURES:
        break;
    }
    return 0;
}
