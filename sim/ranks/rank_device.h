/* A rank's CUDA device, which computes the accelerations of its slice (slices.c). */
#pragma once

#include "sim/solver/cpu.h"

struct device;

/* number: of the device on this host. sources: read.begin and read.end are the rank's rows; the
 * masses do not change. STATUS_DEVICE: the device does not run; STATUS_RUNTIME: no memory. */
enum status device_open(struct device **out, int number, const struct solver_setup *setup,
                        const struct cpu_sources *sources);

/* Writes out[end - begin] from the present rows and centres, in the sources' turn. */
enum status device_accelerate(struct device *device, const struct cpu_sources *sources,
                              double (*out)[3]);

/* The force, which has the name of the device's kernel. */
const struct force *device_force(const struct device *device);
/* "NVIDIA H200" */
const char *device_name(const struct device *device);
void device_close(struct device **device); /* accepts a pointer to NULL */

/* Returns the number of the device for this rank: the ranks of a host take its devices in turn,
 * starting with that of --device. -1: none, because CUDA may not be used, or because there is no
 * device and none was asked for. */
int device_of_rank(const struct solver_setup *setup);
