/* The frames that the moments of a film (scenes/moment.h) fall on. Pure functions; thread-safe. */
#ifndef CMD_FILM_SCRIPT_MOMENTS_H
#define CMD_FILM_SCRIPT_MOMENTS_H

#include "base/moment.h"
#include "base/status.h"
#include "sim/frame_clock.h"
#include "sim/pilot/pilot.h"

#include <stdbool.h>

/* Whether only a pilot run tells; whether only one of the whole story does. */
bool moment_happens(const struct moment *moment);
bool moment_is_late(const struct moment *moment);

struct moment_scale {
    double fps;
    uint64_t frames; /* of the film, >= 1 */
    bool loops;      /* the film's end is its first frame, after the last one */
    const struct frame_clock *clock;
    const struct pilot *pilot; /* NULL: there are no two galaxies, or no moment happens */
};

/* The frame, with a fraction; it may be outside the film, and is after it where time stands still
 * before. STATUS_USAGE when what the moment names
 * does not happen, with how often it does. */
enum status moment_frame(const struct moment *moment, const struct moment_scale *scale,
                         double *frame);

/* STATUS_USAGE when the frame is before the film or after its last one's end. */
enum status moment_within(double frame, const struct moment_scale *scale);

#endif
