/* Checks of components with different softenings, and of massless bodies, as functions of a
 * backend's name and path. */
#pragma once

#include "sim/bodies/bodies.h"

#include <stdint.h>

/* The bodies of cube_make as single precision holds them, in up to four components of softening
 * 0.03, 0 (the simulation's), 0.25 and 0.004, whose sizes divide by nothing. */
struct bodies *mixed_make(size_t count, uint64_t seed);

/* Like state_hash, of mixed_make. */
uint64_t mixed_hash(const char *backend, const char *path, const char *mode, uint32_t subset,
                    size_t count, int steps);
/* The same with softenings that are small beside the cells of many bodies. */
uint64_t small_hash(const char *backend, const char *path, const char *mode, uint32_t subset,
                    size_t count, int steps);

/* Accelerations, potential and conservation of momentum against the double reference. */
void check_mixed_accuracy(const char *backend, const char *path, const char *mode, size_t count,
                          double limit);

void check_mixed_subset(const char *backend, const char *mode, double limit);

/* Hashes of `exact` that every device must give. */
void check_mixed_everywhere(const char *backend, const char *path);

/* One softening, given for each component: kernel and bits are those of a run with the common
 * softening. */
void check_equal_softening(const char *backend, const char *mode, size_t count);

/* Bodies and then tracers, which are attracted (against the reference) and do not attract (their
 * positions change no bit). */
void check_tracers(const char *backend, const char *path, const char *mode, size_t count,
                   size_t tracers, double limit);
