/* What every force kernel reads: rows.
 *
 * A row is four numbers, x y z m. Sources and targets are arrays of rows, 64-byte aligned, padded
 * with rows without mass at the origin, so that no kernel needs a ragged tail: to a multiple of
 * FORCE_PAD on the CPU, and of FORCE_CUDA_PAD (cuda/plan.h) on a CUDA device.
 *
 * Acceleration of i: a_i = sum_j m_j (x_j - x_i) / (|x_j - x_i|^2 + eps^2)^(3/2) (Plummer
 * softening, G = 1; Aarseth, "Gravitational N-Body Simulations", 2003, section 2.2). The term j = i
 * is exactly zero. */
#ifndef KERNELS_ROWS_H
#define KERNELS_ROWS_H

#include <stddef.h>

enum { FORCE_PAD = 64 };

#endif
