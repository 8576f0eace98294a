/* What a CUDA device is, before anything is opened on it. */
#ifndef SIM_SOLVER_CUDA_DEVICE_H
#define SIM_SOLVER_CUDA_DEVICE_H

#include "base/status.h"

#include <stddef.h>

/* STATUS_DEVICE tells a missing driver, an old driver, a missing device and a device without code
 * in this program apart. */
enum status cuda_probe(int device);

/* For a device that the probe accepts. */
enum status cuda_describe(int device, char *text, size_t size);

#endif
