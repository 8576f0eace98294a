#include "sim/gravity/exact_tree/exact_build.h"
#include "base/memory.h"
#include "kernels/exact_tree/exact_cells.h"
#include "sim/gravity/tree/morton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *aligned(size_t bytes)
{
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

enum status exact_tree_open(struct exact_tree_build *build, size_t bodies)
{
    struct exact_tree *tree = &build->tree;
    *build = (struct exact_tree_build){.tree.bodies = (uint32_t)bodies};
    build->key = aligned(bodies * sizeof *build->key);
    build->spare_key = aligned(bodies * sizeof *build->spare_key);
    build->order = aligned(bodies * sizeof *build->order);
    build->spare_order = aligned(bodies * sizeof *build->spare_order);
    tree->body = aligned(bodies * sizeof *tree->body);
    tree->place = aligned(bodies * sizeof *tree->place);
    tree->moments = aligned(bodies * sizeof *tree->moments);
    tree->span = aligned(bodies * sizeof *tree->span);
    tree->box = aligned(bodies * sizeof *tree->box);
    tree->thirds = aligned(bodies * sizeof *tree->thirds);
    tree->wide = aligned(bodies * sizeof *tree->wide);
    if (build->key && build->spare_key && build->order && build->spare_order && tree->body &&
        tree->place && tree->moments && tree->span && tree->box && tree->thirds && tree->wide) {
        /* a single body has no cell, but the first one is read */
        memset(tree->place, 0, sizeof *tree->place);
        memset(tree->moments, 0, sizeof *tree->moments);
        memset(tree->span, 0, sizeof *tree->span);
        memset(tree->box, 0, sizeof *tree->box);
        return STATUS_OK;
    }
    exact_tree_close(build);
    return status_fail(STATUS_RUNTIME, "no memory for a tree of %zu bodies; ask for fewer with -n",
                       bodies);
}

void exact_tree_close(struct exact_tree_build *build)
{
    free(build->key);
    free(build->spare_key);
    free(build->order);
    free(build->spare_order);
    free(build->tree.body);
    free(build->tree.place);
    free(build->tree.moments);
    free(build->tree.span);
    free(build->tree.box);
    free(build->tree.thirds);
    free(build->tree.wide);
    *build = (struct exact_tree_build){0};
}

static double largest_mass(const double (*rows)[4], size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = rows[i][3] > largest ? rows[i][3] : largest;
    return largest;
}

static void set_kinds(struct exact_tree_frame *frame, const double *halves, size_t count)
{
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < count; i++) {
        low = halves[i] < low ? halves[i] : low;
        high = halves[i] > high ? halves[i] : high;
    }
    exact_tree_set_kinds(frame, count, low, high);
}

static void swap_arrays(struct exact_tree_build *build)
{
    uint64_t *key = build->key;
    uint32_t *order = build->order;
    build->key = build->spare_key;
    build->order = build->spare_order;
    build->spare_key = key;
    build->spare_order = order;
}

enum { LANES = 64 }; /* bodies whose keys are computed together */

static void find_keys(const struct exact_tree_frame *frame, const double *position, size_t stride,
                      const double *half, size_t half_stride, size_t count, uint64_t *key)
{
    uint32_t at[3][LANES] = {{0}};
    for (size_t i = 0; i < count; i++)
        for (int c = 0; c < 3; c++)
            at[c][i] = exact_tree_along(frame, position[i * stride + (size_t)c], c);
    exact_tree_turn(at[0], at[1], at[2], LANES);
    for (size_t i = 0; i < count; i++)
        key[i] = exact_tree_key(at[0][i], at[1][i], at[2][i]);
    for (size_t i = 0; i < count && frame->kind_step > 0; i++)
        key[i] = exact_tree_kind_key(frame, key[i], half[i * half_stride]);
}

void exact_tree_keys(const struct exact_tree_frame *frame, const double *position, size_t stride,
                     const double *half, size_t half_stride, size_t count, uint64_t *key,
                     int threads)
{
#pragma omp parallel for schedule(dynamic, LANES) num_threads(threads)
    for (size_t i = 0; i < count; i += LANES)
        find_keys(frame, position + i * stride, stride, half ? half + i * half_stride : NULL,
                  half_stride, count - i < LANES ? count - i : LANES, key + i);
}

/* A body among those with equal keys. */
struct tie {
    uint64_t fine;
    uint32_t number, body;
};

