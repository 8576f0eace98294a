/* The force of all pairs on the matrix units of a CUDA device. */
#ifndef SIM_GRAVITY_TENSOR_TENSOR_H
#define SIM_GRAVITY_TENSOR_TENSOR_H

#include "sim/gravity/force.h"

#include "base/status.h"
#include "sim/bodies/bodies.h"

extern const struct force_ops force_tensor;

/* A body of more than this part of all mass has plain interactions. */
#define FORCE_TENSOR_HEAVY (1. / 128)

/* The error that it stays below, relative, RMS: roundings by chance, as of so many equal masses. */
double tensor_error(const struct bodies *bodies);

/* STATUS_USAGE, with what to do, unless it takes such bodies: with all sources and one Plummer
 * softening. */
enum status tensor_takes(const struct force_request *request);

#endif
