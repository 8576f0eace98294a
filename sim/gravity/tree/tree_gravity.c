#include "sim/gravity/tree/tree_gravity.h"
#include "base/clock.h"
#include "base/memory.h"
#include "kernels/isa.h"
#include "kernels/spline.h"
#include "kernels/tree/accuracy.h"
#include "sim/gravity/tree/cells.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum {
    PART = 256,      /* bodies of a leaf at a time */
    JOBS_EACH = 32,  /* approximate number of parts of the walk for each thread */
    JOBS_MOST = 256, /* and for all */
    WORTH = 4096,    /* bodies that are worth using threads */
    AHEAD = 8,       /* leaves of a list that are prefetched */
};

/* Indices of cells, with TREE_LANES entries of padding that kernels may write to. */
struct list {
    struct tree_list list;
    size_t room;
};

/* The working memory of one thread. */
struct walker {
    struct list near;          /* a stack: cells to be settled by a level's children */
    struct list queue, opened; /* cells to judge for the current sink, now or by their children */
    struct list far, soft;     /* cells joined with the sink, in flat terms or in all */
    struct list met;           /* leaves that meet it */
    struct tree_run *run;      /* these leaves */
    float *shift[3];
    size_t run_room;
    double pairs, joins;
};

/* A cell whose subtree is walked by one thread, and what acts on it so far. */
struct job {
    uint32_t cell;
    float local[TREE_TERMS_MOST];
    uint32_t *near;
    size_t count;
    bool within;
};

struct gravity {
    struct gravity_params params;
    struct tree_accuracy accuracy;
    const struct tree_kernels *kernels;
    struct octree tree;
    struct cells cells;
    struct walker *walkers;
    int walkers_open;
    struct job *jobs;
    size_t job_count, job_room;
    uint32_t *sinks_before; /* [bodies + 1] in the tree's order; NULL while all bodies are sinks */
    bool apart[TREE_CHILDREN]; /* the root's children whose bodies do not pull each other */
    bool was_apart;            /* there were some in the last evaluation */
    struct force_work work;
};

/* One evaluation. */
struct walk {
    struct gravity *gravity;
    struct tree_rule rule;
    struct tree_bodies bodies;
    struct tree_pulling pulling;
    double unit;                  /* of the result */
    double (*out)[3];             /* accelerations, in the order of the bodies */
    double *phi;                  /* or potentials */
    size_t job_size;              /* cells with at most this many sinks become jobs */
    const uint32_t *sinks_before; /* number of sinks before a place; NULL: all bodies are sinks */
};

/* Number of sinks among `count` bodies of the tree's order. */
static size_t sinks_in(const struct walk *walk, uint32_t first, uint32_t count)
{
    return walk->sinks_before ? walk->sinks_before[first + count] - walk->sinks_before[first]
                              : count;
}

/* Trims bodies that are not sinks from both ends of a part. */
static struct tree_run trim(const struct walk *walk, struct tree_run part)
{
    while (part.count > 0 && sinks_in(walk, part.first, 1) == 0) {
        part.first++;
        part.count--;
    }
    while (part.count > 0 && sinks_in(walk, part.first + part.count - 1, 1) == 0)
        part.count--;
    return part;
}

/* Makes room for `count` more entries. */
static void list_reserve(struct list *list, size_t count)
{
    size_t needed = list->list.count + count + TREE_LANES;
    if (needed <= list->room)
        return;
    list->room = 2 * needed + 256;
    list->list.item = memory_grow(list->list.item, list->room, sizeof *list->list.item);
}

static void list_append(struct list *list, const uint32_t *items, size_t count)
{
    list_reserve(list, count);
    memcpy(list->list.item + list->list.count, items, count * sizeof *items);
    list->list.count += count;
}

