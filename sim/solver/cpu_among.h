/* The accelerations that some of the bodies of the CPU solver exert on each other alone: a force
 * and sources of their own. Used by one thread at a time. */
#pragma once

#include "base/status.h"
#include "sim/gravity/force.h"

struct cpu_among {
    size_t count;
    uint32_t *body; /* [count] their numbers, ascending */
    struct force *force;
    struct sources read;        /* of these bodies */
    double (*rows)[4], *halves; /* what it reads; halves NULL: they have the same softening */
    double (*acceleration)[3];
    bool begun; /* acceleration is from an earlier evaluation, by which a tree allows errors */
    bool known; /* and belongs to the present positions; a drift clears it */
};

/* For the bodies from rung `from` on, of which there may be none. all: the solver's force, of
 * numbers in double; request: how it was opened; sources: what it reads. STATUS_RUNTIME: no memory.
 */
enum status cpu_among_open(struct cpu_among **out, const struct force *all,
                           const struct force_request *request, const struct sources *sources,
                           const uint8_t *rungs, int from);
void cpu_among_close(struct cpu_among **among); /* accepts a pointer to NULL */

/* Computes the accelerations at the positions of `sources`. whole: last accelerations of all
 * bodies, by which a tree allows errors the first time. */
enum status cpu_among_evaluate(struct cpu_among *among, const struct sources *sources,
                               const double (*whole)[3]);
