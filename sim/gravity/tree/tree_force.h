/* The common part of the forces that use a tree. */
#pragma once

#include "sim/gravity/force.h"

/* Whether a tree on any device supports the request. */
enum status tree_takes(const struct force_request *request);

/* The same for one that supports only Plummer softening. */
enum status tree_takes_plummer(const struct force_request *request);

/* Whether a position in host memory is not finite. Then no tree can be built: sets out [numbers] to
 * NaN, which the solver detects. */
bool tree_spoilt(const struct sources *sources, size_t numbers, double *out);

/* Fails, because a tree needs masses >= 0; `instead` is a force that does not. */
enum status tree_refuses_mass(const char *what, const char *instead);

/* Fails for a mass below 0. body: its number, from 0. */
enum status tree_check_mass(size_t body, double mass);

/* force_path.prepare on the CPU: checks all masses. */
int tree_check_masses(struct force *force, const struct sources *sources, void *stream);
