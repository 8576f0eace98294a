#include "sim/ranks/partial.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Applies to every array of the tree. */
#define ARRAYS(X) X(body) X(place) X(moments) X(span) X(box) X(thirds) X(wide)

static void free_arrays(struct exact_tree *tree)
{
#define FREE(name) free(tree->name);
    ARRAYS(FREE)
#undef FREE
    *tree = (struct exact_tree){0};
}

static bool allocate_arrays(struct exact_tree *tree, size_t count)
{
    bool whole = true;
#define ALLOCATE(name)                                                                             \
    tree->name = calloc(count, sizeof *tree->name);                                                \
    whole = whole && tree->name;
    ARRAYS(ALLOCATE)
#undef ALLOCATE
    return whole;
}

/* The same arrays with place `by` as the first. */
static struct exact_tree seen_from(const struct exact_tree *tree, size_t by)
{
    struct exact_tree seen = *tree;
#define SHIFT(name) seen.name += by;
    ARRAYS(SHIFT)
#undef SHIFT
    return seen;
}

void partial_close(struct partial *partial)
{
    free_arrays(&partial->arrays);
    free(partial->needed);
    free(partial->ranked);
    *partial = (struct partial){0};
}

static enum status no_memory(size_t places)
{
    return status_fail(STATUS_RUNTIME, "no memory for a part of a tree, %zu cells; use more ranks",
                       places);
}

/* Replaces the arrays by larger ones; `kept` of the rank's own places are copied. */
static enum status grow(struct partial *partial, size_t before, size_t room, size_t behind,
                        size_t kept)
{
    struct exact_tree larger = {0};
    if (!allocate_arrays(&larger, before + room + behind)) {
        free_arrays(&larger);
        return no_memory(before + room + behind);
    }
#define COPY(name)                                                                                 \
    if (kept > 0)                                                                                  \
        memcpy(larger.name + before, partial->arrays.name + partial->before,                       \
               kept * sizeof *larger.name);
    ARRAYS(COPY)
#undef COPY
    free_arrays(&partial->arrays);
    partial->arrays = larger;
    partial->before = before;
    partial->room = room;
    partial->behind = behind;
    partial->local.bodies = (uint32_t)kept;
    return STATUS_OK;
}

static size_t words_for(size_t total)
{
    return total / 64 + 1;
}

enum status partial_room(struct partial *partial, size_t total, size_t own)
{
    if (!partial->needed) {
        partial->needed = calloc(words_for(total), sizeof *partial->needed);
        partial->ranked = calloc(words_for(total) + 1, sizeof *partial->ranked);
        if (!partial->needed || !partial->ranked)
            return no_memory(total);
    }
    if (own > partial->room || partial->before + partial->behind == 0) {
        enum status status =
            grow(partial, partial->before + 4096, own + own / 16 + 64, partial->behind + 4096, 0);
        if (status != STATUS_OK)
            return status;
    }
    partial->local = seen_from(&partial->arrays, partial->before);
    partial->local.bodies = (uint32_t)own;
    partial->moved = 0;
    return STATUS_OK;
}

static void need(struct partial *partial, uint32_t place)
{
    partial->needed[place / 64] |= UINT64_C(1) << place % 64;
}

/* Both halves of a cell and their neighbours. */
static void need_halves(struct partial *partial, uint32_t first, uint32_t last, uint32_t split)
{
    const uint32_t from = split > first ? split - 1 : split;
    const uint32_t to = split + 2 <= last ? split + 2 : split + 1;
    for (uint32_t place = from; place <= to; place++)
        need(partial, place);
}

static bool is_own(const struct curve *curve, uint32_t place)
{
    return place >= curve->starts[ranks_own()] && place < curve->starts[ranks_own() + 1];
}

static bool is_walked_into(const struct partial_cell *cell)
{
    return cell->split != EXACT_TREE_UNSENT && cell->split != cell->last;
}

/* The items from one rank, and the place where those of the next rank begin. */
struct sent {
    const struct partial_cell *cells;
    const struct partial_body *bodies;
    size_t cell_count, body_count;
    const char *next;
};

static void receive(const struct partial_parts *parts, int rank, struct sent *sent)
{
    const char *at = sent->next;
    const size_t cells = parts->raw_cells[rank] * sizeof *sent->cells;
    sent->cells = (const void *)at;
    sent->cell_count = parts->raw_cells[rank];
    sent->bodies = (const void *)(at + cells);
    sent->body_count = (parts->raw_bytes[rank] - cells) / sizeof *sent->bodies;
    sent->next = at + parts->raw_bytes[rank];
}

