#include "sim/gravity/tree/neighbours.h"
#include "base/memory.h"
#include "kernels/isa.h"
#include "kernels/tree/tree.h"
#include "sim/gravity/tree/morton.h"
#include "sim/gravity/tree/octree.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    BATCH = 256,
    LEAVES = 16, /* cells at a time */
    WORTH = 4096,
    CANDIDATES = 512,
    STRETCH = 64,
    PARTS = 64,
    RECENT = 8,
    CROWD = 2048, /* bodies */
};

/* `again`: factor on the distance found last time, within which neighbours are searched first,
 * because few bodies have moved that far since. `alike`: without such a distance, factor on that of
 * the body before, because few differ that much. */
static const double again = 1.1, alike = 1.15;

/* In a leaf's crowd: distances up to this many times their mean count, and a search in which too
 * few were found is repeated with a reach larger by this factor. */
static const double far = 1.4, wider = 1.2;

struct neighbours {
    unsigned k;
    struct octree tree;
    struct box *box; /* bounding box of the bodies in each cell */
    size_t room;
    float *last; /* the distance found last for each body; 0: none */
    const struct near_kernels *kernels;
};

struct near {
    double square; /* squared distance */
    uint32_t at;   /* a body's place in the tree's order */
};

struct recent {
    const double *from;
    double away; /* distance of its k-th nearest neighbour */
};

/* The search for one body: candidates for its nearest neighbours. */
struct search {
    const struct neighbours *in;
    const double *from;
    uint32_t self;
    double bound; /* squared upper bound of the distance of the k-th nearest */
    unsigned found;
    struct near near[CANDIDATES];
    unsigned recent_count, next;
    struct recent recent[RECENT];
};

enum status neighbours_open(struct neighbours **out, size_t count, unsigned k)
{
    const struct near_kernels *kernels = near_kernels_find("auto");
    *out = NULL;
    if (!kernels)
        return status_fail(STATUS_DEVICE, ISA_MISSING, "auto");
    struct neighbours *n = memory_new(1, sizeof *n);
    n->k = k;
    n->kernels = kernels;
    enum status status = octree_open(&n->tree, count);
    n->last = calloc(count, sizeof *n->last);
    if (status == STATUS_OK && !n->last)
        status = status_fail(STATUS_RUNTIME, "no memory for the neighbours of %zu bodies", count);
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
    free(n->last);
    free(n);
    *neighbours = NULL;
}

static void find_box(struct neighbours *n, size_t c)
{
    const struct octree_cell *cell = n->tree.cell + c;
    struct box box = BOX_EMPTY;
    for (uint32_t k = 0; k < cell->children; k++)
        box_add(&box, n->box[cell->child + k].low, n->box[cell->child + k].high);
    for (uint32_t i = cell->first; cell->children == 0 && i < cell->first + cell->count; i++)
        box_add(&box, n->tree.row[i], n->tree.row[i]);
    n->box[c] = box;
}

static enum status build(struct neighbours *n, const double (*rows)[4], int threads)
{
    enum status status = octree_build(&n->tree, rows, NULL, &(struct octree_limit){0},
                                      octree_threads(n->tree.count, threads));
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
    for (size_t c = n->tree.cells; c-- > 0;) /* children come after their parents */
        find_box(n, c);
    return STATUS_OK;
}

