/* All pairs of bodies, each evaluated once, by Newton's third law; on the CPU, for many bodies.
 *
 * The bodies are cut into blocks. First every block is summed within itself, then pairs of blocks
 * meet in rounds, each block once per round (the circle method for tournaments: one block keeps its
 * place, the others rotate), and a meeting adds to both blocks. A block's meetings follow the order
 * of the rounds, whichever thread works on them, so the number of threads never changes a bit. Only
 * the memory of the result is needed. */
#pragma once

#include "kernels/rows.h"

#include <stdbool.h>

/* With fewer bodies than this, there are too few blocks to share out. */
enum { FORCE_CPU_PAIRS_FROM = 1024 };

struct force_block {
    size_t count;
    const float (*rows)[4]; /* padded to FORCE_PAD */
    bool even;              /* all masses are the same and there is no padding */
    size_t first;           /* index of the first row among all rows */
    force_centres centres;  /* of all rows */
    double (*out)[3];
};

/* Softening and the unit of length that kernels compute in, chosen so that no power of the softened
 * distance comes near the limits of the range of float. */
struct force_units {
    float softening, scale; /* scale is a power of two */
};

struct force_pairs_kernel {
    /* Sets block->out to the accelerations that the bodies of a block give each other. */
    void (*within)(const struct force_block *block, struct force_units units);
    /* Adds to a->out the pull of b, and to b->out that of a. */
    void (*between)(const struct force_block *a, const struct force_block *b,
                    struct force_units units);
};

/* `fast` of struct force_cpu (kernels/pairs/force.h); count > 0. */
void force_pairs(const struct force_pairs_kernel *kernel, size_t count, const float (*rows)[4],
                 float softening, force_centres centres, double (*out)[3]);
