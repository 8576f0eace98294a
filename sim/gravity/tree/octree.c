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
    SOFTEST = 24,  /* exponent of the largest softening, relative to the box */
    FINEST = 1000, /* exponent of the smallest box's scale */
};

/* The bodies that a tree is built from. */
struct input {
    const double (*rows)[4], *halves;
    const struct octree_limit *limit;
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
    free(tree->level);
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
    double side = ldexp(2 / tree->box.scale, bits / 3 + 1 + tree->kinds - KEY_LEVELS - cell->finer);
    const double bound = limit->spread * (double)high[3], tide = sqrt(apart) * side * side;
    return (apart > bound * bound && tide > limit->sparse * mass) ||
           (apart > bound * bound / (HIDDEN * HIDDEN) &&
            tide > HIDDEN * HIDDEN * limit->sparse * (mass - heaviest));
}

/* The range of the positions of a cell's bodies along an axis. */
static void range_of(const struct octree *tree, const struct octree_cell *cell, int axis,
                     double *low, double *high)
{
    *low = *high = tree->row[cell->first][axis];
    for (uint32_t i = cell->first + 1; i < cell->first + cell->count; i++) {
        *low = fmin(*low, tree->row[i][axis]);
        *high = fmax(*high, tree->row[i][axis]);
    }
}

/* See struct octree_limit. */
static bool is_merged(const struct octree *tree, const struct octree_cell *cell,
                      const struct input *input)
{
    const double *halves = input->halves;
    if (!(input->limit->merged > 0) || !halves || cell->count <= OCTREE_LEAF)
        return false;
    const uint32_t last = cell->first + cell->count - 1;
    const double half = halves[tree->body[cell->first]];
    const double most = input->limit->merged * sqrt(2 * half);
    double square = 0;
    for (int c = 0; c < 3; c++) /* most cells are wider, as two of their bodies show */
        if (fabs(tree->row[cell->first][c] - tree->row[last][c]) > most)
            return false;
    for (uint32_t i = cell->first + 1; i <= last; i++)
        if (halves[tree->body[i]] != half)
            return false;
    for (int c = 0; c < 3; c++) {
        double low, high;
        range_of(tree, cell, c, &low, &high);
        square += (high - low) * (high - low);
    }
    return square <= most * most;
}

