/* The curve of `tree-exact`, shared among ranks: each has a stretch of it, and the bodies there.
 *
 * Stretches begin at keys that are chosen by the cost of bodies, and then move by less than
 * EXACT_TREE_GROUP bodies so that no group belongs to two ranks. Which rank has a body changes no
 * bit. */
#pragma once

#include "base/status.h"
#include "kernels/exact_tree/exact_cells.h"
#include "sim/ranks/share.h"

#include <stdbool.h>

struct stretch_device;

struct curve {
    size_t total;
    struct stretch_device *device; /* has the bodies and their keys; NULL: they are in the share and
                                    * in this struct */
    size_t *starts;      /* [ranks + 1]: number of each rank's first body along the curve */
    uint64_t *key;       /* [room]: of the rank's bodies, ascending */
    uint64_t *spare_key; /* [room] */
    uint32_t *order, *spare_order; /* [room] */
    size_t room;
    struct share spare;
    uint64_t *splitters; /* [ranks - 1]: the keys at which ranks 1, 2, ... begin */
    bool known;          /* whether there are splitters */
    double scale;        /* scale of the box for which they were chosen */
    double imbalance;    /* largest cost of a rank relative to the mean, at the last evaluation; 0:
                          * unknown */
    double rate;         /* this rank's seconds per unit of cost; 0: unknown */
    /* What lies next to the stretch, from top_find on. */
    bool before, behind;
    uint64_t key_before, key_behind;
};

void curve_open(struct curve *curve, size_t total);
void curve_close(struct curve *curve); /* accepts all zero */

/* A census as numbers whose sums over ranks are the census of all bodies. */
enum { CENSUS_NUMBERS = 5 };
void census_pack(const struct exact_tree_census *census, uint64_t out[CENSUS_NUMBERS]);
struct exact_tree_census census_unpack(const uint64_t sum[CENSUS_NUMBERS]);

/* Collective: finds units, the box and the census of all bodies' accelerations, as one machine
 * finds them. largest: the largest mass of all bodies. *spoilt: a position is not finite; then
 * there is no tree, and `frame` is not set. */
enum status curve_frame(const struct curve *curve, const struct share *share, double softening,
                        double largest, struct exact_tree_frame *frame,
                        struct exact_tree_census *census, bool *spoilt, int threads);

/* Collective: moves bodies to the ranks that have their stretches, and sorts them along the curve
 * there (equal keys by exact_tree_precedes). Sets starts and key. */
enum status curve_sort(struct curve *curve, struct share *share,
                       const struct exact_tree_frame *frame, int threads);

/* The rank that has the body at a place of the curve. */
int curve_owner(const struct curve *curve, size_t place);
