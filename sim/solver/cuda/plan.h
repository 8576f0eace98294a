/* Plans the device memory of a CUDA solver. */
#pragma once

#include "sim/solver/cuda/state.h"

size_t cuda_padded(size_t rows);                                  /* rounded up to FORCE_CUDA_PAD */
size_t cuda_part(const struct solver_setup *setup, size_t count); /* number of sources of a turn */

/* Opens the force, which chooses its kernels. STATUS_RUNTIME if the device lacks the memory; the
 * message says how much is needed and how many bodies would fit. */
enum status cuda_plan(struct cuda *cuda, const struct solver_setup *setup, int multiprocessors);
