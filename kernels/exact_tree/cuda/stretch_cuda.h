/* A part of the tree on a CUDA device: the stretch of one rank, with the cells and bodies of others
 * that its groups touch. These functions only launch; all return a cudaError_t, and all pointers
 * are to device memory unless they are said to be on the host.
 *
 * Places and cells have the numbers of the arrays they stand in, as in sim/ranks/partial.h: the
 * rank's own begin at `base`, those of the ranks before end there, and those of the ranks behind
 * follow its last. */
#pragma once

#include "kernels/exact_tree/exact_cells.h"
#include "kernels/exact_tree/exact_layout.h"
#include "kernels/exact_tree/stretch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Statistics over all bodies. */
struct exact_tree_head {
    struct exact_tree_frame frame;
    struct exact_tree_census census,
        again;                 /* of the last accelerations; after a first evaluation */
    unsigned known;            /* whether there were last accelerations */
    unsigned broken, negative; /* a number in the rows is not finite; a mass is below 0 */
    unsigned next[2];          /* the group that the next free warp takes, per walk */
    struct exact_tree_cuda_work work;
    unsigned long long unsent; /* cells that were walked into and are not there */
    double costs;              /* sum over bodies; its last bits depend on the order */
};

/* One block's statistics over its bodies. */
struct exact_tree_share {
    double least[3], most[3], largest; /* largest: mass */
    double half_low, half_high;
    unsigned broken, negative;
    struct exact_tree_census census;
};

enum { EXACT_TREE_SURVEYORS = 256 };

/* share[EXACT_TREE_SURVEYORS]: share[0] will be of all rows. rows: x y z; mass: with the stride of
 * rows; halves: or NULL; last: accelerations or NULL; strides in doubles. */
int exact_tree_cuda_survey(size_t count, const double *rows, unsigned row_stride,
                           const double *mass, const double *halves, unsigned half_stride,
                           const double *last, unsigned last_stride, struct exact_tree_share *share,
                           void *stream);

/* The place of a stretch among all bodies, and the keys on either side of it. */
struct exact_tree_borders {
    uint32_t base;           /* the first own place in the arrays */
    uint32_t start;          /* and among all bodies */
    uint32_t before, behind; /* 1: there is a body, with the key: */
    unsigned long long key_before, key_behind;
};

/* The cells within a stretch of count > 0 sorted keys. tree: bodies at base are there. parent,
 * arrived [count]: scratch. */
int exact_tree_cuda_fill_part(size_t count, const uint64_t *key,
                              const struct exact_tree_borders *borders,
                              const struct exact_tree *tree, unsigned *parent, unsigned *arrived,
                              void *stream);

/* The kinds of walk; EXACT_TREE_FIRST runs only if no accelerations are known. */
enum exact_tree_kind { EXACT_TREE_FIRST, EXACT_TREE_BY_ERROR, EXACT_TREE_POTENTIAL };

/* The sinks of a walk, and where their results go. */
struct exact_tree_sinks_of {
    uint32_t first, count, root; /* places; the cell where the walk starts */
    const uint32_t *order;       /* the body at each place; NULL: place - first */
    const double *last;          /* accelerations, `stride` doubles apart */
    unsigned stride;
    double *out; /* [bodies][3], may be `last`; or potentials [bodies] */
    float *cost; /* [bodies] or NULL */
    /* The group that is walked k-th, or NULL; and the cost of each group, or NULL. */
    const uint32_t *turn;
    float *group_cost;
};

/* Groups of bodies that share lists, unless wide cells are cut within them. */
static inline size_t exact_tree_groups(size_t bodies)
{
    return (bodies + EXACT_TREE_GROUP - 1) / EXACT_TREE_GROUP;
}

/* Orders groups by what they cost last, the dearest first, so that no warp begins a long list when
 * the others have nothing left. Arrays have `groups` items; cost is kept. */
struct exact_tree_turns {
    float *cost, *spare;
    uint32_t *index, *turn;
    void *scratch;
    size_t scratch_bytes;
};
int exact_tree_cuda_turn(size_t groups, const struct exact_tree_turns *turns, void *stream);