/* The runs of bodies in leaves that meet a sink. */
static size_t list_runs(struct walker *walker, const struct walk *walk, uint32_t sink)
{
    const struct gravity *g = walk->gravity;
    uint32_t *item = walker->met.list.item;
    size_t runs = 0, bodies = 0;
    for (size_t k = 0; k < walker->met.list.count; k++) {
        item[runs] = item[k];
        runs += !walk->pulling.potential || item[k] != sink; /* see own_potential */
    }
    if (runs + TREE_LANES > walker->run_room) {
        walker->run_room = 2 * runs + TREE_LANES;
        walker->run = memory_grow(walker->run, walker->run_room, sizeof *walker->run);
        for (int c = 0; c < 3; c++)
            walker->shift[c] =
                memory_grow(walker->shift[c], walker->run_room, sizeof *walker->shift[c]);
    }
    if (runs == 0)
        return 0;
    g->kernels->approach(g->cells.place, sink, runs, item, walker->shift);
    for (size_t k = 0; k < runs; k++) {
        const struct octree_cell *cell = g->tree.cell + item[k];
        __builtin_prefetch(g->tree.cell + item[k + AHEAD]);
        walker->run[k] = cells_sources(&g->cells, cell);
        __builtin_prefetch(walk->bodies.x + cell->first);
        __builtin_prefetch(walk->bodies.y + cell->first);
        __builtin_prefetch(walk->bodies.z + cell->first);
        __builtin_prefetch(walk->bodies.mass + cell->first);
        bodies += walker->run[k].count;
    }
    const struct octree_cell *own = g->tree.cell + sink;
    walker->pairs += (double)bodies * (double)sinks_in(walk, own->first, own->count);
    return runs;
}

static bool has(const struct tree_list *list, uint32_t cell)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->item[i] == cell)
            return true;
    return false;
}

/* Settles the cells in the queue for a sink: they are joined into `local`, met, or left in `near`
 * for its children. Returns whether the sink, a point, is joined with itself. */
static bool settle(struct walker *walker, const struct walk *walk, uint32_t sink, float *local)
{
    const struct gravity *g = walk->gravity;
    struct list *queue = &walker->queue;
    struct tree_list *const fates[TREE_FATES] = {
        [TREE_JOINED] = &walker->far.list, [TREE_JOINED_SOFT] = &walker->soft.list,
        [TREE_MET] = &walker->met.list,    [TREE_OPENED] = &walker->opened.list,
        [TREE_LEFT] = &walker->near.list,
    };
    walker->far.list.count = walker->soft.list.count = walker->met.list.count = 0;
    tree_judge *judge = g->params.spline ? g->kernels->judge_spline : g->kernels->judge;
    while (queue->list.count > 0) {
        const size_t count = queue->list.count;
        list_reserve(&walker->far, count);
        list_reserve(&walker->soft, count);
        list_reserve(&walker->met, count);
        list_reserve(&walker->near, count);
        walker->opened.list.count = 0;
        list_reserve(&walker->opened, count);
        judge(g->cells.place, sink, walk->rule, count, queue->list.item, fates);
        queue->list.count = 0;
        list_reserve(queue, 8 * walker->opened.list.count);
        for (size_t i = 0; i < walker->opened.list.count; i++) {
            const struct octree_cell *cell = g->tree.cell + walker->opened.list.item[i];
            for (uint32_t k = 0; k < TREE_CHILDREN; k++) /* missing children are empty */
                queue->list.item[queue->list.count + k] = cell->child + k;
            queue->list.count += cell->children;
        }
    }
    const float softening2 = g->params.spline ? 0 : walk->pulling.softening2;
    const bool mixed = walk->bodies.half && !g->params.spline;
    walker->joins += (double)(walker->far.list.count + walker->soft.list.count);
    g->kernels->translate_flat(g->cells.source, g->cells.place + sink, walker->far.list.count,
                               walker->far.list.item, softening2, mixed, local);
    g->kernels->translate(g->cells.place, g->cells.moments, sink, walker->soft.list.count,
                          walker->soft.list.item, softening2, mixed, walk->pulling.potential,
                          local);
    return g->cells.place[sink].radius <= TREE_POINT && has(&walker->soft.list, sink);
}

#define SPLINE_FMA(a, b, c) ((a) * (b) + (c))
#define SPLINE_CONST(x)     (x)

/* F of kernels/spline.h; half > 0. */
static double spline_phi(double r2, double half)
{
    const double reach = sqrt(SPLINE_SUPPORT2 * half), r = sqrt(r2), u = r / reach, t = 1 - u;
    if (u >= 1)
        return 1 / r;
    return u < 0.5 ? SPLINE_INNER_PHI(u * u, u) / reach : SPLINE_OUTER_PHI(t, t * t) / r;
}

/* Psi at a body of a leaf from itself. */
static double self_potential(const struct walk *walk, uint32_t i)
{
    const struct gravity *g = walk->gravity;
    const float *half = walk->bodies.half;
    const double eps2 = half ? 2 * (double)half[i] : (double)walk->pulling.softening2;
    return g->tree.row[i][3] / g->cells.mass / sqrt(eps2);
}

