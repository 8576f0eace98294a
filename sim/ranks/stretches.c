/* `tree-exact` on ranks (docs/cluster.md): the tree and the groups are those of one machine, and so
 * are the bits. */
#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "kernels/exact_tree/walk.h"
#include "kernels/isa.h"
#include "sim/gravity/exact_tree/exact_build.h"
#include "sim/gravity/force.h"
#include "sim/ranks/demand.h"
#include "sim/ranks/rank_device.h"
#include "sim/ranks/method.h"
#include "sim/ranks/stretch_device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fractions of the squared distance by which cells are judged nearer than they are: each is tried
 * if the one before was too small. */
static const double margins[] = {1e-3, 0.1, 1};

struct stretches {
    struct method method;
    const struct exact_tree_kernels *kernels;
    struct stretch_device *device; /* has the bodies and the tree; NULL: the processors compute */
    double error, softening, largest;
    bool mixed;
    struct curve curve;
    struct exact_tree_frame frame;
    struct top top;
    struct partial partial;
    struct demands demands;
    struct offers offers;
    double (*last)[3], (*next)[3]; /* [room]: accelerations; a repeated walk needs the last ones too
                                    */
    double *potential;
    float *cost;
    size_t room;
    char *branches, *asked; /* data from the other ranks */
    size_t branch_room, asked_room;
};

static struct stretches *stretches_of(struct method *method)
{
    return (struct stretches *)method;
}

static void close_stretches(struct method **method)
{
    if (!*method)
        return;
    struct stretches *m = stretches_of(*method);
    force_close(&m->method.force);
    if (m->device)
        m->device->ops->close(&m->device);
    curve_close(&m->curve);
    top_close(&m->top);
    partial_close(&m->partial);
    demands_close(&m->demands);
    offers_close(&m->offers);
    free(m->last);
    free(m->next);
    free(m->potential);
    free(m->cost);
    free(m->branches);
    free(m->asked);
    free(m);
    *method = NULL;
}

/* ---- bodies on a device ---- */

static enum status load_held(struct method *method, struct share *share)
{
    struct stretch_device *device = stretches_of(method)->device;
    enum status status = device->ops->load(device, share->body, share->count);
    share_close(share);
    share->count = device->count;
    return status;
}

static enum status save_held(struct method *method, struct share *out)
{
    struct stretch_device *device = stretches_of(method)->device;
    enum status status = share_room(out, device->count);
    if (status == STATUS_OK)
        status = device->ops->save(device, out->body);
    out->count = device->count;
    return status;
}

static enum status kick_held(struct method *method, double dt)
{
    struct stretch_device *device = stretches_of(method)->device;
    return device->ops->kick(device, dt);
}

static enum status drift_held(struct method *method, double dt)
{
    struct stretch_device *device = stretches_of(method)->device;
    return device->ops->drift(device, dt);
}

static enum status damp_held(struct method *method, double factor)
{
    struct stretch_device *device = stretches_of(method)->device;
    return device->ops->damp(device, factor);
}

static enum status keep_held(struct method *method)
{
    struct stretch_device *device = stretches_of(method)->device;
    return device->ops->keep(device);
}

static enum status restore_held(struct method *method, struct share *share)
{
    struct stretch_device *device = stretches_of(method)->device;
    enum status status = device->ops->restore(device);
    share->count = device->count;
    return status;
}

static enum status largest_held(struct method *method, double *square)
{
    struct stretch_device *device = stretches_of(method)->device;
    return device->ops->largest(device, square);
}

static enum status broken_held(struct method *method, size_t *first)
{
    struct stretch_device *device = stretches_of(method)->device;
    return device->ops->broken(device, first);
}

static const struct method_held held = {
    .load = load_held,
    .save = save_held,
    .kick = kick_held,
    .drift = drift_held,
    .damp = damp_held,
    .keep = keep_held,
    .restore = restore_held,
    .largest = largest_held,
    .broken = broken_held,
};

