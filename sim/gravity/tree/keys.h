/* Bodies in the order of a space-filling curve (Morton's).
 *
 * The box of the curve is a cube about the middle of the bodies whose side is a power of two; it
 * need not hold them all: bodies outside, which would make it useless for the others, are taken to
 * its nearest side. Keys only say which bodies are grouped; where a body is stays exact.
 *
 * Where bodies differ in softening the first level of keys is its kind instead of a place, so that
 * cells below the root have bodies of one kind. */
#ifndef SIM_GRAVITY_TREE_KEYS_H
#define SIM_GRAVITY_TREE_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    KEY_LEVELS = 21, /* of an octree that the keys describe, 3 bits each */
    KEY_KINDS = 8,
};

struct key_box {
    double centre[3];
    double scale; /* 1 / half the side, a power of two: (x - centre) * scale lies in [-1, 1) */
    double most;  /* along any axis nine of ten bodies are no farther from the centre */
};

/* rows: x y z m, in any order, as in kernels/rows.h in double; at least one. */
struct key_box key_box_of(size_t count, const double (*rows)[4], int threads);

/* Each softening is a kind; where there are more than KEY_KINDS of them, those within equal ratios
 * are. */
struct key_kinds {
    int count;              /* 1: nothing to tell apart */
    double from[KEY_KINDS]; /* the least h = eps^2 / 2 of each kind, ascending */
};

/* halves: h of each body, or NULL: of one kind. */
struct key_kinds key_kinds_of(size_t count, const double *halves);

/* 63 bits. */
uint64_t key_of(const struct key_box *box, const double row[4]);

/* The same with a body's kind. */
uint64_t key_of_kind(uint64_t key, const struct key_kinds *kinds, double half);

/* Sorts keys with their bodies, ascending by key and then by body. spare_*: as large; true: what is
 * sorted lies in them. body[i] = i at first is not needed: it is set here. */
bool keys_sort(size_t count, uint64_t *key, uint32_t *body, uint64_t *spare_key,
               uint32_t *spare_body, int threads);

#endif