/* Psi at a body of a leaf from the others in it, computed separately because the body's own
 * contribution could be far larger. */
static double own_potential(const struct walk *walk, const struct octree_cell *leaf, uint32_t i)
{
    const struct gravity *g = walk->gravity;
    const double(*at)[4] = (const double(*)[4])g->tree.row, scale = g->tree.box.scale;
    const float *half = walk->bodies.half;
    const bool spline = g->params.spline;
    double sum = 0;
    if (octree_is_merged(leaf)) { /* all of them at their centre, without the body itself */
        const struct tree_bodies *b = &walk->bodies;
        const double r2 = (double)b->x[i] * (double)b->x[i] + (double)b->y[i] * (double)b->y[i] +
                          (double)b->z[i] * (double)b->z[i];
        const struct tree_run one = cells_sources(&g->cells, leaf);
        return (double)b->mass[one.first] * spline_phi(r2, (double)half[i]) -
               self_potential(walk, i);
    }
    for (uint32_t j = leaf->first; j < leaf->first + leaf->count; j++) {
        double r2 = spline ? 0
                    : half ? (double)half[i] + (double)half[j]
                           : (double)walk->pulling.softening2;
        for (int c = 0; c < 3; c++)
            r2 += (at[j][c] - at[i][c]) * (at[j][c] - at[i][c]) * (scale * scale);
        if (j != i && spline)
            sum += at[j][3] * spline_phi(r2, (double)fmaxf(half[i], half[j]));
        else
            sum += j == i ? 0 : at[j][3] / sqrt(r2);
    }
    return sum / g->cells.mass;
}

/* within: the leaf's bodies are part of a point that was joined with itself. */
static void finish_leaf(struct walker *walker, const struct walk *walk, uint32_t sink,
                        const float *local, bool within)
{
    const struct gravity *g = walk->gravity;
    const struct octree_cell *cell = g->tree.cell + sink;
    const size_t runs = list_runs(walker, walk, sink);
    tree_pull *pull = g->params.spline ? g->kernels->pull_spline : g->kernels->pull;
    float space[4][PART + TREE_LANES], *const out[4] = {space[0], space[1], space[2], space[3]};
    for (uint32_t done = 0; done < cell->count; done += PART) {
        uint32_t left = cell->count - done;
        struct tree_run part =
            trim(walk, (struct tree_run){cell->first + done, left < PART ? left : PART});
        if (part.count == 0)
            continue;
        for (uint32_t i = 0; i < part.count && walk->out; i++)
            __builtin_prefetch(walk->out + g->tree.body[part.first + i], 1);
        g->kernels->evaluate(local, g->cells.place[sink].radius, &walk->bodies, part,
                             walk->pulling.potential, out);
        pull(&walk->bodies, part, runs, walker->run, (const float *const *)walker->shift,
             walk->pulling, out);
        for (uint32_t i = 0; i < part.count; i++) {
            uint32_t body = g->tree.body[part.first + i];
            if (sinks_in(walk, part.first + i, 1) == 0)
                continue;
            if (walk->pulling.potential)
                walk->phi[body] =
                    (double)space[3][i] + (within ? -self_potential(walk, part.first + i)
                                                  : own_potential(walk, cell, part.first + i));
            else
                for (int c = 0; c < 3; c++)
                    walk->out[body][c] = (double)space[c][i] * walk->unit;
        }
    }
}

static bool is_apart(const struct gravity *g, uint32_t cell)
{
    const struct octree_cell *root = g->tree.cell;
    return cell >= root->child && cell - root->child < root->children &&
           g->apart[cell - root->child];
}

/* Leaves out of the queue what does not pull a child of the root, which itself is opened. */
static void keep_apart(struct walker *walker, const struct gravity *g)
{
    const struct octree_cell *root = g->tree.cell;
    struct list *queue = &walker->queue;
    const size_t count = queue->list.count;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (queue->list.item[i] != 0 && !is_apart(g, queue->list.item[i]))
            queue->list.item[kept++] = queue->list.item[i];
    const bool whole = has(&queue->list, 0);
    queue->list.count = kept;
    for (uint32_t k = 0; whole && k < root->children; k++)
        if (!g->apart[k])
            list_append(queue, (const uint32_t[]){root->child + k}, 1);
}

/* `parts`: sufficiently small cells become jobs instead of being walked. within: see
 * finish_leaf. */
