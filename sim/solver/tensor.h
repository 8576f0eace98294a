/* The force of all pairs on the matrix units of a CUDA device. */
#ifndef SIM_SOLVER_TENSOR_H
#define SIM_SOLVER_TENSOR_H

#include "sim/solver/force.h"

#include "base/status.h"

extern const struct force_ops force_tensor;

/* Error that it stays below, relative, RMS. */
#define FORCE_TENSOR_ERROR 5e-6

/* STATUS_USAGE, with what to do, unless it takes such bodies: with all sources and one Plummer
 * softening. */
enum status tensor_takes(const struct force_request *request);

#endif
