/* The part of a scene about the picture and the output: plain values, filled and owned by the
 * scene, constant once it is validated. What is derived from its bodies is in found.h.
 *
 * Strings are never NULL ("": not given). A choice by name is a pointer to a registry entry,
 * defined by the library that implements it; never NULL unless documented. Ranges and defaults:
 * scenes/keys.c. */
#pragma once

#include "base/clock.h"

#include <stdbool.h>
#include <stdint.h>

struct alpha;
struct caption_use;
struct chroma;
struct clock_scale;
struct codec;
struct colour;
struct colour_map;
struct draw_mode;
struct ease;
struct force_ops;
struct hdr;
struct length_unit;
struct light_weight;
struct look_preset;
struct move_kind;
struct optics;
struct projection;
struct quantity_scale;
struct registry;
struct slab_axis;
struct spike_arms;
struct sprite_profile;
struct softening_kernel;
struct sprite_sizing;
struct tint_palette;
struct tone;
extern const struct registry alpha_registry, caption_use_registry, chroma_registry,
    clock_scale_registry, codec_registry, colour_registry, colour_map_registry, draw_mode_registry,
    ease_registry, framing_registry, hdr_registry, length_unit_registry, light_weight_registry,
    metering_registry, move_registry, optics_registry, palette_registry, preset_registry,
    projection_registry, quantity_scale_registry, slab_axis_registry, spike_arms_registry,
    sprite_profile_registry, sprite_sizing_registry, tone_registry;

/* How the camera's distance is chosen. */
struct framing {
    const char *name, *doc;
    bool automatic; /* automatically: camera.fraction of the drawn mass stays in the picture */
};

struct keyframe_params {
    struct moment at;
    double position[3], target[3], up[3];
    double fov; /* 0: camera.fov */
};

struct move_params {
    const struct move_kind *move;
    struct moment from, to;
    double turn, tilt; /* orbit: degrees of azimuth and elevation */
    double factor;     /* zoom: magnification */
    double shift[3];   /* pan: right, up and forwards, in the scene's unit of length */
    const struct ease *ease;
};

/* A number that changes over the film between keyframes, by `ease` since the one before. */
struct track_point {
    struct moment at;
    double value;
    const struct ease *ease;
};
struct track {
    struct track_point *points; /* [count] */
    uint32_t count;             /* 0: the number stays the same */
};

struct camera_params {
    double target[3];
    char *follow; /* what the target moves with; "": nothing; see docs/scene.md */
    char *align;  /* whose angular momentum is the z axis of the rest; "": the scene's z axis */
    double align_time; /* smoothing time of that axis, in seconds of the film; 0: not smoothed */
    const struct framing *frame;
    double fraction;
    const struct projection *projection; /* NULL: flat */
    double eye_distance;                 /* between stereo views; 0: a thirtieth of the distance */
    struct keyframe_params *keyframes;   /* these replace distance, azimuth and so on */
    uint32_t keyframe_count;
    struct move_params *moves;
    uint32_t move_count;
    double distance;           /* from the target; 0: the drawn bodies fit at the start */
    double azimuth, elevation; /* degrees; elevation above the x-y plane */
    double orbit;              /* degrees of azimuth over the whole film */
    double zoom;               /* the distance at the end of the film is distance / zoom */
    double fov;                /* field of view in degrees; see scenes/keys.c */
    double dome_field, dome_tilt, dome_height; /* degrees; see scenes/keys.c */
};

/* One of several pictures shown side by side; NULL, empty and 0 mean the film's value. */
struct panel_params {
    char *title;
    char *scene, *snapshots; /* of a panel with bodies of its own: see scenes/keys.c */
    char *set;               /* changes to that scene, or to the film's own: "KEY=VALUE, ..." */
    char *scene_text;        /* that scene as text, made for this film; "": not yet opened */
    bool common_clock;       /* time runs as in panel 1 */
    const struct draw_mode *mode;
    const struct colour *color;
    const struct colour_map *map;
    char *follow;              /* as in camera_params */
    double azimuth, elevation; /* degrees, added to the camera's */
    double zoom;               /* magnification, > 0 */
    const struct force_ops *force;
    uint32_t subset; /* as in simulation_params, like the next three */
    double softening, force_error;
    const struct softening_kernel *softening_kernel;
    bool difference; /* colours bodies by their distance from their position in panel 1 */
};