/* `warps` walk at once; stack [warps][EXACT_TREE_STACK]. */
int exact_tree_cuda_walk_part(const struct exact_tree *tree,
                              const struct exact_tree_sinks_of *sinks, bool mixed, unsigned warps,
                              enum exact_tree_kind kind, const struct exact_tree_rule *rule,
                              struct exact_tree_head *head, unsigned *stack, void *stream);

/* ---- bodies ---- */

struct stretch_sort {
    uint64_t *key, *spare_key;     /* [count] */
    uint32_t *order, *spare_order; /* [count] */
    void *scratch;
    size_t scratch_bytes;
};

int stretch_cuda_scratch(size_t count, size_t *bytes); /* of sorting and of sums */

/* Sorts bodies along the curve, equal keys as exact_tree_precedes has it: key, order. total: of all
 * ranks. */
int stretch_cuda_sort(size_t count, size_t total, const struct share_body *body,
                      const struct exact_tree_head *head, const struct stretch_sort *sort,
                      void *stream);

/* sample [3 * samples], zeroed: the positions of bodies 0, step, 2 step, ..., as bits. */
int stretch_cuda_sample(size_t count, const struct share_body *body, size_t step, uint64_t *sample,
                        void *stream);

/* out[wanted]: as take_samples of sim/ranks/curve.c. weight, sum [count]: scratch. */
int stretch_cuda_weigh(size_t count, const struct share_body *body, double rate,
                       const struct stretch_sort *sort, double *weight, double *sum, size_t wanted,
                       struct curve_sample *out, void *stream);

/* cuts[ranks + 1]: the first place of each rank's stretch. splitters [ranks - 1]. */
int stretch_cuda_cut(size_t count, const uint64_t *key, size_t ranks, const uint64_t *splitters,
                     size_t *cuts, void *stream);

/* to[k] = body[order[k]] of the places from `first` on; order NULL: of the bodies. */
int stretch_cuda_pick(size_t count, const struct share_body *body, const uint32_t *order,
                      struct share_body *to, void *stream);

/* Bodies sorted by key and, where keys are equal, as exact_tree_precedes has it. */
struct stretch_sorted {
    const struct share_body *body;
    const uint64_t *key;
    const uint32_t *order;
    size_t count;
};

/* Copies the bodies of `from` to their places among those of both; those before `skip` go to
 * `leaving`. */
int stretch_cuda_merge(const struct exact_tree_head *head, const struct stretch_sorted *from,
                       const struct stretch_sorted *other, size_t skip, struct share_body *leaving,
                       struct share_body *to, uint64_t *key, void *stream);

/* Keys of bodies that are in their order already. */
int stretch_cuda_keys(size_t count, const struct share_body *body,
                      const struct exact_tree_head *head, uint64_t *key, void *stream);

/* cuts[TOP_CUTS_MOST], in no order, some twice; *found of them. start: number of the first
 * place. before, behind: whether other ranks have bodies there. */
int stretch_cuda_edge(size_t count, const uint64_t *key, uint32_t start, bool before, bool behind,
                      struct top_cut *cuts, unsigned *found, void *stream);

int stretch_cuda_kick(size_t count, struct share_body *body, double dt, void *stream);
int stretch_cuda_drift(size_t count, struct share_body *body, double dt, void *stream);
int stretch_cuda_damp(size_t count, struct share_body *body, double factor, void *stream);
/* *square: zeroed. *first: the number of the first body that is not finite, at most what it was. */
int stretch_cuda_largest(size_t count, const struct share_body *body, double *square, void *stream);
int stretch_cuda_broken(size_t count, const struct share_body *body, unsigned *first, void *stream);
/* acceleration: NaN if NULL. */
int stretch_cuda_finish(size_t count, struct share_body *body, const double *acceleration,
                        const float *cost, void *stream);

/* ---- the tree ---- */

/* Bodies of the tree at `base`. */
int stretch_cuda_bodies(size_t count, const struct share_body *body,
                        const struct exact_tree_head *head, const struct exact_tree *tree,
                        uint32_t base, void *stream);

