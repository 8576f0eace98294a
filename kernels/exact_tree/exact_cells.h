/* Keys, cells and their moments: double and integer arithmetic that C and CUDA compile from this
 * one text, without contraction. */
#pragma once

#include "kernels/bits.h"
#include "kernels/exact_tree/exact_layout.h"

#include <math.h>
#include <stdbool.h>

/* How an item of an array is read and written, unless the file that includes this says so. */
#ifndef EXACT_TREE_READ
#define EXACT_TREE_READ(from)      (*(from))
#define EXACT_TREE_WRITE(to, item) (*(to) = (item))
#endif

/* centre and box: of the curve's box, see sim/gravity/tree/morton.h. largest: the largest mass. */
KERNELS_INLINE struct exact_tree_frame exact_tree_frame_of(const double centre[3], double box,
                                                           double softening, double largest)
{
    struct exact_tree_frame frame;
    int softening_exponent, mass_exponent;
    (void)frexp(softening * box, &softening_exponent);
    (void)frexp(largest > 0 ? largest : 1, &mass_exponent);
    for (int c = 0; c < 3; c++)
        frame.centre[c] = centre[c] + 0.0;
    frame.box = box;
    frame.scale = ldexp(box, -(softening_exponent / 2));
    frame.mass = ldexp(1.0, -mass_exponent);
    frame.potential = frame.scale / frame.mass;
    frame.pull = frame.potential * frame.scale;
    frame.softening2 = (float)((softening * frame.scale) * (softening * frame.scale));
    frame.kind_from = frame.kind_step = frame.kind_bits = 0;
    return frame;
}

/* A body's position in the curve's box along an axis, 21 bits. Bodies outside are clamped to the
 * nearest side. */
KERNELS_INLINE uint32_t exact_tree_along(const struct exact_tree_frame *frame, double x, int axis)
{
    const double most = (1 << EXACT_TREE_KEY_LEVELS) - 1;
    const double at =
        ((x - frame->centre[axis]) * frame->box + 1) * (1 << (EXACT_TREE_KEY_LEVELS - 1));
    return at > 0 ? (uint32_t)(at < most ? at : most) : 0;
}

/* Converts positions in the box into bits of positions along a Hilbert curve (J. Skilling, AIP
 * Conf. Proc. 707, 381 (2004)), for `count` bodies at once. */
KERNELS_INLINE void exact_tree_turn(uint32_t *x, uint32_t *y, uint32_t *z, int count)
{
    int level = EXACT_TREE_KEY_LEVELS - 1;
    for (uint32_t below = (1u << level) - 1; below > 0; below >>= 1, level--)
        for (int i = 0; i < count; i++) {
            const uint32_t in_x = (0u - (x[i] >> level & 1)) & below,
                           in_y = (0u - (y[i] >> level & 1)) & below,
                           in_z = (0u - (z[i] >> level & 1)) & below;
            uint32_t first = x[i] ^ in_x, swap = (first ^ y[i]) & (below & ~in_y);
            first ^= in_y | swap;
            y[i] ^= swap;
            swap = (first ^ z[i]) & (below & ~in_z);
            x[i] = first ^ (in_z | swap);
            z[i] ^= swap;
        }
    for (int i = 0; i < count; i++) {
        y[i] ^= x[i];
        z[i] ^= y[i];
        uint32_t turn = z[i] >> 1; /* in the end each bit is the parity of those above it in z */
        for (int by = 1; by < EXACT_TREE_KEY_LEVELS; by *= 2)
            turn ^= turn >> by;
        x[i] ^= turn;
        y[i] ^= turn;
        z[i] ^= turn;
    }
}

/* Interleaves the bits of three axes into a key of 63 bits. */
KERNELS_INLINE uint64_t exact_tree_key(uint32_t x, uint32_t y, uint32_t z)
{
    return bits_spread(x) << 2 | bits_spread(y) << 1 | bits_spread(z);
}

