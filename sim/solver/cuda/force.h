/* Force evaluations of a CUDA solver: the force, the sources of the current turn, and the time
 * taken. */
#pragma once

#include "sim/solver/cuda/state.h"

/* Computes the accelerations of the bodies from that rung on; -1: of all bodies, whatever their
 * rungs. */
enum status cuda_evaluate(struct cuda *cuda, int from_rung);

/* Verbs of struct solver_ops. */
enum status cuda_accelerate(struct solver *solver);
enum status cuda_potential(struct solver *solver, double *energy);
