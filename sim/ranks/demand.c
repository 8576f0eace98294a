#include "sim/ranks/demand.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "sim/ranks/stretch_device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 64 }; /* minimum number of demands that a thread answers together */

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
    float bears = INFINITY;
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
            const float here = exact_tree_bears(exact_tree_size(walk->last[i]), body[i].mass,
                                                walk->floor, walk->frame);
            bears = here < bears ? here : bears;
        }
    }
    if (walk->last)
        rule = exact_tree_rule_of(rule, bears);
    demand.hold = rule.hold;
    demand.heavy = rule.heavy;
    return demand;
}

/* A demand covers whole runs of the walk, because a run is judged by the box of all its bodies. */
static struct demand *find_demands(const struct exact_tree_walk *walk, uint64_t *count)
{
    size_t room = walk->count / (DEMAND_SPAN / 2) + 16;
    struct demand *list = memory_new(room, sizeof *list);
    *count = 0;
    for (uint32_t first = 0, end = 1; first < walk->count; end++) {
        if (end < walk->count && end % DEMAND_SPAN != 0 && !walk->tree->wide[end - 1])
            continue;
        if (*count == room) {
            room *= 2;
            list = memory_grow(list, room, sizeof *list);
        }
        list[(*count)++] = demand_of(walk, first, end);
        first = end;
    }
    return list;
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
        list = own = find_demands(walk, &count);
    }
    status = ranks_agree(status);
    if (status == STATUS_OK)
        status = gather_demands(demands, list, count);
    free(own);
    return status;
}

/* How cells of the rank's own stretch are judged. */
struct answer {
    const struct exact_tree *tree;
    uint32_t moved; /* what was added to its spans */
    const struct exact_tree_rule *rule;
    bool mixed;
    double margin;
    uint8_t *opened; /* [bodies]: cells that some demand has to walk into */
};

/* A demand or, in a binary tree along the curve, the strictest of several. */
struct node {
    struct demand demand;
    uint32_t below; /* the first of two nodes; 0: none */
};

/* Demands of one rank being answered. */
struct question {
    const struct answer *answer;
    struct node *nodes;
    size_t count;
    uint32_t *asking; /* nodes: the lists of a cell and of all around it, one after the other */
    size_t room;
};

/* Exceeds the error of may_stand's distances. These are differences, in single precision, of
 * lengths as large as the box of the sinks; a single body far from all others makes that box large.
 */
static const double ROUNDING = 1e-6;

/* A cell as it is judged. least: the least squared distance that satisfies the two conditions on
 * distance alone. */
struct seen {
    double at[3], half, radius, mass, third, fourth, least;
};

static struct seen seen_of(const struct answer *a, uint32_t cell)
{
    const struct exact_tree_place *place = a->tree->place + cell;
    struct seen seen = {.radius = (double)place->radius,
                        .mass = (double)place->mass,
                        .third = (double)place->third,
                        .fourth = (double)place->fourth};
    for (int c = 0; c < 3; c++)
        seen.at[c] = (double)place->hi[c] + (double)place->lo[c];
    seen.least = seen.radius * seen.radius / (double)a->rule->reach2;
    if (a->mixed) {
        const double apart = 1.5 * (double)place->spread / (double)a->rule->soft;
        seen.half = (double)place->half;
        seen.least = apart > seen.least ? apart : seen.least;
    }
    return seen;
}

/* The conditions of may_stand (kernels/exact_tree/pull.h), at a distance reduced by the margin.
 * What stands at one distance stands at every larger one. */
static bool stands(const struct answer *a, const struct demand *demand, const struct seen *seen)
{
    double square = (double)demand->softening2 + seen->half;
    for (int c = 0; c < 3; c++) {
        const double below = demand->low[c] - seen->at[c], above = seen->at[c] - demand->high[c];
        const double nearest = below > above ? below : above;
        const double away = nearest - ROUNDING * (demand->high[c] - demand->low[c] + nearest);
        const double outside = away > 0 ? away : 0;
        square += outside * outside;
    }
    square *= 1 - a->margin;
    const double distance = sqrt(square), cube = square * square * square;
    const double strain = square + (double)demand->heavy * seen->mass;
    return (square > seen->least) &
           ((seen->third * distance + seen->fourth) * strain <
            (double)demand->hold * cube * (distance * (distance - seen->radius)));
}

static struct exact_tree_span span_of(const struct answer *a, uint32_t cell)
{
    const struct exact_tree_span span = a->tree->span[cell];
    return (struct exact_tree_span){span.first - a->moved, span.last - a->moved,
                                    span.split - a->moved};
}

/* Combines two demands: a cell that may stand for its bodies to the result may do so to both. */
static struct demand strictest(const struct demand *one, const struct demand *other)
{
    struct demand both = *one;
    for (int c = 0; c < 3; c++) {
        both.low[c] = other->low[c] < both.low[c] ? other->low[c] : both.low[c];
        both.high[c] = other->high[c] > both.high[c] ? other->high[c] : both.high[c];
    }
    both.softening2 = other->softening2 < both.softening2 ? other->softening2 : both.softening2;
    both.hold = other->hold < both.hold ? other->hold : both.hold;
    both.heavy = other->heavy > both.heavy ? other->heavy : both.heavy;
    return both;
}