static void visit(struct walker *walker, const struct walk *walk, uint32_t sink, float *local,
                  size_t from, bool parts, bool within)
{
    struct gravity *g = walk->gravity;
    const struct octree_cell *cell = g->tree.cell + sink;
    const size_t count = walker->near.list.count - from;
    const size_t sinks = sinks_in(walk, cell->first, cell->count);
    if (sinks == 0)
        return;
    if (parts && sinks <= walk->job_size) {
        if (g->job_count == g->job_room) {
            g->job_room = 2 * g->job_room + JOBS_MOST;
            g->jobs = memory_grow(g->jobs, g->job_room, sizeof *g->jobs);
        }
        struct job *job = g->jobs + g->job_count++;
        *job = (struct job){.cell = sink, .count = count, .within = within};
        memcpy(job->local, local, sizeof job->local);
        job->near = memory_new(count, sizeof *job->near);
        memcpy(job->near, walker->near.list.item + from, count * sizeof *job->near);
        return;
    }
    walker->queue.list.count = 0;
    list_append(&walker->queue, walker->near.list.item + from, count);
    if (g->was_apart && is_apart(g, sink))
        keep_apart(walker, g);
    const size_t begin = walker->near.list.count;
    within |= settle(walker, walk, sink, local);
    if (cell->children == 0)
        finish_leaf(walker, walk, sink, local, within);
    if (cell->children > 0) {
        float lowered[TREE_CHILDREN][TREE_TERMS_MOST], shift[TREE_CHILDREN][3];
        for (uint32_t k = 0; k < cell->children; k++)
            for (int c = 0; c < 3; c++)
                shift[k][c] =
                    (float)(g->cells.centre[cell->child + k][c] - g->cells.centre[sink][c]);
        g->kernels->lower(local, g->cells.place[sink].radius, g->cells.place + cell->child,
                          (const float(*)[3])shift, cell->children, lowered);
        for (uint32_t k = 0; k < cell->children; k++)
            visit(walker, walk, cell->child + k, lowered[k], begin, parts, within);
    }
    walker->near.list.count = begin;
}

static void walk_all(struct walk *walk, int threads)
{
    struct gravity *g = walk->gravity;
    while (g->walkers_open < threads) {
        *MEMORY_ADD(g->walkers, g->walkers_open) = (struct walker){0};
    }
    for (int t = 0; t < g->walkers_open; t++)
        g->walkers[t].pairs = g->walkers[t].joins = 0;

    float local[TREE_TERMS_MOST] = {0};
    struct walker *first = g->walkers;
    g->job_count = 0;
    first->near.list.count = 0;
    list_append(&first->near, (const uint32_t[]){0}, 1);
    const size_t sinks = sinks_in(walk, 0, (uint32_t)g->tree.count);
    const size_t jobs = (size_t)(threads < JOBS_MOST / JOBS_EACH ? threads * JOBS_EACH : JOBS_MOST);
    walk->job_size = threads > 1 ? (sinks + jobs - 1) / jobs : 0;
    visit(first, walk, 0, local, 0, true, false);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (size_t j = 0; j < g->job_count; j++) {
        struct job *job = g->jobs + j;
        struct walker *walker = g->walkers + omp_get_thread_num();
        walker->near.list.count = 0;
        list_append(&walker->near, job->near, job->count);
        visit(walker, walk, job->cell, job->local, 0, false, job->within);
        free(job->near);
    }
    g->work.pairs = g->work.joins = 0;
    for (int t = 0; t < g->walkers_open; t++) {
        g->work.pairs += g->walkers[t].pairs;
        g->work.joins += g->walkers[t].joins;
    }
}

enum status gravity_open(struct gravity **out, const struct gravity_params *params)
{
    const struct tree_accuracy accuracy = tree_accuracy(
        params->error, params->among > params->bodies ? params->among : params->bodies);
    const struct tree_kernels *kernels = tree_kernels_find(params->isa, accuracy.order);
    *out = NULL;
    if (!kernels)
        return status_fail(STATUS_DEVICE, ISA_MISSING, params->isa);
    struct gravity *g = memory_new(1, sizeof *g);
    g->params = *params;
    g->accuracy = accuracy;
    g->kernels = kernels;
    enum status status = octree_open(&g->tree, params->bodies);
    if (status == STATUS_OK)
        status = cells_open(&g->cells, params->bodies, kernels);
    if (status != STATUS_OK) {
        gravity_close(&g);
        return status;
    }
    *out = g;
    return STATUS_OK;
}

