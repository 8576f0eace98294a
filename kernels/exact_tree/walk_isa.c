/* Compiled once per instruction set (kernels/isa.h), with contraction switched off. A lane is a
 * sink or, when cells are judged, a cell. */
#include "kernels/exact_tree/walk.h"
#include "kernels/lanes.h"
#include "kernels/isa.h"

#include <string.h>

#define INLINE                 static inline __attribute__((always_inline))
#define EXACT_TREE_PULL_INLINE static inline __attribute__((always_inline, unused))

typedef lanes number;
typedef lanes_int truth;

INLINE number root_guess(number x)
{
    return (lanes)(EXACT_GUESS - ((lanes_int)x >> 1));
}

INLINE number magnitude(number x)
{
    return (lanes)((lanes_int)x & INT32_MAX);
}

INLINE number above_zero(number x)
{
    return (lanes)((lanes_int)x & (x > 0));
}

#include "kernels/exact_tree/pull.h"

enum {
    GROUP = EXACT_TREE_GROUP,
    BATCH = EXACT_TREE_BATCH,
    TILE = EXACT_TREE_TILE,
    ACROSS = GROUP / LANES < TARGETS ? GROUP / LANES : TARGETS,
    BLOCK = LANES * ACROSS, /* sinks whose sums stay in registers */
    SUMS = 3,
};

_Static_assert(GROUP % BLOCK == 0 && BATCH % LANES == 0, "whole vectors");

struct body {
    float at[3], mass, half;
    uint32_t index;
};

struct cell {
    float at[3], mass, second[6], trace, half;
};

struct walker {
    float at[3][GROUP], half[GROUP]; /* the sinks; entries beyond the count repeat the first sink */
    struct exact_tree_sinks box;
    double by_bodies[SUMS][GROUP], by_cells[SUMS][GROUP];
    struct body bodies[TILE];
    struct cell cells[TILE];
    uint32_t body_count, cell_count, stack_count;
    uint32_t stack[EXACT_TREE_STACK];
    struct exact_tree_work work;
};

INLINE lanes load(const float *from)
{
    lanes vector;
    memcpy(&vector, from, sizeof vector);
    return vector;
}

/* x relative to the middle body. */
INLINE float offset(const struct exact_tree_sinks *box, const float hi[3], const float lo[3], int c)
{
    return (hi[c] - box->hi[c]) + (lo[c] - box->lo[c]);
}

INLINE void begin(const struct exact_tree_request *request, struct walker *w)
{
    const struct exact_tree_body *body = request->tree->body + request->first;
    const struct exact_tree_body *middle = body + request->count / 2;
    float half = 0;
    for (int c = 0; c < 3; c++) {
        w->box.hi[c] = middle->hi[c];
        w->box.lo[c] = middle->lo[c];
    }
    for (uint32_t i = 0; i < GROUP; i++) {
        const struct exact_tree_body *own = body + (i < request->count ? i : 0);
        for (int c = 0; c < 3; c++)
            w->at[c][i] = offset(&w->box, own->hi, own->lo, c);
        w->half[i] = own->half;
        half = i == 0 || own->half < half ? own->half : half;
    }
    for (int c = 0; c < 3; c++) {
        float low = w->at[c][0], high = low;
        for (uint32_t i = 1; i < request->count; i++) {
            low = w->at[c][i] < low ? w->at[c][i] : low;
            high = w->at[c][i] > high ? w->at[c][i] : high;
        }
        w->box.middle[c] = (low + high) * 0.5f;
        w->box.half[c] = (high - low) * 0.5f;
    }
    w->box.softening2 = request->mixed ? half : request->softening2;
    memset(w->by_bodies, 0, sizeof w->by_bodies);
    memset(w->by_cells, 0, sizeof w->by_cells);
    w->body_count = w->cell_count = 0;
    w->work = (struct exact_tree_work){0};
}

/* A block of sinks, from `first` on. */
struct block {
    lanes x[ACROSS], y[ACROSS], z[ACROSS], half[ACROSS];
};

INLINE struct block block_of(const struct walker *w, int first)
{
    struct block block;
    for (int k = 0; k < ACROSS; k++) {
        const int at = first + k * LANES;
        block.x[k] = load(w->at[0] + at);
        block.y[k] = load(w->at[1] + at);
        block.z[k] = load(w->at[2] + at);
        block.half[k] = load(w->half + at);
    }
    return block;
}

INLINE void add_up(double *restrict sum, const lanes *restrict part)
{
    for (int k = 0; k < ACROSS; k++)
        for (int l = 0; l < LANES; l++)
            sum[k * LANES + l] += (double)part[k][l];
}

