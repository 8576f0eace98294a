/* Opens a CUDA solver up to its first evaluation, and closes it. */
#pragma once

#include "sim/solver/solver.h"

/* Verbs of struct solver_ops. */
enum status cuda_open(const struct solver_setup *setup, const struct bodies *bodies,
                      struct solver **out);
void cuda_close(struct solver **solver);
