#include "sim/ranks/demand.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "sim/ranks/stretch_device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 64 }; /* demands that are answered together */

void demands_close(struct demands *demands)
{
    free(demands->list);
    free(demands->starts);
    *demands = (struct demands){0};
}

static double along(const struct exact_tree_body *body, int axis)
{
    return (double)body->hi[axis] + (double)body->lo[axis];
}

/* The demand of the bodies from place `first` to before `end`. */
static struct demand demand_of(const struct exact_tree_walk *walk, uint32_t first, uint32_t end)
{
    const struct exact_tree_body *body = walk->tree->body;
    struct demand demand = {.softening2 = walk->mixed ? body[first].half : walk->frame->softening2};
    struct exact_tree_rule rule = walk->rule;
    double size = INFINITY;
    for (int c = 0; c < 3; c++)
        demand.low[c] = demand.high[c] = along(body + first, c);
    for (uint32_t i = first; i < end; i++) {
        for (int c = 0; c < 3; c++) {
            const double at = along(body + i, c);
            demand.low[c] = at < demand.low[c] ? at : demand.low[c];
            demand.high[c] = at > demand.high[c] ? at : demand.high[c];
        }
        if (walk->mixed && body[i].half < demand.softening2)
            demand.softening2 = body[i].half;
        if (walk->last) {
            const double here = exact_tree_size(walk->last[i]);
            size = here < size ? here : size;
        }
    }
    if (walk->last)
        rule = exact_tree_rule_of(rule, size, walk->least, walk->frame);
    demand.hold = rule.hold;
    demand.heavy = rule.heavy;
    return demand;
}

/* Demands are whole runs of the walk, since a run is judged by the box of all its bodies. */
static size_t find_demands(const struct exact_tree_walk *walk, struct demand *list)
{
    size_t count = 0;
    for (uint32_t first = 0, end = 1; first < walk->count; end++)
        if (end == walk->count || end % DEMAND_SPAN == 0 || walk->tree->wide[end - 1]) {
            if (list)
                list[count] = demand_of(walk, first, end);
            count++;
            first = end;
        }
    return count;
}

/* Collective: the lists of all ranks, one after the other. */
static enum status gather_demands(struct demands *demands, const struct demand *own, uint64_t count)
{
    const size_t ranks = (size_t)ranks_count();
    uint64_t *counts = memory_new(ranks, sizeof *counts);
    size_t *bytes = memory_new(ranks, sizeof *bytes);
    enum status status = ranks_gather_each(&count, counts, sizeof count);
    demands_close(demands);
    demands->starts = memory_new(ranks + 1, sizeof *demands->starts);
    for (size_t r = 0; r < ranks; r++) {
        demands->starts[r + 1] = demands->starts[r] + counts[r];
        bytes[r] = counts[r] * sizeof *own;
    }
    demands->list = memory_new(demands->starts[ranks] + 1, sizeof *own);
    if (status == STATUS_OK)
        status = ranks_gather(own, demands->list, bytes);
    free(counts);
    free(bytes);
    return status;
}

enum status demands_gather(struct demands *demands, const struct exact_tree_walk *walk,
                           struct stretch_device *device, const struct exact_tree_census *census)
{
    enum status status = STATUS_OK;
    struct demand *own = NULL, *list = NULL;
    uint64_t count = 0;
    if (device) {
        status = device->ops->demands(device, &walk->rule, census, &list, &count);
    } else {
        count = find_demands(walk, NULL);
        list = own = memory_new(count + 1, sizeof *own);
        (void)find_demands(walk, list);
    }
    status = ranks_agree(status);
    if (status == STATUS_OK)
        status = gather_demands(demands, list, count);
    free(own);
    return status;
}

/* One rank's demands being answered. */
struct answer {
    const struct exact_tree *tree; /* the rank's own stretch */
    uint32_t moved;                /* what was added to its spans */
    const struct exact_tree_rule *rule;
    const struct demand *list;
    bool mixed;
    double margin;
    uint8_t *opened; /* [bodies]: cells that some demand has to walk into */
};

/* Larger than the error of may_stand's distances, which are differences of lengths as large as the
 * box of the sinks, in single precision: a single body far from all others makes that box large. */
static const double ROUNDING = 1e-6;

