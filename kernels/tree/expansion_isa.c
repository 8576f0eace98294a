/* Cells as sources of expansions: powers and flat moments of many at a time, and their joins with
 * a sink. Compiled once per instruction set and order of expansion (TREE_ORDER). */
#include "kernels/tree/expansion_lanes.h"

void OF_ORDER(tree_weigh)(const float *rows, size_t count, struct tree_place *places)
{
    for (size_t i = 0; i < count; i += LANES) {
        uint32_t list[LANES];
        lanes mass, all[PADDED + FIRST], squares[TREE_POWERS] = {{0}};
        list_lanes(i, count, list);
        for (int l = 0; l < LANES; l++)
            mass[l] = places[list[l]].mass;
        unpack(rows, list, mass, all);
        all_squares(all, squares);
        for (int degree = 2; degree < TREE_POWERS; degree++) {
            lanes root = root_of(choose(squares[degree] > 0, squares[degree], mass * 0));
            for (size_t l = 0; l < LANES && i + l < count; l++)
                places[i + l].power[degree - 2] = root[l];
        }
    }
}

static inline lanes positive_lanes(lanes radius)
{
    return choose(radius > 0, radius, radius * 0 + 1);
}

/* The numbers of a source as lanes. */
enum {
    SOURCE_RADIUS = 6,
    SOURCE_HALF,
    SOURCE_MASS,
    SOURCE = sizeof(struct tree_source) / sizeof(float)
};

void OF_ORDER(tree_fold)(const float *rows, size_t count, const struct tree_place *places,
                         struct tree_source *sources)
{
    for (size_t i = 0; i < count; i += LANES) {
        uint32_t list[LANES];
        lanes all[PADDED + FIRST], folded[23];
        list_lanes(i, count, list);
        unpack(rows, list, (lanes){0}, all);
        all_fold(all, folded);
        for (size_t l = 0; l < LANES && i + l < count; l++) {
            const struct tree_place *place = places + i + l;
            struct tree_source *source = sources + i + l;
            memcpy(source->hi, place->hi, sizeof source->hi);
            memcpy(source->lo, place->lo, sizeof source->lo);
            source->radius = place->radius;
            source->half = place->half;
            source->mass = place->mass;
            for (int n = 0; n < FOLDED; n++)
                source->moment[n] = folded[n][l];
        }
    }
}

void OF_ORDER(tree_translate_flat)(const struct tree_source *sources, const struct tree_place *sink,
                                   size_t count, uint32_t *list, float softening2, bool mixed,
                                   float *local)
{
    if (count == 0)
        return;
    const float radius = positive(sink->radius);
    lanes sum[FLATS + 4] = {{0}};
    for (int l = 0; l < LANES; l++)
        list[count + (size_t)l] = list[count - 1];
    for (size_t i = 0; i < count; i += LANES) {
        lanes from[SOURCE], *moment = from + SOURCE_MASS, d[TERMS], e[4], power[ORDER + 1];
        for (size_t l = i + LANES; l < i + 2 * LANES && l < count; l++) {
            __builtin_prefetch(sources + list[l]);
            __builtin_prefetch((const char *)(sources + list[l]) + 64);
        }
        transpose(sources->hi, SOURCE, list + i, from);
        transpose(sources->hi + 16, SOURCE, list + i, from + 16);
        lanes dx = (sink->hi[0] - from[HI]) + (sink->lo[0] - from[LO]);
        lanes dy = (sink->hi[1] - from[HI + 1]) + (sink->lo[1] - from[LO + 1]);
        lanes dz = (sink->hi[2] - from[HI + 2]) + (sink->lo[2] - from[LO + 2]);
        lanes eps2 = mixed ? from[SOURCE_HALF] + sink->half : from[SOURCE_HALF] * 0 + softening2;
        lanes inverse = inverse_root(eps2 + dx * dx + dy * dy + dz * dz);
        lanes t = positive_lanes(from[SOURCE_RADIUS]) * inverse;
        lanes s = radius * inverse;
        lanes factor = t * t;
        moment[FOLDED] *= factor;
        for (int degree = 2, n = 1; degree < ORDER; degree++, factor *= t)
            for (int end = n + 2 * degree + 1; n < end; n++)
                moment[n] *= factor;
        power[0] = inverse;
        for (int degree = 1; degree <= ORDER; degree++)
            power[degree] = power[degree - 1] * s;
        if (i + LANES > count) /* repeated cells have no mass */
            for (int degree = 0; degree <= ORDER; degree++)
                power[degree] = keep(first_lanes(count - i), power[degree]);
        all_flat_derivatives(dx * inverse, dy * inverse, dz * inverse, eps2 * inverse * inverse, d,
                             e);
        all_flat_translate(moment, d, e, power, sum);
    }
    float total[(FLATS + 4 + LANES - 1) / LANES * LANES];
    sum_each(sum, FLATS + 4, total);
    all_unfold(total, local);
}