static int by_fine(const void *one, const void *other)
{
    const struct tie *a = one, *b = other;
    if (a->fine != b->fine)
        return a->fine < b->fine ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static void order_ties(const struct exact_tree_frame *frame, uint32_t *order, size_t count,
                       const double *position, size_t stride, const uint32_t *number,
                       size_t number_stride)
{
    struct tie *ties = memory_new(count, sizeof *ties);
    for (size_t i = 0; i < count; i++)
        ties[i] = (struct tie){exact_tree_fine(frame, position + order[i] * stride),
                               number ? number[order[i] * number_stride] : order[i], order[i]};
    qsort(ties, count, sizeof *ties, by_fine);
    for (size_t i = 0; i < count; i++)
        order[i] = ties[i].body;
    free(ties);
}

void exact_tree_order_equal(const struct exact_tree_frame *frame, const uint64_t *key,
                            uint32_t *order, size_t count, const double *position, size_t stride,
                            const uint32_t *number, size_t number_stride)
{
    for (size_t first = 0, end; first < count; first = end) {
        bool sorted = true;
        for (end = first + 1; end < count && key[end] == key[first]; end++) {
            const uint32_t a = order[end - 1], b = order[end];
            sorted = sorted && exact_tree_precedes(frame, position + a * stride,
                                                   number ? number[a * number_stride] : a,
                                                   position + b * stride,
                                                   number ? number[b * number_stride] : b);
        }
        if (!sorted)
            order_ties(frame, order + first, end - first, position, stride, number, number_stride);
    }
}

void exact_tree_sort(struct exact_tree_build *build, const double (*rows)[4], const double *halves,
                     double softening, int threads)
{
    enum { SHARE = 4096 };
    const size_t count = build->tree.bodies;
    const struct key_box box = key_box_of(count, rows, threads);
    struct exact_tree_frame frame =
        exact_tree_frame_of(box.centre, box.scale, softening, largest_mass(rows, count));
    if (halves)
        set_kinds(&frame, halves, count);
    build->frame = frame;
    exact_tree_keys(&frame, rows[0], 4, halves, 1, count, build->key, threads);
    if (keys_sort(count, build->key, build->order, build->spare_key, build->spare_order, threads))
        swap_arrays(build);
    exact_tree_order_equal(&frame, build->key, build->order, count, rows[0], 4, NULL, 0);
    build->tree.order = build->order;
#pragma omp parallel for schedule(dynamic, SHARE) num_threads(threads)
    for (size_t i = 0; i < count; i++) {
        const uint32_t at = build->order[i];
        build->tree.body[i] = exact_tree_body_of(&frame, rows[at], halves ? halves[at] : 0);
    }
}

static int common(const struct exact_tree_build *build, uint32_t a, uint32_t b)
{
    return exact_tree_shared(build->key[a], build->key[b], build->first + a, build->first + b);
}

/* The last body that shares more bits with the first one than the last one does. */
static uint32_t split_of(const struct exact_tree_build *build, uint32_t first, uint32_t last)
{
    const int shared = common(build, first, last);
    uint32_t low = first, high = last; /* low shares more, high does not */
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (common(build, first, middle) > shared)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void exact_tree_fill_cell(const struct exact_tree_build *build, uint32_t cell, uint32_t first,
                          uint32_t last)
{
    enum { WORTH = 8192 }; /* bodies per task */
    const struct exact_tree *tree = &build->tree;
    struct exact_tree_span *span = tree->span + cell;
    const bool shared = last - first >= WORTH;
    *span = (struct exact_tree_span){.first = first, .last = last, .split = last};
    if (last - first < EXACT_TREE_LEAF) {
        exact_tree_fill_leaf(tree, cell);
        return;
    }
    const uint32_t split = split_of(build, first, last);
    span->split = split;
    tree->wide[split] = last - first >= EXACT_TREE_WIDE;
#pragma omp task if (shared)
    if (split > first)
        exact_tree_fill_cell(build, split, first, split);
    if (last > split + 1)
        exact_tree_fill_cell(build, split + 1, split + 1, last);
    if (shared) {
#pragma omp taskwait
    }
    exact_tree_fill_parent(tree, cell);
}

void exact_tree_fill(struct exact_tree_build *build, int threads)
{
    const uint32_t count = build->tree.bodies;
    memset(build->tree.wide, 0, count * sizeof *build->tree.wide);
    if (count < 2)
        return;
#pragma omp parallel num_threads(threads)
#pragma omp single
    exact_tree_fill_cell(build, 0, 0, count - 1);
}
