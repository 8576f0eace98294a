/* When things happen in a film: a scene's moments as frames, its slow motion as a clock.
 *
 * The moments of slow motion decide which frame any other falls on; seconds and frames in them
 * count as if there were no slow motion. Where a moment names what happens, or the camera frames
 * itself, there is a pilot run first (sim/pilot/pilot.h). */
#ifndef CMD_FILM_SCRIPT_SCRIPT_H
#define CMD_FILM_SCRIPT_SCRIPT_H

#include "cmd/film/script/moments.h"
#include "render/draw.h"
#include "scenes/faults.h"
#include "scenes/scene.h"
#include "sim/bodies/bodies.h"
#include "sim/frame_clock.h"

struct script {
    struct frame_clock clock;       /* slow_count 0: every frame is as long */
    double *keyframe;               /* [camera.keyframe_count] frames */
    double *move_from, *move_to;    /* [camera.move_count] frames */
    struct camera_framing *framing; /* [output.frames], of camera.frame auto; else NULL */
    struct caption_found *captions; /* [overlay.caption_count] */
    double duration;                /* simulated time of the last frame */
    double passage;                 /* seconds of the film at which the first two galaxies are
                                       nearest for the first time; < 0: not known */
    double story;                   /* what that would be without slow motion */
    uint64_t story_frames;          /* the fewest that reach it with slow motion, more than
                                       output.frames; 0: no number does, or none is missing */
};

struct script_source {
    const struct scene *scene;
    const struct bodies *bodies; /* the film's, at frame 0 */
    const char *backend;         /* of a pilot run, as for simulation_open; each finds the same */
    int device;
};

/* What is wrong with the scene's moments before anything is simulated: those that seconds, frames
 * or simulated time name and that are not in the film, and captions that end before they begin.
 * Each goes to `taker`. */
void script_faults(const struct scene *scene, const struct fault_taker *taker);

/* The same of moments that only happen, by a pilot run, for a scene without any of the faults
 * above: those that never come. Nothing is run where the scene has none. */
void script_seek_faults(const struct script_source *source, const struct fault_taker *taker);
bool script_seeks(const struct scene *scene);

/* STATUS_USAGE names the key whose moment makes no sense, and what cameras name that is not there;
 * captions may come or go after the film's end, and slow motion may be after it. */
enum status script_open(struct script *out, const struct script_source *source);
void script_close(struct script *script); /* accepts a zeroed one */

/* The frame of one more moment, within the film; after another pilot run if it needs one. */
enum status script_find(const struct script *script, const struct script_source *source,
                        const struct moment *moment, double *frame);

/* Fills what the script found into params->found. Arrays stay the script's. */
void script_direct(const struct script *script, struct renderer_params *params);

#endif