/* Takes the device of the rank's number on its host, if CUDA may be used and there is one. */
static enum status open_device(struct stretches *m, const struct solver_setup *solver, size_t total)
{
    const int number = device_of_rank(solver);
    if (number < 0)
        return STATUS_OK;
    enum status status = STATUS_OK;
    if (strcmp(solver->kernel, "auto") != 0)
        status =
            status_fail(STATUS_DEVICE, "there is no CUDA kernel '%s'; choose auto", solver->kernel);
    if (status == STATUS_OK)
        status = stretch_device_open(&m->device, number, total, solver->mixed);
    if (status == STATUS_OK) {
        m->curve.device = m->device;
        m->method.where = m->device->name;
        m->method.held = &held;
        return STATUS_OK;
    }
    if (strcmp(solver->backend, "cuda") == 0)
        return status;
    log_debug("%s uses its processors: %s", ranks_name(ranks_own()), status_text());
    return STATUS_OK;
}

static enum status open_stretches(struct method **out, const struct method_setup *setup)
{
    const struct solver_setup *solver = setup->solver;
    const struct exact_tree_kernels *kernels = exact_tree_find(solver->kernel);
    if (!kernels)
        return status_fail(STATUS_DEVICE, ISA_MISSING, solver->kernel);
    struct stretches *m = memory_new(1, sizeof *m);
    *m = (struct stretches){.kernels = kernels,
                            .error = solver->force_error,
                            .softening = solver->softening,
                            .mixed = solver->mixed,
                            .largest = setup->largest};
    *out = &m->method;
    const struct force_request request = {.bodies = setup->total,
                                          .slice = true,
                                          .subset = solver->subset,
                                          .mixed = solver->mixed,
                                          .spline = solver->spline,
                                          .error = solver->force_error,
                                          .kernel = solver->kernel};
    enum status status = force_open(solver->force, solver->path, &request, &m->method.force);
    curve_open(&m->curve, setup->total);
    return status == STATUS_OK ? open_device(m, solver, setup->total) : status;
}

static int threads_worth(size_t bodies)
{
    return bodies < 4096 ? 1 : force_cpu_threads();
}

static enum status grow_bytes(char **bytes, size_t *room, size_t size)
{
    if (size <= *room)
        return STATUS_OK;
    free(*bytes);
    *room = size + size / 4;
    *bytes = malloc(*room);
    if (*bytes)
        return STATUS_OK;
    *room = 0;
    return status_fail(STATUS_RUNTIME,
                       "no memory for other ranks' cells, %zu bytes; use more ranks", size);
}

static enum status make_stretch_room(struct stretches *m, size_t count)
{
    if (m->device || (m->room > 0 && count <= m->room)) /* NULL says what a walk is for */
        return STATUS_OK;
    free(m->last);
    free(m->next);
    free(m->potential);
    free(m->cost);
    m->room = count + count / 16 + 64;
    m->last = malloc(m->room * sizeof *m->last);
    m->next = malloc(m->room * sizeof *m->next);
    m->potential = malloc(m->room * sizeof *m->potential);
    m->cost = malloc(m->room * sizeof *m->cost);
    if (m->last && m->next && m->potential && m->cost)
        return STATUS_OK;
    m->room = 0;
    return status_fail(STATUS_RUNTIME,
                       "no memory for the accelerations of %zu bodies; use more "
                       "ranks",
                       count);
}

/* Room for potentials, which come from a device. */
static enum status potential_room(struct stretches *m, size_t count)
{
    double *potential = realloc(m->potential, (count + 1) * sizeof *potential);
    m->potential = potential ? potential : m->potential;
    return potential
               ? STATUS_OK
               : status_fail(STATUS_RUNTIME, "no memory for %zu potentials; use more ranks", count);
}

/* Cells of the rank's own stretch. */
static void fill_own(struct stretches *m, const struct share *share, int threads)
{
    struct exact_tree *local = &m->partial.local;
    const uint32_t start = (uint32_t)m->curve.starts[ranks_own()];
    const uint32_t end = start + (uint32_t)share->count;
    const struct exact_tree_build build = {.tree = *local, .first = start, .key = m->curve.key};
    memset(local->wide, 0, share->count);
#pragma omp parallel for schedule(dynamic, 4096) num_threads(threads)
    for (size_t i = 0; i < share->count; i++) {
        const struct share_body *body = share->body + i;
        const double row[4] = {body->position[0], body->position[1], body->position[2], body->mass};
        local->body[i] = exact_tree_body_of(&m->frame, row, body->half);
    }
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (size_t k = 0; k < m->top.branch_count; k++) {
        const struct top_branch *branch = m->top.branches + k;
        if (branch->owner == ranks_own() && branch->last > branch->first)
            exact_tree_fill_cell(&build, branch->number - start, branch->first - start,
                                 branch->last - start);
    }
    for (size_t k = 0; k < m->top.cell_count; k++) {
        const struct top_cell *cell = m->top.cells + k;
        if (cell->split >= start && cell->split < end)
            local->wide[cell->split - start] = cell->last - cell->first >= EXACT_TREE_WIDE;
    }
}