/* How the exposure is found if no number is given. */
struct metering {
    const char *name, *doc;
    bool adapts;
    bool surface; /* not metered: light is surface density */
};

/* Factor on all light. */
struct exposure {
    double factor; /* 0: metered in frame 0 */
    bool adapts;   /* metered in every frame */
    bool surface;  /* a surface density of 1 gives a light of 1, see sprites_setup_surface(); not
                    * metered */
    char *text;    /* as written in the scene; NULL elsewhere */
};

/* Colours as shown on a display: red, green, blue, 0 .. 1. */
struct shown_colour {
    double shown[3];
    char *text; /* as written in the scene; NULL elsewhere */
};
struct tint {
    char *name; /* a galaxy, a component or GALAXY/COMPONENT */
    double shown[3];
};
struct tints {
    struct tint *list; /* [count] */
    uint32_t count;
    char *text; /* as written in the scene; NULL elsewhere */
};

/* Some bodies with a look of their own. */
struct mark_params {
    char *of; /* as of labels */
    struct shown_colour color;
    double size;       /* diameter in pixels of a picture 1080 rows high */
    double brightness; /* display value in the middle, linear, 0 .. 1 */
    double trail;      /* seconds of film */
};

struct look_params {
    char *halos; /* pattern of catalogues of haloes, one for each snapshot; "": none */
    const struct look_preset
        *preset; /* NULL: none; only set while the scene is read, see scenes/scene_check.h */
    const struct draw_mode *mode;
    const struct colour *color;
    struct tints colors;                /* for the modes galaxy, component and stars */
    const struct tint_palette *palette; /* galaxies and components without `colors` */
    const struct colour_map *map;
    double plain[3];   /* of the mode sprites-plain: display red, green, blue, 0 .. 1 */
    double point_size; /* diameter of a sprite at the target's distance, in pixels of a picture 1080
                        * rows high; scales with camera.fov and with perspective; 0: the draw mode's
                        * default */
    const struct tone *tone;
    struct exposure exposure;
    const struct sprite_sizing *size;
    double radius;   /* of a sprite, in the scene's unit of length; 0: point_size decides */
    double smallest; /* diameter in pixels below which a sprite is dimmed instead of shrunk */
    const struct sprite_profile *profile;
    const struct light_weight *weight;
    uint32_t stars;   /* stars per body that its light is resolved into; 0: see
                       * sprites/modes.h */
    double resolved;  /* share of the light that is resolved, 0 .. 1 */
    uint32_t samples; /* sample positions within a pixel, which are averaged */
    double shutter;   /* part of the time between frames for which the shutter is open, 0 .. 1 */
    double trails;    /* seconds of film for which a body leaves a trail; 0: no trails */
    uint32_t cells;   /* mode activity: number of cells along the picture's shorter side */
    struct panel_params *panels;
    uint32_t panel_count;
    struct mark_params *marks;
    uint32_t mark_count;
    double speed;        /* speed with full colour; 0: derived once from the bodies at the start */
    double acceleration; /* the same for the acceleration */
    char *quantity;      /* the column of the bodies for the mode quantity; "": not given */
    const struct quantity_scale *quantity_scale;
    double quantity_from,
        quantity_to;   /* values at the map's ends; equal: derived from the bodies */
    double saturation; /* 0 grey .. 1 full colour */
    double bloom;      /* share of the light that is scattered around its source, 0 .. 1 */
    double glow;       /* share that is seen through a point-spread function, 0 .. 1 */
    double spikes;     /* share that forms straight arms, 0 .. 1 */
    const struct spike_arms *spike_arms;
    const struct optics *optics; /* what stars are seen through */
    double slab, slab_at; /* only bodies within this thickness are drawn, 0: all; its middle is this
                           * far from the camera's target, along */
    const struct slab_axis *slab_axis; /* NULL: not chosen, and all are drawn */
    uint32_t copies;                   /* of the periodic box, on each side of it along each axis */
    double dust;                       /* optical depth, see sprites/sprites.h; 0: none */
    struct shown_colour background;    /* where there is no light */
    uint32_t background_stars;         /* number over the whole sky; 0: none */
    uint32_t background_galaxies;      /* likewise */
    double background_light;           /* of both, relative to the default */
    double fade_in, fade_out;          /* seconds; 0: none */
};

