/* Keeps what a baseline needs of a film while it is recorded: a few states from which the renderer
 * can draw frames, and pictures as the encoder gets them. The frames are chosen beforehand, so that
 * a later check keeps the same ones. */
#pragma once

#include "cmd/regression/baseline/astray.h"
#include "cmd/regression/baseline/contents.h"
#include "cmd/regression/baseline/run.h"
#include "cmd/regression/baseline/states.h"
#include "cmd/regression/record/recorder.h"

struct capture {
    uint32_t state_count, picture_count;
    uint64_t state_frames[BASELINE_STATES_MAX],
        picture_frames[BASELINE_PICTURES_MAX];       /* ascending */
    struct state states[BASELINE_STATES_MAX];        /* no simulations: not seen */
    struct picture *pictures[BASELINE_PICTURES_MAX]; /* NULL: not seen */
    struct astray astray;                            /* frames out of order, from reading back */
};

/* Chooses frames of a film with `frames` >= 1: states of the first, middle and last frame, and
 * evenly spaced pictures that include the frames of the states. */
void capture_choose(struct capture *out, uint64_t frames);

/* Chooses the frames that the baseline has. */
void capture_like(struct capture *out, const struct baseline *baseline);

void capture_free(struct capture *capture); /* accepts a zeroed one */

/* Sets the hooks through which the capture sees a film; they must be {0}. */
void capture_hook(struct capture *capture, struct record_hooks *hooks);

/* Returns the state or picture of a frame; NULL when none was seen. */
const struct state *capture_state(const struct capture *capture, uint64_t frame);
const struct picture *capture_picture(const struct capture *capture, uint64_t frame);

/* Stores what was seen in the baseline's folder and enters the names in the baseline: states first,
 * then as many pictures as there is room for, spread over the film. */
enum status capture_store(const struct capture *capture, struct baseline *baseline);

/* Encodes the stored pictures as a film of their own, in a folder of that name, and stores its
 * record as the baseline's object. */
enum status capture_encode(const struct capture *capture, const struct run_params *run,
                           const char *folder, struct baseline *out);