/* A branch of the rank's own, and where it goes in a buffer. */
struct stretch_branch {
    uint32_t first, last, number; /* among all bodies */
    uint32_t bytes_before;        /* in the buffer */
};

/* moved: added to numbers of the whole tree gives those of the arrays (modulo 2^32). */
int stretch_cuda_branches(size_t count, const struct stretch_branch *branch,
                          const struct exact_tree *tree, uint32_t moved, char *to, void *stream);

/* Whether wide cells that reach across borders are cut behind own places. */
struct stretch_wide {
    uint32_t place; /* in the arrays */
    uint32_t wide;
};
int stretch_cuda_wide(size_t count, const struct stretch_wide *wide, const struct exact_tree *tree,
                      void *stream);

/* list [room]; *found (zeroed before): may be larger than `room`; the rest is then left out.
 * by_error: hold from the bodies' accelerations. */
int stretch_cuda_demands(size_t count, const struct share_body *body, uint32_t base,
                         const struct exact_tree *tree, const struct exact_tree_head *head,
                         const struct exact_tree_rule *rule, bool by_error, bool mixed,
                         struct demand *list, unsigned room, unsigned *found, void *stream);

/* Ranks that ask, at most 32 at once. */
struct stretch_asking {
    const struct demand *list;
    size_t first[32], count[32]; /* the demands of each in the list */
    int ranks;
};

/* opened [count], zeroed: bit r of a cell: rank r walks into it. branch [branches]: numbers of the
 * cells of own branches, in the arrays. warps, stack: as for walks. */
int stretch_cuda_ask(const struct stretch_asking *asking, const uint32_t *branch, size_t branches,
                     const struct exact_tree *tree, uint32_t base,
                     const struct exact_tree_rule *rule, bool mixed, double margin,
                     uint32_t *opened, unsigned warps, unsigned *stack, void *stream);

/* Counts (cells, bodies NULL) or writes what the ranks get. counts [32][2], zeroed: cells and
 * bodies of each. cells, bodies [32] on the device: where each begins. */
int stretch_cuda_offer(size_t count, const uint32_t *branch, size_t branches,
                       const struct exact_tree *tree, uint32_t base, uint32_t moved,
                       const uint32_t *opened, unsigned *counts, struct partial_cell *const *cells,
                       struct partial_body *const *bodies, void *stream);

/* Where the places of the whole tree are in the arrays: see sim/ranks/partial.h. */
struct stretch_places {
    uint64_t *needed;    /* [words]: a bit for every foreign place */
    uint32_t *ranked;    /* [words + 1]: the number of bits before each word of it */
    size_t words;        /* total / 64 + 1 */
    uint32_t start, end; /* own places */
    uint32_t base;       /* of the first own place in the arrays */
    uint32_t before;     /* needed places before the own ones */
};

int stretch_cuda_need_cells(size_t count, const struct partial_cell *cells,
                            const struct stretch_places *places, void *stream);
int stretch_cuda_need_bodies(size_t count, const struct partial_body *bodies,
                             const struct stretch_places *places, void *stream);
/* Counts what is needed: totals[2]: places before the own ones, and all. scratch: of
 * stretch_cuda_scratch(words + 1). */
int stretch_cuda_rank(const struct stretch_places *places, void *scratch, size_t scratch_bytes,
                      uint32_t *totals, void *stream);
/* Makes the foreign places of the arrays unsent: those of `behind` places behind the `own` ones,
 * too. */
int stretch_cuda_forget(const struct stretch_places *places, uint32_t behind,
                        const struct exact_tree *tree, void *stream);
int stretch_cuda_put_cells(size_t count, const struct partial_cell *cells,
                           const struct stretch_places *places, const struct exact_tree *tree,
                           void *stream);
int stretch_cuda_put_bodies(size_t count, const struct partial_body *bodies,
                            const struct stretch_places *places, const struct exact_tree *tree,
                            void *stream);

#ifdef __cplusplus
}
#endif
