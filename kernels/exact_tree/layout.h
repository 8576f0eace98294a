/* What the tree of the force `tree-exact` is made of, on the CPU and on a CUDA device alike.
 *
 * Bodies lie along a Hilbert curve. The tree over them is binary (T. Karras, "Maximizing
 * parallelism in the construction of BVHs, octrees, and k-d trees", 2012): cell 0 holds all N
 * bodies, and a cell is cut behind the last body whose key shares more leading bits with its
 * first one than its last one does; equal keys are told apart by their places. The halves of a
 * cell that is cut behind body s are the cells s and s + 1, or the bodies s and s + 1 where they
 * have one body only. So N - 1 cells need no list. Those below a cell of at most EXACT_TREE_LEAF
 * bodies are never used, and nothing is filled in for them.
 *
 * Lengths are in a power of two of the bodies' unit, chosen so that the softening is about as far
 * below 1 as the box of the curve is wide; masses in a power of two above the largest. */
#ifndef KERNELS_EXACT_TREE_LAYOUT_H
#define KERNELS_EXACT_TREE_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

enum {
    EXACT_TREE_LEAF = 8,   /* bodies of a cell that is not walked into */
    EXACT_TREE_GROUP = 32, /* successive bodies that have one list of sources, at most */
    EXACT_TREE_WIDE = 512, /* bodies of a cell across whose cut no list reaches */
    EXACT_TREE_BATCH = 32, /* cells that are judged together */
    EXACT_TREE_TILE = 64,  /* sources whose pulls are added in single precision */
    EXACT_TREE_KEY_LEVELS = 21,
    /* Cells that wait to be judged: of one batch two children each, of every depth at most. */
    EXACT_TREE_STACK = 2 * EXACT_TREE_BATCH * (3 * EXACT_TREE_KEY_LEVELS + 33),
};

/* A body, or a cell that waits to be judged: of one body where this bit is set. */
#define EXACT_TREE_SINGLE 0x80000000u

/* x = hi + lo, both of single precision. */
struct exact_tree_body {
    float hi[3], mass;
    float lo[3], half; /* eps^2 / 2 */
};

/* About its centre of mass: what a cell is judged by. third, fourth: what its moments of those
 * orders may pull at distance 1, which is what it gets wrong. */
struct exact_tree_place {
    float hi[3], radius; /* no body is farther away */
    float lo[3], mass;
    float third, fourth;
    float half, spread; /* mean of its bodies' halves by mass, and their range */
};

/* m, and three times the second moments sum m a_i a_j: xx xy xz yy yz zz. */
struct exact_tree_moments {
    float second[6];
    float mass, half; /* half: mean of its bodies' by mass */
};

struct exact_tree_span {
    uint32_t first, last, split; /* bodies, both ends included */
};

/* What bounds the bodies, and their halves. */
struct exact_tree_box {
    float low[3], high[3], half_low, half_high;
};

/* sum m a_i a_j a_k: xxx xxy xxz xyy xyz xzz yyy yyz yzz zzz; a cell is judged by them. */
struct exact_tree_thirds {
    float third[10];
};

/* All of a tree. Arrays of N bodies and, from moments on, N cells. */
struct exact_tree {
    uint32_t bodies;
    const uint32_t *order; /* which body lies at a place of the curve */
    struct exact_tree_body *body;
    struct exact_tree_place *place;
    struct exact_tree_moments *moments;
    struct exact_tree_span *span;
    struct exact_tree_box *box;
    struct exact_tree_thirds *thirds;
    uint8_t *wide; /* [bodies]: whether a cell of more than EXACT_TREE_WIDE is cut behind a body */
};

/* Units. */
struct exact_tree_frame {
    double centre[3];
    double box;       /* 1 / half the side of the curve's box, a power of two */
    double scale;     /* our lengths per one of the bodies' */
    double mass;      /* our masses per one of the bodies' */
    double pull;      /* the bodies' accelerations per one of ours */
    double potential; /* the same of potentials */
    float softening2; /* eps^2 */
};

/* When a cell may stand for its bodies: reach2 is the square of the largest radius over distance;
 * hold is what its error must stay below, in our accelerations, INFINITY: nothing is asked, the
 * less so the more the cell pulls itself: times 1 + heavy * pull; soft is the part of a squared
 * distance that its softenings may differ by, times 2/3. */
struct exact_tree_rule {
    float reach2, hold, heavy, soft;
};

#endif