/* The order of the bits of numbers that are not negative is the order of the numbers. */
KERNELS_INLINE uint32_t exact_tree_upper_bits(double half)
{
    uint64_t bits;
    memcpy(&bits, &half, sizeof bits);
    return (uint32_t)(bits >> 32);
}

/* Sets kinds. A cell whose bodies differ in softening may stand for them only from far away. With
 * many bodies, the keys therefore tell kinds apart below the level at which cells are 23 to 45
 * times as wide as the largest softening. Larger cells are used only from far away in any case, so
 * that they may have several kinds, and neighbours in space stay together along the curve. */
KERNELS_INLINE void exact_tree_set_kinds(struct exact_tree_frame *frame, size_t bodies, double low,
                                         double high)
{
    enum { MOST = EXACT_TREE_KEY_LEVELS - 1 };
    frame->kind_from = frame->kind_step = frame->kind_bits = 0;
    if (bodies < EXACT_TREE_KINDS_FROM || !(low >= 0 && low < high))
        return;
    int half_exponent, box_exponent;
    (void)frexp(high, &half_exponent);
    (void)frexp(frame->box, &box_exponent);
    const int level = -(half_exponent + 2 * box_exponent) / 2 - 3;
    frame->kind_bits = 3 * (uint32_t)(MOST - (level < 0 ? 0 : level < MOST ? level : MOST));
    frame->kind_from = exact_tree_upper_bits(low);
    frame->kind_step = (exact_tree_upper_bits(high) - frame->kind_from) / EXACT_TREE_KINDS + 1;
}

/* Puts the kind of a body between the levels of its key, which then has one level less. */
KERNELS_INLINE uint64_t exact_tree_kind_key(const struct exact_tree_frame *frame, uint64_t key,
                                            double half)
{
    if (frame->kind_step == 0)
        return key;
    const uint32_t kind = (exact_tree_upper_bits(half) - frame->kind_from) / frame->kind_step;
    const uint64_t below = (UINT64_C(8) << frame->kind_bits) - 1;
    return (key & ~below) | (uint64_t)kind << frame->kind_bits | (key & below) >> 3;
}

/* The key of one body. */
KERNELS_INLINE uint64_t exact_tree_key_of(const struct exact_tree_frame *frame, const double at[3],
                                          double half)
{
    uint32_t x = exact_tree_along(frame, at[0], 0), y = exact_tree_along(frame, at[1], 1),
             z = exact_tree_along(frame, at[2], 2);
    exact_tree_turn(&x, &y, &z, 1);
    return exact_tree_kind_key(frame, exact_tree_key(x, y, z), half);
}

/* A body's position along a curve within the finest cell of its key, 63 bits. */
KERNELS_INLINE uint64_t exact_tree_fine(const struct exact_tree_frame *frame, const double at[3])
{
    enum { LEVELS = EXACT_TREE_KEY_LEVELS };
    const double half = ldexp(1.0, 2 * LEVELS - 1), most = 2 * half - 1;
    uint32_t x[3];
    for (int c = 0; c < 3; c++) {
        const double place = ((at[c] - frame->centre[c]) * frame->box + 1) * half;
        const uint64_t inside = place > 0 ? (uint64_t)(place < most ? place : most) : 0;
        x[c] = (uint32_t)(inside >> (frame->kind_step > 0)) & ((1u << LEVELS) - 1);
    }
    exact_tree_turn(x, x + 1, x + 2, 1);
    return exact_tree_key(x[0], x[1], x[2]);
}

/* Whether a body comes before another one with an equal key: along the finer curve, then by number.
 * Cells are cut between places, so that bodies that are near each other relative to the finest cell
 * have small cells too. */
