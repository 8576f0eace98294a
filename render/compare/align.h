/* Finds which frame of one film corresponds to which of another: the cheapest path through both, in
 * which a frame may lack a partner on either side and neighbours may be swapped (D. Sankoff and J.
 * Kruskal, "Time Warps, String Edits, and Macromolecules", 1983, restricted to a few frames around
 * the diagonal).
 *
 * The cost of a missing partner follows from the films: twice the usual difference of neighbouring
 * frames plus twice the usual difference of partners. A film that hardly moves, or an encoder's
 * noise, is therefore not taken for a dropped frame. */
#pragma once

#include "render/compare/sketch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ALIGN_WINDOW = 8 }; /* how many frames the films may be apart */

enum align_kind {
    ALIGN_PAIR,
    ALIGN_DROPPED,  /* A's frame has no partner; it is missing before B's frame b */
    ALIGN_ADDED,    /* B's frame has no partner; it is missing before A's frame a */
    ALIGN_REPEATED, /* a pair, but one film repeats its preceding frame */
    ALIGN_AGAIN,    /* an added frame of B that repeats one of its neighbours */
    ALIGN_SWAPPED,  /* a pair that is exchanged with a neighbouring pair */
};

struct align_step {
    enum align_kind kind;
    uint64_t a, b; /* counted from 0 */
    bool of_a;     /* ALIGN_REPEATED: A repeats, not B */
    bool next;     /* ALIGN_AGAIN: repeats the frame after it, not the one before */
};

struct aligner;

/* Memory: a few bytes per frame, and some sketches. */
struct aligner *align_open(uint64_t frames_a, uint64_t frames_b);
void align_close(struct aligner **aligner); /* accepts a pointer to NULL */

/* Adds the next frame of a film, 0 or 1. Frames come in order, and neither film may be more than a
 * frame ahead of the other while both last. */
void align_add(struct aligner *aligner, int side, const struct sketch *sketch);

/* Called after all frames: the steps in order, for the caller to free. Every frame of both films is
 * in exactly one step. */
struct align_step *align_end(struct aligner *aligner, size_t *count);

/* Called after all frames: how many times farther a frame of A usually is from the one before than
 * from its partner. Where it is about 1 or less, neighbours could be exchanged unnoticed. INFINITY:
 * partners are equal, or there are none. */
double align_certainty(const struct aligner *aligner);

/* Whether all steps are pairs of the same number. */
bool align_is_plain(const struct align_step *steps, size_t count);