/* Finds the bounds of a cell's octants, and how many of them contain bodies; 0: a leaf. */
static uint32_t cut(const struct octree *tree, const struct octree_cell *cell,
                    const struct input *input, uint32_t bounds[9])
{
    const struct octree_limit *limit = input->limit;
    uint32_t end = cell->first + cell->count, children = 0;
    uint64_t differ = tree->key[cell->first] ^ tree->key[end - 1];
    int bits = differing_bits(differ);
    if (differ == 0 || is_merged(tree, cell, input) ||
        (cell->count <= OCTREE_LEAF && !spans_much(tree, cell, bits) &&
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
            tree->cell[at++] = (struct octree_cell){
                .first = bounds[o], .count = bounds[o + 1] - bounds[o], .finer = cell->finer};
}

/* Copies rows and last accelerations of places `first` to `end` - 1 in the tree's order, so that
 * later passes read sequentially. */
static void put_in_order(struct octree *tree, const struct input *input, size_t first, size_t end,
                         int threads)
{
    const double(*last)[3] = input->limit->last;
#pragma omp parallel for schedule(dynamic, 4096) num_threads(threads)
    for (size_t i = first; i < end; i++) {
        const uint32_t body = tree->body[i];
        const uint32_t later = tree->body[i + AHEAD < end ? i + AHEAD : i];
        __builtin_prefetch(input->rows[later]);
        if (last)
            __builtin_prefetch(last[later]);
        memcpy(tree->row[i], input->rows[body], sizeof tree->row[i]);
        double square = 0;
        for (int c = 0; last && c < 3; c++) {
            tree->last[i][c] = (float)last[body][c];
            square += last[body][c] * last[body][c];
        }
        if (last)
            tree->last[i][3] = (float)sqrt(square);
    }
}

/* A box around the bodies of a cell, which lie in its inner half, away from the ends of the keys;
 * false: they are at one place. */
static bool box_around(const struct octree *tree, const struct octree_cell *cell,
                       struct key_box *box)
{
    double half = 0;
    for (int c = 0; c < 3; c++) {
        double low, high;
        range_of(tree, cell, c, &low, &high);
        box->centre[c] = low + (high - low) / 2;
        half = fmax(half, (high - low) / 2);
    }
    int exponent;
    (void)frexp(half, &exponent);
    box->scale = ldexp(1, exponent > -FINEST ? -exponent - 1 : FINEST);
    return half > 0;
}

/* Gives the bodies of a cell keys in a box of their own; false: these are equal, too. */
static bool key_by_place(struct octree *tree, struct octree_cell *cell)
{
    struct key_box box;
    bool differ = false;
    if (!box_around(tree, cell, &box))
        return false;
    for (uint32_t i = cell->first; i < cell->first + cell->count; i++) {
        tree->key[i] = key_of(&box, tree->row[i]) >> (tree->kinds ? 3 : 0);
        differ |= tree->key[i] != tree->key[cell->first];
    }
    int own, all;
    (void)frexp(box.scale, &own);
    (void)frexp(tree->box.scale, &all);
    cell->finer = own - all;
    return differ;
}

/* Gives the bodies of a cell the bits of their softenings as keys; false: these are equal. */
static bool key_by_softening(struct octree *tree, struct octree_cell *cell, const double *halves)
{
    bool differ = false;
    for (uint32_t i = cell->first; halves && i < cell->first + cell->count; i++) {
        uint64_t bits;
        memcpy(&bits, halves + tree->body[i], sizeof bits);
        tree->key[i] = bits >> 1;
        differ |= tree->key[i] != tree->key[cell->first];
    }
    cell->finer = OCTREE_ONE_PLACE;
    return differ;
}

/* Tells the bodies of a cell apart whose keys are equal. */
static enum status refine(struct octree *tree, struct octree_cell *cell, const struct input *input,
                          int threads)
{
    const size_t first = cell->first, count = cell->count;
    /* two levels that are neither all zero nor all one, so that no body seems to be outside */
    const uint64_t inside = UINT64_C(7) << 3 * (KEY_LEVELS - 3);
    if (!key_by_place(tree, cell) && !key_by_softening(tree, cell, input->halves)) {
        for (size_t i = 0; i < count; i++)
            tree->key[first + i] = inside | i;
        return STATUS_OK;
    }
    uint32_t *body = malloc(count * sizeof *body);
    if (!body)
        return no_memory(tree);
    memcpy(body, tree->body + first, count * sizeof *body);
    const bool moved = keys_sort(count, tree->key + first, tree->body + first,
                                 tree->spare_key + first, tree->spare_body + first, threads);
    const uint32_t *order = (moved ? tree->spare_body : tree->body) + first;
    for (size_t i = 0; i < count; i++)
        tree->body[first + i] = body[order[i]];
    if (moved)
        memcpy(tree->key + first, tree->spare_key + first, count * sizeof *tree->key);
    free(body);
    put_in_order(tree, input, first, first + count, threads);
    return STATUS_OK;
}

/* Refines the crowded cells of a level. */
static enum status refine_level(struct octree *tree, size_t from, size_t end,
                                const struct input *input, int threads)
{
    enum status status = STATUS_OK;
    for (size_t c = from; c < end && status == STATUS_OK; c++) {
        struct octree_cell *cell = tree->cell + c;
        if (cell->count > OCTREE_LEAF &&
            tree->key[cell->first] == tree->key[cell->first + cell->count - 1] &&
            !is_merged(tree, cell, input))
            status = refine(tree, cell, input, threads);
    }
    return status;
}

/* Two processors save half of the time, and n save (n - 1) / n of it. */
int octree_threads(size_t count, int threads)
{
    const int processors = omp_get_num_procs() < threads ? omp_get_num_procs() : threads;
    return (double)count * (processors - 1) < (double)WORTH * processors ? 1 : threads;
}

/* Makes room for one more level and the end. */
static enum status make_level(struct octree *tree)
{
    uint32_t *level = realloc(tree->level, (tree->levels + 2) * sizeof *level);
    if (!level)
        return no_memory(tree);
    tree->level = level;
    return STATUS_OK;
}

static enum status cut_level(struct octree *tree, size_t from, const struct input *input,
                             int threads)
{
    const size_t end = tree->cells;
    enum status status = make_level(tree);
    if (status == STATUS_OK)
        status = refine_level(tree, from, end, input, threads);
    if (status != STATUS_OK)
        return status;
    tree->level[tree->levels++] = (uint32_t)from;
#pragma omp parallel for schedule(dynamic, 64) num_threads(end - from < MANY ? 1 : threads)
    for (size_t c = from; c < end; c++)
        tree->cell[c].children = cut(tree, tree->cell + c, input, tree->cuts[c]);
    for (size_t c = from; c < end; c++) {
        tree->cell[c].child = (uint32_t)tree->cells;
        tree->cells += tree->cell[c].children;
    }
    status = make_room(tree, tree->cells);
    for (size_t c = from; c < end && status == STATUS_OK; c++)
        if (tree->cell[c].children > 0)
            fill(tree, tree->cell + c, tree->cuts[c]);
    return status;
}

/* Sorts the bodies along the curve of the box. */
static void sort_bodies(struct octree *tree, const struct input *input, int threads)
{
    const struct key_kinds kinds = key_kinds_of(tree->count, input->halves);
    tree->kinds = kinds.count > 1;
#pragma omp parallel for schedule(dynamic, 4096) num_threads(threads)
    for (size_t i = 0; i < tree->count; i++) {
        const uint64_t key = key_of(&tree->box, input->rows[i]);
        tree->key[i] = tree->kinds ? key_of_kind(key, &kinds, input->halves[i]) : key;
    }
    if (keys_sort(tree->count, tree->key, tree->body, tree->spare_key, tree->spare_body, threads)) {
        uint64_t *key = tree->key;
        uint32_t *body = tree->body;
        tree->key = tree->spare_key;
        tree->body = tree->spare_body;
        tree->spare_key = key;
        tree->spare_body = body;
    }
}

enum status octree_build(struct octree *tree, const double (*rows)[4], const double *halves,
                         const struct octree_limit *limit, int threads)
{
    const struct input input = {rows, halves, limit};
    tree->box = key_box_of(tree->count, rows, threads);
    if (limit->softening > 0)
        tree->box.scale = fmin(tree->box.scale, ldexp(1, SOFTEST) / limit->softening);
    sort_bodies(tree, &input, threads);
    if (limit->last && !tree->last) {
        tree->last = malloc(tree->count * sizeof *tree->last);
        if (!tree->last)
            return no_memory(tree);
    }
    put_in_order(tree, &input, 0, tree->count, threads);

    tree->cell[0] = (struct octree_cell){.count = (uint32_t)tree->count};
    tree->cells = 1;
    tree->levels = 0;
    enum status status = STATUS_OK;
    for (size_t from = 0, end; from < tree->cells && status == STATUS_OK; from = end) {
        end = tree->cells;
        status = cut_level(tree, from, &input, threads);
    }
    if (status == STATUS_OK)
        tree->level[tree->levels] = (uint32_t)tree->cells;
    return status;
}