KERNELS_INLINE bool exact_tree_precedes(const struct exact_tree_frame *frame, const double at[3],
                                        uint32_t number, const double other_at[3],
                                        uint32_t other_number)
{
    if (at[0] != other_at[0] || at[1] != other_at[1] || at[2] != other_at[2]) {
        const uint64_t fine = exact_tree_fine(frame, at), other = exact_tree_fine(frame, other_at);
        if (fine != other)
            return fine < other;
    }
    return number < other_number;
}

KERNELS_INLINE struct exact_tree_body exact_tree_body_of(const struct exact_tree_frame *frame,
                                                         const double row[4], double half)
{
    struct exact_tree_body body;
    for (int c = 0; c < 3; c++) {
        const double at = (row[c] - frame->centre[c]) * frame->scale;
        bits_halve(at, &body.hi[c], &body.lo[c]);
    }
    body.mass = (float)(row[3] * frame->mass);
    body.half = (float)(half * frame->scale * frame->scale);
    return body;
}

/* A cell or a body, as input to a parent cell. */
struct exact_tree_part {
    double centre[3], mass, second[6], third[10], radius, half;
    float low[3], high[3], half_low, half_high;
};

KERNELS_INLINE struct exact_tree_part exact_tree_part_of_body(const struct exact_tree_body *from)
{
    const struct exact_tree_body body = EXACT_TREE_READ(from);
    struct exact_tree_part part;
    for (int c = 0; c < 3; c++) {
        part.centre[c] = (double)body.hi[c] + (double)body.lo[c];
        part.low[c] = part.high[c] = body.hi[c];
    }
    for (int k = 0; k < 6; k++)
        part.second[k] = 0;
    for (int k = 0; k < 10; k++)
        part.third[k] = 0;
    part.mass = (double)body.mass;
    part.radius = 0;
    part.half = (double)body.half;
    part.half_low = part.half_high = body.half;
    return part;
}

KERNELS_INLINE struct exact_tree_part exact_tree_part_of_cell(const struct exact_tree *tree,
                                                              uint32_t cell)
{
    const struct exact_tree_place place = EXACT_TREE_READ(tree->place + cell);
    const struct exact_tree_moments moments = EXACT_TREE_READ(tree->moments + cell);
    const struct exact_tree_box box = EXACT_TREE_READ(tree->box + cell);
    const struct exact_tree_thirds thirds = EXACT_TREE_READ(tree->thirds + cell);
    struct exact_tree_part part;
    for (int c = 0; c < 3; c++) {
        part.centre[c] = (double)place.hi[c] + (double)place.lo[c];
        part.low[c] = box.low[c];
        part.high[c] = box.high[c];
    }
    for (int k = 0; k < 6; k++)
        part.second[k] = (double)moments.second[k];
    for (int k = 0; k < 10; k++)
        part.third[k] = (double)thirds.third[k];
    part.mass = (double)moments.mass;
    part.radius = (double)place.radius;
    part.half = (double)moments.half;
    part.half_low = box.half_low;
    part.half_high = box.half_high;
    return part;
}

KERNELS_INLINE void exact_tree_widen(struct exact_tree_part *all,
                                     const struct exact_tree_part *part)
{
    for (int c = 0; c < 3; c++) {
        all->low[c] = part->low[c] < all->low[c] ? part->low[c] : all->low[c];
        all->high[c] = part->high[c] > all->high[c] ? part->high[c] : all->high[c];
    }
    all->half_low = part->half_low < all->half_low ? part->half_low : all->half_low;
    all->half_high = part->half_high > all->half_high ? part->half_high : all->half_high;
}

/* Sets the centre to the centre of mass or, for bodies without mass, to the middle. */
KERNELS_INLINE void exact_tree_settle(struct exact_tree_part *all, const double weighted[3],
                                      double weighted_half)
{
    for (int c = 0; c < 3; c++)
        all->centre[c] = all->mass > 0 ? weighted[c] / all->mass
                                       : ((double)all->low[c] + (double)all->high[c]) / 2;
    all->half = all->mass > 0 ? weighted_half / all->mass
                              : ((double)all->half_low + (double)all->half_high) / 2;
}

