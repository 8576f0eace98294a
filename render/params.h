/* What a scene says about the picture and the output: plain values, filled and owned by the scene,
 * and not changed once it is validated. What is found out from its bodies is in found.h.
 *
 * Strings are never NULL ("": not given). What is chosen by name is a pointer to the entry of a
 * registry, which the room that implements it defines; never NULL unless said so. Ranges and
 * defaults: scenes/keys.c. */
#ifndef RENDER_PARAMS_H
#define RENDER_PARAMS_H

#include "base/moment.h"

#include <stdbool.h>
#include <stdint.h>

struct alpha;
struct chroma;
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
struct projection;
struct quantity_scale;
struct registry;
struct spike_arms;
struct sprite_profile;
struct softening_kernel;
struct sprite_sizing;
struct tint_palette;
struct tone;
extern const struct registry alpha_registry, chroma_registry, codec_registry, colour_registry,
    colour_map_registry, draw_mode_registry, ease_registry, framing_registry, hdr_registry,
    length_unit_registry, light_weight_registry, metering_registry, move_registry, palette_registry,
    preset_registry, projection_registry, quantity_scale_registry, spike_arms_registry,
    sprite_profile_registry, sprite_sizing_registry, tone_registry;

/* Who chooses the camera's distance. */
struct framing {
    const char *name, *doc;
    bool automatic; /* the film: camera.fraction of the drawn mass stays in the picture */
};

struct keyframe_params {
    struct moment at;
    double position[3], target[3], up[3];
    double fov; /* 0: camera.fov */
};

struct move_params {
    const struct move_kind *move;
    struct moment from, to;
    double turn, tilt; /* of an orbit: degrees of azimuth and elevation */
    double factor;     /* of a zoom: on the size of what is seen */
    double shift[3];   /* of a pan: right, up and forwards, in the scene's unit of length */
    const struct ease *ease;
};

struct camera_params {
    double target[3];
    char *follow; /* what the target moves with: "" nothing, else see docs/scene.md */
    const struct framing *frame;
    double fraction;
    const struct projection *projection; /* NULL: flat */
    double eye_distance;               /* of the two stereo views; 0: a thirtieth of the distance */
    struct keyframe_params *keyframes; /* if any, they replace distance, azimuth and the like */
    uint32_t keyframe_count;
    struct move_params *moves;
    uint32_t move_count;
    double distance;           /* from the target; 0: so that the drawn bodies fit at the start */
    double azimuth, elevation; /* degrees; elevation above the x-y plane */
    double orbit;              /* degrees of azimuth turned over the film */
    double zoom;               /* the distance at the film's end is distance / zoom */
    double fov;                /* field of view, degrees; see scenes/keys.c */
};

/* One of several pictures shown next to each other; what is NULL, empty or 0 is as in the film. */
struct panel_params {
    char *title;
    const struct draw_mode *mode;
    const struct colour *color;
    const struct colour_map *map;
    char *follow;              /* as in camera_params */
    double azimuth, elevation; /* added to the camera's, degrees */
    double zoom;               /* factor on the size of what is seen, > 0 */
    const struct force_ops *force;
    uint32_t subset; /* as in simulation_params, as are the next three */
    double softening, force_error;
    const struct softening_kernel *softening_kernel;
    bool difference; /* shows how far the bodies are from where panel 1 has them */
};

/* How the exposure is found where it is no number. */
struct metering {
    const char *name, *doc;
    bool adapts;
};

/* Factor on all light. */
struct exposure {
    double factor; /* 0: metered in frame 0 */
    bool adapts;   /* and again in each frame */
    char *text;    /* as written, in a scene; else NULL */
};

/* Colours as shown on a display: red, green, blue, 0 .. 1. */
struct shown_colour {
    double shown[3];
    char *text; /* as written, in a scene; else NULL */
};
struct tint {
    char *name; /* a galaxy, a component or GALAXY/COMPONENT */
    double shown[3];
};
struct tints {
    struct tint *list; /* [count] */
    uint32_t count;
    char *text; /* as written, in a scene; else NULL */
};