static void mark(struct partial *partial, const struct curve *curve, const struct top *top,
                 const struct partial_parts *parts)
{
    const size_t words = words_for(curve->total);
    const size_t start = curve->starts[ranks_own()], end = curve->starts[ranks_own() + 1];
    memset(partial->needed, 0, words * sizeof *partial->needed);
    need(partial, 0);
    for (size_t k = 0; k < top->cell_count; k++)
        need_halves(partial, top->cells[k].first, top->cells[k].last, top->cells[k].split);
    for (size_t k = 0; k < parts->branch_count; k++)
        need(partial, parts->branches[k].cell.number);
    for (size_t k = 0; k < parts->body_count; k++)
        need(partial, parts->bodies[k].number);
    struct sent sent = {.next = parts->raw};
    for (int r = 0; r < ranks_count() && parts->raw; r++) {
        receive(parts, r, &sent);
        for (size_t k = 0; k < sent.cell_count; k++) {
            const struct partial_cell *cell = sent.cells + k;
            need(partial, cell->number);
            if (is_walked_into(cell))
                need_halves(partial, cell->first, cell->last, cell->split);
        }
        for (size_t k = 0; k < sent.body_count; k++)
            need(partial, sent.bodies[k].number);
    }
    /* all own places are there, so they are not counted */
    for (size_t place = start; place < end; place++)
        if (place % 64 == 0 && place + 64 <= end) {
            partial->needed[place / 64] = 0;
            place += 63;
        } else {
            partial->needed[place / 64] &= ~(UINT64_C(1) << place % 64);
        }
    uint32_t sum = 0;
    for (size_t w = 0; w < words; w++) {
        partial->ranked[w] = sum;
        sum += (uint32_t)__builtin_popcountll(partial->needed[w]);
    }
    partial->ranked[words] = sum;
}

/* Returns the number of needed foreign places before a place. */
static uint32_t foreign_before(const struct partial *partial, uint32_t place)
{
    const uint64_t below = (UINT64_C(1) << place % 64) - 1;
    return partial->ranked[place / 64] +
           (uint32_t)__builtin_popcountll(partial->needed[place / 64] & below);
}

/* Returns the number, in the partial tree, of the first needed place from there on. */
static uint32_t number_in(const struct partial *partial, const struct curve *curve, uint32_t place)
{
    const size_t start = curve->starts[ranks_own()], end = curve->starts[ranks_own() + 1];
    const uint32_t inside = place <= start ? 0 : (uint32_t)((place < end ? place : end) - start);
    return foreign_before(partial, place) + inside;
}

static void put_span(struct partial *partial, const struct curve *curve, uint32_t at,
                     uint32_t first, uint32_t last, uint32_t split)
{
    struct exact_tree_span *span = partial->tree.span + at;
    span->first = number_in(partial, curve, first);
    span->last = number_in(partial, curve, last + 1) - 1;
    span->split = split;
    if (split == last)
        span->split = span->last;
    else if (split != EXACT_TREE_UNSENT)
        span->split = number_in(partial, curve, split);
}

static uint32_t put_cell(struct partial *partial, const struct curve *curve,
                         const struct partial_cell *cell)
{
    const uint32_t at = number_in(partial, curve, cell->number);
    partial->tree.place[at] = cell->place;
    partial->tree.moments[at] = cell->moments;
    put_span(partial, curve, at, cell->first, cell->last, cell->split);
    return at;
}

static void put_body(struct partial *partial, const struct curve *curve,
                     const struct partial_body *body)
{
    partial->tree.body[number_in(partial, curve, body->number)] = body->body;
}

/* Other ranks' branches that were sent as bodies. */
static void fill_small(struct partial *partial, const struct curve *curve, const struct top *top)
{
    for (size_t k = 0; k < top->branch_count; k++) {
        const struct top_branch *branch = top->branches + k;
        const uint32_t bodies = branch->last - branch->first + 1;
        if (branch->owner == ranks_own() || bodies == 1 || bodies > EXACT_TREE_LEAF)
            continue;
        const uint32_t at = number_in(partial, curve, branch->number);
        put_span(partial, curve, at, branch->first, branch->last, branch->last);
        exact_tree_fill_leaf(&partial->tree, at);
    }
}

static void fill_top(struct partial *partial, const struct curve *curve, const struct top *top)
{
    for (size_t k = 0; k < top->cell_count; k++) {
        const struct top_cell *cell = top->cells + k;
        const uint32_t bodies = cell->last - cell->first + 1;
        const uint32_t at = number_in(partial, curve, cell->number);
        const bool leaf = bodies <= EXACT_TREE_LEAF;
        put_span(partial, curve, at, cell->first, cell->last, leaf ? cell->last : cell->split);
        if (leaf)
            exact_tree_fill_leaf(&partial->tree, at);
        else
            exact_tree_fill_parent(&partial->tree, at);
    }
}

/* Adds to the spans of the own cells, whose numbers so far began at `moved`. */
static void move_spans(struct partial *partial, size_t own)
{
    const uint32_t by = partial->own - partial->moved;
    for (size_t k = 0; k < own; k++) {
        struct exact_tree_span *span = partial->local.span + k;
        span->first += by;
        span->last += by;
        span->split += by;
    }
    partial->moved = partial->own;
}

/* Marks places as unsent. A walk then reports an unsent cell instead of using that of an earlier
 * tree, and a body that was not sent makes every pull that includes it NaN. */
