/* An octree of bodies: cells by key prefixes, level by level.
 *
 * Cell 0 is the root and contains all bodies. A cell is divided if it has more than OCTREE_LEAF
 * bodies; if two bodies differ so late in their keys, by more than OCTREE_SPAN levels, that their
 * distance would lose digits relative to the size of the cell; if it contains one that may be
 * outside the box; or if it is wide for the forces on it (struct octree_limit). It is divided where
 * its keys first differ, so it has at least two children; they are consecutive cells after it and
 * share its bodies in order. More than OCTREE_LEAF bodies with equal keys get finer keys, in a box
 * of their own; at one place they are told apart by their softening, then by their numbers, so that
 * no leaf has more than OCTREE_LEAF bodies, unless bodies are merged (struct octree_limit). The
 * tree does not depend on the number of threads. */
#pragma once

#include "base/status.h"
#include "sim/gravity/tree/morton.h"

enum {
    OCTREE_LEAF = 64,
    OCTREE_SPAN = 8,
    OCTREE_ONE_PLACE = 4000, /* `finer` of a cell whose bodies are at one place */
};

struct octree_cell {
    uint32_t first, count;    /* bodies, in the tree's order */
    uint32_t child, children; /* cells; children 0: a leaf */
    int finer;                /* levels by which its keys are finer than those of the tree's box */
};

struct octree {
    struct key_box box;
    bool kinds;       /* the first level is the kind of softening */
    size_t count;     /* bodies */
    uint64_t *key;    /* [count], ascending within cells of the same `finer` */
    uint32_t *body;   /* [count]: the body at each place of the tree's order */
    double (*row)[4]; /* [count]: the rows in the tree's order */
    float (*last)[4]; /* [count]: the limit's accelerations in that order and their sizes; or
                       * NULL */
    size_t cells, levels;
    struct octree_cell *cell;
    uint32_t *level; /* [levels + 1] first cell of each level, ended by the number of cells */
    size_t room;     /* cells for which memory is allocated */
    uint64_t *spare_key;
    uint32_t *spare_body;
    uint32_t (*cuts)[9]; /* [room] */
};

/* count > 0 and below 2^32. STATUS_RUNTIME: no memory. */
enum status octree_open(struct octree *tree, size_t count);
void octree_close(struct octree *tree); /* accepts all zero */

/* Limits the size of leaves. Errors from the many cells of a core in one wide leaf of the outskirts
 * have the same sign and add up. A cell is therefore divided, down to single bodies, if the
 * accelerations in it differ by more than `spread` times the largest, and by more than `sparse`
 * times what its own mass over its width would exert, in which case the tides of others
 * dominate. A distant heavy mass pulls all bodies of a cell alike and so hides how different they
 * are: where the tides exceed 16 times that limit, a quarter of `spread` is enough. A body that is
 * heavier than all others of the cell must not hide it either, and does not count there. */
struct octree_limit {
    const double (*last)[3]; /* accelerations of the rows; NULL: no limit */
    double spread, sparse;
    double softening; /* largest eps: the box is no smaller than a fraction of it; or 0 */
    double merged;    /* cells that are no wider than this times the eps of all their bodies are
                       * leaves of any number of bodies; 0: none */
};

/* Whether a leaf has more bodies than a leaf may have, because they are close together. */
static inline bool octree_is_merged(const struct octree_cell *leaf)
{
    return leaf->children == 0 && leaf->count > OCTREE_LEAF;
}

/* How many of these threads to build a tree with: one, unless there are so many bodies that the
 * others save more than waking them and waiting for them at every level costs. */
int octree_threads(size_t count, int threads);

/* Builds the tree of rows x y z m, which must be finite. halves: h = eps^2 / 2 of the rows, or
 * NULL: all equal. */
enum status octree_build(struct octree *tree, const double (*rows)[4], const double *halves,
                         const struct octree_limit *limit, int threads);