static bool is_cell(const struct top_branch *branch)
{
    return branch->last - branch->first >= EXACT_TREE_LEAF;
}

size_t stretch_branch_bytes(const struct top_branch *branch)
{
    return is_cell(branch) ? sizeof(struct partial_branch)
                           : (branch->last - branch->first + 1) * sizeof(struct partial_body);
}

static char *put_branch(const struct stretches *m, const struct top_branch *branch, char *to)
{
    const struct exact_tree *local = &m->partial.local;
    const uint32_t start = (uint32_t)m->curve.starts[ranks_own()];
    const uint32_t at = branch->number - start;
    if (is_cell(branch)) {
        struct partial_branch item = {.cell = {.number = branch->number,
                                               .first = branch->first,
                                               .last = branch->last,
                                               .split = EXACT_TREE_UNSENT,
                                               .place = local->place[at],
                                               .moments = local->moments[at]},
                                      .box = local->box[at],
                                      .thirds = local->thirds[at]};
        memcpy(to, &item, sizeof item);
        return to + sizeof item;
    }
    for (uint32_t i = branch->first; i <= branch->last; i++, to += sizeof(struct partial_body)) {
        struct partial_body item = {.number = i};
        item.body = local->body[i - start];
        memcpy(to, &item, sizeof item);
    }
    return to;
}

/* Collective: gives all ranks the branches of all, with their moments: of each rank, cells and then
 * bodies. */
static enum status share_branches(struct stretches *m, struct partial_branch **cells,
                                  size_t *cell_count, struct partial_body **bodies,
                                  size_t *body_count)
{
    const size_t ranks = (size_t)ranks_count();
    size_t *bytes = memory_new(ranks, sizeof *bytes), all = 0;
    for (size_t k = 0; k < m->top.branch_count; k++) {
        bytes[m->top.branches[k].owner] += stretch_branch_bytes(m->top.branches + k);
        all += stretch_branch_bytes(m->top.branches + k);
    }
    char *own = memory_new(bytes[ranks_own()] + 1, 1), *to = own;
    enum status status = STATUS_OK;
    if (m->device)
        status = m->device->ops->branches(m->device, &m->top, own, bytes[ranks_own()]);
    for (size_t k = 0; k < m->top.branch_count && !m->device; k++)
        if (m->top.branches[k].owner == ranks_own())
            to = put_branch(m, m->top.branches + k, to);
    if (status == STATUS_OK)
        status = grow_bytes(&m->branches, &m->branch_room, all + 1);
    status = ranks_agree(status);
    if (status == STATUS_OK)
        status = ranks_gather(own, m->branches, bytes);
    free(own);
    free(bytes);
    *cells = memory_new(m->top.branch_count + 1, sizeof **cells);
    *bodies = memory_new(EXACT_TREE_LEAF * m->top.branch_count + 1, sizeof **bodies);
    *cell_count = *body_count = 0;
    const char *from = m->branches;
    for (size_t k = 0; status == STATUS_OK && k < m->top.branch_count; k++) {
        const struct top_branch *branch = m->top.branches + k;
        if (is_cell(branch)) {
            memcpy(*cells + (*cell_count)++, from, stretch_branch_bytes(branch));
        } else {
            memcpy(*bodies + *body_count, from, stretch_branch_bytes(branch));
            *body_count += branch->last - branch->first + 1;
        }
        from += stretch_branch_bytes(branch);
    }
    return status;
}

/* Data from the other ranks: of each, cells and then bodies. */
struct asked {
    const char *raw;
    size_t *bytes;      /* [ranks] */
    uint64_t *cells_of; /* [ranks] */
};

static void asked_close(struct asked *asked)
{
    free(asked->bytes);
    free(asked->cells_of);
}

