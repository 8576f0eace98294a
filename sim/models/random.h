/* Random numbers for the models: xoshiro256** (Blackman and Vigna, 2018), its state filled by
 * splitmix64 from a seed and a stream number, so that every component of a model has its own
 * numbers and a change to one leaves the others as they were.
 *
 * Integers, uniforms, normals and directions come from integer arithmetic, the four IEEE operations
 * and sqrt alone (logarithms only decide between accepting and drawing again), so they are the same
 * numbers on every platform. A generator is used by one thread at a time. */
#ifndef SIM_MODELS_RANDOM_H
#define SIM_MODELS_RANDOM_H

#include <stdint.h>

struct random {
    uint64_t state[4];
};

void random_seed(struct random *random, uint64_t seed, uint64_t stream);
uint64_t random_bits(struct random *random);

/* In the open interval (0, 1), 52 bits; never 0 and never 1. */
double random_uniform(struct random *random);

/* Mean 0, variance 1, by the ratio of uniforms (Kinderman and Monahan, 1977). */
double random_normal(struct random *random);

/* A unit vector, evenly over the circle or the sphere (Marsaglia, 1972). */
void random_direction2(struct random *random, double out[2]);
void random_direction3(struct random *random, double out[3]);

#endif