static void make_nodes(struct question *q, uint32_t at, const struct demand *list, size_t count)
{
    struct node *node = q->nodes + at;
    if (count == 1) {
        node->demand = *list;
        return;
    }
    const uint32_t below = node->below = (uint32_t)q->count;
    q->count += 2;
    make_nodes(q, below, list, count / 2);
    make_nodes(q, below + 1, list + count / 2, count - count / 2);
    node->demand = strictest(&q->nodes[below].demand, &q->nodes[below + 1].demand);
}

/* Whether a demand of the node walks into a cell. Adds the demands that may do so to the list whose
 * end is given: the first that does, and those after it without judging them. */
static bool judge(struct question *q, const struct seen *seen, uint32_t at, size_t *end)
{
    const struct node *node = q->nodes + at;
    if (stands(q->answer, &node->demand, seen))
        return false;
    if (node->below == 0) {
        q->asking[(*end)++] = at;
        return true;
    }
    if (!judge(q, seen, node->below, end))
        return judge(q, seen, node->below + 1, end);
    q->asking[(*end)++] = node->below + 1;
    return true;
}

/* Marks the cell if one of the nodes in a part of the list walks into it, and goes on below. */
static void ask(struct question *q, uint32_t cell, size_t from, size_t to)
{
    const struct answer *a = q->answer;
    const struct seen seen = seen_of(a, cell);
    size_t end = to;
    bool opened = false;
    if (to + q->count > q->room) {
        q->room = 2 * (to + q->count);
        q->asking = memory_grow(q->asking, q->room, sizeof *q->asking);
    }
    for (size_t k = from; k < to; k++)
        if (opened)
            q->asking[end++] = q->asking[k];
        else
            opened = judge(q, &seen, q->asking[k], &end);
    if (!opened)
        return;
    __atomic_store_n(a->opened + cell, 1, __ATOMIC_RELAXED);
    const struct exact_tree_span span = span_of(a, cell);
    if (span.split == span.last)
        return;
    if (span.split > span.first)
        ask(q, span.split, to, end);
    if (span.last > span.split + 1)
        ask(q, span.split + 1, to, end);
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
    uint32_t first;            /* the number of the rank's first body */
    struct list *all, *bodies; /* cells follow the items for other ranks, and bodies follow the
                                * cells */
};

static void add_body(struct basket *basket, uint32_t at)
{
    struct partial_body item = {.number = basket->first + at};
    item.body = basket->answer->tree->body[at];
    add(basket->bodies, &item, sizeof item);
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
    add(basket->all, &item, sizeof item);
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
    free(offers->spare);
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

/* Marks the cells that some of the demands walk into. */
static void answer_demands(const struct answer *a, const struct demand *list, size_t count,
                           const struct top *top, uint32_t first)
{
    struct question q = {.answer = a,
                         .nodes = memory_new(2 * count, sizeof *q.nodes),
                         .count = 1,
                         .asking = memory_new(1, sizeof *q.asking),
                         .room = 1};
    make_nodes(&q, 0, list, count);
    for (size_t k = 0; k < top->branch_count; k++)
        if (is_asked(top->branches + k))
            ask(&q, top->branches[k].number - first, 0, 1);
    free(q.nodes);
    free(q.asking);
}

static void answer_rank(const struct answer *a, const struct demands *demands, int rank,
                        const struct top *top, uint32_t first, int threads)
{
    const size_t from = demands->starts[rank], count = demands->starts[rank + 1] - from;
    const size_t most = count / CHUNK + 1, wanted = threads > 1 ? 4 * (size_t)threads : 1;
    const size_t parts = most < wanted ? most : wanted;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (size_t p = 0; p < parts; p++) {
        const size_t begin = count * p / parts, end = count * (p + 1) / parts;
        if (end > begin)
            answer_demands(a, demands->list + from + begin, end - begin, top, first);
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
                            .mixed = walk->mixed,
                            .margin = margin,
                            .opened = calloc(walk->count + 1, 1)};
    struct list all = {.bytes = offers->bytes, .room = offers->room};
    struct list bodies = {.bytes = offers->spare, .room = offers->spare_room};
    struct basket basket = {
        .answer = &answer, .first = (uint32_t)first, .all = &all, .bodies = &bodies};
    bool failed = !answer.opened;
    offers_open(offers);
    for (size_t r = 0; r < ranks && !failed; r++) {
        const size_t before = all.size;
        bodies.size = 0;
        if ((int)r != ranks_own())
            answer_rank(&answer, demands, (int)r, top, basket.first, threads);
        for (size_t k = 0; k < top->branch_count && (int)r != ranks_own(); k++) {
            const struct top_branch *branch = top->branches + k;
            if (is_asked(branch) && answer.opened[branch->number - basket.first])
                add_cell(&basket, branch->number - basket.first);
        }
        offers->cells[r] = (all.size - before) / sizeof(struct partial_cell);
        if (bodies.size > 0)
            add(&all, bodies.bytes, bodies.size);
        offers->out[r] = all.size - before;
        failed = bodies.failed || all.failed;
    }
    offers->bytes = all.bytes;
    offers->room = all.room;
    offers->send = all.bytes;
    offers->spare = bodies.bytes;
    offers->spare_room = bodies.room;
    free(answer.opened);
    if (failed)
        return status_fail(STATUS_RUNTIME,
                           "no memory for what other ranks need, %zu bytes; use "
                           "more ranks",
                           all.room);
    return STATUS_OK;
}
