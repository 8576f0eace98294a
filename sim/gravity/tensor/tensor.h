/* The force of all pairs on the matrix units of a CUDA device. */
#pragma once

#include "sim/gravity/force.h"

#include "base/status.h"

extern const struct force_ops force_tensor;

/* A body with more than this fraction of the total mass has plain interactions. */
#define FORCE_TENSOR_HEAVY (1. / 128)

/* STATUS_USAGE, with a message that says what to do, unless the force supports the request: all
 * sources and one Plummer softening. */
enum status tensor_takes(const struct force_request *request);
