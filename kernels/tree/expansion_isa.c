/* Moments and local expansions. Compiled once per instruction set and order of expansion
 * (TREE_ORDER). */
#include "kernels/tree/tree_isa.h"
#include "kernels/tree/tree_lanes.h"

enum {
    ORDER = TREE_ORDER,
    TERMS = (ORDER + 1) * (ORDER + 2) * (ORDER + 3) / 6,
    FIRST = 4, /* first term in a row of moments; the mass and the zero dipole are not in the row */
    PADDED = (TERMS - FIRST + 15) / 16 * 16,
    WHOLE = (TERMS - FIRST + LANES - 1) / LANES * LANES, /* a row in whole vectors */
    /* The number of moment terms that act on a local expansion without its first term. */
    PULLING = ORDER * (ORDER + 1) * (ORDER + 2) / 6,
    FLATS = (ORDER + 1) * (ORDER + 1) - 1, /* flat terms without the first one */
    FOLDED = ORDER * ORDER - 4 + 1,        /* flat moments, without mass and dipole, and one more */
};

_Static_assert((int)TERMS <= (int)TREE_TERMS_MOST, "room for an expansion");

#define TREE_INLINE static inline __attribute__((always_inline, unused))
#define REAL        lanes
#define NAMED(name) all_##name
#include TREE_EXPANSION

void OF_ORDER(tree_collect)(const struct tree_bodies *bodies, struct tree_run run, float radius,
                            float *moments)
{
    const float inverse = -1 / positive(radius);
    lanes sum[TERMS], power[TERMS];
    for (size_t i = 0; i < run.count || i == 0; i += LANES) {
        size_t at = run.first + i;
        /* lanes beyond the leaf could overflow */
        const lanes_int own = first_lanes(run.count - i);
        lanes m = keep(own, load(bodies->mass + at));
        all_powers(keep(own, load(bodies->x + at)) * inverse,
                   keep(own, load(bodies->y + at)) * inverse,
                   keep(own, load(bodies->z + at)) * inverse, power);
        for (int n = FIRST; n < TERMS; n++)
            sum[n] = i == 0 ? m * power[n] : sum[n] + m * power[n];
    }
    sum_each(sum + FIRST, TERMS - FIRST, moments);
    for (int n = WHOLE; n < PADDED; n++)
        moments[n] = 0;
}

/* Lists successive places as lanes, from `first` on; lanes beyond `count` repeat the last place. */
static inline void list_lanes(size_t first, size_t count, uint32_t list[LANES])
{
    for (size_t l = 0; l < LANES; l++)
        list[l] = (uint32_t)(first + l < count ? first + l : count - 1);
}

/* Unpacks the moments of cells as lanes, together with the terms that a row leaves out. */
static inline __attribute__((always_inline)) void unpack(const float *rows, const uint32_t *list,
                                                         lanes mass, lanes all[PADDED + FIRST])
{
    all[0] = mass;
    all[1] = all[2] = all[3] = (lanes){0};
    for (int n = 0; n < PADDED; n += 16)
        transpose(rows + n, PADDED, list, all + FIRST + n);
}

static inline lanes positive_lanes(lanes radius)
{
    return choose(radius > 0, radius, radius * 0 + 1);
}

/* terms[n] *= base^|n|. */
static inline __attribute__((always_inline)) void scale_lanes(lanes base, lanes *terms)
{
    lanes factor = base;
    for (int degree = 1, n = 1; degree <= ORDER; degree++, factor *= base)
        for (int end = (degree + 1) * (degree + 2) * (degree + 3) / 6; n < end; n++)
            terms[n] *= factor;
}

/* Children as lanes: their shifts and sizes. */
struct children {
    uint32_t list[LANES];
    lanes shift[3], mass, radius;
};

static inline struct children gather(const struct tree_place *places, const float (*shift)[3],
                                     size_t first, size_t count)
{
    struct children c;
    list_lanes(first, count, c.list);
    for (int l = 0; l < LANES; l++) {
        const uint32_t k = c.list[l];
        for (int a = 0; a < 3; a++)
            c.shift[a][l] = shift[k][a];
        c.mass[l] = first + (size_t)l < count ? places[k].mass : 0;
        c.radius[l] = positive(places[k].radius);
    }
    return c;
}

void OF_ORDER(tree_raise)(const struct tree_place *children, const float *rows,
                          const float (*shift)[3], size_t count, float radius, float *moments)
{
    const float inverse = 1 / positive(radius);
    lanes sum[TERMS] = {{0}};
    for (size_t i = 0; i < count; i += LANES) {
        const struct children c = gather(children, shift, i, count);
        const lanes_int own = first_lanes(count - i);
        lanes power[TERMS], moment[PADDED + FIRST];
        unpack(rows, c.list, c.mass, moment);
        for (int n = FIRST; n < TERMS; n++)
            moment[n] = keep(own, moment[n]);
        scale_lanes(c.radius * inverse, moment);
        all_powers(c.shift[0] * -inverse, c.shift[1] * -inverse, c.shift[2] * -inverse, power);
        all_raise(power, moment, sum);
    }
    sum_each(sum + FIRST, TERMS - FIRST, moments);
    for (int n = WHOLE; n < PADDED; n++)
        moments[n] = 0;
}

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

void OF_ORDER(tree_lower)(const float *parent, float parent_radius,
                          const struct tree_place *children, const float (*shift)[3], size_t count,
                          float (*local)[TREE_TERMS_MOST])
{
    const float inverse = 1 / positive(parent_radius);
    for (size_t i = 0; i < count; i += LANES) {
        const struct children c = gather(children, shift, i, count);
        lanes power[TERMS], out[TERMS];
        all_powers(c.shift[0] * inverse, c.shift[1] * inverse, c.shift[2] * inverse, power);
        all_lower(power, parent, out);
        scale_lanes(c.radius * inverse, out);
        for (size_t l = 0; l < LANES && i + l < count; l++)
            for (int n = 0; n < TERMS; n++)
                local[i + l][n] = out[n][l];
    }
}

void OF_ORDER(tree_evaluate)(const float *local, float radius, const struct tree_bodies *bodies,
                             struct tree_run run, bool potential, float *const out[4])
{
    const float inverse = 1 / positive(radius);
    for (size_t i = 0; i < run.count; i += LANES) {
        size_t at = run.first + i;
        lanes power[TERMS], pull[3];
        all_powers(load(bodies->x + at) * inverse, load(bodies->y + at) * inverse,
                   load(bodies->z + at) * inverse, power);
        all_gradient(power, local, pull);
        for (int c = 0; c < 3; c++)
            store(out[c] + i, pull[c] * inverse);
        if (potential)
            store(out[3] + i, all_value(power, local));
    }
}

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
