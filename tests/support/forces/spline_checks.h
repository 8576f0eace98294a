/* Checks of softening by a spline on a backend, as functions of its name and path, against the
 * published formulas of kernels/spline.h: powers of u, in double. */
#pragma once

#include "sim/solver/solver.h"

struct solver *spline_open(const char *backend, const char *path, const char *mode, uint32_t subset,
                           const struct bodies *bodies, double softening);

/* Two bodies at radii within the support and beyond: pulls and potential, those of points to
 * rounding from the support on, and of a softening that differs the larger one's. */
void check_spline_pair(const char *backend, const char *path, const char *mode, double limit);

/* Bodies of several softenings (mixed_make): pulls, potential, momentum; and all of one softening.
 */
void check_spline_accuracy(const char *backend, const char *path, const char *mode, size_t count,
                           double limit);

/* The mean over the turns of the sources. */
void check_spline_subset(const char *backend, const char *mode, double limit);

/* Like mixed_hash; and hashes of `exact` that every device must give. */
uint64_t spline_hash(const char *backend, const char *path, const char *mode, uint32_t subset,
                     size_t count, int steps);
void check_spline_everywhere(const char *backend, const char *path);

/* A pair that passes within the support: the energy error is small and falls by 4 when dt is
 * halved. */
void check_spline_orbit(const char *backend, const char *mode);

/* Spheres and a small dense core in a cloud of larger softening, up to `most` bodies: RMS and 99th
 * percentile of the tree's errors, potential, momentum; the same bits twice; parts of the sinks. */
void check_spline_tree(const char *backend, size_t most);
