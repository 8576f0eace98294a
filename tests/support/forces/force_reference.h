/* The double-precision reference for every kernel: plain loops. Thread-safe. */
#pragma once

#include <stddef.h>

/* position and acceleration are [count][3]. Either output may be NULL;
 * potential[i] = -sum_{j != i} m_j / sqrt(r^2 + eps^2). */
void force_reference(size_t count, const double *mass, const double (*position)[3],
                     double softening, double (*acceleration)[3], double *potential);

/* The same with one softening per body: eps_ij^2 = (eps_i^2 + eps_j^2) / 2. */
void force_reference_mixed(size_t count, const double *mass, const double (*position)[3],
                           const double *softening, double (*acceleration)[3], double *potential);