INLINE void pull_bodies(const struct exact_tree_request *request, struct walker *w, bool mixed)
{
    for (int first = 0; first < GROUP; first += BLOCK) {
        const struct block sink = block_of(w, first);
        lanes ax[ACROSS] = {0}, ay[ACROSS] = {0}, az[ACROSS] = {0};
        for (uint32_t j = 0; j < w->body_count; j++) {
            const struct body *b = w->bodies + j;
#pragma GCC unroll 4
            for (int k = 0; k < ACROSS; k++)
                add_body(b->at[0] - sink.x[k], b->at[1] - sink.y[k], b->at[2] - sink.z[k],
                         mixed ? sink.half[k] + b->half : everywhere(request->softening2),
                         everywhere(b->mass), ax + k, ay + k, az + k);
        }
        add_up(w->by_bodies[0] + first, ax);
        add_up(w->by_bodies[1] + first, ay);
        add_up(w->by_bodies[2] + first, az);
    }
}

INLINE void pull_cells(const struct exact_tree_request *request, struct walker *w, bool mixed)
{
    for (int first = 0; first < GROUP; first += BLOCK) {
        const struct block sink = block_of(w, first);
        lanes ax[ACROSS] = {0}, ay[ACROSS] = {0}, az[ACROSS] = {0};
        for (uint32_t j = 0; j < w->cell_count; j++) {
            const struct cell *b = w->cells + j;
            number second[6];
            for (int s = 0; s < 6; s++)
                second[s] = everywhere(b->second[s]);
#pragma GCC unroll 4
            for (int k = 0; k < ACROSS; k++)
                add_cell(b->at[0] - sink.x[k], b->at[1] - sink.y[k], b->at[2] - sink.z[k],
                         mixed ? sink.half[k] + b->half : everywhere(request->softening2),
                         everywhere(b->mass), second, everywhere(b->trace), ax + k, ay + k, az + k);
        }
        add_up(w->by_cells[0] + first, ax);
        add_up(w->by_cells[1] + first, ay);
        add_up(w->by_cells[2] + first, az);
    }
}

/* A body exerts no pull on itself. */
INLINE void sum_bodies(const struct exact_tree_request *request, struct walker *w, bool mixed)
{
    for (int first = 0; first < GROUP; first += BLOCK) {
        const struct block sink = block_of(w, first);
        lanes phi[ACROSS] = {0};
        lanes_int place;
        for (int l = 0; l < LANES; l++)
            place[l] = l + first;
        for (uint32_t j = 0; j < w->body_count; j++) {
            const struct body *b = w->bodies + j;
            const uint32_t self = b->index - request->first;
            for (int k = 0; k < ACROSS; k++) {
                const lanes square =
                    square_of(b->at[0] - sink.x[k], b->at[1] - sink.y[k], b->at[2] - sink.z[k],
                              mixed ? sink.half[k] + b->half : everywhere(request->softening2));
                const lanes_int other = place != (int)self - k * LANES;
                const lanes term = (lanes)((lanes_int)inverse_root_of(square) & other);
                phi[k] = fused(everywhere(b->mass), term, phi[k]);
            }
        }
        add_up(w->by_bodies[0] + first, phi);
    }
}

INLINE void sum_cells(const struct exact_tree_request *request, struct walker *w, bool mixed)
{
    for (int first = 0; first < GROUP; first += BLOCK) {
        const struct block sink = block_of(w, first);
        lanes phi[ACROSS] = {0};
        for (uint32_t j = 0; j < w->cell_count; j++) {
            const struct cell *b = w->cells + j;
            number second[6];
            for (int s = 0; s < 6; s++)
                second[s] = everywhere(b->second[s]);
            for (int k = 0; k < ACROSS; k++)
                phi[k] +=
                    cell_potential(b->at[0] - sink.x[k], b->at[1] - sink.y[k], b->at[2] - sink.z[k],
                                   mixed ? sink.half[k] + b->half : everywhere(request->softening2),
                                   everywhere(b->mass), second, everywhere(b->trace));
        }
        add_up(w->by_cells[0] + first, phi);
    }
}

INLINE void use_bodies(const struct exact_tree_request *request, struct walker *w, bool potential)
{
    if (potential && request->mixed)
        sum_bodies(request, w, true);
    else if (potential)
        sum_bodies(request, w, false);
    else if (request->mixed)
        pull_bodies(request, w, true);
    else
        pull_bodies(request, w, false);
    w->work.pairs += w->body_count;
    w->body_count = 0;
}

INLINE void use_cells(const struct exact_tree_request *request, struct walker *w, bool potential)
{
    if (potential && request->mixed)
        sum_cells(request, w, true);
    else if (potential)
        sum_cells(request, w, false);
    else if (request->mixed)
        pull_cells(request, w, true);
    else
        pull_cells(request, w, false);
    w->work.joins += w->cell_count;
    w->cell_count = 0;
}

/* Judges which cells may stand for their bodies, wherever the group lies; results for single bodies
 * are undefined. */
