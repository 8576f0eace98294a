#include "sim/tree/neighbours.h"
#include "base/memory.h"
#include "sim/tree/octree.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 256, WORTH = 4096 };

struct box {
    double low[3], high[3];
};

struct neighbours {
    unsigned k;
    struct octree tree;
    struct box *box; /* of the bodies of each cell */
    size_t room;
};

struct near {
    double square; /* of the distance */
    uint32_t body; /* decides between equal ones */
    double mass;
};

/* For one body: the nearest so far, in order. */
struct search {
    const struct neighbours *in;
    const double *from;
    uint32_t self; /* its place in the tree's order */
    unsigned found;
    struct near near[NEIGHBOURS_MOST];
};

enum status neighbours_open(struct neighbours **out, size_t count, unsigned k)
{
    struct neighbours *n = memory_new(1, sizeof *n);
    n->k = k;
    *out = NULL;
    enum status status = octree_open(&n->tree, count);
    if (status != STATUS_OK) {
        neighbours_close(&n);
        return status;
    }
    *out = n;
    return STATUS_OK;
}

void neighbours_close(struct neighbours **neighbours)
{
    struct neighbours *n = *neighbours;
    if (!n)
        return;
    octree_close(&n->tree);
    free(n->box);
    free(n);
    *neighbours = NULL;
}

static void find_box(struct neighbours *n, size_t c)
{
    const struct octree_cell *cell = n->tree.cell + c;
    struct box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t k = 0; k < cell->children; k++)
        for (int a = 0; a < 3; a++) {
            box.low[a] = fmin(box.low[a], n->box[cell->child + k].low[a]);
            box.high[a] = fmax(box.high[a], n->box[cell->child + k].high[a]);
        }
    for (uint32_t i = cell->first; cell->children == 0 && i < cell->first + cell->count; i++)
        for (int a = 0; a < 3; a++) {
            box.low[a] = fmin(box.low[a], n->tree.row[i][a]);
            box.high[a] = fmax(box.high[a], n->tree.row[i][a]);
        }
    n->box[c] = box;
}

static enum status build(struct neighbours *n, const double (*rows)[4], int threads)
{
    enum status status = octree_build(&n->tree, rows, NULL, &(struct octree_limit){0}, threads);
    if (status != STATUS_OK)
        return status;
    if (n->tree.cells > n->room) {
        free(n->box);
        n->room = n->tree.cells + n->tree.cells / 4;
        n->box = malloc(n->room * sizeof *n->box);
        if (!n->box) {
            n->room = 0;
            return status_fail(STATUS_RUNTIME, "no memory for the boxes of %zu cells of bodies",
                               n->tree.cells);
        }
    }
    for (size_t c = n->tree.cells; c-- > 0;) /* children stand behind their parents */
        find_box(n, c);
    return STATUS_OK;
}

/* Never above the square of the distance to a body in the box, as that is rounded. */
static double square_to_box(const struct box *box, const double from[3])
{
    double square = 0;
    for (int a = 0; a < 3; a++) {
        double away = fmax(fmax(box->low[a] - from[a], from[a] - box->high[a]), 0);
        square += away * away;
    }
    return square;
}

static bool before(const struct near *a, const struct near *b)
{
    return a->square < b->square || (a->square == b->square && a->body < b->body);
}

static void offer(struct search *search, struct near near)
{
    const unsigned k = search->in->k;
    if (search->found == k && !before(&near, &search->near[k - 1]))
        return;
    unsigned at = search->found < k ? search->found++ : k - 1;
    for (; at > 0 && before(&near, &search->near[at - 1]); at--)
        search->near[at] = search->near[at - 1];
    search->near[at] = near;
}

/* Whether nothing so far away can be among the nearest. */
static bool too_far(const struct search *search, double square)
{
    const unsigned k = search->in->k;
    return search->found == k && square > search->near[k - 1].square;
}

static void look_into_leaf(struct search *search, const struct octree_cell *cell)
{
    const struct neighbours *n = search->in;
    for (uint32_t i = cell->first; i < cell->first + cell->count; i++) {
        double square = 0;
        if (i == search->self)
            continue;
        for (int a = 0; a < 3; a++) {
            double away = n->tree.row[i][a] - search->from[a];
            square += away * away;
        }
        offer(search, (struct near){square, n->tree.body[i], n->tree.row[i][3]});
        if (search->found == n->k && search->near[n->k - 1].square == 0)
            return; /* many in one place are in the order of the bodies */
    }
}

/* The nearest child first. */
static void look_into(struct search *search, uint32_t c)
{
    const struct octree_cell *cell = search->in->tree.cell + c;
    uint32_t child[8];
    double square[8];
    if (cell->children == 0) {
        look_into_leaf(search, cell);
        return;
    }
    for (uint32_t k = 0; k < cell->children; k++) {
        double here = square_to_box(search->in->box + cell->child + k, search->from);
        uint32_t at = k;
        for (; at > 0 && here < square[at - 1]; at--) {
            square[at] = square[at - 1];
            child[at] = child[at - 1];
        }
        square[at] = here;
        child[at] = cell->child + k;
    }
    for (uint32_t k = 0; k < cell->children && !too_far(search, square[k]); k++)
        look_into(search, child[k]);
}

static void find_one(const struct neighbours *n, uint32_t i, float *distance, float *density)
{
    struct search search = {.in = n, .from = n->tree.row[i], .self = i};
    const uint32_t body = n->tree.body[i];
    look_into(&search, 0);
    const bool all = search.found == n->k;
    const double away = all ? sqrt(search.near[n->k - 1].square) : INFINITY;
    distance[body] = (float)away;
    if (!density)
        return;
    double mass = 0;
    for (unsigned k = 0; k < search.found; k++)
        mass += search.near[k].mass;
    const double volume = 4 * M_PI / 3 * away * away * away;
    density[body] = volume > 0 ? (float)(all ? mass / volume : 0) : INFINITY;
}

enum status neighbours_find(struct neighbours *neighbours, const double (*rows)[4], int threads,
                            float *distance, float *density)
{
    enum status status = build(neighbours, rows, threads);
    if (status != STATUS_OK)
        return status;
    const size_t count = neighbours->tree.count;
#pragma omp parallel for schedule(dynamic, BATCH) num_threads(count < WORTH ? 1 : threads)
    for (size_t i = 0; i < count; i++)
        find_one(neighbours, (uint32_t)i, distance, density);
    return STATUS_OK;
}

static bool is_apart(const double (*rows)[4], size_t i, size_t taken, const size_t *body,
                     double apart)
{
    for (size_t k = 0; k < taken; k++) {
        double square = 0;
        if (body[k] == i)
            return false;
        for (int a = 0; a < 3; a++) {
            double away = rows[i][a] - rows[body[k]][a];
            square += away * away;
        }
        if (square < apart * apart)
            return false;
    }
    return true;
}

size_t neighbours_densest(size_t count, const double (*rows)[4], const float *density, double apart,
                          size_t most, size_t *body)
{
    size_t taken = 0;
    while (taken < most) {
        size_t best = count;
        for (size_t i = 0; i < count; i++)
            if ((best == count || density[i] > density[best]) &&
                is_apart(rows, i, taken, body, apart))
                best = i;
        if (best == count)
            break;
        body[taken++] = best;
    }
    return taken;
}
