/* How the bodies of two films part, frame by frame, and what that says: round-off, which begins
 * small and grows smoothly, or other equations, which jump. From sketches alone.
 *
 * Where nothing but round-off differs, the difference e of the positions obeys e'' = (dF/dx) e + d,
 * with d below what the forces may differ by. So its second difference over frames, beside the
 * same of the positions themselves, which is the acceleration, tells forces that are not those of
 * before at the very frame, long before bodies can be seen to move: the *force difference*. Once e
 * is large its own growth hides that; docs/regression.md has what was measured. */
#ifndef CMD_REGRESSION_JUDGE_DIVERGENCE_H
#define CMD_REGRESSION_JUDGE_DIVERGENCE_H

#include "cmd/regression/record/record.h"

enum divergence_kind {
    DIVERGENCE_NONE,      /* the same positions in every frame */
    DIVERGENCE_ROUND_OFF, /* begins small, grows no faster than gravity lets it */
    DIVERGENCE_EQUATIONS, /* other forces or steps from the first frames on */
    DIVERGENCE_JUMP,      /* the same, or round-off, before one frame, and something else there */
    DIVERGENCE_UNKNOWN,   /* a frame has no sketch, or the bodies are far apart at the start */
};

struct divergence {
    enum divergence_kind kind;
    int64_t first;   /* frame at which positions differ; -1: none */
    int64_t frame;   /* of the jump, or the first that shows other equations; -1 */
    int64_t horizon; /* from here on bodies are more than 0.1 softening apart, and only statistics
                        can be compared; -1: never */
    double force;    /* largest force difference, relative, in excess of the growth */
    double begins;   /* RMS distance in the first frame after the start, of the size */
    double excess;   /* largest force difference of a frame, of what is allowed: above 1 is no
                        round-off; NaN where it cannot be told */
    double size;     /* of the system: M^2 / |W| at the start, else RMS distance from the origin */
    bool resolved;   /* frames are short enough to follow the closest encounters: else positions
                        say nothing after the first */
    uint64_t count;  /* pairs of frames */
    const struct frame_record **before, **now; /* [count] */
    double *distance;                          /* [count] RMS */
    double *crossings; /* [count] crossing times since the start, as the baseline's bodies move */
};

/* `force`: by how much the forces of two right programs may differ, relative, RMS. Free in every
 * case. */
void divergence_measure(const struct record *before, const struct record *now, double force,
                        struct divergence *out);
void divergence_free(struct divergence *divergence);

#endif
