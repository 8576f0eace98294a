/* A rank's stretch of the curve as C and CUDA share it: bodies, what travels between ranks, and
 * what a rank asks for (sim/ranks). */
#pragma once

#include "kernels/exact_tree/exact_layout.h"

struct share_body {
    double position[3], velocity[3], acceleration[3];
    double mass, half; /* half: eps^2 / 2, 0 unless bodies differ in softening */
    uint32_t number;   /* among all bodies */
    float cost;        /* of its last evaluation, see exact_tree_cost; 0: unknown */
};

enum { SHARE_DOUBLES = sizeof(struct share_body) / sizeof(double) };

/* A cell of another rank's stretch, as it travels. Numbers are those of the whole tree. */
struct partial_cell {
    uint32_t number, first, last;
    uint32_t split; /* as in struct exact_tree_span */
    struct exact_tree_place place;
    struct exact_tree_moments moments;
};

struct partial_body {
    uint32_t number;
    struct exact_tree_body body;
};

/* A branch of more than EXACT_TREE_LEAF bodies, as it travels to all, with split
 * EXACT_TREE_UNSENT; smaller ones travel as bodies, struct partial_body. */
struct partial_branch {
    struct partial_cell cell;
    struct exact_tree_box box;
    struct exact_tree_thirds thirds;
};

/* A box that holds the sinks of some groups, with the strictest rule of them. */
struct demand {
    double low[3], high[3]; /* of the sinks, in units of the tree */
    float softening2;       /* mixed: the smallest half of the sinks */
    float hold, heavy;      /* see struct exact_tree_rule */
    float spare;
};

/* Demands end at every DEMAND_SPAN places and at the cuts of wide cells. */
enum { DEMAND_SPAN = 256 };

/* A cell is cut behind `place`, where the keys on both sides share that many bits. */
struct top_cut {
    uint32_t place, shared;
};

/* Cuts that fall from place to place fall from at most 63 + 32 on, twice: from either border. */
enum { TOP_CUTS_MOST = 2 * (64 + 32) };

/* A body's key and its part of the cost of a rank's bodies. */
struct curve_sample {
    uint64_t key;
    double weight;
};
