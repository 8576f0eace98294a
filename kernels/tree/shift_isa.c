/* Moments go up the tree, from bodies to leaves to parents, and expansions down, from parents to
 * children to bodies. Compiled once per instruction set and order of expansion (TREE_ORDER). A cell
 * has at most eight children and often as few bodies, so vectors have at most eight lanes
 * (LANES_EIGHT). */
#include "kernels/tree/expansion_lanes.h"

void OF_ORDER(tree_collect)(const struct tree_bodies *bodies, struct tree_run run, float radius,
                            float *moments)
{
    const float inverse = -1 / positive(radius);
    lanes sum[TERMS], power[TERMS];
    for (size_t i = 0; i < run.count; i += LANES) {
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
