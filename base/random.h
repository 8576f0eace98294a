/* Random numbers that are counted: Philox4x32-10 of Random123 (Salmon, Moraes, Dror and Shaw, 2011,
 * "Parallel random numbers: as easy as 1, 2, 3"). The key is the seed; the counter is the stream,
 * the body and how many numbers that body has drawn. So every body of every stream has numbers of
 * its own, which do not depend on how many other bodies there are, on their order or on threads.
 *
 * Integers, uniforms, normals and directions come from integer arithmetic, the four IEEE operations
 * and sqrt alone (logarithms only decide between accepting and drawing again), so they are the same
 * numbers on every platform. A generator is used by one thread at a time. */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

struct random {
    uint32_t key[2], counter[4];
    uint32_t word[4]; /* of the block that is being used up */
    uint32_t left;    /* words of it, the last ones */
};

/* The numbers of one body. Streams tell components of galaxies apart. */
struct random random_of(uint64_t seed, uint32_t stream, uint64_t body);

uint64_t random_bits(struct random *random);

/* In the open interval (0, 1), 52 bits; never 0 and never 1. */
double random_uniform(struct random *random);

/* Mean 0, variance 1, by the ratio of uniforms (Kinderman and Monahan, 1977). */
double random_normal(struct random *random);

/* A unit vector, evenly over the circle or the sphere (Marsaglia, 1972). */
void random_direction2(struct random *random, double out[2]);
void random_direction3(struct random *random, double out[3]);

/* Numbers in (0, 1) that fill it evenly, the better the more of them: offset + i times the golden
 * ratio, modulo 1. The offset is the seed's and stream's; number i is the same however many there
 * are. */
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

#endif