struct look_params {
    const struct look_preset
        *preset; /* NULL: none; only while the scene is read, see scenes/preset.h */
    const struct draw_mode *mode;
    const struct colour *color;
    struct tints colors;                /* of the modes galaxy, component and stars */
    const struct tint_palette *palette; /* what galaxies and components get without colors */
    const struct colour_map *map;
    double plain[3];   /* colour of the mode sprites-plain: red, green, blue, 0 .. 1, as shown */
    double point_size; /* diameter of a sprite at the target's distance, in pixels of a picture
                          1080 rows high; scales with what camera.fov spans of the picture, and
                          with perspective;
                          0: as the draw mode has it */
    const struct tone *tone;
    struct exposure exposure;
    const struct sprite_sizing *size;
    double radius;   /* of a sprite, in the scene's unit of length; 0: point_size decides */
    double smallest; /* diameter in pixels below which a sprite is dimmed instead of shrunk */
    const struct sprite_profile *profile;
    const struct light_weight *weight;
    uint32_t stars;   /* that each body's light is resolved into; 0: see sprites/resolved.h */
    double resolved;  /* share of the light that is, 0 .. 1 */
    uint32_t samples; /* places within a pixel that a picture is the mean of */
    double shutter;   /* part of the time from frame to frame that is seen, 0 .. 1 */
    double trails;    /* seconds of the film that a body's path is seen behind it; 0: none */
    uint32_t cells;   /* of the mode activity: the picture's shorter side in cells */
    struct panel_params *panels;
    uint32_t panel_count;
    double speed;        /* velocity that colours fully; 0: set once from the bodies at the start */
    double acceleration; /* that colours fully; 0: set once from the bodies at the start */
    char *quantity;      /* the bodies' column of the mode quantity; "": not given */
    const struct quantity_scale *quantity_scale;
    double quantity_from,
        quantity_to;   /* its numbers at the map's ends; alike: found in the bodies */
    double saturation; /* 0 grey .. 1 full colour */
    double bloom;      /* share of the light that glows around its source, 0 .. 1 */
    double glow;       /* share that is seen through a point-spread function, 0 .. 1 */
    double spikes;     /* share that is seen in straight arms, 0 .. 1 */
    const struct spike_arms *spike_arms;
    double dust;                    /* optical depth, see sprites/dust.h; 0: none */
    struct shown_colour background; /* of what no light reaches */
    uint32_t background_stars;      /* of the whole sky; 0: none */
    double background_light;        /* of the stars, against what is usual */
    double fade_in, fade_out;       /* seconds; 0: none */
};

struct caption_params {
    char *text;
    struct moment from, to;
};

struct overlay_params {
    bool title, clock, scale_bar, bodies, frame, legend, energy; /* what is shown */
    const struct length_unit *length_unit;                       /* of the scale bar */
    double size;  /* of the letters, in pixels of a picture whose shorter side has 1080 */
    char *font;   /* as fontconfig names it: "DejaVu Sans" */
    bool weights; /* titles are heavier than labels, and figures all as wide */
    struct caption_params *captions; /* where two overlap, the later in the list shows */
    uint32_t caption_count;
    double fade;      /* seconds in which a caption comes and goes */
    bool wrap;        /* captions that are too wide go on in the next line */
    double card;      /* seconds that the title card is shown for; 0: there is none */
    char *subtitle;   /* lines below the title on it */
    bool card_covers; /* it hides the film */
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
    const struct codec *codec;   /* NULL: chosen by the output's format */
    double crf;                  /* negative: the codec's default */
    char *preset;                /* "": the codec's default */
    char *codec_options;         /* "key=value:key=value", passed to the encoder as they are */
    uint32_t bits;               /* 8 or 10, of a film's samples; 0: the codec's usual */
    const struct chroma *chroma; /* NULL: the codec's usual */
    bool pad;           /* odd sizes get a black row or column, where the codec needs even ones */
    bool deterministic; /* the encoder's output does not depend on the processor's model */
    uint32_t segment;   /* frames per segment; 0: see scenes/segment.h */
    uint32_t threads;   /* encoder threads: fixed, because decoded pixels depend on their number */
    uint32_t png_bits, png_level, exr_bits;
    char *audio;               /* "": none */
    const struct alpha *alpha; /* see render/picture/alpha.h */
    const struct hdr *hdr;     /* see render/picture/hdr.h; stills and pictures have none */
    bool loop;                 /* the first frame follows the last one */
    char *title;
};

#endif
