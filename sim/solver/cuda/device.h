/* The functions of a CUDA device that other backends need: queries before anything is opened on it,
 * and how its rows are padded. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* The STATUS_DEVICE message distinguishes a missing driver, an old driver, a missing device and a
 * device for which this program has no code. */
enum status cuda_probe(int device);

/* Describes a device that the probe accepts. */
enum status cuda_describe(int device, char *text, size_t size);

/* Whether it may have an encoder, NVENC. To find out from the driver takes a CUDA context of its
 * own; some GPUs for computing are known to have none. */
bool cuda_encodes(int device);

/* A number of rows, rounded up to FORCE_CUDA_PAD. */
size_t cuda_padded(size_t rows);
