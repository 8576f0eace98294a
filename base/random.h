/* Counter-based random numbers: Philox4x32-10 of Random123 (Salmon, Moraes, Dror and Shaw, 2011,
 * "Parallel random numbers: as easy as 1, 2, 3"). The key is the seed; the counter consists of the
 * stream, the body and the number of draws for that body. Every body in every stream therefore has
 * numbers of its own, which depend neither on the number of bodies, nor on their order, nor on
 * threads.
 *
 * Integers, uniforms, normals and directions use only integer arithmetic, the four IEEE operations
 * and sqrt (logarithms only decide between accepting and drawing again), so the numbers are the
 * same on every platform. A generator is used by one thread at a time. */
#pragma once

#include <stdint.h>

struct random {
    uint32_t key[2], counter[4];
    uint32_t word[4]; /* the current block */
    uint32_t left;    /* number of unused words, which are the last ones */
};

/* The numbers of one body. Streams separate the components of galaxies. */
struct random random_of(uint64_t seed, uint32_t stream, uint64_t body);

uint64_t random_bits(struct random *random);

/* In the open interval (0, 1), 52 bits; never 0 and never 1. */
double random_uniform(struct random *random);

/* Mean 0, variance 1, by the ratio of uniforms (Kinderman and Monahan, 1977). */
double random_normal(struct random *random);

/* A unit vector, uniform over the circle or the sphere (Marsaglia, 1972). */
void random_direction2(struct random *random, double out[2]);
void random_direction3(struct random *random, double out[3]);

/* Numbers that cover (0, 1) evenly (a low-discrepancy sequence): offset + i times the golden ratio,
 * modulo 1. Seed and stream set the offset; number i does not depend on how many are used. */
double random_even(uint64_t seed, uint32_t stream, uint64_t i);

/* One step of splitmix64 (Steele, Lea & Flood 2014): random bits that are a function of a number
 * alone. The generator's n-th output is that of seed + n * SPLITMIX_STEP. */

#define SPLITMIX_STEP UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t splitmix64(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}
