/* Changes a film's length and rate without changing its story, like playing it at another speed. */
#pragma once

#include "scenes/scene.h"

#include "base/status.h"

#include <stdbool.h>

/* The pace of a scene is the simulated time per second of its film. */
struct retiming {
    struct frame_rate from; /* the rate for which the scene's steps and moments were written;
                             * output.fps may have changed already */
    double duration;        /* length of the film in seconds; 0: follows from the pace */
    double speed;           /* factor on the pace; 0: not given */
    bool frames_given;      /* output.frames is the length of the new film, not of the old one */
};

/* How the scene's own seconds and frames have changed. */
struct retimed {
    char before[64], after[64]; /* the first moment that was moved: "0.5 s", "0.1 s"; or "" */
};

/* Makes frames of output.fps at the new pace:
 *
 *     pace    times `speed`; or, with a duration alone, so that the film ends where it did; or as
 *   is
 *     length  output.frames if given; or the duration; or up to the old film's end
 *     steps   enough per frame that they are no longer than before; simulation.dt is adapted
 *     moments given in seconds or frames keep their simulated time; but those that an option gives
 *                     together with a duration or speed refer to the new film, and stay as they are
 *
 * If nothing changes, the scene stays as it is. STATUS_USAGE when both a duration and frames are
 * given, and when the result is out of a key's range. `out` may be NULL. */
enum status scene_retime(struct scene *scene, const struct retiming *how, struct retimed *out);

/* Shortens look.fade_in, look.fade_out and overlay.card in proportion if the film is now shorter
 * than the `seconds` that its scene was made for and than 16 s; removes a card that is too short to
 * read. Values set by an option stay. Returns whether something has changed. */
bool scene_shorten_fades(struct scene *scene, double seconds);