static void forget(const struct exact_tree *tree, size_t from, size_t end)
{
    for (size_t k = from; k < end; k++) {
        tree->span[k] = (struct exact_tree_span){.split = EXACT_TREE_UNSENT};
        tree->place[k].radius = INFINITY;
        tree->body[k].mass = NAN;
    }
}

enum status partial_build(struct partial *partial, const struct curve *curve, const struct top *top,
                          const struct partial_parts *parts)
{
    const size_t start = curve->starts[ranks_own()], end = curve->starts[ranks_own() + 1];
    const size_t own = end - start;
    mark(partial, curve, top, parts);
    const size_t before = foreign_before(partial, (uint32_t)start);
    const size_t all = partial->ranked[words_for(curve->total)], behind = all - before;
    if (before > partial->before || behind > partial->behind) {
        enum status status = grow(
            partial, before > partial->before ? before + before / 4 : partial->before,
            partial->room, behind > partial->behind ? behind + behind / 4 : partial->behind, own);
        if (status != STATUS_OK)
            return status;
    }
    partial->local = seen_from(&partial->arrays, partial->before);
    partial->local.bodies = (uint32_t)own;
    partial->tree = seen_from(&partial->arrays, partial->before - before);
    partial->tree.bodies = (uint32_t)(own + all);
    partial->own = (uint32_t)before;
    move_spans(partial, own);
    forget(&partial->tree, 0, before);
    forget(&partial->tree, before + own, own + all);
    for (size_t k = 0; k < parts->body_count; k++)
        if (!is_own(curve, parts->bodies[k].number))
            put_body(partial, curve, parts->bodies + k);
    for (size_t k = 0; k < parts->branch_count; k++) {
        const struct partial_branch *branch = parts->branches + k;
        if (is_own(curve, branch->cell.number))
            continue;
        const uint32_t at = put_cell(partial, curve, &branch->cell);
        partial->tree.box[at] = branch->box;
        partial->tree.thirds[at] = branch->thirds;
    }
    struct sent sent = {.next = parts->raw};
    for (int r = 0; r < ranks_count() && parts->raw; r++) {
        receive(parts, r, &sent);
        for (size_t k = 0; k < sent.body_count; k++)
            put_body(partial, curve, sent.bodies + k);
        for (size_t k = 0; k < sent.cell_count; k++)
            (void)put_cell(partial, curve, sent.cells + k);
    }
    fill_small(partial, curve, top);
    fill_top(partial, curve, top);
    return STATUS_OK;
}

/* Adds an item to the list. */
static void add_top(struct partial_tops *tops, const struct partial *partial,
                    const struct curve *curve, uint32_t number, uint32_t first, uint32_t last,
                    uint32_t split)
{
    const uint32_t at = number_in(partial, curve, number);
    tops->cells[tops->count++] = (struct partial_cell){.number = number,
                                                       .first = first,
                                                       .last = last,
                                                       .split = split,
                                                       .place = partial->tree.place[at],
                                                       .moments = partial->tree.moments[at]};
}

enum status partial_make_tops(struct partial *partial, const struct curve *curve,
                              const struct top *top, const struct partial_parts *parts,
                              struct partial_tops *tops)
{
    const size_t ranks = (size_t)ranks_count();
    struct curve nothing = {.total = curve->total, .starts = memory_new(ranks + 1, sizeof(size_t))};
    const struct partial_parts unasked = {.branches = parts->branches,
                                          .branch_count = parts->branch_count,
                                          .bodies = parts->bodies,
                                          .body_count = parts->body_count};
    struct top foreign = *top;
    foreign.branches = memory_new(top->branch_count + 1, sizeof *foreign.branches);
    for (size_t r = 0; r <= ranks; r++)
        nothing.starts[r] = curve->total;
    for (size_t k = 0; k < top->branch_count; k++) {
        foreign.branches[k] = top->branches[k];
        foreign.branches[k].owner = -1;
    }
    enum status status = partial_room(partial, curve->total, 0);
    if (status == STATUS_OK)
        status = partial_build(partial, &nothing, &foreign, &unasked);
    free(tops->cells);
    *tops = (struct partial_tops){
        .cells = memory_new(top->cell_count + top->branch_count + 1, sizeof *tops->cells)};
    for (size_t k = 0; status == STATUS_OK && k < top->branch_count; k++) {
        const struct top_branch *branch = top->branches + k;
        const bool leaf = branch->last - branch->first < EXACT_TREE_LEAF;
        if (branch->owner != ranks_own() && branch->last > branch->first)
            add_top(tops, partial, &nothing, branch->number, branch->first, branch->last,
                    leaf ? branch->last : EXACT_TREE_UNSENT);
    }
    for (size_t k = 0; status == STATUS_OK && k < top->cell_count; k++) {
        const struct top_cell *cell = top->cells + k;
        const bool leaf = cell->last - cell->first < EXACT_TREE_LEAF;
        add_top(tops, partial, &nothing, cell->number, cell->first, cell->last,
                leaf ? cell->last : cell->split);
    }
    free(nothing.starts);
    free(foreign.branches);
    return status;
}