INLINE void judge(const struct exact_tree_request *request, const struct walker *w,
                  const uint32_t *item, uint32_t count, int32_t verdict[BATCH])
{
    const struct exact_tree *tree = request->tree;
    const struct exact_tree_rule *rule = &request->rule;
    float at[3][BATCH], radius[BATCH], mass[BATCH], third[BATCH], fourth[BATCH], half[BATCH],
        spread[BATCH];
    for (uint32_t k = 0; k < BATCH; k++) {
        const uint32_t cell = k < count && !(item[k] & EXACT_TREE_SINGLE) ? item[k] : 0;
        const struct exact_tree_place *place = tree->place + cell;
        for (int c = 0; c < 3; c++)
            at[c][k] = offset(&w->box, place->hi, place->lo, c);
        radius[k] = place->radius;
        mass[k] = place->mass;
        third[k] = place->third;
        fourth[k] = place->fourth;
        half[k] = request->mixed ? place->half : 0;
        spread[k] = request->mixed ? place->spread : 0;
    }
    for (int k = 0; k < BATCH; k += LANES) {
        const lanes_int fit = may_stand(
            load(at[0] + k) - w->box.middle[0], load(at[1] + k) - w->box.middle[1],
            load(at[2] + k) - w->box.middle[2], w->box.half, w->box.softening2 + load(half + k),
            load(radius + k), load(mass + k), load(third + k), load(fourth + k), load(spread + k),
            rule->reach2, rule->hold, rule->heavy, rule->soft);
        memcpy(verdict + k, &fit, sizeof fit);
    }
}

INLINE void meet(const struct exact_tree_request *request, struct walker *w, uint32_t first,
                 uint32_t last, bool potential)
{
    for (uint32_t i = first; i <= last; i++) {
        const struct exact_tree_body *from = request->tree->body + i;
        struct body *body = w->bodies + w->body_count++;
        for (int c = 0; c < 3; c++)
            body->at[c] = offset(&w->box, from->hi, from->lo, c);
        body->mass = from->mass;
        body->half = from->half;
        body->index = i;
        if (w->body_count == TILE)
            use_bodies(request, w, potential);
    }
}

INLINE void join(const struct exact_tree_request *request, struct walker *w, uint32_t at,
                 bool potential)
{
    const struct exact_tree_place *place = request->tree->place + at;
    const struct exact_tree_moments *moments = request->tree->moments + at;
    struct cell *cell = w->cells + w->cell_count++;
    for (int c = 0; c < 3; c++)
        cell->at[c] = offset(&w->box, place->hi, place->lo, c);
    memcpy(cell->second, moments->second, sizeof cell->second);
    cell->mass = moments->mass;
    cell->half = moments->half;
    cell->trace = (cell->second[0] + cell->second[3] + cell->second[5]) * 0.5f;
    if (w->cell_count == TILE)
        use_cells(request, w, potential);
}

INLINE void open(struct walker *w, const struct exact_tree_span *span)
{
    w->stack[w->stack_count++] =
        span->split | (span->first == span->split ? EXACT_TREE_SINGLE : 0u);
    w->stack[w->stack_count++] =
        (span->split + 1) | (span->split + 1 == span->last ? EXACT_TREE_SINGLE : 0u);
}

INLINE void walk(const struct exact_tree_request *request, struct walker *w, bool potential)
{
    const struct exact_tree *tree = request->tree;
    const uint32_t group_first = request->first, group_last = group_first + request->count - 1;
    begin(request, w);
    w->stack_count = 1;
    w->stack[0] = tree->bodies == 1 ? EXACT_TREE_SINGLE : 0;
    while (w->stack_count > 0) {
        uint32_t item[BATCH];
        int32_t verdict[BATCH];
        const uint32_t count = w->stack_count < BATCH ? w->stack_count : BATCH;
        w->stack_count -= count;
        memcpy(item, w->stack + w->stack_count, count * sizeof *item);
        judge(request, w, item, count, verdict);
        for (uint32_t k = 0; k < count; k++) {
            const uint32_t at = item[k] & ~EXACT_TREE_SINGLE;
            if (item[k] & EXACT_TREE_SINGLE) {
                meet(request, w, at, at, potential);
                continue;
            }
            const struct exact_tree_span *span = tree->span + at;
            const bool apart = span->last < group_first || span->first > group_last;
            if (verdict[k] && apart)
                join(request, w, at, potential);
            else if (span->split == span->last)
                meet(request, w, span->first, span->last, potential);
            else if (span->split == EXACT_TREE_UNSENT)
                w->work.unsent++;
            else
                open(w, span);
        }
    }
    use_bodies(request, w, potential);
    use_cells(request, w, potential);
    w->work.pairs *= request->count;
    w->work.joins *= request->count;
}

static struct exact_tree_work accelerate(const struct exact_tree_request *request,
                                         double out[3][EXACT_TREE_GROUP])
{
    struct walker w;
    walk(request, &w, false);
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < GROUP; i++)
            out[c][i] = w.by_bodies[c][i] + w.by_cells[c][i];
    return w.work;
}

static struct exact_tree_work potential(const struct exact_tree_request *request,
                                        double out[EXACT_TREE_GROUP])
{
    struct walker w;
    walk(request, &w, true);
    for (int i = 0; i < GROUP; i++)
        out[i] = w.by_bodies[0][i] + w.by_cells[0][i];
    return w.work;
}

#define STRING_(text) #text
#define STRING(text)  STRING_(text)

const struct exact_tree_kernels OF_ISA(exact_tree) = {
    .isa = STRING(KERNEL_ISA),
    .accelerate = accelerate,
    .potential = potential,
};
