/* Queries a CUDA device before anything is opened on it. */
#pragma once

#include "base/status.h"

#include <stddef.h>

/* The STATUS_DEVICE message distinguishes a missing driver, an old driver, a missing device and a
 * device for which this program has no code. */
enum status cuda_probe(int device);

/* Describes a device that the probe accepts. */
enum status cuda_describe(int device, char *text, size_t size);
