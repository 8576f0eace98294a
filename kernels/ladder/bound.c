/* Independent chains of the one instruction that is to be counted, enough of them to hide its
 * latency. Compiled once an instruction set (LADDER_ISA). */
#include "kernels/ladder/bound.h"
#include "kernels/lanes.h"

#define JOIN_(a, b) a##_##b
#define JOIN(a, b)  JOIN_(a, b)

enum { CHAINS = 12, ROUNDS = 1 << 20 };

/* A result that nobody reads is not computed; this reads it. */
#define KEEP(x) __asm__ volatile("" : "+m"(x))

static inline lanes spread(float value)
{
    lanes v;
    for (int l = 0; l < LANES; l++)
        v[l] = value;
    return v;
}

double JOIN(ladder_multiply_adds, LADDER_ISA)(unsigned scale)
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

/* Each estimate is the next one's argument: values near 1 stay there. */
double JOIN(ladder_roots, LADDER_ISA)(unsigned scale)
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
