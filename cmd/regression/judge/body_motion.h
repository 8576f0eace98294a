/* Judges whether two films begin with the same bodies, and whether they moved alike: by bits on the
 * same platform, else by how far round-off may move them and, once the bodies have
 * diverged, by what chaos leaves unchanged. The functions of the rules start.* and physics.*, see
 * struct rule. */
#pragma once

#include "cmd/regression/judge/judge.h"

bool bodies_set_aside(struct walk *walk);

void start_bits(struct walk *walk, const struct rule *rule);
void start_distance(struct walk *walk, const struct rule *rule);
bool start_is_other(const struct walk *walk);

double other_time(const struct met *met);
/* Adds the findings of this rule and of those after it, for every simulation. */
void bodies_apart(struct walk *walk, const struct rule *rule);
double energy_change(const struct met *met);

/* ---- divergence ---- */

/* Measures how the bodies of two films diverge, frame by frame, from sketches alone, and classifies
 * the cause: round-off begins small and grows smoothly, changed equations jump.
 *
 * Where only round-off differs, the difference e of the positions obeys e'' = (dF/dx) e + d, with d
 * below what the forces may differ by. The second difference of e over frames, relative to the
 * second difference of the positions (the acceleration), thus reveals changed forces at the very
 * frame, long before bodies can be seen to move: the *force difference*. Once e is large, its own
 * growth hides that; docs/regression.md has the measurements. */

enum divergence_kind {
    DIVERGENCE_NONE,      /* the same positions in every frame */
    DIVERGENCE_ROUND_OFF, /* begins small, grows no faster than gravity allows */
    DIVERGENCE_EQUATIONS, /* other forces or time steps from the first frames on */
    DIVERGENCE_JUMP,      /* identical or only round-off up to one frame, then a jump */
    DIVERGENCE_UNKNOWN,   /* a frame has no sketch, or the bodies are far apart at the start */
};

struct divergence {
    enum divergence_kind kind;
    int simulation;
    int64_t first;   /* first frame at which positions differ; -1: none */
    int64_t frame;   /* frame of the jump, or first frame that shows other equations; -1: none */
    int64_t horizon; /* first frame from which bodies are more than 0.1 softening apart, so that
                      * only statistics can be compared; -1: none */
    double force;    /* largest relative force difference, beyond the growth */
    double begins;   /* RMS distance in the first frame after the start, relative to `size` */
    double excess;   /* largest force difference of a frame, relative to what is allowed: above 1 it
                      * is not round-off; NaN if unknown */
    double size;     /* of the system: M^2 / |W| at the start, else RMS distance from the origin */
    bool resolved;   /* frames are short enough to follow the closest encounters; otherwise
                      * positions after the first frame say nothing */
    uint64_t count;  /* pairs of frames */
    const struct frame_record **before, **now; /* [count] */
    double *distance;                          /* [count] RMS */
    double *crossings; /* [count] crossing times of the baseline's bodies since the start */
};

/* Compares the bodies of the simulation of that number. `force`: relative RMS difference allowed
 * between the forces of two correct programs. Free in every case. */
void divergence_measure(const struct record *before, const struct record *now, int simulation,
                        double force, struct divergence *out);
void divergence_free(struct divergence *divergence);

/* Returns the bodies of the simulation at pair i. */
const struct bodies_record *divergence_bodies(const struct divergence *divergence, uint64_t i,
                                              bool now);

/* Returns the RMS distance allowed at pair i; INFINITY where only statistics are compared. */
double bodies_allowed(const struct walk *walk, const struct divergence *divergence, uint64_t i);

/* Adds a finding for each quantity that chaos does not change, at the frame that uses most of its
 * limit. The limit is the rule's own plus what the distance of the bodies explains, which is at
 * most a multiple of the film's own drift up to now (for the half-mass radius, of 1 / sqrt(N)).
 * Returns the first frame beyond a limit; -1: none. */
int64_t bodies_statistics(struct walk *walk, const struct divergence *divergence);
