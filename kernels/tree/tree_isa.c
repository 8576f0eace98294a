/* Compiled once per instruction set (kernels/isa.h) and order of expansion (TREE_ORDER), and
 * with KERNEL_SPLINE once more for what differs where softening is by a spline. */
#include "kernels/tree/accuracy.h"
#include "kernels/tree/tree_isa.h"
#include "kernels/isa.h"
#include "kernels/lanes.h"
#include "kernels/spline.h"
#include "kernels/tree/turn.h"

#include <math.h>
#include <string.h>

enum {
    ORDER = TREE_ORDER,
    TERMS = (ORDER + 1) * (ORDER + 2) * (ORDER + 3) / 6,
    FIRST = 4, /* term of a row of moments, in front of which lie the mass and what is zero */
    PADDED = (TERMS - FIRST + 15) / 16 * 16,
    WHOLE = (TERMS - FIRST + LANES - 1) / LANES * LANES, /* whole vectors of a row */
    /* Terms of the moments that a local expansion without its first term is made of. */
    PULLING = ORDER * (ORDER + 1) * (ORDER + 2) / 6,
    BUFFER = 1024, /* source bodies at a time */
    ROWS = 4,      /* target bodies at a time */
};

_Static_assert((int)BUFFER % TREE_LANES == 0 && (int)TREE_LANES % LANES == 0, "whole vectors");
_Static_assert((int)TERMS <= (int)TREE_TERMS_MOST, "room for an expansion");

#define TREE_INLINE static inline __attribute__((always_inline, unused))
#define REAL        lanes
#define NAMED(name) all_##name
#include TREE_EXPANSION

#define OF_SPLINE(name) TREE_JOIN(OF_ISA(name##_spline), TREE_ORDER)
#ifdef KERNEL_SPLINE
#define OF_BOTH(name) OF_SPLINE(name)
#else
#define OF_BOTH(name) TREE_JOIN(OF_ISA(name), TREE_ORDER)
#endif

static inline lanes load(const float *from)
{
    lanes vector;
    memcpy(&vector, from, sizeof vector);
    return vector;
}

static inline void store(float *to, lanes vector)
{
    memcpy(to, &vector, sizeof vector);
}

static inline float sum_of(lanes vector)
{
#if defined(__AVX512F__)
    return _mm512_reduce_add_ps((__m512)vector);
#else
    for (int width = LANES / 2; width > 0; width /= 2)
        for (int l = 0; l < width; l++)
            vector[l] += vector[l + width];
    return vector[0];
#endif
}

/* Lane n of what comes out is the sum of from[n]. */
static inline __attribute__((always_inline)) lanes sums_of(const lanes from[LANES])
{
#if defined(__AVX512F__)
    __m512 a[8], b[4];
    for (int k = 0; k < 8; k++)
        a[k] = _mm512_add_ps(_mm512_unpacklo_ps((__m512)from[2 * k], (__m512)from[2 * k + 1]),
                             _mm512_unpackhi_ps((__m512)from[2 * k], (__m512)from[2 * k + 1]));
    for (int k = 0; k < 4; k++) {
        __m512d even = _mm512_castps_pd(a[2 * k]), odd = _mm512_castps_pd(a[2 * k + 1]);
        b[k] = _mm512_add_ps(_mm512_castpd_ps(_mm512_unpacklo_pd(even, odd)),
                             _mm512_castpd_ps(_mm512_unpackhi_pd(even, odd)));
    }
    for (int k = 0; k < 2; k++)
        a[k] = _mm512_add_ps(_mm512_shuffle_f32x4(b[2 * k], b[2 * k + 1], 0x88),
                             _mm512_shuffle_f32x4(b[2 * k], b[2 * k + 1], 0xdd));
    return (lanes)_mm512_add_ps(_mm512_shuffle_f32x4(a[0], a[1], 0x88),
                                _mm512_shuffle_f32x4(a[0], a[1], 0xdd));
#elif defined(__AVX2__)
    __m256 a[4], b[2];
    for (int k = 0; k < 4; k++)
        a[k] = _mm256_add_ps(_mm256_unpacklo_ps((__m256)from[2 * k], (__m256)from[2 * k + 1]),
                             _mm256_unpackhi_ps((__m256)from[2 * k], (__m256)from[2 * k + 1]));
    for (int k = 0; k < 2; k++)
        b[k] = _mm256_add_ps(_mm256_shuffle_ps(a[2 * k], a[2 * k + 1], 0x44),
                             _mm256_shuffle_ps(a[2 * k], a[2 * k + 1], 0xee));
    return (lanes)_mm256_add_ps(_mm256_permute2f128_ps(b[0], b[1], 0x20),
                                _mm256_permute2f128_ps(b[0], b[1], 0x31));
#else
    lanes out;
    for (int l = 0; l < LANES; l++)
        out[l] = sum_of(from[l]);
    return out;
#endif
}

