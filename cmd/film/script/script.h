/* When things happen in a film: a scene's moments as frames, its slow motion as a clock.
 *
 * Slow motion affects the frame of every other moment. Its own moments in seconds and frames are
 * counted without slow motion. If a moment is an event, or the camera frames automatically or has a
 * smoothed axis, a pilot run comes first (sim/pilot/pilot.h). */
#pragma once

#include "cmd/film/script/captions.h"
#include "cmd/film/script/moments.h"
#include "render/draw.h"
#include "scenes/scene_check.h"
#include "scenes/scene.h"
#include "sim/frame_clock.h"

struct bodies;
struct run;
struct run_pilots;
struct film_watch;

struct script {
    struct frame_clock clock;           /* slow_count 0: all frames have the same duration */
    double *keyframe;                   /* [camera.keyframe_count] frames */
    double *move_from, *move_to;        /* [camera.move_count] frames */
    struct camera_framing *framing;     /* [output.frames], for camera.frame auto; else NULL */
    struct camera_axis *axes;           /* [output.frames], for camera.align_time; else NULL */
    struct found_light light;           /* as it is framed; times 0: not found */
    struct caption_found *captions;     /* [overlay.caption_count] */
    struct caption_note *caption_notes; /* [overlay.caption_count] */
    struct label_found *labels;         /* [overlay.label_count] */
    double *track;                      /* frames of all keyframes of numbers, key by key */
    struct keyed *keyed;                /* [keyed_count] the same with their values */
    size_t keyed_count;
    uint32_t caption_count, captions_moved; /* how many have times other than the scene's */
    bool counts_from_event;                 /* the clock; else it counts from the start */
    double event;                           /* simulated time of overlay.clock_from */
    double duration;                        /* simulated time of the last frame */
    double passage;        /* seconds of the film at the first two galaxies' first closest
                            * approach; < 0: unknown */
    double story;          /* the same without slow motion */
    uint64_t story_frames; /* the smallest number of frames with which slow motion still
                            * reaches it, if more than output.frames; 0: no number does, or
                            * none are missing */
};

/* What decides how the film's bodies move and which time each frame shows: the half of the scene
 * that moves, and the clock. Where two films have equal texts and the same bodies at the start, the
 * frames that both have are of the same states, however the films look. `panels`: of all of their
 * simulations, in the same order. The hash is scene_text_hash's. */
void script_motion_hash(const struct script *script, const struct scene *scene, bool panels,
                        char out[17]);

struct script_source {
    const struct scene *scene;
    const struct bodies *bodies; /* the film's, at frame 0 */
    const char *backend;         /* of a pilot run, as for simulation_open; does not affect the
                                  * result */
    int device;
    const struct run *run;          /* NULL, or may have a pilot run, see struct pilot_params */
    struct run_pilots *pilots;      /* NULL, or gets those made */
    const struct film_watch *watch; /* NULL, or the bodies that cameras follow (start/panels.h) */
};

/* Checks the scene's moments before a simulation: moments in seconds, frames or simulated time that
 * are outside the film, and captions that end before they begin. Passes each fault to `taker`. */
void script_faults(const struct scene *scene, const struct fault_taker *taker);

/* The same for moments that are events, by a pilot run, for a scene without the faults above:
 * events that do not happen. Without such moments, nothing is run; nor for those of the clock and
 * of captions' texts, whose absence is no fault. */
void script_seek_faults(const struct script_source *source, const struct fault_taker *taker);
bool script_seeks(const struct scene *scene);

/* Within `loop` (NULL: none), automatic framing ends where it begins. STATUS_USAGE names the key of
 * an invalid moment, or of a part that cameras name and that does not exist. Captions may start or
 * end after the film, and slow motion may be after it. */
enum status script_open(struct script *out, const struct script_source *source,
                        const struct loop_range *loop);
void script_close(struct script *script); /* accepts all zero */

/* Joins the frames of a script's keyframes with the scene's values. */
void script_key(struct script *script, const struct scene *scene);

/* The number of keyframes of numbers. */
size_t script_tracks(const struct scene *scene);

/* The frame of another moment, within the film; makes another pilot run if needed. */
enum status script_find(const struct script *script, const struct script_source *source,
                        const struct moment *moment, double *frame);

/* Fills what the script found into params->found. The script owns the arrays. */
void script_direct(const struct script *script, struct renderer_params *params);

/* Half of the simulated time between the two frames around the clock's event. */
double script_event_reach(const struct script *script);
