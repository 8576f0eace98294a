/* Sorts bodies along a space-filling curve (Morton's).
 *
 * The curve's box is a cube around the middle of the bodies whose side is a power of two. It need
 * not contain all bodies, because a few outliers would make it useless for the others: bodies
 * outside are projected to its nearest side. Keys only decide how bodies are grouped; positions
 * stay exact.
 *
 * If bodies differ in softening, the first level of keys is the kind of softening instead of an
 * octant, so that cells below the root have bodies of one kind. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Boxes around bodies, and distances to boxes. The distance to a box never exceeds the distance to
 * a body in it, not even by rounding, because both are rounded at the same steps. */

struct box {
    double low[3], high[3];
};

#define BOX_EMPTY ((struct box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}})

/* Extends a box to contain another, or a body at low == high. */
static inline void box_add(struct box *box, const double low[3], const double high[3])
{
    for (int a = 0; a < 3; a++) {
        box->low[a] = fmin(box->low[a], low[a]);
        box->high[a] = fmax(box->high[a], high[a]);
    }
}

static inline double box_larger(double a, double b)
{
    return a > b ? a : b;
}

/* Twice the distance outside the box along an axis, exactly, and without an unpredictable
 * branch. */
static inline double box_twice_outside(const struct box *box, const double low[3],
                                       const double high[3], int axis)
{
    const double away = box_larger(box->low[axis] - high[axis], low[axis] - box->high[axis]);
    return away + fabs(away);
}

/* The squared distance between a box and one from `low` to `high`, or a point at low == high. */
static inline double box_square(const struct box *box, const double low[3], const double high[3])
{
    const double x = box_twice_outside(box, low, high, 0), y = box_twice_outside(box, low, high, 1),
                 z = box_twice_outside(box, low, high, 2);
    return 0.25 * (x * x + y * y + z * z);
}

enum {
    KEY_LEVELS = 21, /* levels of the octree in a key, 3 bits each */
    KEY_KINDS = 8,
    KEY_SAMPLE = 2048, /* bodies on which the box depends, at most */
};

struct key_box {
    double centre[3];
    double scale; /* 1 / half the side, a power of two: (x - centre) * scale lies in [-1, 1) */
    double most;  /* contains nine tenths of the bodies, along any axis */
};

/* rows: x y z m, in any order, as in kernels/rows.h in double; at least one. */
struct key_box key_box_of(size_t count, const double (*rows)[4], int threads);

/* The same for a caller that does not have all bodies in one array. The box depends on a sample,
 * bodies 0, stride, 2 stride, ..., and on the largest distance of any body from its centre. */
struct key_sample {
    size_t count; /* at most KEY_SAMPLE */
    double at[KEY_SAMPLE][3];
};
size_t key_sample_stride(size_t bodies);
/* Sets the centre; then the rest, `farthest` being the largest key_box_away of all bodies. */
void key_box_begin(struct key_box *box, const struct key_sample *sample);
void key_box_end(struct key_box *box, const struct key_sample *sample, double farthest);
/* The distance from the centre along the axis where it is largest. */
double key_box_away(const struct key_box *box, const double at[3]);

/* Each softening is a kind; if there are more than KEY_KINDS, softenings within equal ratios are
 * one kind. */
struct key_kinds {
    int count;              /* 1: all the same */
    double from[KEY_KINDS]; /* the smallest h = eps^2 / 2 of each kind, ascending */
};

/* halves: h of each body, or NULL: one kind. */
struct key_kinds key_kinds_of(size_t count, const double *halves);

/* 63 bits. */
uint64_t key_of(const struct key_box *box, const double row[4]);

/* The same with a body's kind. */
uint64_t key_of_kind(uint64_t key, const struct key_kinds *kinds, double half);

/* Sorts keys with their bodies, ascending by key and then by body. spare_*: of the same size; true:
 * the result is in them. Initializes body[i] = i itself. */
bool keys_sort(size_t count, uint64_t *key, uint32_t *body, uint64_t *spare_key,
               uint32_t *spare_body, int threads);
