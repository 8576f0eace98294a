/* Checks of every backend, as functions of a backend's name and path (see solver_params.kernel). */
#pragma once

#include "sim/solver/solver.h"

#include <stdbool.h>

struct solver *checks_open(const char *backend, const char *path, const struct bodies *bodies,
                           double softening);

/* Accelerations and potential within 1e-6 (relative RMS) of the double reference. */
void check_accuracy(const char *backend, const char *path, size_t count, bool equal);

/* Two runs of a few steps end with the same bits. */
void check_repeats(const char *backend, const char *path, size_t count);

/* solver_repeat ends with the bits of single steps, also when dt changes, and counts alike. */
void check_repeat_verb(const char *backend, size_t count);

/* The leapfrog on two bodies: energy and angular momentum of a circular orbit stay; the energy
 * error of an ellipse falls by 4 when dt is halved. */
void check_two_bodies(const char *backend);

/* Steps forward and back end where they began. */
void check_reversal(const char *backend);

/* A body at infinity is found, and only then. */
void check_broken(const char *backend);