/* out[n] = sum of from[n], n < count, and zeros up to a whole vector. */
static inline __attribute__((always_inline)) void sum_each(const lanes *from, int count, float *out)
{
    for (int n = 0; n < count; n += LANES) {
        lanes some[LANES];
        for (int l = 0; l < LANES; l++)
            some[l] = n + l < count ? from[n + l] : (lanes){0};
        store(out + n, sums_of(some));
    }
}

/* The first `count` lanes. */
static inline lanes_int first_lanes(size_t count)
{
    static const int all[TREE_LANES] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    lanes_int index;
    memcpy(&index, all, sizeof index);
    return index < (count < LANES ? (int)count : LANES);
}

/* Nothing in the other lanes. */
static inline lanes keep(lanes_int kept, lanes x)
{
    return (lanes)(kept & (lanes_int)x);
}

/* x^(-1/2) to single precision. */
static inline lanes inverse_root(lanes x)
{
    lanes e = lanes_rsqrt_estimate(x);
    return e * (1.5f - 0.5f * x * e * e);
}

/* condition ? yes : no */
static inline lanes choose(lanes_int condition, lanes yes, lanes no)
{
    return (lanes)((condition & (lanes_int)yes) | (~condition & (lanes_int)no));
}

static inline lanes root_of(lanes x)
{
#if defined(__AVX512F__)
    return (lanes)_mm512_sqrt_ps((__m512)x);
#elif defined(__AVX2__)
    return (lanes)_mm256_sqrt_ps((__m256)x);
#elif defined(__SSE2__)
    return (lanes)_mm_sqrt_ps((__m128)x);
#else
    for (int l = 0; l < LANES; l++)
        x[l] = sqrtf(x[l]);
    return x;
#endif
}

static inline float positive(float radius)
{
    return radius > 0 ? radius : 1;
}

#ifndef KERNEL_SPLINE

void OF_BOTH(tree_collect)(const struct tree_bodies *bodies, struct tree_run run, float radius,
                           float *moments)
{
    const float inverse = -1 / positive(radius);
    lanes sum[TERMS] = {{0}}, power[TERMS];
    for (size_t i = 0; i < run.count; i += LANES) {
        size_t at = run.first + i;
        /* what lies beyond the leaf may be far enough to overflow */
        const lanes_int own = first_lanes(run.count - i);
        lanes m = keep(own, load(bodies->mass + at));
        all_powers(keep(own, load(bodies->x + at)) * inverse,
                   keep(own, load(bodies->y + at)) * inverse,
                   keep(own, load(bodies->z + at)) * inverse, power);
        for (int n = FIRST; n < TERMS; n++)
            sum[n] += m * power[n];
    }
    sum_each(sum + FIRST, TERMS - FIRST, moments);
    for (int n = WHOLE; n < PADDED; n++)
        moments[n] = 0;
}

