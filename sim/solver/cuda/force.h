/* Evaluations of a CUDA solver: its force, the part of the sources whose turn it is, and the time
 * that they take. */
#ifndef SIM_SOLVER_CUDA_FORCE_H
#define SIM_SOLVER_CUDA_FORCE_H

#include "sim/solver/cuda/state.h"

/* Accelerations of the bodies from that rung on; -1: of all, whatever their rungs. */
enum status cuda_evaluate(struct cuda *cuda, int from_rung);

/* Verbs of struct solver_ops. */
enum status cuda_accelerate(struct solver *solver);
enum status cuda_potential(struct solver *solver, double *energy);

#endif
