/* Values found before a film is drawn, from its bodies at the start or from the pilot run, in
 * addition to what its scene says (params.h). Plain values; arrays belong to whoever filled
 * them. */
#pragma once

#include "base/cosmology.h"
#include "render/params.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* camera.frame auto at one frame: the distance from the target, and the shift of eye and target to
 * the picture's right and up, in the scene's unit. */
struct camera_framing {
    double distance, shift[2];
};

/* The direction that is up for the camera in a frame, of length 1. */
struct camera_axis {
    double up[3];
};

/* A number of camera, look or overlay with keyframes, see camera/keyed.h. */
enum keyed_part { KEYED_CAMERA, KEYED_LOOK, KEYED_OVERLAY };

struct keyed_point {
    double frame, value; /* in ascending order of frames */
    const struct ease *ease;
};

struct keyed {
    enum keyed_part part;
    size_t offset;                    /* of the double in struct camera_params ... */
    uint32_t count;                   /* > 0 */
    const struct keyed_point *points; /* [count] */
};

/* The camera's moments as frames of the film, and its distance from the target. */
struct camera_found {
    double stretch; /* height / width of a picture in portrait format, whose width spans camera.fov;
                     * 0: the height spans camera.fov */
    double distance;                      /* used where camera.distance is 0; > 0 */
    const struct camera_framing *framing; /* [frames]; NULL: `distance` above, and no shift */
    const struct camera_axis *axes;    /* [frames], of camera.align_time; NULL: that of each view */
    const double *keyframe;            /* [keyframe_count], ascending */
    const double *move_from, *move_to; /* [move_count] */
    /* [keyed_count] of all parts; outlives the renderer and cameras */
    const struct keyed *keyed;
    size_t keyed_count;
};

/* The scales of colours and sizes, shared by all panels so that they can be compared. A row is a
 * member of struct look_found and of the film's plan:
 *
 *     ROW(MEMBER, UNIFORM, FULL)
 *
 * UNIFORM is the name under which shaders/colours.glsl reads the full value, "" for none; FULL is
 * the full value, given `look` or found. Scales that nothing in the film uses may be 0. */
#define LOOK_FOUND(ROW)                                                                            \
    /* the speed with full colour where look.speed is 0; > 0 */                                    \
    ROW(speed, "speed", look->speed > 0 ? look->speed : found->speed)                              \
    /* the acceleration with full colour where look.acceleration is 0; > 0 */                      \
    ROW(acceleration, "strongest",                                                                 \
        look->acceleration > 0 ? look->acceleration : found->acceleration)                         \
    /* bodies in the fullest cell of the mode activity */                                          \
    ROW(fullest, "", found->fullest > 2 ? found->fullest : 2)                                      \
    /* bodies around the densest place, as counted by the colour density */                        \
    ROW(densest, "densest", found->densest > 2 ? found->densest : 2)                               \
    /* values of look.quantity at the ends of look.map */                                          \
    ROW(quantity_from, "", found->quantity_from)                                                   \
    ROW(quantity_to, "", found->quantity_to)                                                       \
    /* the difference with full colour; larger ones look the same */                               \
    ROW(extent, "extent", found->extent)                                                           \
    /* approximate spacing of the drawn bodies, the unit of length in which their light is         \
     * measured; 0: 1 */                                                                           \
    ROW(spacing, "lone", found->spacing > 0 ? found->spacing : 1)                                  \
    /* mean mass of the drawn bodies; 0: they have no mass */                                      \
    ROW(mean_mass, "", found->mean_mass)                                                           \
    /* The brightness below which 99.9, 50 and 1 percent of all light lie, over the whole film,    \
     * relative to frame 0; 0: not measured, taken to be the same as in frame 0. */                \
    ROW(brightest, "", found->brightest)                                                           \
    ROW(middle, "", found->middle)                                                                 \
    ROW(faintest, "", found->faintest)

struct look_found {
#define ROW(member, uniform, full) double member;
    LOOK_FOUND(ROW)
#undef ROW
};

/* The full values: look_full_speed(look, found), ... */
#define ROW(member, uniform, full)                                                                 \
    static inline double look_full_##member(const struct look_params *look,                        \
                                            const struct look_found *found)                        \
    {                                                                                              \
        (void)look;                                                                                \
        return full;                                                                               \
    }
LOOK_FOUND(ROW)
#undef ROW

struct caption_found {
    double begins, ends; /* seconds of the film; equal: it is left out */
    char *text;          /* NULL: as in the scene */
};

/* When a label is shown, in seconds of the film. */
struct label_found {
    double begins, ends;
};

/* The bodies' light at some frames of the film, in ascending order: its share in each cell of a
 * grid over the picture or, of a picture of the whole sphere, over the part that the overlay takes.
 */
enum { FOUND_LIGHT_TIMES = 42, FOUND_LIGHT_SIDE = 24, FOUND_LIGHT_ALL = 65535 };

struct found_light {
    int times; /* 0: not measured */
    double frame[FOUND_LIGHT_TIMES];
    uint16_t cell[FOUND_LIGHT_TIMES][FOUND_LIGHT_SIDE][FOUND_LIGHT_SIDE]; /* rows from the top */
};

/* Adds the light of one more frame: that of each cell, and of all bodies, in the same unit. Does
 * nothing where all is dark, or for more than FOUND_LIGHT_TIMES frames. */
void found_light_add(struct found_light *seen, double frame,
                     double cell[FOUND_LIGHT_SIDE][FOUND_LIGHT_SIDE], double everywhere);

/* The universe of the bodies, as far as the film needs it. */
struct universe_found {
    struct cosmology cosmology; /* in the scene's unit of time; all zero: none */
    double age;                 /* at frame 0 */
    bool comoving;              /* bodies are in a comoving frame */
    /* The periodic box at frame 0, and what its bodies occupy, along each axis; 0: not periodic. In
     * an expanding universe the box grows around its centre, unless the frame is comoving. */
    double edge[3], low[3], high[3];
};

struct found {
    struct camera_found camera;
    struct universe_found universe;
    struct look_found look;
    const struct caption_found *captions; /* [overlay.caption_count] */
    const struct label_found *labels;     /* [overlay.label_count] */
    struct found_light light;
    double duration;        /* simulated time of the film's last frame */
    double epoch;           /* the clock's reading at frame 0 */
    bool counts_from_event; /* the clock counts from overlay.clock_from instead */
    double event;           /* its simulated time */
    double event_reach;     /* half of the simulated time between the frames around it */
};