/* Places that follow each other, from `first` on, number by number; beyond `count` the last one. */
static inline void list_lanes(size_t first, size_t count, uint32_t list[LANES])
{
    for (size_t l = 0; l < LANES; l++)
        list[l] = (uint32_t)(first + l < count ? first + l : count - 1);
}

/* Moments of cells as lanes, with what lies in front of a row. */
static inline __attribute__((always_inline)) void unpack(const float *rows, const uint32_t *list,
                                                         lanes mass, lanes all[PADDED + FIRST])
{
    all[0] = mass;
    all[1] = all[2] = all[3] = (lanes){0};
    for (int n = 0; n < PADDED; n += 16)
        turn(rows + n, PADDED, list, all + FIRST + n);
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

/* Children as lanes: what shifts them and how large they are. */
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

void OF_BOTH(tree_raise)(const struct tree_place *children, const float *rows,
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

void OF_BOTH(tree_weigh)(const float *rows, size_t count, struct tree_place *places)
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

#endif

/* Numbers of a place. */
enum {
    HI = 0,
    LO = 3,
    RADIUS = 6,
    HOLD,
    MASS,
    POWER,
    HALF = POWER + TREE_POWERS - 2,
    SPREAD,
    LEAF
};

/* sum_k C(p,k) P_k t^k s^(p-k) without k = 1. */
static inline lanes error_of(lanes mass, const lanes power[TREE_POWERS - 2], lanes t, lanes s)
{
    static const float binomial[2][6] = {{1, 4, 6, 4, 1}, {1, 5, 10, 10, 5, 1}};
    lanes sum = mass, step = t;
    for (int k = 1; k <= ORDER; k++, step *= t) {
        sum *= s;
        if (k > 1)
            sum += binomial[ORDER - 4][k] * power[k - 2] * step;
    }
    return sum;
}

/* Appends those that are taken. */
static inline void sift(lanes_int taken, const uint32_t *from, struct tree_list *to)
{
#if defined(__AVX512F__)
    __mmask16 mask = _mm512_test_epi32_mask((__m512i)taken, (__m512i)taken);
    _mm512_storeu_si512(to->item + to->count,
                        _mm512_maskz_compress_epi32(mask, _mm512_loadu_si512(from)));
    to->count += (size_t)__builtin_popcount(mask);
#else
    for (int l = 0; l < LANES; l++) {
        to->item[to->count] = from[l];
        to->count += taken[l] != 0;
    }
#endif
}

#ifdef KERNEL_SPLINE

/* H^2 of the largest of two cells' pairs. */
static inline lanes support2_of(lanes half, lanes spread, const struct tree_place *b)
{
    const float own = b->half + b->spread;
    const lanes largest = half + spread;
    return (float)SPLINE_SUPPORT2 * choose(largest > own, largest, half * 0 + own);
}

#else

/* The least eps^2 of two cells' pairs. */
static inline lanes least_softening(lanes half, lanes spread, const struct tree_place *b)
{
    const float own = b->half > b->spread ? b->half - b->spread : 0;
    return own + choose(half > spread, half - spread, half * 0);
}

#endif

void OF_BOTH(tree_judge)(const struct tree_place *places, uint32_t sink, struct tree_rule rule,
                         size_t count, uint32_t *list, struct tree_list *const fates[TREE_FATES])
{
    const struct tree_place *b = places + sink;
    lanes own[TREE_POWERS - 2], none = {0};
    for (int k = 0; k < TREE_POWERS - 2; k++)
        own[k] = none + b->power[k];
    for (int l = 0; l < LANES; l++)
        list[count + (size_t)l] = sink;
    for (size_t i = 0; i < count; i += LANES) {
        lanes at[16];
        turn(places->hi, sizeof *places / sizeof(float), list + i, at);
        lanes dx = (b->hi[0] - at[HI]) + (b->lo[0] - at[LO]);
        lanes dy = (b->hi[1] - at[HI + 1]) + (b->lo[1] - at[LO + 1]);
        lanes dz = (b->hi[2] - at[HI + 2]) + (b->lo[2] - at[LO + 2]);
        lanes d2 = dx * dx + dy * dy + dz * dz;
#ifdef KERNEL_SPLINE
        lanes r2 = d2;
#else
        lanes eps2 = rule.mixed ? least_softening(at[HALF], at[SPREAD], b) : none + rule.softening2;
        lanes r2 = d2 + TREE_SOFTENED * eps2;
#endif
        lanes inverse = inverse_root(r2); /* no number for a cell and itself, which fails below */
        lanes wider = choose(at[RADIUS] > b->radius, at[RADIUS], none + b->radius);
        lanes t = at[RADIUS] * inverse, s = b->radius * inverse, room = 1 - (t + s);
        lanes_int good, source, valid = first_lanes(count - i);
        if (rule.opening > 0) {
            good = t + s < rule.opening;
        } else {
            lanes larger = choose(t > s, t, s);
            lanes limit = r2 * room * (t + s), factor = 8 * larger;
            good = (t + s < TREE_CLOSEST) &
                   (factor * error_of(at[MASS], at + POWER, t, s) <= limit * b->hold) &
                   (factor * error_of(none + b->mass, own, s, t) <= limit * at[HOLD]);
        }
#ifdef KERNEL_SPLINE
        good &= (room > 0) & (room * room * r2 > support2_of(at[HALF], at[SPREAD], b));
#else
        good &= 1.5f * (at[SPREAD] + b->spread) <= rule.soft * r2;
#endif
        good &= d2 > wider * wider;
        memcpy(&source, list + i, sizeof source);
        lanes_int own_leaf = none + b->leaf > 0;
        lanes_int leaves = own_leaf & (at[LEAF] > 0);
        lanes_int met = leaves & (~good | (at[LEAF] * b->leaf <= (float)TREE_FEW));
        lanes_int larger =
            (at[RADIUS] > b->radius) | ((at[RADIUS] == b->radius) & (source < (int)sink));
        lanes_int opened = ~good & ~leaves & (own_leaf | (~(at[LEAF] > 0) & larger));
        sift(valid & good & ~met, list + i, fates[TREE_JOINED]);
        sift(valid & met, list + i, fates[TREE_MET]);
        sift(valid & opened, list + i, fates[TREE_OPENED]);
        sift(valid & ~good & ~met & ~opened, list + i, fates[TREE_LEFT]);
    }
}

#ifndef KERNEL_SPLINE

void OF_BOTH(tree_approach)(const struct tree_place *places, uint32_t sink, size_t count,
                            uint32_t *list, float *const shift[3])
{
    const struct tree_place *b = places + sink;
    for (int l = 0; l < TREE_LANES; l++)
        list[count + (size_t)l] = sink;
    for (size_t i = 0; i < count; i += LANES) {
        lanes at[16];
        turn(places->hi, sizeof *places / sizeof(float), list + i, at);
        for (int c = 0; c < 3; c++)
            store(shift[c] + i, (at[HI + c] - b->hi[c]) + (at[LO + c] - b->lo[c]));
    }
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
        turn(places->hi, sizeof *places / sizeof(float), list + i, at);
        for (int n = FIRST; n < (potential ? TERMS : PULLING); n += 16)
            turn(moments + n - FIRST, PADDED, list + i, moment + n);
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
        if (i + LANES > count) /* repeated cells weigh nothing */
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

void OF_BOTH(tree_translate)(const struct tree_place *places, const float *moments, uint32_t sink,
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

void OF_BOTH(tree_lower)(const float *parent, float parent_radius,
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

void OF_BOTH(tree_evaluate)(const float *local, float radius, const struct tree_bodies *bodies,
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

#else

static inline lanes spline_root(lanes x)
{
    return inverse_root(x);
}

#define SPLINE_REAL         float
#define SPLINE_FMA(a, b, c) ((a) * (b) + (c))
#define SPLINE_CONST(x)     ((float)(x) - (lanes){0})
#include "kernels/spline_lanes.h"

#endif

struct strip {
    float x[BUFFER + TREE_LANES], y[BUFFER + TREE_LANES], z[BUFFER + TREE_LANES];
    float mass[BUFFER + TREE_LANES], half[BUFFER + TREE_LANES];
};

/* Copies `count` bodies to the end of a strip, relative to the sink's centre. */
static inline void append(struct strip *strip, size_t end, const struct tree_bodies *bodies,
                          size_t first, size_t count, const float shift[3], float zoom)
{
    for (size_t i = 0; i < count; i += LANES) {
        size_t at = first + i, to = end + i;
        store(strip->x + to, (load(bodies->x + at) + shift[0]) * zoom);
        store(strip->y + to, (load(bodies->y + at) + shift[1]) * zoom);
        store(strip->z + to, (load(bodies->z + at) + shift[2]) * zoom);
        store(strip->mass + to, load(bodies->mass + at));
        if (bodies->half)
            store(strip->half + to, load(bodies->half + at) * (zoom * zoom));
    }
}

/* What a strip gives `rows` bodies from `first` on; what each gets does not depend on the others.
 */
static inline __attribute__((always_inline)) void meet(const struct strip *strip, size_t count,
                                                       const struct tree_bodies *bodies,
                                                       size_t first, int rows, float softening2,
                                                       float zoom, bool mixed, bool potential,
                                                       float *const out[4], size_t to)
{
    float tx[ROWS], ty[ROWS], tz[ROWS], th[ROWS];
    lanes ax[ROWS], ay[ROWS], az[ROWS], phi[ROWS];
#pragma GCC unroll 4
    for (int k = 0; k < rows; k++) {
        const size_t at = first + (size_t)k;
        tx[k] = bodies->x[at] * zoom;
        ty[k] = bodies->y[at] * zoom;
        tz[k] = bodies->z[at] * zoom;
        th[k] = mixed ? bodies->half[at] * (zoom * zoom) : softening2;
        ax[k] = ay[k] = az[k] = phi[k] = (lanes){0};
    }
    for (size_t j = 0; j < count; j += LANES) {
        lanes x = load(strip->x + j), y = load(strip->y + j), z = load(strip->z + j);
        lanes m = load(strip->mass + j);
        lanes h = mixed ? load(strip->half + j) : m;
#pragma GCC unroll 4
        for (int k = 0; k < rows; k++) {
            lanes dx = x - tx[k], dy = y - ty[k], dz = z - tz[k];
#ifdef KERNEL_SPLINE
            lanes half = spline_larger(h, m * 0 + th[k]), r2 = dx * dx;
#else
            lanes r2 = dx * dx + (mixed ? h + th[k] : m * 0 + th[k]);
#endif
            r2 += dy * dy;
            r2 += dz * dz;
            lanes e = lanes_rsqrt_estimate(r2), e2 = e * e, defect = r2 * e2;
            if (potential) {
#ifdef KERNEL_SPLINE
                phi[k] += m * spline_phi(r2, half, e * (1.5f - 0.5f * defect));
#else
                phi[k] += m * e * (1.5f - 0.5f * defect);
#endif
            } else {
#ifdef KERNEL_SPLINE
                lanes pull = m * spline_pull(r2, half, (5.0f / 3 - defect) * (e * e2), 2.0f / 3);
#else
                lanes pull = (5.0f / 3 - defect) * (e * e2) * m;
#endif
                ax[k] += pull * dx;
                ay[k] += pull * dy;
                az[k] += pull * dz;
            }
        }
    }
#pragma GCC unroll 4
    for (int k = 0; k < rows; k++)
        if (potential) {
            out[3][to + (size_t)k] += sum_of(phi[k]) * zoom;
        } else {
            const float factor = 1.5f * zoom * zoom;
            out[0][to + (size_t)k] += sum_of(ax[k]) * factor;
            out[1][to + (size_t)k] += sum_of(ay[k]) * factor;
            out[2][to + (size_t)k] += sum_of(az[k]) * factor;
        }
}

static inline __attribute__((always_inline)) void meet_all(const struct strip *strip, size_t count,
                                                           const struct tree_bodies *bodies,
                                                           struct tree_run sink, float softening2,
                                                           float zoom, bool mixed, bool potential,
                                                           float *const out[4])
{
#define MEET(rows)                                                                                 \
    meet(strip, count, bodies, sink.first + i, rows, softening2, zoom, mixed, potential, out, i)
    size_t i = 0;
    for (; i + ROWS <= sink.count; i += ROWS)
        MEET(ROWS);
    switch (sink.count - i) {
    case 3:
        MEET(3);
        break;
    case 2:
        MEET(2);
        break;
    case 1:
        MEET(1);
        break;
    default:
        break;
    }
#undef MEET
}

static void meet_any(const struct strip *strip, size_t count, const struct tree_bodies *bodies,
                     struct tree_run sink, float softening2, float zoom, bool potential,
                     float *const out[4])
{
    if (bodies->half && potential)
        meet_all(strip, count, bodies, sink, softening2, zoom, true, true, out);
    else if (bodies->half)
        meet_all(strip, count, bodies, sink, softening2, zoom, true, false, out);
    else if (potential)
        meet_all(strip, count, bodies, sink, softening2, zoom, false, true, out);
    else
        meet_all(strip, count, bodies, sink, softening2, zoom, false, false, out);
}

void OF_BOTH(tree_pull)(const struct tree_bodies *bodies, struct tree_run sink, size_t runs,
                        const struct tree_run *run, const float *const shift[3], float softening2,
                        float zoom, bool potential, float *const out[4])
{
    struct strip strip;
    const float zoomed = softening2 * zoom * zoom;
    size_t end = 0;
    for (size_t r = 0; r < runs; r++) {
        const float away[3] = {shift[0][r], shift[1][r], shift[2][r]};
        for (size_t done = 0; done < run[r].count;) {
            size_t left = run[r].count - done, space = BUFFER - end;
            size_t part = left < space ? left : space;
            append(&strip, end, bodies, run[r].first + done, part, away, zoom);
            done += part;
            end += part;
            if (end == BUFFER) {
                meet_any(&strip, end, bodies, sink, zoomed, zoom, potential, out);
                end = 0;
            }
        }
    }
    if (end == 0)
        return;
    for (size_t j = end; j < end + LANES; j++) { /* the rest of a vector has no mass */
        strip.x[j] = strip.x[end - 1];
        strip.y[j] = strip.y[end - 1];
        strip.z[j] = strip.z[end - 1];
        strip.half[j] = bodies->half ? strip.half[end - 1] : 0;
        strip.mass[j] = 0;
    }
    meet_any(&strip, end, bodies, sink, zoomed, zoom, potential, out);
}

#ifndef KERNEL_SPLINE

extern tree_judge OF_SPLINE(tree_judge);
extern tree_pull OF_SPLINE(tree_pull);

const struct tree_kernels OF_BOTH(tree_kernels) = {
    .isa = TREE_STRING(KERNEL_ISA),
    .order = ORDER,
    .row = PADDED,
    .collect = OF_BOTH(tree_collect),
    .raise = OF_BOTH(tree_raise),
    .weigh = OF_BOTH(tree_weigh),
    .judge = OF_BOTH(tree_judge),
    .judge_spline = OF_SPLINE(tree_judge),
    .approach = OF_BOTH(tree_approach),
    .translate = OF_BOTH(tree_translate),
    .lower = OF_BOTH(tree_lower),
    .evaluate = OF_BOTH(tree_evaluate),
    .pull = OF_BOTH(tree_pull),
    .pull_spline = OF_SPLINE(tree_pull),
};

#endif
