/* The arithmetic of direct summation: no memory, no devices, no state.
 *
 * Sources and targets are rows of four floats, x y z m, 64-byte aligned, padded with zero-mass rows
 * at the origin to a multiple of FORCE_PAD, so that no kernel needs a ragged tail. Acceleration of
 * i: a_i = sum_j m_j (x_j - x_i) / (|x_j - x_i|^2 + eps^2)^(3/2) (Plummer softening, G = 1;
 * Aarseth, "Gravitational N-Body Simulations", 2003, section 2.2.) The term j = i is exactly zero.
 * Thread-safe. */
#ifndef KERNELS_FORCE_H
#define KERNELS_FORCE_H

#include <stddef.h>

enum { FORCE_PAD = 64 };

#ifdef __cplusplus
extern "C" {
#endif

/* The double-precision reference that every kernel is measured against: plain loops, position
 * [count][3]. Either output may be NULL; potential[i] = -sum_{j != i} m_j / sqrt(r^2 + eps^2). */
void force_reference(size_t count, const double *mass, const double (*position)[3],
                     double softening, double (*acceleration)[3], double *potential);

/* The same with a softening of each body's own: eps_ij^2 = (eps_i^2 + eps_j^2) / 2. */
void force_reference_mixed(size_t count, const double *mass, const double (*position)[3],
                           const double *softening, double (*acceleration)[3], double *potential);

#ifdef __cplusplus
}
#endif

#endif
