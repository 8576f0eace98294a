/* The frames of a film's moments (scenes/value.h). Pure functions; thread-safe. */
#pragma once

#include "base/clock.h"
#include "base/cosmology.h"
#include "base/status.h"
#include "sim/frame_clock.h"
#include "sim/pilot/pilot.h"

#include <stdbool.h>

/* Whether the moment needs a pilot run; whether it needs one of the whole story. */
bool moment_happens(const struct moment *moment);
bool moment_is_late(const struct moment *moment);

struct moment_scale {
    double fps;
    uint64_t frames; /* of the film, >= 1 */
    bool loops;      /* after the last frame comes the first, which is the film's end */
    const struct frame_clock *clock;
    struct cosmology cosmology; /* for moments of redshift; hubble 0: unknown */
    double age;                 /* of the universe at frame 0 */
    const struct pilot *pilot;  /* NULL: fewer than two galaxies, or no moment that needs it */
};

/* Frames of a film that are played in a loop by themselves; 0 frames: the film has no such part. */
struct loop_range {
    uint64_t first, frames;
};

/* The frame, with a fraction; it may be outside the film, and is after it if time stands still
 * earlier. STATUS_USAGE when the event of the moment does not happen, with how often it does. */
enum status moment_frame(const struct moment *moment, const struct moment_scale *scale,
                         double *frame);

/* STATUS_USAGE when the frame is before the film or after the end of its last frame. */
enum status moment_within(double frame, const struct moment_scale *scale);
