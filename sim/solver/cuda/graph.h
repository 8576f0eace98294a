/* Steps recorded as CUDA graphs and replayed: at 4,096 bodies separate launches would cost more
 * than the forces. */
#pragma once

#include "sim/solver/cuda/state.h"

/* The verb of struct solver_ops. */
enum status cuda_repeat(struct solver *solver, solver_step step, double dt, double damping,
                        uint64_t count, volatile sig_atomic_t *stop, uint64_t *done);

void cuda_forget_graphs(struct cuda *cuda);
