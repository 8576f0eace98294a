/* The forces of a tree: gravity of many bodies with an error that is asked for. */
#ifndef SIM_GRAVITY_TREE_FORCE_H
#define SIM_GRAVITY_TREE_FORCE_H

#include "sim/gravity/force.h"

extern const struct force_ops force_tree;

/* Whether a tree, on whatever device, can do what is asked for. */
enum status tree_takes(const struct force_request *request);

/* The same for one that knows no other softening than Plummer's. */
enum status tree_takes_plummer(const struct force_request *request);

/* Whether a position in host memory is not finite. Then there is no tree: out [numbers] becomes
 * NaN, for the solver to find. */
bool tree_spoilt(const struct sources *sources, size_t numbers, double *out);

/* Fails: a tree takes no mass below 0; `instead` is a force that does. */
enum status tree_refuses_mass(const char *what, const char *instead);

/* force_path.prepare on the CPU: whether all masses are taken. */
int tree_check_masses(struct force *force, const struct sources *sources, void *stream);

#endif