void gravity_close(struct gravity **gravity)
{
    struct gravity *g = *gravity;
    if (!g)
        return;
    octree_close(&g->tree);
    cells_close(&g->cells);
    for (int t = 0; t < g->walkers_open; t++) {
        struct walker *walker = g->walkers + t;
        free(walker->near.list.item);
        free(walker->queue.list.item);
        free(walker->opened.list.item);
        free(walker->far.list.item);
        free(walker->soft.list.item);
        free(walker->met.list.item);
        free(walker->run);
        for (int c = 0; c < 3; c++)
            free(walker->shift[c]);
    }
    free(g->walkers);
    free(g->jobs);
    free(g->sinks_before);
    free(g);
    *gravity = NULL;
}

static bool all_zero(const double (*vectors)[3], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (vectors[i][0] != 0 || vectors[i][1] != 0 || vectors[i][2] != 0)
            return false;
    return true;
}

static double total_mass(const double (*rows)[4], size_t count, int threads)
{
    double sum[BLOCKS] = {0}, all = 0;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (size_t b = 0; b < BLOCKS; b++) {
        double here = 0;
        for (size_t i = block_at(b, count); i < block_at(b + 1, count); i++)
            here += rows[i][3];
        sum[b] = here;
    }
    for (size_t b = 0; b < BLOCKS; b++)
        all += sum[b];
    return all > 0 ? all : 1;
}

static double largest_softening(size_t count, const double *halves, double softening)
{
    double largest = 0;
    for (size_t i = 0; halves && i < count; i++)
        largest = halves[i] > largest ? halves[i] : largest;
    return halves ? sqrt(2 * largest) : softening;
}

/* last: accelerations, or NULL: unknown. */
static enum status prepare(struct gravity *g, const double (*rows)[4], const double *halves,
                           const double (*last)[3], double softening, struct walk *walk,
                           int threads)
{
    threads = octree_threads(g->params.bodies, threads);
    double start = clock_seconds();
    const double mass = total_mass(rows, g->params.bodies, threads);
    const struct octree_limit limit = {last, g->accuracy.spread, g->accuracy.sparse,
                                       largest_softening(g->params.bodies, halves, softening),
                                       g->params.spline ? tree_merged(g->params.error) : 0};
    enum status status = octree_build(&g->tree, rows, halves, &limit, threads);
    g->work.build_seconds = clock_seconds() - start;
    start = clock_seconds();
    const double share = g->tree.kinds ? g->accuracy.share_of_kinds : g->accuracy.share;
    const struct cells_input input = {halves, last, share, mass};
    if (status == STATUS_OK)
        status = cells_fill(&g->cells, &g->tree, &input, threads);
    g->work.moment_seconds = clock_seconds() - start;
    const double scale = g->tree.box.scale, eps = softening * scale;
    int exponent;
    (void)frexp(sqrt(eps), &exponent);
    *walk = (struct walk){
        .gravity = g,
        .bodies = cells_bodies(&g->cells, halves),
        .pulling = {.softening2 = (float)(eps * eps),
                    .zoom = (float)ldexp(1, -exponent),
                    .rough = g->accuracy.rough},
    };
    return status;
}

static struct tree_rule rule_of(const struct walk *walk, float opening)
{
    const struct gravity *g = walk->gravity;
    return (struct tree_rule){.opening = opening,
                              .soft = (float)g->params.error,
                              .softening2 = walk->pulling.softening2,
                              .flat = walk->pulling.potential ? -1 : (float)g->accuracy.flat,
                              .mixed = walk->bodies.half != NULL};
}

static int threads_for(const struct gravity *g)
{
    return g->params.bodies < WORTH ? 1 : force_cpu_threads();
}

/* Fills in sinks_before for the current tree. */
static enum status count_sinks(struct gravity *g, struct gravity_sinks sinks, int threads)
{
    const size_t count = g->tree.count;
    size_t block[BLOCKS + 1] = {0};
    if (!g->sinks_before)
        g->sinks_before = malloc((count + 1) * sizeof *g->sinks_before);
    if (!g->sinks_before)
        return status_fail(STATUS_RUNTIME, "no memory to count %zu bodies in a tree, %zu bytes",
                           count, (count + 1) * sizeof *g->sinks_before);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (size_t b = 0; b < BLOCKS; b++)
        for (size_t i = block_at(b, count); i < block_at(b + 1, count); i++)
            block[b + 1] += sinks.rungs[g->tree.body[i]] >= sinks.from;
    for (size_t b = 0; b < BLOCKS; b++)
        block[b + 1] += block[b];
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (size_t b = 0; b < BLOCKS; b++) {
        size_t before = block[b];
        for (size_t i = block_at(b, count); i < block_at(b + 1, count); i++) {
            g->sinks_before[i] = (uint32_t)before;
            before += sinks.rungs[g->tree.body[i]] >= sinks.from;
        }
    }
    g->sinks_before[count] = (uint32_t)block[BLOCKS];
    return STATUS_OK;
}