static enum status check_asked(const struct asked *asked)
{
    for (int r = 0; r < ranks_count(); r++) {
        const size_t cells = asked->cells_of[r] * sizeof(struct partial_cell);
        if (asked->bytes[r] < cells || (asked->bytes[r] - cells) % sizeof(struct partial_body) != 0)
            return status_fail(STATUS_RUNTIME, "%s sent %zu bytes that hold no cells and bodies",
                               ranks_name(r), asked->bytes[r]);
    }
    return STATUS_OK;
}

/* Collective: sends the offers. */
static enum status trade(struct stretches *m, struct asked *asked)
{
    const size_t ranks = (size_t)ranks_count();
    void *room = NULL;
    size_t all;
    asked->cells_of = memory_new(ranks, sizeof *asked->cells_of);
    asked->bytes = memory_new(ranks, sizeof *asked->bytes);
    enum status status = share_announce(m->offers.out, asked->bytes, &all);
    if (status == STATUS_OK)
        status = ranks_swap(m->offers.cells, asked->cells_of);
    if (status == STATUS_OK && m->device)
        status = m->device->ops->inbox(m->device, all, &room);
    else if (status == STATUS_OK)
        status = grow_bytes(&m->asked, &m->asked_room, all + 1);
    asked->raw = m->device ? room : m->asked;
    status = ranks_agree(status);
    if (status == STATUS_OK)
        status = ranks_exchange(m->offers.send, m->offers.out, m->device ? room : m->asked,
                                asked->bytes);
    return status == STATUS_OK ? ranks_agree(check_asked(asked)) : status;
}

/* Adds the time since *since to a phase, and begins the next. */
static void mark_phase(struct method_work *work, enum method_phase phase, double *since)
{
    const double now = clock_seconds();
    work->seconds[phase] += now - *since;
    *since = now;
}

static double cost_of(const struct exact_tree_walk *walk)
{
    double sum = 0;
    for (uint32_t i = 0; i < walk->count; i++)
        sum += (double)walk->cost[i];
    return sum;
}

/* Updates the speed of the rank slowly, because a single time says more about what else ran. */
static void learn_rate(struct curve *curve, double cost, double seconds)
{
    const double now = cost > 0 ? seconds / cost : 0;
    if (now > 0)
        curve->rate = curve->rate > 0 ? 0.75 * curve->rate + 0.25 * now : now;
}

/* Collective: returns the largest of the ranks' numbers, divided by their mean. */
static enum status largest_over_mean(double own, double *out)
{
    double largest = own;
    uint64_t sum = (uint64_t)(own * 1e9);
    enum status status = ranks_largest(&largest, 1);
    if (status == STATUS_OK)
        status = ranks_sum(&sum, 1);
    if (sum > 0)
        *out = largest * 1e9 * ranks_count() / (double)sum;
    return status;
}

/* Walks the tree of the last build. *cost: total of all own bodies. */
static enum status walk_own(struct stretches *m, struct exact_tree_walk *walk,
                            const struct exact_tree_census *census, struct exact_tree_work *work,
                            double *cost, int threads)
{
    if (m->device)
        return m->device->ops->walk(m->device, &walk->rule, census, walk->potential, work, cost);
    walk->tree = &m->partial.tree;
    walk->first = m->partial.own;
    *work = exact_tree_walk_groups(walk, threads);
    *cost = walk->cost ? cost_of(walk) : 0;
    walk->tree = &m->partial.local;
    walk->first = 0;
    return STATUS_OK;
}

/* Collective: walks the tree for the rank's bodies. walk: its rule and its purpose. census: NULL:
 * the rule holds for all bodies. */
