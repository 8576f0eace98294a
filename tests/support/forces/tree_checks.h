/* Checks of the forces of a tree on a backend, as functions of its name and the force's. */
#pragma once

#include "sim/bodies/bodies.h"

#include <stdbool.h>

/* RMS of the accelerations' errors, each relative to the body's own, and that of the potential
 * energy, below `error`; the pulls' sum below `unlike` times the sum of their sizes. After the
 * second evaluation, whose rule is that of all later ones. */
void check_tree_of(const char *backend, const char *force, const struct bodies *bodies,
                   double error, double softening, double unlike);

/* Spheres of many sizes up to `most` bodies, for errors from 1e-5 to 5e-3. */
void check_tree_errors(const char *backend, const char *force, size_t most, double unlike);

enum place {
    PLACE_ONE,      /* all in one */
    PLACE_PAIRS,    /* a millionth apart */
    PLACE_LINE,     /* all on one */
    PLACE_PLANE,    /* all in one */
    PLACE_FAR_AWAY, /* one body at 1e9 */
    PLACE_SHIFTED,  /* all 1e6 from the origin */
    PLACES
};

/* A sphere of so many bodies, otherwise. */
struct bodies *place_make(enum place place, size_t count);

/* All of these. */
void check_tree_places(const char *backend, const char *force, double unlike);

/* Self-gravitating disks of 20,000 bodies, thin and less so, and the default scene's galaxies near
 * each other: RMS of the accelerations' errors below 0.95 of what is asked for, on every sixteenth
 * body. */
void check_tree_disks(const char *backend, const char *force);

/* Bodies that are all at one place, within 1e-8 of the whole, or half of them there and the others
 * spread: no more than twice as many interactions for each body as for bodies that are spread. The
 * errors of accelerations and of the potential energy are below what is asked for, except with a
 * softening far below 1e-8, which `tree-exact` does not resolve beside bodies that are spread. */
void check_tree_crowds(const char *backend, const char *force, bool spline, double softening);

/* Hashes of `tree-exact` that every device must give. */
void check_tree_exact_everywhere(const char *backend, const char *path);
