/* Between the files of the CUDA solver. */
#ifndef SIM_SOLVER_CUDA_CUDA_H
#define SIM_SOLVER_CUDA_CUDA_H

#include "sim/solver/solver.h"

/* STATUS_DEVICE tells a missing driver, an old driver, a missing device and a device without code
 * in this program apart. */
enum status solver_cuda_probe(int device);

/* For a device that the probe accepts. */
enum status solver_cuda_describe(int device, char *text, size_t size);

#endif