/* Adds the moments of a part, moved to another centre; returns the distance of its farthest
 * body. */
KERNELS_INLINE double exact_tree_shift(struct exact_tree_part *all,
                                       const struct exact_tree_part *part)
{
    const double x = part->centre[0] - all->centre[0], y = part->centre[1] - all->centre[1],
                 z = part->centre[2] - all->centre[2], m = part->mass;
    const double mx = m * x, my = m * y, mz = m * z;
    double s[6];
    for (int k = 0; k < 6; k++)
        s[k] = part->second[k] * (1.0 / 3);
    all->third[0] += part->third[0] + 3 * (x * s[0]) + mx * x * x;
    all->third[1] += part->third[1] + 2 * (x * s[1]) + y * s[0] + mx * x * y;
    all->third[2] += part->third[2] + 2 * (x * s[2]) + z * s[0] + mx * x * z;
    all->third[3] += part->third[3] + 2 * (y * s[1]) + x * s[3] + mx * y * y;
    all->third[4] += part->third[4] + x * s[4] + y * s[2] + z * s[1] + mx * y * z;
    all->third[5] += part->third[5] + 2 * (z * s[2]) + x * s[5] + mx * z * z;
    all->third[6] += part->third[6] + 3 * (y * s[3]) + my * y * y;
    all->third[7] += part->third[7] + 2 * (y * s[4]) + z * s[3] + my * y * z;
    all->third[8] += part->third[8] + 2 * (z * s[4]) + y * s[5] + my * z * z;
    all->third[9] += part->third[9] + 3 * (z * s[5]) + mz * z * z;
    all->second[0] += part->second[0] + 3 * (mx * x);
    all->second[1] += part->second[1] + 3 * (mx * y);
    all->second[2] += part->second[2] + 3 * (mx * z);
    all->second[3] += part->second[3] + 3 * (my * y);
    all->second[4] += part->second[4] + 3 * (my * z);
    all->second[5] += part->second[5] + 3 * (mz * z);
    return sqrt(x * x + y * y + z * z) + part->radius;
}

/* The magnitude of the pull of third moments at distance 1, without their traces, which exert no
 * pull. */
KERNELS_INLINE double exact_tree_third(const double t[10])
{
    const double x = t[0] + t[3] + t[5], y = t[1] + t[6] + t[8], z = t[2] + t[7] + t[9];
    const double once = t[0] * t[0] + t[6] * t[6] + t[9] * t[9];
    const double thrice =
        t[1] * t[1] + t[2] * t[2] + t[3] * t[3] + t[5] * t[5] + t[7] * t[7] + t[8] * t[8];
    const double square = once + 3 * thrice + 6 * (t[4] * t[4]) - 0.6 * (x * x + y * y + z * z);
    return square > 0 ? 4 * sqrt(square) : 0;
}

/* Estimates the fourth moments from the second moments and the radius. */
KERNELS_INLINE double exact_tree_fourth(const struct exact_tree_part *part)
{
    const double trace = (part->second[0] + part->second[3] + part->second[5]) * (1.0 / 3);
    return part->mass > 0 ? 6 * trace * part->radius * sqrt(trace / part->mass) : 0;
}

/* The distance of the farthest corner of the box, an upper bound on the distance of any body;
 * INFINITY where the box is so small that its sides, in single precision, are not known. */
KERNELS_INLINE double exact_tree_corner(const struct exact_tree_part *part)
{
    double square = 0, beside = 0;
    for (int c = 0; c < 3; c++) {
        const double below = part->centre[c] - (double)part->low[c],
                     above = (double)part->high[c] - part->centre[c];
        const double farther = below > above ? below : above;
        square += farther * farther;
        beside += part->centre[c] * part->centre[c];
    }
    return square > 0x1p-36 * beside ? sqrt(square) : INFINITY;
}

