#include "sim/gravity/tree/octree.h"

#include <math.h>
#include <omp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    AHEAD = 16,    /* bodies that are prefetched */
    MANY = 1024,   /* cells of a level that are worth using threads */
    WORTH = 32768, /* bodies that are, with many processors */
};

static enum status no_memory(const struct octree *tree)
{
    return status_fail(STATUS_RUNTIME, "no memory for a tree of %zu bodies; ask for fewer with -n",
                       tree->count);
}

enum status octree_open(struct octree *tree, size_t count)
{
    *tree = (struct octree){.count = count, .room = count / 4 + 64};
    tree->key = malloc(count * sizeof *tree->key);
    tree->body = malloc(count * sizeof *tree->body);
    tree->row = malloc(count * sizeof *tree->row);
    tree->spare_key = malloc(count * sizeof *tree->spare_key);
    tree->spare_body = malloc(count * sizeof *tree->spare_body);
    tree->cell = malloc(tree->room * sizeof *tree->cell);
    tree->cuts = malloc(tree->room * sizeof *tree->cuts);
    if (tree->key && tree->body && tree->row && tree->spare_key && tree->spare_body && tree->cell &&
        tree->cuts)
        return STATUS_OK;
    octree_close(tree);
    tree->count = count;
    return no_memory(tree);
}

void octree_close(struct octree *tree)
{
    free(tree->key);
    free(tree->body);
    free(tree->row);
    free(tree->last);
    free(tree->spare_key);
    free(tree->spare_body);
    free(tree->cell);
    free(tree->cuts);
    *tree = (struct octree){0};
}

static enum status make_room(struct octree *tree, size_t cells)
{
    if (cells <= tree->room)
        return STATUS_OK;
    size_t room = cells + cells / 4;
    struct octree_cell *cell = realloc(tree->cell, room * sizeof *cell);
    if (cell)
        tree->cell = cell;
    uint32_t(*cuts)[9] = realloc(tree->cuts, room * sizeof *cuts);
    if (cuts)
        tree->cuts = cuts;
    if (!cell || !cuts)
        return no_memory(tree);
    tree->room = room;
    return STATUS_OK;
}

/* The first body in `from` .. `end` - 1 whose octant at these bits is at least `octant`. */
static uint32_t find(const struct octree *tree, uint32_t from, uint32_t end, int bits,
                     uint64_t octant)
{
    while (from < end) {
        uint32_t middle = from + (end - from) / 2;
        if ((tree->key[middle] >> bits & 7) < octant)
            from = middle + 1;
        else
            end = middle;
    }
    return from;
}

/* The lowest bit of the level at which two keys differ. */
static int differing_bits(uint64_t differ)
{
    return differ == 0 ? -3 : (63 - __builtin_clzll(differ)) / 3 * 3;
}

/* Whether keys of which all have the upper bits of this one, from `bits` on, may lie outside the
 * box: at either end of an axis. */
static bool at_an_end(uint64_t key, int bits, bool kinds)
{
    const uint64_t all = UINT64_C(0x1249249249249249) >> (kinds ? 3 : 0);
    for (int c = 0; c < 3; c++) {
        const uint64_t axis = all << c & ~UINT64_C(0) << bits;
        if ((key & axis) == 0 || (key & axis) == axis)
            return true;
    }
    return false;
}

/* Whether two bodies are very close relative to the cell's size, which is unknown if one may be
 * outside the box. */
static bool spans_much(const struct octree *tree, const struct octree_cell *cell, int bits)
{
    const uint64_t *key = tree->key + cell->first;
    if (at_an_end(key[0], bits + 3, tree->kinds))
        for (uint32_t i = 0; i < cell->count; i++)
            if (at_an_end(key[i], 0, tree->kinds))
                return true;
    const int below = bits - 3 * OCTREE_SPAN;
    /* the smallest difference that is not too late: of equal keys it is below the last level */
    const uint64_t least = below > 0 ? UINT64_C(1) << below : below > -3;
    bool late = false;
    for (uint32_t i = 0; i + 1 < cell->count; i++)
        late |= (key[i] ^ key[i + 1]) < least;
    return late;
}

/* See struct octree_limit. */
static bool too_wide(const struct octree *tree, const struct octree_cell *cell, int bits,
                     const struct octree_limit *limit)
{
    enum { HIDDEN = 4 };
    const float *first = tree->last ? tree->last[cell->first] : NULL;
    if (!limit->last)
        return false;
    float low[4], high[4];
    memcpy(low, first, sizeof low);
    memcpy(high, first, sizeof high);
    double apart = 0, mass = tree->row[cell->first][3], heaviest = mass;
    for (uint32_t i = cell->first + 1; i < cell->first + cell->count; i++) {
        for (int c = 0; c < 4; c++) {
            const float a = tree->last[i][c];
            low[c] = a < low[c] ? a : low[c];
            high[c] = a > high[c] ? a : high[c];
        }
        mass += tree->row[i][3];
        heaviest = tree->row[i][3] > heaviest ? tree->row[i][3] : heaviest;
    }
    for (int c = 0; c < 3; c++)
        apart += ((double)high[c] - (double)low[c]) * ((double)high[c] - (double)low[c]);
    double side = ldexp(2 / tree->box.scale, bits / 3 + 1 + tree->kinds - KEY_LEVELS);
    const double bound = limit->spread * (double)high[3], tide = sqrt(apart) * side * side;
    return (apart > bound * bound && tide > limit->sparse * mass) ||
           (apart > bound * bound / (HIDDEN * HIDDEN) &&
            tide > HIDDEN * HIDDEN * limit->sparse * (mass - heaviest));
}

