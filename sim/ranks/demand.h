/* What a rank's groups can touch of the other ranks' trees.
 *
 * A demand is a box that holds the sinks of some groups, with the strictest rule of them. The rank
 * that has a cell decides what to send: a cell that may not stand for its bodies as seen from some
 * demand is walked into. The decision is made in double precision and with a margin; if a walk
 * comes to a cell that was not sent all the same, it says so (exact_tree_work.unsent), and all
 * ranks ask again with a larger margin. */
#pragma once

#include "sim/ranks/partial.h"
#include "sim/gravity/exact_tree/exact_gravity.h"

/* All ranks' demands, one rank after the other. */
struct demands {
    struct demand *list;
    size_t *starts; /* [ranks + 1] */
};

struct stretch_device;

/* Collective. walk: the walk of the rank's stretch, with tree == &partial->local and first == 0;
 * wide flags are complete. device: has the stretch, and only the rule of the walk is used; or NULL.
 * census: see stretch_device.h. */
enum status demands_gather(struct demands *demands, const struct exact_tree_walk *walk,
                           struct stretch_device *device, const struct exact_tree_census *census);
void demands_close(struct demands *demands); /* accepts all zero */

/* Cells and bodies that the rank sends, one receiving rank after the other. */
struct offers {
    const char *send; /* where they are: */
    char *bytes;      /* here, or in a device's memory */
    size_t room;
    char *spare; /* for the bodies of one rank */
    size_t spare_room;
    size_t *out;     /* [ranks]: bytes for each */
    uint64_t *cells; /* [ranks]: how many of these are cells, which come first */
};

/* margin: fraction of the squared distance by which cells are judged nearer than they are; 1:
 * everything is sent. first: the number of the rank's first body. walk: as for demands_gather.
 * STATUS_RUNTIME: no memory. */
enum status offers_make(struct offers *offers, const struct demands *demands,
                        const struct exact_tree_walk *walk, const struct partial *partial,
                        const struct top *top, size_t first, double margin, int threads);
void offers_open(struct offers *offers);  /* allocates the arrays per rank, unless they exist */
void offers_close(struct offers *offers); /* accepts all zero */
