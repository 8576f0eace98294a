/* Which frame of one film is which of another: the cheapest way through both, in which a frame may
 * lack a partner on either side and neighbours may be swapped (as D. Sankoff and J. Kruskal, "Time
 * Warps, String Edits, and Macromolecules", 1983, but within a few frames of the diagonal).
 *
 * What a missing partner costs follows from the film itself: twice how much neighbouring frames
 * differ, and twice how much frames differ from their partners anyway, so that neither a film that
 * hardly moves nor the noise of an encoder is taken for a dropped frame. */
#ifndef RENDER_COMPARE_ALIGN_H
#define RENDER_COMPARE_ALIGN_H

#include "render/compare/sketch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ALIGN_REACH = 8 }; /* frames that the films may be apart */

enum align_kind {
    ALIGN_PAIR,
    ALIGN_DROPPED,  /* A's frame has no partner; b is that before which it is missing */
    ALIGN_ADDED,    /* B's frame has no partner; a likewise */
    ALIGN_REPEATED, /* a pair, but one film shows the frame before once more */
    ALIGN_AGAIN,    /* an added frame of B that is its frame before once more */
    ALIGN_SWAPPED,  /* a pair, and a neighbouring one the other way round */
};

struct align_step {
    enum align_kind kind;
    uint64_t a, b; /* counted from 0 */
    bool of_a;     /* ALIGN_REPEATED: A repeats, else B */
};

struct aligner;

/* Memory: some bytes per frame, and a few sketches. */
struct aligner *align_open(uint64_t frames_a, uint64_t frames_b);
void align_close(struct aligner **aligner); /* accepts a pointer to NULL */

/* The next frame of a side, 0 or 1: sketches of both come in order, and neither side may be more
 * than a frame ahead while both last. */
void align_add(struct aligner *aligner, int side, const struct sketch *sketch);

/* After all frames: the steps in order, the caller's to free. Every frame of both is in one of
 * them.
 */
struct align_step *align_end(struct aligner *aligner, size_t *count);

/* Whether all steps are pairs of the same number. */
bool align_is_plain(const struct align_step *steps, size_t count);

#endif