/* As may_stand in kernels/exact_tree/pull.h, from the margin's smaller distance; all conditions
 * hold the sooner the larger the distance. */
static bool stands(const struct answer *a, const struct demand *demand,
                   const struct exact_tree_place *place)
{
    double square = (double)demand->softening2 + (a->mixed ? (double)place->half : 0);
    for (int c = 0; c < 3; c++) {
        const double at = (double)place->hi[c] + (double)place->lo[c];
        const double below = demand->low[c] - at, above = at - demand->high[c];
        const double nearest = below > above ? below : above;
        const double away = nearest - ROUNDING * (demand->high[c] - demand->low[c] + nearest);
        square += away > 0 ? away * away : 0;
    }
    square *= 1 - a->margin;
    const double radius = (double)place->radius;
    if (!(radius * radius < (double)a->rule->reach2 * square) ||
        (a->mixed && !(1.5 * (double)place->spread <= (double)a->rule->soft * square)))
        return false;
    if (isinf(demand->hold))
        return true;
    const double distance = sqrt(square);
    const double strain = 1 + (double)demand->heavy * (double)place->mass / square;
    return ((double)place->third * distance + (double)place->fourth) * strain <
           (double)demand->hold * (square * square) * (distance * (distance - radius));
}

static struct exact_tree_span span_of(const struct answer *a, uint32_t cell)
{
    const struct exact_tree_span span = a->tree->span[cell];
    return (struct exact_tree_span){span.first - a->moved, span.last - a->moved,
                                    span.split - a->moved};
}

/* A demand that no cell stands for unless it stands for all of these. */
static struct demand strictest(const struct demand *list, size_t count)
{
    struct demand all = list[0];
    for (size_t i = 1; i < count; i++) {
        for (int c = 0; c < 3; c++) {
            all.low[c] = list[i].low[c] < all.low[c] ? list[i].low[c] : all.low[c];
            all.high[c] = list[i].high[c] > all.high[c] ? list[i].high[c] : all.high[c];
        }
        all.softening2 = list[i].softening2 < all.softening2 ? list[i].softening2 : all.softening2;
        all.hold = list[i].hold < all.hold ? list[i].hold : all.hold;
        all.heavy = list[i].heavy > all.heavy ? list[i].heavy : all.heavy;
    }
    return all;
}

/* Marks the cell if one of the demands walks into it, and goes on below with those that do. all:
 * the strictest of them and maybe others. */
static void ask(const struct answer *a, uint32_t cell, const struct demand *all,
                const uint32_t *asking, size_t count)
{
    uint32_t still[CHUNK];
    size_t kept = 0;
    if (a->margin < 1 && stands(a, all, a->tree->place + cell))
        return;
    for (size_t i = 0; i < count; i++)
        if (a->margin >= 1 || !stands(a, a->list + asking[i], a->tree->place + cell))
            still[kept++] = asking[i];
    if (kept == 0)
        return;
    __atomic_store_n(a->opened + cell, 1, __ATOMIC_RELAXED);
    const struct exact_tree_span span = span_of(a, cell);
    if (span.split == span.last)
        return;
    if (span.split > span.first)
        ask(a, span.split, all, still, kept);
    if (span.last > span.split + 1)
        ask(a, span.split + 1, all, still, kept);
}

/* A list of bytes that grows. */
struct list {
    char *bytes;
    size_t size, room;
    bool failed;
};

static void add(struct list *list, const void *item, size_t size)
{
    if (list->size + size > list->room) {
        const size_t room = list->size + size + list->room / 2 + 4096;
        char *bytes = realloc(list->bytes, room);
        list->failed |= !bytes;
        if (!bytes)
            return;
        list->bytes = bytes;
        list->room = room;
    }
    memcpy(list->bytes + list->size, item, size);
    list->size += size;
}

/* Where the items for a rank go. */
struct basket {
    const struct answer *answer;
    uint32_t first; /* the number of the rank's first body */
    struct list cells, bodies;
};

static void add_body(struct basket *basket, uint32_t at)
{
    struct partial_body item = {.number = basket->first + at};
    item.body = basket->answer->tree->body[at];
    add(&basket->bodies, &item, sizeof item);
}

