/* A rank's CUDA device, which computes the accelerations of its slice (slices.c). */
#pragma once

#include "sim/solver/cpu_sources.h"

struct device;

/* number: of the device among this host's. sources: read.begin and read.end are the rank's rows;
 * the masses do not change. STATUS_DEVICE: the device does not run; STATUS_RUNTIME: no memory. */
enum status device_open(struct device **out, int number, const struct solver_setup *setup,
                        const struct cpu_sources *sources);

/* out[end - begin], from the rows and centres as they are now, in the sources' turn. */
enum status device_accelerate(struct device *device, const struct cpu_sources *sources,
                              double (*out)[3]);

/* Its force: the name of its kernel. */
const struct force *device_force(const struct device *device);
/* "NVIDIA H200" */
const char *device_name(const struct device *device);
void device_close(struct device **device); /* accepts a pointer to NULL */

/* The devices of this host, 0 without CUDA. */
int device_count(void);
