/* The data of the tree of the force `tree-exact`, the same on the CPU and on a CUDA device.
 *
 * Bodies are sorted along a Hilbert curve. The tree over them is binary (T. Karras, "Maximizing
 * parallelism in the construction of BVHs, octrees, and k-d trees", 2012). Cell 0 holds all N
 * bodies. A cell is cut after the last body whose key shares more leading bits with the cell's
 * first key than the cell's last key does; equal keys are told apart by their places, and their
 * bodies are ordered by exact_tree_precedes. The halves of a cell that is cut after body s are the
 * cells s and s + 1, or the bodies s and s + 1 for halves of a single body. The N - 1 cells
 * therefore need no list. Cells below a cell of at most EXACT_TREE_LEAF bodies are never used and
 * not filled in.
 *
 * Lengths are scaled by a power of two, chosen so that the softening is about as far below 1 as the
 * width of the curve's box is above 1. Masses are in units of a power of two above the largest
 * mass. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    EXACT_TREE_LEAF = 8,   /* a cell of at most this many bodies is not walked into */
    EXACT_TREE_GROUP = 32, /* successive bodies that share one list of sources, at most */
    EXACT_TREE_WIDE = 512, /* no list spans the cut of a cell with more bodies than this */
    EXACT_TREE_BATCH = 32, /* cells judged together */
    EXACT_TREE_TILE = 64,  /* sources whose pulls are summed in single precision */
    EXACT_TREE_KEY_LEVELS = 21,
    EXACT_TREE_KINDS = 8,          /* of softenings */
    EXACT_TREE_KINDS_FROM = 16384, /* bodies from which on keys tell kinds apart */
    /* Cells that wait to be judged: per batch two children each, at most for every depth. */
    EXACT_TREE_STACK = 2 * EXACT_TREE_BATCH * (3 * EXACT_TREE_KEY_LEVELS + 33),
};

/* Marks an entry of the stack as a single body rather than a cell. */
#define EXACT_TREE_SINGLE 0x80000000u
#define EXACT_TREE_UNSENT 0xffffffffu

/* x = hi + lo, both in single precision. */
struct exact_tree_body {
    float hi[3], mass;
    float lo[3], half; /* eps^2 / 2 */
};

/* The properties by which a cell is judged, about its centre of mass. third, fourth: upper bounds
 * on the pull of its moments of those orders at distance 1, the error of using the cell. */
struct exact_tree_place {
    float hi[3], radius; /* no body is farther from the centre */
    float lo[3], mass;
    float third, fourth;
    float half, spread; /* mean of its bodies' halves, weighted by mass, and their range */
};

/* m, and three times the second moments sum m a_i a_j: xx xy xz yy yz zz. */
struct exact_tree_moments {
    float second[6];
    float mass, half; /* half: mean of its bodies' halves, weighted by mass */
};

/* Bodies, both ends included. A leaf has split == last, and a cell whose bodies and halves are
 * not there, because another rank has them (sim/ranks), EXACT_TREE_UNSENT. */
struct exact_tree_span {
    uint32_t first, last, split;
};

/* The bounding box of the bodies, and the range of their halves. */
struct exact_tree_box {
    float low[3], high[3], half_low, half_high;
};

/* sum m a_i a_j a_k: xxx xxy xxz xyy xyz xzz yyy yyz yzz zzz; used only to judge cells. */
struct exact_tree_thirds {
    float third[10];
};

/* A complete tree. Arrays have N bodies and, from `moments` on, N cells. */
struct exact_tree {
    uint32_t bodies;
    const uint32_t *order; /* the body at each place of the curve */
    struct exact_tree_body *body;
    struct exact_tree_place *place;
    struct exact_tree_moments *moments;
    struct exact_tree_span *span;
    struct exact_tree_box *box;
    struct exact_tree_thirds *thirds;
    uint8_t *wide; /* [bodies]: whether a cell of more than EXACT_TREE_WIDE is cut behind a body */
};

/* Units of the tree. */
struct exact_tree_frame {
    double centre[3];
    double box;       /* 1 / half the side of the curve's box, a power of two */
    double scale;     /* tree lengths per length of the bodies */
    double mass;      /* tree masses per mass of the bodies */
    double pull;      /* acceleration of a body per unit of acceleration in the tree */
    double potential; /* the same for potentials */
    float softening2; /* eps^2 */
    /* Kinds of softenings, by the upper bits of their halves: the lowest, and the steps between
     * kinds, 0: there is one kind. kind_bits: of the key below the kind. */
    uint32_t kind_from, kind_step, kind_bits;
};

/* When a cell may stand for its bodies. reach2 is the square of the largest allowed radius over
 * distance. hold is the upper bound on its error, in tree accelerations, INFINITY: no bound; the
 * bound is relaxed by 1 + heavy * pull, where pull is the pull of the cell itself. soft is the
 * fraction of a squared distance by which its softenings may differ, times 2/3. */
struct exact_tree_rule {
    float reach2, hold, heavy, soft;
};

/* ---- the plan of a tree on a CUDA device, and the counters of an evaluation ---- */

struct exact_tree_cuda_plan {
    size_t bodies;
    bool mixed;     /* bodies have halves of their own */
    unsigned warps; /* number of warps that walk at once, each with its own stack */
    size_t sort_bytes;
    size_t bytes; /* size of `work`, which begins with a double per body */
};

/* Counters of the last evaluation. */
struct exact_tree_cuda_work {
    unsigned long long pairs, joins;
    unsigned negative; /* whether there is a mass below 0 */
};