/* Finds which of the root's children are apart: they are kinds of softening, and all of their
 * bodies are from that rung on, or none is. Otherwise nothing is left out. */
static void find_apart(struct gravity *g, struct gravity_sinks sinks)
{
    const struct octree_cell *root = g->tree.cell;
    g->was_apart = false;
    memset(g->apart, 0, sizeof g->apart);
    if (!sinks.rungs || sinks.apart == 0 || !g->tree.kinds || root->children == 0 ||
        g->cells.place[0].radius <= TREE_POINT)
        return;
    bool some = false;
    for (uint32_t k = 0; k < root->children; k++) {
        const struct octree_cell *kind = root + root->child + k;
        size_t number = 0;
        for (uint32_t i = kind->first; i < kind->first + kind->count; i++)
            number += sinks.rungs[g->tree.body[i]] >= sinks.apart;
        if (number != 0 && number != kind->count)
            return;
        g->apart[k] = number != 0;
        some |= g->apart[k];
    }
    g->was_apart = some;
}

static enum status accelerate_once(struct gravity *g, const double (*rows)[4], const double *halves,
                                   double softening, float opening, struct gravity_sinks sinks,
                                   double (*out)[3])
{
    const int threads = threads_for(g);
    struct walk walk;
    enum status status = prepare(g, rows, halves, opening > 0 ? NULL : (const double(*)[3])out,
                                 softening, &walk, threads);
    const bool some = sinks.rungs && sinks.from > 0;
    if (status == STATUS_OK && some)
        status = count_sinks(g, sinks, threads);
    if (status != STATUS_OK)
        return status;
    find_apart(g, sinks);
    walk.rule = rule_of(&walk, opening);
    walk.sinks_before = some ? g->sinks_before : NULL;
    walk.out = out;
    walk.unit = g->cells.mass * g->tree.box.scale * g->tree.box.scale;
    double start = clock_seconds();
    walk_all(&walk, threads);
    g->work.walk_seconds = clock_seconds() - start;
    return STATUS_OK;
}

enum status gravity_accelerate(struct gravity *gravity, const double (*rows)[4],
                               const double *halves, double softening, struct gravity_sinks sinks,
                               double (*out)[3])
{
    static const struct gravity_sinks everyone = {0};
    static const float first_opening = 0.8f;
    enum status status = STATUS_OK;
    if (all_zero((const double(*)[3])out, gravity->params.bodies))
        status = accelerate_once(gravity, rows, halves, softening, first_opening, everyone, out);
    if (status == STATUS_OK)
        status = accelerate_once(gravity, rows, halves, softening, 0, sinks, out);
    return status;
}

enum status gravity_potential(struct gravity *gravity, const double (*rows)[4],
                              const double *halves, double softening, double *out)
{
    static const float opening = 0.5f;
    const int threads = threads_for(gravity);
    struct walk walk;
    enum status status = prepare(gravity, rows, halves, NULL, softening, &walk, threads);
    if (status != STATUS_OK)
        return status;
    gravity->was_apart = false;
    walk.pulling.potential = true;
    walk.rule = rule_of(&walk, opening);
    walk.phi = out;
    walk_all(&walk, threads);
    const double unit = gravity->cells.mass * gravity->tree.box.scale;
    for (size_t i = 0; i < gravity->params.bodies; i++)
        out[i] *= -unit;
    return STATUS_OK;
}

bool gravity_was_apart(const struct gravity *gravity)
{
    return gravity->was_apart;
}

struct force_work gravity_last(const struct gravity *gravity)
{
    return gravity->work;
}

const struct tree_kernels *gravity_kernels(const struct gravity *gravity)
{
    return gravity->kernels;
}

double gravity_forecast(const struct gravity *gravity)
{
    const double bodies = (double)gravity->params.bodies, per_body = 1000;
    return bodies * fmin(bodies, per_body);
}
