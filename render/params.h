/* What a scene says about the picture and the output: plain values, filled and owned by the scene.
 * Strings are never NULL ("" stands for "not given"). Ranges and defaults: scenes/keys.c. */
#ifndef RENDER_PARAMS_H
#define RENDER_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

struct camera_params {
    double target[3];
    double distance;           /* from the target; 0: so that the drawn bodies fit at the start */
    double azimuth, elevation; /* degrees; elevation above the x-y plane */
    double orbit;              /* degrees of azimuth turned over the film */
    double zoom;               /* the distance at the film's end is distance / zoom */
    double fov;                /* vertical field of view, degrees */
};

struct look_params {
    char *mode;          /* a name of the draw modes: "sprites" */
    char *color;         /* a name of the colour registry: "velocity" */
    char *map;           /* a name of the colour maps: "plasma" */
    double plain[3];     /* colour of the mode sprites-plain: red, green, blue, 0 .. 1, as shown */
    double point_size;   /* diameter of a sprite at the target's distance, in pixels of a picture
                            1080 rows high; scales with the picture's height and with perspective;
                            0: as the draw mode has it */
    double exposure;     /* factor on all light; 0: set once from the bodies at the start */
    double speed;        /* velocity that colours fully; 0: set once from the bodies at the start */
    double acceleration; /* that colours fully; 0: set once from the bodies at the start */
    double saturation;   /* 0 grey .. 1 full colour */
    double bloom;        /* share of the light that glows around its source, 0 .. 1 */
};

struct caption_params {
    char *text;
    double from, to; /* seconds of the film */
};

struct overlay_params {
    bool title, clock, scale_bar, bodies, frame; /* what is shown */
    char *length_unit;                           /* of the scale bar: "kpc" or "ly" */
    double size; /* of the letters, in pixels of a picture whose shorter side has 1080 */
    char *font;  /* as fontconfig names it: "DejaVu Sans" */
    struct caption_params *captions; /* where two overlap, the later in the list shows */
    uint32_t caption_count;
    double fade; /* seconds in which a caption comes and goes */
};

struct output_params {
    char *size;                /* "1280x720" */
    uint32_t width, height;    /* from size */
    char *fps;                 /* "30" or "30000/1001" */
    uint32_t fps_num, fps_den; /* from fps */
    uint64_t frames;
    char *codec;      /* "auto" or a name of the codec registry */
    double crf;       /* negative: the codec's default */
    char *preset;     /* "": the codec's default */
    uint32_t threads; /* encoder threads: fixed, because decoded pixels depend on their number */
    uint32_t png_bits, png_level;
    char *title;
};

#endif