struct caption_params {
    char *text, *when;  /* when: conditions, scenes/read.h; "": always */
    char *translations; /* lines of LANGUAGE: TEXT */
    struct moment from, to;
};

/* A word or phrase of the overlay in another language. */
struct word_params {
    char *text, *as;
};

/* Names that follow what `of` chooses (cmd/film/start/tracking.h). */
struct label_params {
    char *of, *text; /* text "": its own name */
    struct moment from, to;
};

struct overlay_params {
    bool title, clock, scale_bar, bodies, frame, legend, energy; /* what is shown */
    const struct length_unit *length_unit;                       /* of the scale bar */
    double size; /* letter size, in pixels of a picture whose shorter side is 1080 */
    double transparency, label_transparency; /* of all, and of labels in addition; 0 .. 1 */
    char *font;                              /* as fontconfig names it: "DejaVu Sans" */
    bool weights; /* titles are bolder than labels, and all digits equally wide */
    struct caption_params *captions; /* where two overlap in time, the later in the list is shown */
    uint32_t caption_count;
    char *language; /* of the captions' texts: "en" */
    struct label_params *labels;
    uint32_t label_count;
    struct word_params *words;
    uint32_t word_count;
    double fade;                        /* seconds of fade-in and fade-out of a caption */
    bool readable;                      /* captions stay long enough to be read */
    const struct clock_scale *clock_as; /* NULL: time */
    struct moment clock_from;           /* where the clock shows 0 */
    char *clock_event;                  /* "first passage": its name beside the clock; "": none */
    bool wrap;                          /* breaks captions that are too wide for a line */
    double card;                        /* seconds for which the title card is shown; 0: no card */
    char *subtitle;                     /* lines on the card below the title */
    bool card_covers;                   /* the card hides the film */
};

struct picture_size {
    uint32_t width, height;
};

/* num / den frames per second, reduced. */
struct frame_rate {
    uint32_t num, den;
};

struct output_params {
    struct picture_size size;
    struct frame_rate fps;
    uint64_t frames;
    const struct codec *codec;   /* NULL: chosen by the format of the output */
    double crf;                  /* negative: default of the codec */
    char *preset;                /* "": default of the codec */
    char *codec_options;         /* "key=value:key=value", passed to the encoder as they are */
    uint32_t bits;               /* 8 or 10 per sample of a film; 0: default of the codec */
    const struct chroma *chroma; /* NULL: default of the codec */
    bool pad;           /* odd sizes get a black row or column if the codec needs even ones */
    bool deterministic; /* the encoder's output does not depend on the model of processor */
    uint32_t segment;   /* frames per segment; 0: see scenes/scene.h */
    uint32_t threads;   /* encoder threads; fixed, because decoded pixels depend on their number */
    uint32_t start_number; /* of the first picture of a sequence */
    uint32_t png_bits, png_level, exr_bits;
    char *audio;                        /* "": none */
    char *timecode;                     /* of frame 0, see render/video/timecode.h; "": none */
    const struct caption_use *captions; /* see render/video/caption_track.h */
    const struct alpha *alpha;          /* see render/picture/picture.h */
    const struct hdr *hdr; /* see render/picture/picture.h; stills and image sequences have none */
    bool loop;             /* the first frame follows the last */
    char *title;
};