static double square_between(const double a[3], const double b[3])
{
    const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

/* Ties are broken by body number. */
static bool before(const struct search *search, const struct near *a, const struct near *b)
{
    const uint32_t *body = search->in->tree.body;
    return a->square < b->square || (a->square == b->square && body[a->at] < body[b->at]);
}

static void swap(struct near *a, struct near *b)
{
    const struct near kept = *a;
    *a = *b;
    *b = kept;
}

/* Partitions the candidates by distance in `PARTS`-ths of the bound, keeping only the parts that
 * the k nearest need. Returns how many at the front are certainly among the nearest. */
static int sift(struct search *search)
{
    const double scale = PARTS / search->bound;
    unsigned count[PARTS + 1] = {0}, part = 0, below = 0, kept = 0, at = 0;
    struct near same[CANDIDATES];
    if (!(scale < INFINITY) || scale == 0)
        return 0;
    for (unsigned i = 0; i < search->found; i++)
        count[(unsigned)(search->near[i].square * scale)]++;
    while (below + count[part] < search->in->k)
        below += count[part++];
    for (unsigned i = 0; i < search->found; i++) {
        const struct near near = search->near[i];
        const unsigned own = (unsigned)(near.square * scale);
        search->near[at] = same[kept] = near;
        at += own < part;
        kept += own == part;
    }
    memcpy(search->near + at, same, kept * sizeof *same);
    search->found = at + kept;
    return (int)at;
}

/* Moves the k nearest to the front, the farthest of them last (C. A. R. Hoare's "Find"). */
static void keep_nearest(struct search *search)
{
    struct near *near = search->near;
    int low = sift(search), high = (int)search->found - 1;
    const int last = (int)search->in->k - 1;
    while (low < high) {
        const struct near middle = near[low + (high - low) / 2];
        int i = low, j = high;
        while (i <= j) {
            while (before(search, &near[i], &middle))
                i++;
            while (before(search, &middle, &near[j]))
                j--;
            if (i <= j)
                swap(&near[i++], &near[j--]);
        }
        if (last <= j)
            high = j;
        else if (last >= i)
            low = i;
        else
            break;
    }
    search->found = (unsigned)last + 1;
    search->bound = near[last].square;
}

/* Whether the nearest have been found at the body's own place, where bodies are in their order. */
static bool has_all(const struct search *search)
{
    return search->bound == 0 && search->found >= search->in->k;
}

static void look_into_leaf(struct search *search, const struct octree_cell *cell)
{
    const struct octree *tree = &search->in->tree;
    for (uint32_t i = cell->first; i < cell->first + cell->count;) {
        if (search->found > CANDIDATES - STRETCH)
            keep_nearest(search);
        if (has_all(search))
            return;
        const uint32_t rest = cell->first + cell->count - i;
        for (const uint32_t end = i + (rest < STRETCH ? rest : STRETCH); i < end; i++) {
            const double square = square_between(tree->row[i], search->from);
            search->near[search->found] = (struct near){square, i};
            search->found += (square <= search->bound) & (i != search->self);
        }
    }
}

static void look_into(struct search *search, uint32_t c)
{
    const struct octree_cell *cell = search->in->tree.cell + c;
    if (cell->children == 0) {
        look_into_leaf(search, cell);
        return;
    }
    for (uint32_t k = 0; k < cell->children; k++)
        if (!has_all(search) && box_square(search->in->box + cell->child + k, search->from,
                                           search->from) <= search->bound)
            look_into(search, cell->child + k);
}

/* An upper bound of the k-th neighbour's distance from a recently searched body nearby: its bound
 * plus its distance. */
static double reach_of(const struct search *search, const double from[3])
{
    double reach = INFINITY;
    for (unsigned r = 0; r < search->recent_count; r++) {
        const struct recent *recent = &search->recent[r];
        const double own = recent->away + sqrt(square_between(recent->from, from));
        reach = own < reach ? own : reach;
    }
    return reach;
}

static void remember(struct search *search)
{
    search->recent[search->next] = (struct recent){search->from, sqrt(search->bound)};
    search->next = (search->next + 1) % RECENT;
    if (search->recent_count < RECENT)
        search->recent_count++;
}

static double bound_of(double reach)
{
    return reach * reach * (1 + 1e-12);
}

static void look_within(struct search *search, double reach)
{
    search->found = 0;
    search->bound = bound_of(reach);
    look_into(search, 0);
}

static void turn_to(struct search *search, uint32_t i)
{
    search->from = search->in->tree.row[i];
    search->self = i;
    const double sure = reach_of(search, search->from);
    double likely = again * (double)search->in->last[search->in->tree.body[i]];
    if (!(likely > 0) && search->recent_count > 0)
        likely = alike * search->recent[(search->next + RECENT - 1) % RECENT].away;
    if (likely > 0 && likely < sure)
        look_within(search, likely);
    if (!(likely > 0 && likely < sure) || search->found < search->in->k)
        look_within(search, sure);
    if (search->found < search->in->k)
        return;
    keep_nearest(search);
    remember(search);
}

/* Sorts the neighbours found, the nearest first. */
static void sort_found(struct search *search)
{
    struct near *near = search->near;
    for (unsigned k = 1; k < search->found; k++)
        for (unsigned at = k; at > 0 && before(search, &near[at], &near[at - 1]); at--)
            swap(&near[at], &near[at - 1]);
}

/* Sums the masses of the k nearest, starting with the nearest. */
static double sum_masses(struct search *search)
{
    const struct near *near = search->near;
    double mass = 0;
    sort_found(search);
    for (unsigned k = 0; k < search->found; k++)
        mass += search->in->tree.row[near[k].at][3];
    return mass;
}

static void find_one(struct search *search, uint32_t i, float *distance, float *density)
{
    const uint32_t body = search->in->tree.body[i];
    turn_to(search, i);
    const bool all = search->found == search->in->k;
    const double away = all ? sqrt(search->bound) : INFINITY;
    distance[body] = search->in->last[body] = (float)away;
    if (!density)
        return;
    const double mass = sum_masses(search);
    const double volume = 4 * M_PI / 3 * away * away * away;
    density[body] = volume > 0 ? (float)(all ? mass / volume : 0) : INFINITY;
}

/* The bodies that may be neighbours of a leaf's bodies: all within `reach` of its box. */
struct crowd {
    double reach;
    size_t count;
    double at[3][CROWD + NEAR_PAD];
    double square[CROWD + NEAR_PAD];
};

/* Adds the bodies of a cell's leaves within sqrt(square) of a box; false: too many. */
static bool gather(struct crowd *crowd, const struct neighbours *n, uint32_t c,
                   const struct box *around, double square)
{
    const struct octree_cell *cell = n->tree.cell + c;
    bool room = true;
    for (uint32_t k = cell->child; room && k < cell->child + cell->children; k++)
        if (box_square(n->box + k, around->low, around->high) <= square)
            room = gather(crowd, n, k, around, square);
    if (cell->children > 0)
        return room;
    if (cell->count > CROWD - crowd->count)
        return false;
    for (uint32_t i = cell->first; i < cell->first + cell->count; i++, crowd->count++)
        for (int a = 0; a < 3; a++)
            crowd->at[a][crowd->count] = n->tree.row[i][a];
    return true;
}

/* Gathers a leaf's crowd for the distances found last time, save those far above the mean, whose
 * bodies are searched for themselves. False: there are no such distances, or too many bodies. */
static bool gather_around(struct crowd *crowd, const struct neighbours *n, uint32_t leaf)
{
    const struct octree_cell *cell = n->tree.cell + leaf;
    double most = 0, sum = 0;
    for (uint32_t i = cell->first; i < cell->first + cell->count; i++) {
        const double last = (double)n->last[n->tree.body[i]];
        if (!(last > 0 && last < INFINITY))
            return false;
        most = last > most ? last : most;
        sum += last;
    }
    crowd->reach = again * fmin(most, far * sum / cell->count);
    crowd->count = 0;
    if (!gather(crowd, n, 0, n->box + leaf, bound_of(crowd->reach)))
        return false;
    for (int p = 0; p < NEAR_PAD; p++)
        for (int a = 0; a < 3; a++)
            crowd->at[a][crowd->count + (size_t)p] = INFINITY;
    return true;
}

/* Finds a distance in the crowd of the body's leaf, of which the body itself is the nearest; false:
 * too few are near. */
static bool find_in_crowd(struct crowd *crowd, struct search *search, uint32_t i, float *distance)
{
    const struct neighbours *n = search->in;
    const uint32_t body = n->tree.body[i];
    const double last = (double)n->last[body];
    const double *const at[3] = {crowd->at[0], crowd->at[1], crowd->at[2]};
    double reach = again * last;
    size_t found = 0;
    search->from = n->tree.row[i];
    for (; found <= n->k && reach <= crowd->reach; reach *= wider) {
        search->bound = bound_of(reach);
        found = n->kernels->within(at, crowd->count, search->from, search->bound, crowd->square);
    }
    if (found <= n->k)
        return false;
    search->bound =
        n->kernels->smallest(crowd->square, found, n->k + 1, last * last, search->bound);
    remember(search);
    distance[body] = n->last[body] = (float)sqrt(search->bound);
    return true;
}

enum status neighbours_find(struct neighbours *neighbours, const double (*rows)[4], int threads,
                            float *distance, float *density)
{
    enum status status = build(neighbours, rows, threads);
    if (status != STATUS_OK)
        return status;
    const struct octree *tree = &neighbours->tree;
#pragma omp parallel num_threads(tree->count < WORTH ? 1 : threads)
    {
        struct search search;
        struct crowd crowd;
        search.in = neighbours;
        search.recent_count = search.next = 0;
#pragma omp for schedule(dynamic, LEAVES)
        for (size_t c = 0; c < tree->cells; c++) {
            const struct octree_cell *cell = tree->cell + c;
            if (cell->children > 0)
                continue;
            const bool crowded = !density && gather_around(&crowd, neighbours, (uint32_t)c);
            for (uint32_t i = cell->first; i < cell->first + cell->count; i++)
                if (!crowded || !find_in_crowd(&crowd, &search, i, distance))
                    find_one(&search, i, distance, density);
        }
    }
    return STATUS_OK;
}

const double (*neighbours_rows(const struct neighbours *neighbours, const uint32_t **body))[4]
{
    *body = neighbours->tree.body;
    return (const double(*)[4])neighbours->tree.row;
}

void neighbours_within(const struct neighbours *neighbours, const struct neighbours_sphere *sphere,
                       size_t count, int threads, double *square, uint8_t *found)
{
    const unsigned k = neighbours->k;
#pragma omp parallel num_threads(count < WORTH ? 1 : threads)
    {
        struct search search = {.in = neighbours, .self = UINT32_MAX};
#pragma omp for schedule(dynamic, BATCH)
        for (size_t i = 0; i < count; i++) {
            search.from = sphere[i].centre;
            look_within(&search, sphere[i].radius);
            if (search.found > k)
                keep_nearest(&search);
            sort_found(&search);
            for (unsigned n = 0; n < search.found; n++)
                square[i * k + n] = search.near[n].square;
            found[i] = (uint8_t)search.found;
        }
    }
}

/* A sphere whose bodies are added up. */
struct adding {
    const struct neighbours *in;
    const double *from;
    const float (*velocity)[4];
    const uint32_t *of;
    const float *own;
    double square; /* squared distance; closer bodies count */
    struct neighbours_spread sums;
};

static void add_up(struct adding *adding, uint32_t c)
{
    const struct octree *tree = &adding->in->tree;
    const struct octree_cell *cell = tree->cell + c;
    const uint32_t *of = adding->of;
    for (uint32_t k = 0; k < cell->children; k++)
        if (box_square(adding->in->box + cell->child + k, adding->from, adding->from) <
            adding->square)
            add_up(adding, cell->child + k);
    for (uint32_t i = cell->first; cell->children == 0 && i < cell->first + cell->count; i++) {
        if (!(square_between(tree->row[i], adding->from) < adding->square))
            continue;
        const float *v = adding->velocity[of ? of[tree->body[i]] : tree->body[i]];
        adding->sums.count++;
        for (int a = 0; a < 3; a++) {
            const double away = (double)v[a] - adding->own[a];
            adding->sums.sum[a] += away;
            adding->sums.squares += away * away;
        }
    }
}

void neighbours_add_spread(const struct neighbours *neighbours, const float (*velocity)[4],
                           const double from[3], double square, const float own[3],
                           struct neighbours_spread *out)
{
    struct adding adding = {.in = neighbours,
                            .from = from,
                            .velocity = velocity,
                            .own = own,
                            .square = square,
                            .sums = *out};
    add_up(&adding, 0);
    *out = adding.sums;
}

/* The body itself has distance 0, so it counts unless all are at one place. */
float neighbours_spread_dispersion(const struct neighbours_spread *spread)
{
    const double n = spread->count;
    double mean = 0;
    for (int a = 0; a < 3; a++)
        mean += spread->sum[a] * spread->sum[a];
    const double square = n > 0 ? (spread->squares - mean / n) / n : 0;
    return square > 0 ? (float)sqrt(square / 3) : 0;
}

void neighbours_dispersion(const struct neighbours *neighbours, const float (*velocity)[4],
                           const uint32_t *of, int threads, const float *distance,
                           float *dispersion)
{
    const struct octree *tree = &neighbours->tree;
#pragma omp parallel for schedule(dynamic, BATCH) num_threads(tree->count < WORTH ? 1 : threads)
    for (size_t i = 0; i < tree->count; i++) {
        const double away = distance[tree->body[i]];
        const uint32_t body = of ? of[tree->body[i]] : tree->body[i];
        struct adding adding = {.in = neighbours,
                                .from = tree->row[i],
                                .velocity = velocity,
                                .of = of,
                                .own = velocity[body],
                                .square = away * away};
        add_up(&adding, 0);
        dispersion[body] = neighbours_spread_dispersion(&adding.sums);
    }
}