KERNELS_INLINE void exact_tree_store(const struct exact_tree *tree, uint32_t cell,
                                     const struct exact_tree_part *part)
{
    struct exact_tree_place place;
    struct exact_tree_moments moments;
    struct exact_tree_box box;
    struct exact_tree_thirds thirds;
    for (int c = 0; c < 3; c++) {
        bits_halve(part->centre[c], &place.hi[c], &place.lo[c]);
        box.low[c] = part->low[c];
        box.high[c] = part->high[c];
    }
    place.radius = (float)(part->radius * (1 + 1e-6));
    place.mass = (float)part->mass;
    place.third = (float)exact_tree_third(part->third);
    place.fourth = (float)exact_tree_fourth(part);
    place.half = (float)part->half;
    place.spread = part->half_high - part->half_low;
    for (int k = 0; k < 6; k++)
        moments.second[k] = (float)part->second[k];
    moments.mass = place.mass;
    moments.half = place.half;
    box.half_low = part->half_low;
    box.half_high = part->half_high;
    for (int k = 0; k < 10; k++)
        thirds.third[k] = (float)part->third[k];
    EXACT_TREE_WRITE(tree->place + cell, place);
    EXACT_TREE_WRITE(tree->moments + cell, moments);
    EXACT_TREE_WRITE(tree->box + cell, box);
    EXACT_TREE_WRITE(tree->thirds + cell, thirds);
}

/* Fills in a cell of at most EXACT_TREE_LEAF bodies; its span is already set. */
KERNELS_INLINE void exact_tree_fill_leaf(const struct exact_tree *tree, uint32_t cell)
{
    const uint32_t first = tree->span[cell].first, last = tree->span[cell].last;
    struct exact_tree_part all = exact_tree_part_of_body(tree->body + first);
    double weighted[3] = {0, 0, 0}, weighted_half = 0, radius = 0;
    all.mass = 0;
    for (uint32_t i = first; i <= last; i++) {
        const struct exact_tree_part part = exact_tree_part_of_body(tree->body + i);
        exact_tree_widen(&all, &part);
        all.mass += part.mass;
        for (int c = 0; c < 3; c++)
            weighted[c] += part.mass * part.centre[c];
        weighted_half += part.mass * part.half;
    }
    exact_tree_settle(&all, weighted, weighted_half);
    for (uint32_t i = first; i <= last; i++) {
        const struct exact_tree_part part = exact_tree_part_of_body(tree->body + i);
        const double away = exact_tree_shift(&all, &part);
        radius = away > radius ? away : radius;
    }
    all.radius = radius;
    exact_tree_store(tree, cell, &all);
}

/* The part on one side of a cell's cut: the body or cell `at`, with bodies first to last. */
KERNELS_INLINE struct exact_tree_part exact_tree_side(const struct exact_tree *tree, uint32_t at,
                                                      uint32_t first, uint32_t last)
{
    return first == last ? exact_tree_part_of_body(tree->body + at)
                         : exact_tree_part_of_cell(tree, at);
}

/* Fills in a cell whose span is set and whose two halves are complete. */
KERNELS_INLINE void exact_tree_fill_parent(const struct exact_tree *tree, uint32_t cell)
{
    const struct exact_tree_span span = tree->span[cell];
    const struct exact_tree_part left = exact_tree_side(tree, span.split, span.first, span.split);
    const struct exact_tree_part right =
        exact_tree_side(tree, span.split + 1, span.split + 1, span.last);
    struct exact_tree_part all = left;
    double weighted[3];
    exact_tree_widen(&all, &right);
    all.mass = left.mass + right.mass;
    for (int c = 0; c < 3; c++)
        weighted[c] = left.mass * left.centre[c] + right.mass * right.centre[c];
    exact_tree_settle(&all, weighted, left.mass * left.half + right.mass * right.half);
    for (int k = 0; k < 6; k++)
        all.second[k] = 0;
    for (int k = 0; k < 10; k++)
        all.third[k] = 0;
    const double one = exact_tree_shift(&all, &left), other = exact_tree_shift(&all, &right);
    const double farther = one > other ? one : other, corner = exact_tree_corner(&all);
    all.radius = farther < corner ? farther : corner;
    exact_tree_store(tree, cell, &all);
}