static enum status walk_all(struct stretches *m, struct exact_tree_walk *walk,
                            const struct exact_tree_census *census, struct method_work *work,
                            int threads)
{
    const size_t start = m->curve.starts[ranks_own()];
    struct stretch_device *const device = m->device;
    struct partial_branch *branches = NULL;
    struct partial_body *bodies = NULL;
    struct partial_parts parts = {0};
    walk->kernels = m->kernels;
    walk->frame = &m->frame;
    walk->count = (uint32_t)(m->curve.starts[ranks_own() + 1] - start);
    walk->mixed = m->mixed;
    walk->tree = &m->partial.local;
    walk->first = 0;
    double since = clock_seconds();
    enum status status = demands_gather(&m->demands, walk, device, census);
    if (status == STATUS_OK)
        status = share_branches(m, &branches, &parts.branch_count, &bodies, &parts.body_count);
    parts.branches = branches;
    parts.bodies = bodies;
    uint64_t sums[3] = {0, 0, 1}; /* pairs, joins, unsent */
    double seconds = 0, cost = 0;
    for (size_t k = 0; status == STATUS_OK && sums[2] > 0 && k < sizeof margins / sizeof *margins;
         k++) {
        struct asked asked = {0};
        work->rounds++;
        const double begun = clock_seconds();
        status = device ? device->ops->offer(device, &m->demands, &walk->rule, margins[k], &m->top,
                                             &m->offers)
                        : offers_make(&m->offers, &m->demands, walk, &m->partial, &m->top, start,
                                      margins[k], threads);
        status = ranks_agree(status);
        seconds += clock_seconds() - begun;
        mark_phase(work, ASK, &since);
        if (status == STATUS_OK)
            status = trade(m, &asked);
        mark_phase(work, TRADE, &since);
        parts.raw = asked.raw;
        parts.raw_bytes = asked.bytes;
        parts.raw_cells = asked.cells_of;
        if (status == STATUS_OK && device)
            status = device->ops->build(device, &m->curve, &m->top, &parts);
        else if (status == STATUS_OK)
            status = partial_build(&m->partial, &m->curve, &m->top, &parts);
        mark_phase(work, BUILD, &since);
        if (status == STATUS_OK) {
            const double walking = clock_seconds();
            struct exact_tree_work own = {0};
            status = walk_own(m, walk, census, &own, &cost, threads);
            const double took = clock_seconds() - walking;
            seconds += took;
            sums[0] = own.pairs;
            sums[1] = own.joins;
            sums[2] = own.unsent;
            learn_rate(&m->curve, cost, took);
        }
        status = ranks_agree(status);
        if (status == STATUS_OK)
            status = ranks_sum(sums, 3);
        mark_phase(work, WALK, &since);
        asked_close(&asked);
    }
    free(branches);
    free(bodies);
    if (status == STATUS_OK && sums[2] > 0)
        return status_fail(STATUS_RUNTIME,
                           "%llu cells of other ranks are missing; please report "
                           "this scene",
                           (unsigned long long)sums[2]);
    work->bodies = walk->count;
    work->foreign = device ? device->ops->foreign(device) : m->partial.tree.bodies - walk->count;
    work->pairs += sums[0];
    work->joins += sums[1];
    if (status == STATUS_OK)
        status = largest_over_mean(seconds, &work->slowest);
    if (status == STATUS_OK && census)
        status = largest_over_mean(cost * m->curve.rate, &m->curve.imbalance);
    return status;
}

/* Collective: builds the tree of the present positions. *spoilt: a position is not finite, so there
 * is no tree; only the arrays are allocated. */
static enum status prepare_tree(struct stretches *m, struct share *share,
                                struct exact_tree_census *census, bool *spoilt,
                                struct method_work *work, int *threads)
{
    double since = clock_seconds();
    *threads = threads_worth(share->count);
    enum status status = curve_frame(&m->curve, share, m->softening, m->largest, &m->frame, census,
                                     spoilt, *threads);
    mark_phase(work, FRAME, &since);
    if (status == STATUS_OK && *spoilt)
        return ranks_agree(make_stretch_room(m, share->count));
    if (status == STATUS_OK)
        status = curve_sort(&m->curve, share, &m->frame, *threads);
    if (status == STATUS_OK)
        mark_phase(work, SORT, &since);
    if (status == STATUS_OK)
        status = top_find(&m->top, &m->curve, share->count);
    if (status == STATUS_OK)
        status = make_stretch_room(m, share->count);
    if (status == STATUS_OK && m->device)
        status = m->device->ops->fill(m->device, &m->curve, &m->top);
    else if (status == STATUS_OK)
        status = partial_room(&m->partial, m->curve.total, share->count);
    status = ranks_agree(status);
    mark_phase(work, TOP, &since);
    if (status == STATUS_OK && !m->device)
        fill_own(m, share, *threads);
    mark_phase(work, FILL, &since);
    return status;
}

