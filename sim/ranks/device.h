/* A rank's CUDA device, which computes the accelerations of its slice (slices.c). */
#pragma once

#include "sim/solver/cpu.h"

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

/* The number of the device that this rank takes among those of its host: from that of --device on,
 * in turn. -1: none, because CUDA may not be used or there is none and none was asked for. */
int device_of_rank(const struct solver_setup *setup);