/* Finds the bounds of a cell's octants, and how many of them contain bodies; 0: a leaf. */
static uint32_t cut(const struct octree *tree, const struct octree_cell *cell,
                    const struct octree_limit *limit, uint32_t bounds[9])
{
    uint32_t end = cell->first + cell->count, children = 0;
    uint64_t differ = tree->key[cell->first] ^ tree->key[end - 1];
    int bits = differing_bits(differ);
    if (differ == 0 || (cell->count <= OCTREE_LEAF && !spans_much(tree, cell, bits) &&
                        !too_wide(tree, cell, bits, limit)))
        return 0;
    bounds[0] = cell->first;
    for (uint64_t o = 1; o < 8; o++)
        bounds[o] = find(tree, bounds[o - 1], end, bits, o);
    bounds[8] = end;
    for (int o = 0; o < 8; o++)
        children += bounds[o + 1] > bounds[o];
    return children;
}

static void fill(struct octree *tree, const struct octree_cell *cell, const uint32_t bounds[9])
{
    uint32_t at = cell->child;
    for (int o = 0; o < 8; o++)
        if (bounds[o + 1] > bounds[o])
            tree->cell[at++] =
                (struct octree_cell){.first = bounds[o], .count = bounds[o + 1] - bounds[o]};
}

/* Copies rows and last accelerations in the tree's order, so that later passes read
 * sequentially. */
static enum status put_in_order(struct octree *tree, const double (*rows)[4],
                                const double (*last)[3], int threads)
{
    if (last && !tree->last) {
        tree->last = malloc(tree->count * sizeof *tree->last);
        if (!tree->last)
            return no_memory(tree);
    }
#pragma omp parallel for schedule(dynamic, 4096) num_threads(threads)
    for (size_t i = 0; i < tree->count; i++) {
        const uint32_t body = tree->body[i];
        const uint32_t later = tree->body[i + AHEAD < tree->count ? i + AHEAD : i];
        __builtin_prefetch(rows[later]);
        if (last)
            __builtin_prefetch(last[later]);
        memcpy(tree->row[i], rows[body], sizeof tree->row[i]);
        double square = 0;
        for (int c = 0; last && c < 3; c++) {
            tree->last[i][c] = (float)last[body][c];
            square += last[body][c] * last[body][c];
        }
        if (last)
            tree->last[i][3] = (float)sqrt(square);
    }
    return STATUS_OK;
}

/* Two processors save half of the time, and n save (n - 1) / n of it. */
int octree_threads(size_t count, int threads)
{
    const int processors = omp_get_num_procs() < threads ? omp_get_num_procs() : threads;
    return (double)count * (processors - 1) < (double)WORTH * processors ? 1 : threads;
}

enum status octree_build(struct octree *tree, const double (*rows)[4], const double *halves,
                         const struct octree_limit *limit, int threads)
{
    tree->box = key_box_of(tree->count, rows, threads);
    const struct key_kinds kinds = key_kinds_of(tree->count, halves);
    tree->kinds = kinds.count > 1;
#pragma omp parallel for schedule(dynamic, 4096) num_threads(threads)
    for (size_t i = 0; i < tree->count; i++) {
        const uint64_t key = key_of(&tree->box, rows[i]);
        tree->key[i] = tree->kinds ? key_of_kind(key, &kinds, halves[i]) : key;
    }
    if (keys_sort(tree->count, tree->key, tree->body, tree->spare_key, tree->spare_body, threads)) {
        uint64_t *key = tree->key;
        uint32_t *body = tree->body;
        tree->key = tree->spare_key;
        tree->body = tree->spare_body;
        tree->spare_key = key;
        tree->spare_body = body;
    }
    enum status status = put_in_order(tree, rows, limit->last, threads);
    if (status != STATUS_OK)
        return status;

    tree->cell[0] = (struct octree_cell){.count = (uint32_t)tree->count};
    tree->cells = 1;
    tree->levels = 0;
    for (size_t from = 0; from < tree->cells;) {
        size_t end = tree->cells;
        tree->level[tree->levels++] = (uint32_t)from;
#pragma omp parallel for schedule(dynamic, 64) num_threads(end - from < MANY ? 1 : threads)
        for (size_t c = from; c < end; c++)
            tree->cell[c].children = cut(tree, tree->cell + c, limit, tree->cuts[c]);
        for (size_t c = from; c < end; c++) {
            tree->cell[c].child = (uint32_t)tree->cells;
            tree->cells += tree->cell[c].children;
        }
        status = make_room(tree, tree->cells);
        if (status != STATUS_OK)
            return status;
        for (size_t c = from; c < end; c++)
            if (tree->cell[c].children > 0)
                fill(tree, tree->cell + c, tree->cuts[c]);
        from = end;
    }
    tree->level[tree->levels] = (uint32_t)tree->cells;
    return STATUS_OK;
}