/* Collective: finds the census of all ranks' newly computed accelerations. */
static enum status count_again(struct stretches *m, const struct share *share,
                               struct exact_tree_census *census, int threads)
{
    enum status status = STATUS_OK;
    struct exact_tree_census own = {0};
    if (m->device) {
        struct stretch_survey survey = {0};
        status = m->device->ops->survey(m->device, 1, NULL, 0, &survey);
        own = survey.census;
    } else {
        own = exact_tree_census_of(share->count, (const double(*)[3])m->last, &share->body->mass,
                                   SHARE_DOUBLES, threads);
    }
    uint64_t sums[CENSUS_NUMBERS];
    census_pack(&own, sums);
    status = ranks_agree(status);
    if (status == STATUS_OK)
        status = ranks_sum(sums, CENSUS_NUMBERS);
    *census = census_unpack(sums);
    return status;
}

static void swap_accelerations(struct stretches *m)
{
    double(*const last)[3] = m->last;
    m->last = m->next;
    m->next = last;
}

/* Gives the bodies the accelerations of the last walk, or NaN if `spoilt`. */
static enum status finish(struct stretches *m, struct share *share, bool spoilt)
{
    if (m->device)
        return m->device->ops->finish(m->device, spoilt);
    for (size_t i = 0; i < share->count; i++) {
        for (int c = 0; c < 3; c++)
            share->body[i].acceleration[c] = spoilt ? NAN : m->next[i][c];
        if (!spoilt)
            share->body[i].cost = m->cost[i];
    }
    return STATUS_OK;
}

static enum status accelerate_stretches(struct method *method, struct share *share, uint64_t turn,
                                        struct method_work *work)
{
    struct stretches *m = stretches_of(method);
    (void)turn;
    struct exact_tree_census census;
    bool spoilt;
    int threads = 1;
    enum status status = prepare_tree(m, share, &census, &spoilt, work, &threads);
    if (status != STATUS_OK)
        return status;
    if (spoilt)
        return finish(m, share, true);
    for (size_t i = 0; i < share->count && !m->device; i++)
        memcpy(m->last[i], share->body[i].acceleration, sizeof *m->last);
    struct exact_tree_walk walk = {.rule = exact_tree_rule_first(m->error), .out = m->next};
    if (!exact_tree_knows(&census)) {
        struct method_work first = {0};
        status = walk_all(m, &walk, NULL, &first, threads);
        if (status == STATUS_OK && m->device)
            status = m->device->ops->finish(m->device, false);
        swap_accelerations(m);
        status = ranks_agree(status);
        if (status == STATUS_OK)
            status = count_again(m, share, &census, threads);
    }
    walk.rule = exact_tree_rule_for(m->error);
    walk.last = (const double(*)[3])m->last;
    walk.out = m->next;
    walk.floor = exact_tree_floor_of(&census, &m->frame);
    walk.cost = m->cost;
    if (status == STATUS_OK)
        status = walk_all(m, &walk, &census, work, threads);
    return status == STATUS_OK ? finish(m, share, false) : status;
}

static enum status stretches_potential(struct method *method, struct share *share, double **out)
{
    struct stretches *m = stretches_of(method);
    struct exact_tree_census census;
    struct method_work work = {0};
    bool spoilt;
    int threads = 1;
    enum status status = prepare_tree(m, share, &census, &spoilt, &work, &threads);
    if (status == STATUS_OK && m->device)
        status = potential_room(m, share->count);
    status = ranks_agree(status);
    struct exact_tree_walk walk = {.rule = exact_tree_rule_potential(m->error)};
    walk.potential = m->potential;
    if (status == STATUS_OK && !spoilt)
        status = walk_all(m, &walk, NULL, &work, threads);
    if (status == STATUS_OK && !spoilt && m->device)
        status = m->device->ops->potentials(m->device, m->potential);
    for (size_t i = 0; status == STATUS_OK && spoilt && i < share->count; i++)
        m->potential[i] = NAN;
    *out = m->potential;
    return status;
}

const struct method_ops method_stretches = {
    .force = &force_tree_exact,
    .block = 1,
    .open = open_stretches,
    .accelerate = accelerate_stretches,
    .potential = stretches_potential,
    .close = close_stretches,
};