static inline __attribute__((always_inline)) void
translate(const struct tree_place *places, const float *moments, uint32_t sink, size_t count,
          uint32_t *list, float softening2, bool mixed, bool potential, float *local)
{
    const struct tree_place *b = places + sink;
    const float radius = positive(b->radius);
    lanes sum[TERMS] = {{0}};
    for (int l = 0; l < LANES; l++)
        list[count + (size_t)l] = list[count - 1];
    for (size_t i = 0; i < count; i += LANES) {
        lanes at[16], moment[PADDED + FIRST], d[TERMS], power[ORDER + 1];
        for (size_t l = i + LANES; l < i + 2 * LANES && l < count; l++)
            for (int n = 0; n < (potential ? TERMS : PULLING) - FIRST; n += 16)
                __builtin_prefetch(moments + (size_t)list[l] * PADDED + n);
        transpose(places->hi, sizeof *places / sizeof(float), list + i, at);
        for (int n = FIRST; n < (potential ? TERMS : PULLING); n += 16)
            transpose(moments + n - FIRST, PADDED, list + i, moment + n);
        moment[0] = at[MASS];
        lanes dx = (b->hi[0] - at[HI]) + (b->lo[0] - at[LO]);
        lanes dy = (b->hi[1] - at[HI + 1]) + (b->lo[1] - at[LO + 1]);
        lanes dz = (b->hi[2] - at[HI + 2]) + (b->lo[2] - at[LO + 2]);
        lanes eps2 = mixed ? at[HALF] + b->half : at[HALF] * 0 + softening2;
        lanes inverse = inverse_root(eps2 + dx * dx + dy * dy + dz * dz);
        lanes t = positive_lanes(at[RADIUS]) * inverse;
        lanes s = radius * inverse;
        lanes factor = t * t;
        for (int degree = 2, n = FIRST; degree <= ORDER; degree++, factor *= t) {
            int end = (degree + 1) * (degree + 2) * (degree + 3) / 6;
            for (; n < end; n++)
                if (potential || n < PULLING)
                    moment[n] *= factor;
        }
        power[0] = inverse;
        for (int degree = 1; degree <= ORDER; degree++)
            power[degree] = power[degree - 1] * s;
        if (i + LANES > count) /* repeated cells have no mass */
            for (int degree = 0; degree <= ORDER; degree++)
                power[degree] = keep(first_lanes(count - i), power[degree]);
        all_derivatives(dx * inverse, dy * inverse, dz * inverse, d);
        if (potential)
            all_translate_all(moment, d, power, sum);
        else
            all_translate(moment, d, power, sum);
    }
    float total[(TERMS + LANES - 1) / LANES * LANES];
    sum_each(sum, TERMS, total);
    for (int n = 0; n < TERMS; n++)
        local[n] += total[n];
}

void OF_ORDER(tree_translate)(const struct tree_place *places, const float *moments, uint32_t sink,
                              size_t count, uint32_t *list, float softening2, bool mixed,
                              bool potential, float *local)
{
    if (count == 0)
        return;
    if (potential)
        translate(places, moments, sink, count, list, softening2, mixed, true, local);
    else
        translate(places, moments, sink, count, list, softening2, mixed, false, local);
}

void OF_ORDER(tree_collect)(const struct tree_bodies *bodies, struct tree_run run, float radius,
                            float *moments);
void OF_ORDER(tree_raise)(const struct tree_place *children, const float *rows,
                          const float (*shift)[3], size_t count, float radius, float *moments);
void OF_ORDER(tree_lower)(const float *parent, float parent_radius,
                          const struct tree_place *children, const float (*shift)[3], size_t count,
                          float (*local)[TREE_TERMS_MOST]);
void OF_ORDER(tree_evaluate)(const float *local, float radius, const struct tree_bodies *bodies,
                             struct tree_run run, bool potential, float *const out[4]);
double OF_ISA(tree_centre)(const double (*rows)[4], size_t count, const struct tree_frame *frame,
                           double centre[3], double *radius2, float *const column[4]);
double OF_ISA(tree_reach)(const double (*rows)[4], size_t count, const struct tree_frame *frame,
                          const double centre[3]);
extern tree_judge OF_ORDER(tree_judge), OF_ORDER(tree_judge_spline);
extern tree_pull OF_ISA(tree_pull), OF_ISA(tree_pull_spline);
extern tree_approach OF_ISA(tree_approach);

const struct tree_kernels OF_ORDER(tree_kernels) = {
    .isa = TREE_STRING(KERNEL_ISA),
    .order = ORDER,
    .row = PADDED,
    .centre = OF_ISA(tree_centre),
    .reach = OF_ISA(tree_reach),
    .collect = OF_ORDER(tree_collect),
    .raise = OF_ORDER(tree_raise),
    .weigh = OF_ORDER(tree_weigh),
    .fold = OF_ORDER(tree_fold),
    .judge = OF_ORDER(tree_judge),
    .judge_spline = OF_ORDER(tree_judge_spline),
    .translate = OF_ORDER(tree_translate),
    .translate_flat = OF_ORDER(tree_translate_flat),
    .lower = OF_ORDER(tree_lower),
    .evaluate = OF_ORDER(tree_evaluate),
    .approach = OF_ISA(tree_approach),
    .pull = OF_ISA(tree_pull),
    .pull_spline = OF_ISA(tree_pull_spline),
};
