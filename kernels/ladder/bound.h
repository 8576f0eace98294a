/* What the processor can do at most, measured by one thread; see struct ladder_bound. */
#ifndef KERNELS_LADDER_BOUND_H
#define KERNELS_LADDER_BOUND_H

#include "kernels/ladder/ladder.h"

double ladder_multiply_adds_baseline(unsigned scale);
double ladder_multiply_adds_avx2(unsigned scale);
double ladder_multiply_adds_avx512(unsigned scale);
double ladder_roots_baseline(unsigned scale);
double ladder_roots_avx2(unsigned scale);
double ladder_roots_avx512(unsigned scale);
double ladder_interactions_baseline(enum ladder_mixture mixture, unsigned scale);
double ladder_interactions_avx2(enum ladder_mixture mixture, unsigned scale);
double ladder_interactions_avx512(enum ladder_mixture mixture, unsigned scale);

#endif
