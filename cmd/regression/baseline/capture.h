/* What a baseline keeps of a film while it is recorded: the states that the renderer draws a few
 * frames from, and pictures as the encoder gets them. Frames are chosen beforehand, so that a check
 * that follows a recording finds the same ones. */
#ifndef CMD_REGRESSION_BASELINE_CAPTURE_H
#define CMD_REGRESSION_BASELINE_CAPTURE_H

#include "cmd/regression/baseline/astray.h"
#include "cmd/regression/baseline/contents.h"
#include "cmd/regression/baseline/states.h"
#include "cmd/regression/record/hooks.h"

struct capture {
    uint32_t state_count, picture_count;
    uint64_t state_frames[BASELINE_STATES_MAX],
        picture_frames[BASELINE_PICTURES_MAX];       /* ascending */
    struct state states[BASELINE_STATES_MAX];        /* no simulations: not seen */
    struct picture *pictures[BASELINE_PICTURES_MAX]; /* NULL: not seen */
    struct astray astray;                            /* of the film, once it was read back */
};

/* Frames of a film of `frames` >= 1: a state of the first, the middle and the last one, and
 * pictures evenly between them, those of the states among them. */
void capture_choose(struct capture *out, uint64_t frames);

/* The frames that a baseline has. */
void capture_like(struct capture *out, const struct baseline *baseline);

void capture_free(struct capture *capture); /* accepts a zeroed one */

/* Lets it see a film; the hooks are {0}. */
void capture_hook(struct capture *capture, struct record_hooks *hooks);

/* The state, or picture, of a frame; NULL when none was seen. */
const struct state *capture_state(const struct capture *capture, uint64_t frame);
const struct picture *capture_picture(const struct capture *capture, uint64_t frame);

/* Puts everything that was seen into the baseline's folder, and its names into the baseline: states
 * first, then as many pictures as there is room for, spread over the film. */
enum status capture_store(const struct capture *capture, struct baseline *baseline);

#endif
