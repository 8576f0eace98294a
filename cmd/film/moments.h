/* Moments of a film as people write them, and the frames that they fall on.
 *
 *     12.5         seconds of the film
 *     frame 100    counted from 0
 *     t=30         simulated time
 *     start, end   the first and the last frame
 *     pericentre, pericentre 2, apocentre, merger
 *                  of the two first galaxies, see sim/pilot/encounter.h; counted from 1
 *
 * each with + 2 or - 1.5 behind it, seconds of the film, where that is wanted. Pure; thread-safe.
 */
#ifndef CMD_FILM_MOMENTS_H
#define CMD_FILM_MOMENTS_H

#include "base/status.h"
#include "sim/frame_clock.h"
#include "sim/pilot/pilot.h"

#include <stdbool.h>

enum moment_kind {
    MOMENT_SECONDS,
    MOMENT_FRAME,
    MOMENT_TIME,
    MOMENT_START,
    MOMENT_END,
    MOMENT_PERICENTRE, /* from here on, what happens */
    MOMENT_APOCENTRE,
    MOMENT_MERGER,
};

struct moment {
    enum moment_kind kind;
    double value; /* seconds, frame or time; of a pericentre or apocentre which one, from 1 */
    double shift; /* seconds */
};

/* STATUS_USAGE with what is expected and, for a word that is nearly one of these, which. */
enum status moment_parse(const char *text, struct moment *out);

/* Whether only a pilot run tells; whether only a detailed one does. */
bool moment_happens(const struct moment *moment);
bool moment_is_late(const struct moment *moment);

struct moment_scale {
    double fps;
    uint64_t frames; /* of the film, >= 1 */
    const struct frame_clock *clock;
    const struct pilot *pilot; /* NULL: there are no two galaxies, or no moment happens */
};

/* The frame, with a fraction, that may lie outside the film. STATUS_USAGE when what is to happen
 * does not, with how often it does. */
enum status moment_frame(const struct moment *moment, const struct moment_scale *scale,
                         double *frame);

/* STATUS_USAGE when the frame is before the film or after its last one's end. */
enum status moment_within(double frame, const struct moment_scale *scale);

#endif