/* Statistics of accelerations and masses, as integer sums, so that the result does not depend on
 * the order. */
struct exact_tree_census {
    long long exponents,
        moving;                 /* accelerations: sum over the nonzero ones; how many are nonzero */
    long long weights, massive; /* the same of masses */
    unsigned broken;            /* whether some acceleration is not finite */
};

KERNELS_INLINE double exact_tree_size(const double a[3])
{
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/* Counts a body's acceleration. */
KERNELS_INLINE void exact_tree_count(struct exact_tree_census *census, double size)
{
    if (!(size <= 1.7e308)) {
        census->broken = 1;
    } else if (size > 0) {
        int exponent;
        (void)frexp(size, &exponent);
        census->exponents += exponent;
        census->moving++;
    }
}

/* Counts a body's mass. */
KERNELS_INLINE void exact_tree_weigh(struct exact_tree_census *census, double mass)
{
    if (mass > 0 && mass <= 1.7e308) {
        int exponent;
        (void)frexp(mass, &exponent);
        census->weights += exponent;
        census->massive++;
    }
}

KERNELS_INLINE void exact_tree_add_census(struct exact_tree_census *all,
                                          const struct exact_tree_census *part)
{
    all->exponents += part->exponents;
    all->moving += part->moving;
    all->weights += part->weights;
    all->massive += part->massive;
    all->broken |= part->broken;
}

KERNELS_INLINE bool exact_tree_knows(const struct exact_tree_census *census)
{
    return census->moving > 0 && !census->broken;
}

/* The acceleration below which errors no longer matter: `least` for most bodies. Errors of a body
 * that is heavier than `heavy` matter, because its force on the others is large: for it the floor
 * is lower in proportion. In tree units. */
struct exact_tree_floor {
    float least, heavy;
};

/* A fraction of the typical acceleration, and a multiple of the typical mass. */
KERNELS_INLINE struct exact_tree_floor exact_tree_floor_of(const struct exact_tree_census *census,
                                                           const struct exact_tree_frame *frame)
{
    const int typical = census->moving > 0 ? (int)(census->exponents / census->moving) : 0;
    const int mass = census->massive > 0 ? (int)(census->weights / census->massive) : 0;
    struct exact_tree_floor floor;
    floor.least = (float)(ldexp(1.0, typical - 10) / frame->pull);
    floor.heavy = (float)(ldexp(1.0, mass + 8) * frame->mass);
    return floor;
}

/* The acceleration, in tree units, that a body's errors are compared with. size: of its last
 * acceleration. mass: in tree units. */
KERNELS_INLINE float exact_tree_bears(double size, float mass, struct exact_tree_floor floor,
                                      const struct exact_tree_frame *frame)
{
    const float own = (float)(size / frame->pull);
    const float least = mass > floor.heavy ? floor.least * (floor.heavy / mass) : floor.least;
    return own > least ? own : least;
}

/* Derives a group's rule. bears: the smallest of its bodies. */
KERNELS_INLINE struct exact_tree_rule exact_tree_rule_of(struct exact_tree_rule rule, float bears)
{
    rule.hold = rule.hold * bears;
    rule.heavy = rule.heavy / bears;
    return rule;
}

/* The cost of a body, in units of a list with one pair. A list takes as long for few sinks as for a
 * whole group, while pairs and joins count each sink. A join, with its share of judging cells,
 * takes as long as three pairs. */
KERNELS_INLINE float exact_tree_cost(uint64_t pairs, uint64_t joins, uint32_t sinks)
{
    return ((float)pairs + 3 * (float)joins) / ((float)sinks * (float)sinks);
}
