/* Bodies in the order of a space-filling curve (Morton's).
 *
 * The box of the curve is a cube about the middle of the bodies whose side is a power of two; it
 * need not hold them all: bodies outside, which would make it useless for the others, are taken to
 * its nearest side. Keys only say which bodies are grouped; where a body is stays exact. */
#ifndef SIM_TREE_KEYS_H
#define SIM_TREE_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KEY_LEVELS = 21 }; /* of an octree that the keys describe, 3 bits each */

struct key_box {
    double centre[3];
    double scale; /* 1 / half the side, a power of two: (x - centre) * scale lies in [-1, 1) */
    double most;  /* along any axis nine of ten bodies are no farther from the centre */
};

/* rows: x y z m, in any order, as in kernels/rows.h in double; at least one. */
struct key_box key_box_of(size_t count, const double (*rows)[4], int threads);

/* 63 bits. */
uint64_t key_of(const struct key_box *box, const double row[4]);

/* Sorts keys with their bodies, ascending by key and then by body. spare_*: as large; true: what is
 * sorted lies in them. body[i] = i at first is not needed: it is set here. */
bool keys_sort(size_t count, uint64_t *key, uint32_t *body, uint64_t *spare_key,
               uint32_t *spare_body, int threads);

#endif
