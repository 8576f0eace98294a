/* An octree of bodies: cells by key prefixes, in the order of their levels.
 *
 * Cell 0 is the root and holds all bodies. A cell of more than OCTREE_LEAF bodies is cut, and so is
 * one in which two bodies differ so late in their keys, by more than OCTREE_SPAN levels, that the
 * distance of the two would lose digits beside the size of the cell, or which holds one that may
 * lie outside the box, or that is wide beside what pulls it. It is cut where its keys first
 * differ, so that it has at least two children; they are successive cells behind it and hold its
 * bodies between them, in order. Bodies of one key stay in
 * one leaf, however many. The tree is the same for any number of threads. */
#ifndef SIM_GRAVITY_TREE_OCTREE_H
#define SIM_GRAVITY_TREE_OCTREE_H

#include "base/status.h"
#include "sim/gravity/tree/keys.h"

enum { OCTREE_LEAF = 64, OCTREE_SPAN = 8 };

struct octree_cell {
    uint32_t first, count;    /* bodies, in the tree's order */
    uint32_t child, children; /* cells; children 0: a leaf */
};

struct octree {
    struct key_box box;
    bool kinds;       /* the first level is that of softenings */
    size_t count;     /* bodies */
    uint64_t *key;    /* [count], ascending */
    uint32_t *body;   /* [count]: which body is at a place of the tree's order */
    double (*row)[4]; /* [count]: the rows in the tree's order */
    float (
        *last)[3]; /* [count]: the accelerations of the limit in it; NULL where it never had any */
    size_t cells, levels;
    struct octree_cell *cell;
    uint32_t level[KEY_LEVELS + 2]; /* first cell of each level, and the number of cells behind */
    size_t room;                    /* cells that there is memory for */
    uint64_t *spare_key;
    uint32_t *spare_body;
    uint32_t (*cuts)[9]; /* [room] */
};

/* count > 0 and below 2^32. STATUS_RUNTIME: no memory. */
enum status octree_open(struct octree *tree, size_t count);
void octree_close(struct octree *tree); /* accepts one that is all zero */

/* Whose leaves are small. The errors that the many cells of a core make in one wide leaf of the
 * outskirts have one sign and add up, so a cell is cut, down to single bodies, where the
 * accelerations in it differ by more than `spread` of the largest, and by more than `sparse` times
 * what its own mass over its width would pull: others' tides decide there. */
struct octree_limit {
    const double (*last)[3]; /* accelerations, beside the rows; NULL: nothing is cut for them */
    double spread, sparse;
};

/* Of rows x y z m that are finite. halves: h = eps^2 / 2 beside them, or NULL: all alike. */
enum status octree_build(struct octree *tree, const double (*rows)[4], const double *halves,
                         const struct octree_limit *limit, int threads);

#endif
