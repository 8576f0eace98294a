/* A film's length and rate changed, its story kept: as one film may be played at another speed. */
#ifndef SCENES_RETIME_H
#define SCENES_RETIME_H

#include "scenes/params.h"

#include "base/status.h"

#include <stdbool.h>

/* The pace of a scene is the simulated time that passes in a second of its film. */
struct retiming {
    struct frame_rate from; /* the rate for which steps and moments of the scene are meant;
                               output.fps may be another one by now */
    double duration;        /* seconds that the film takes; 0: what follows from the pace */
    double speed;           /* factor on the pace; 0: none is given */
    bool frames_given;      /* output.frames is the length of the new film, not of the old one */
};

/* What has become of the scene's own seconds and frames. */
struct retimed {
    char before[64], after[64]; /* of the first that was moved: "0.5 s", "0.1 s"; or "" */
};

/* Makes frames of output.fps at the new pace:
 *
 *   pace    times `speed`; or, with a duration alone, so that the film ends where it did; or as is
 *   length  output.frames if given; or the duration; or to where the film ended
 *   steps   as many per frame as keep them no longer than they were; simulation.dt is adapted
 *   moments given in seconds or frames stay with what happens then; but those that an option gives
 *           along with a duration or speed are meant for the new film, and stay as they are
 *
 * Where nothing changes, nothing is touched. STATUS_USAGE when both a duration and frames are
 * given, and for films and steps beyond what the keys may be. `out` may be NULL. */
enum status scene_retime(struct scene *scene, const struct retiming *how, struct retimed *out);

/* Shortens look.fade_in, look.fade_out and overlay.card of a film that has become shorter than the
 * `seconds` that its scene is made for and than 16 s, in proportion; a card too short to be read
 * goes. What an option gives stays. Whether something has changed. */
bool scene_shorten_fades(struct scene *scene, double seconds);

#endif