/* Adds a cell and, if it was walked into, what is below it. */
static void add_cell(struct basket *basket, uint32_t cell)
{
    const struct answer *a = basket->answer;
    const struct exact_tree_span span = span_of(a, cell);
    const bool opened = a->opened[cell];
    struct partial_cell item = {.number = basket->first + cell,
                                .first = basket->first + span.first,
                                .last = basket->first + span.last,
                                .split = opened ? basket->first + span.split : EXACT_TREE_UNSENT,
                                .place = a->tree->place[cell],
                                .moments = a->tree->moments[cell]};
    add(&basket->cells, &item, sizeof item);
    if (!opened)
        return;
    a->opened[cell] = 0;
    if (span.split == span.last) {
        for (uint32_t i = span.first; i <= span.last; i++)
            add_body(basket, i);
        return;
    }
    if (span.split > span.first)
        add_cell(basket, span.split);
    else
        add_body(basket, span.split);
    if (span.last > span.split + 1)
        add_cell(basket, span.split + 1);
    else
        add_body(basket, span.split + 1);
}

void offers_close(struct offers *offers)
{
    free(offers->bytes);
    free(offers->out);
    free(offers->cells);
    *offers = (struct offers){0};
}

void offers_open(struct offers *offers)
{
    const size_t ranks = (size_t)ranks_count();
    if (offers->out)
        return;
    offers->out = memory_new(ranks, sizeof *offers->out);
    offers->cells = memory_new(ranks, sizeof *offers->cells);
}

static bool is_asked(const struct top_branch *branch)
{
    return branch->owner == ranks_own() && branch->last - branch->first >= EXACT_TREE_LEAF;
}

static void answer_rank(const struct answer *a, const struct demands *demands, int rank,
                        const struct top *top, uint32_t first, int threads)
{
    const size_t from = demands->starts[rank], end = demands->starts[rank + 1];
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (size_t chunk = from; chunk < end; chunk += CHUNK) {
        uint32_t asking[CHUNK];
        size_t count = 0;
        while (count < CHUNK && chunk + count < end) {
            asking[count] = (uint32_t)(chunk + count);
            count++;
        }
        const struct demand all = strictest(demands->list + chunk, count);
        for (size_t k = 0; k < top->branch_count; k++)
            if (is_asked(top->branches + k))
                ask(a, top->branches[k].number - first, &all, asking, count);
    }
}

enum status offers_make(struct offers *offers, const struct demands *demands,
                        const struct exact_tree_walk *walk, const struct partial *partial,
                        const struct top *top, size_t first, double margin, int threads)
{
    const size_t ranks = (size_t)ranks_count();
    struct answer answer = {.tree = &partial->local,
                            .moved = partial->moved,
                            .rule = &walk->rule,
                            .list = demands->list,
                            .mixed = walk->mixed,
                            .margin = margin,
                            .opened = calloc(walk->count + 1, 1)};
    struct list all = {.bytes = offers->bytes, .room = offers->room};
    struct basket basket = {.answer = &answer, .first = (uint32_t)first};
    bool failed = !answer.opened;
    offers_open(offers);
    for (size_t r = 0; r < ranks && !failed; r++) {
        const size_t before = all.size;
        basket.cells.size = basket.bodies.size = 0;
        if ((int)r != ranks_own())
            answer_rank(&answer, demands, (int)r, top, basket.first, threads);
        for (size_t k = 0; k < top->branch_count && (int)r != ranks_own(); k++) {
            const struct top_branch *branch = top->branches + k;
            if (is_asked(branch) && answer.opened[branch->number - basket.first])
                add_cell(&basket, branch->number - basket.first);
        }
        if (basket.cells.size > 0)
            add(&all, basket.cells.bytes, basket.cells.size);
        if (basket.bodies.size > 0)
            add(&all, basket.bodies.bytes, basket.bodies.size);
        offers->out[r] = all.size - before;
        offers->cells[r] = basket.cells.size / sizeof(struct partial_cell);
        failed = basket.cells.failed || basket.bodies.failed || all.failed;
    }
    offers->bytes = all.bytes;
    offers->room = all.room;
    offers->send = all.bytes;
    free(answer.opened);
    free(basket.cells.bytes);
    free(basket.bodies.bytes);
    if (failed)
        return status_fail(STATUS_RUNTIME,
                           "no memory for what other ranks need, %zu bytes; use "
                           "more ranks",
                           all.room);
    return STATUS_OK;
}
