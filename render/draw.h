/* What is drawn: the vocabulary that the renderer and the rooms below it share. Plain values;
 * pointers belong to the caller.
 *
 * A picture is what one camera sees: each of look.panels, or the only one. A stereo pair is one
 * picture, seen by two eyes. */
#ifndef RENDER_DRAW_H
#define RENDER_DRAW_H

#include "render/found.h"
#include "render/params.h"
#include "render/picture/format.h"
#include "sim/view.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PANELS_MAX = 4 };

/* Frames between two measures of the light, for an exposure that adapts. */
enum { EXPOSURE_EVERY = 8 };

static inline int look_pictures(const struct look_params *look)
{
    return look->panel_count > 0 ? (int)look->panel_count : 1;
}

/* The look with what picture `i`'s panel changes of it. */
static inline struct look_params look_of_picture(const struct look_params *look, int i)
{
    struct look_params own = *look;
    if (look->panel_count == 0)
        return own;
    const struct panel_params *panel = &look->panels[i];
    own.mode = panel->mode ? panel->mode : look->mode;
    own.color = panel->color ? panel->color : look->color;
    own.map = panel->map ? panel->map : look->map;
    return own;
}

/* The full values of the scales: given, or found. */
static inline double look_speed(const struct look_params *look, const struct look_found *found)
{
    return look->speed > 0 ? look->speed : found->speed;
}

static inline double look_acceleration(const struct look_params *look,
                                       const struct look_found *found)
{
    return look->acceleration > 0 ? look->acceleration : found->acceleration;
}

/* Whether the background is so light that the picture is a print: bodies darken it, and letters are
 * dark. Light added to it could hardly be seen. */
static inline bool look_prints(const struct look_params *look)
{
    const double *shown = look->background.shown;
    return 0.2126 * shown[0] + 0.7152 * shown[1] + 0.0722 * shown[2] > 0.5;
}

/* How much of a frame is seen, 0 .. 1: it comes out of black at the film's first frame and goes
 * back into it at the last. */
static inline double look_fade(const struct look_params *look, uint64_t frame, uint64_t frames,
                               double fps)
{
    const double since = (double)frame / fps;
    const double until = frame + 1 < frames ? (double)(frames - 1 - frame) / fps : 0;
    const double in = since < look->fade_in ? since / look->fade_in : 1;
    const double out = until < look->fade_out ? until / look->fade_out : 1;
    return in * in * (3 - 2 * in) * out * out * (3 - 2 * out);
}

/* How much of the film's beginning still is the title card's, 1 .. 0, `seconds` from its start. */
static inline double overlay_card(const struct overlay_params *overlay, double seconds)
{
    const double half = overlay->card / 2, fade = overlay->fade < half ? overlay->fade : half;
    const double left = overlay->card - seconds;
    const double x = left < fade ? left / fade : 1;
    return left > 0 ? x * x * (3 - 2 * x) : 0;
}

/* How much of a frame it hides, 0 .. 1. */
static inline double overlay_cover(const struct overlay_params *overlay, double seconds)
{
    return overlay->card > 0 && overlay->card_covers ? overlay_card(overlay, seconds) : 0;
}

/* Bodies first .. first + count - 1, drawn alike. */
struct draw_group {
    size_t first, count;
    float light;      /* against the other groups */
    float tint[3];    /* as shown; for the colour modes "galaxy" and "component" */
    bool given;       /* the tint is look.colors', which look.saturation leaves as it is */
    const char *name; /* what the tint means, for the legend; NULL: nothing */
    bool dusty;       /* of look.dust */
};

/* What camera.follow can name: bodies first .. first + count - 1. All parts together are all
 * bodies. */
struct camera_part {
    const char *galaxy, *component; /* galaxy "": none */
    size_t first, count;
    bool draw;
    double
        radius; /* of its galaxy's core, see camera/follow.h; 0: its centre is that of its mass */
};

/* The title of a panel. */
struct overlay_label {
    const char *text;        /* "": none */
    int x, y, width, height; /* the panel, in pixels from the picture's upper left corner */
};

/* What the overlay says about the film. */
struct film_labels {
    const char *title;
    double length_kpc; /* of the scene's unit; 0: not known */
    double time_myr;
    double velocity_kms;
    const char *quantity_unit;          /* of look.quantity; NULL or "": not known */
    double fps;                         /* for captions, > 0 if there are any */
    const struct overlay_label *panels; /* the scale bar is in the first one */
    int panel_count;                    /* at most PANELS_MAX */
};

/* How full-screen passes run: as suits the GL, or, for tests, one way; see gl/pass.h. */
enum renderer_passes { PASSES_USUAL, PASSES_DRAWN, PASSES_COMPUTED };

/* All that a film's pictures depend on besides the views. */
struct renderer_params {
    uint32_t width, height;
    uint32_t whole_width, whole_height; /* of the picture that this is a tile of; 0: no tile. Tiles
                                           are of one flat picture */
    enum picture_format format;
    struct camera_params camera;
    const struct camera_part *parts; /* what camera.follow can name */
    int part_count;
    struct look_params look; /* exposure.factor 0: set by renderer_meter */
    struct overlay_params overlay;
    struct found found;
    struct film_labels labels;    /* only read when the overlay shows something */
    size_t count;                 /* bodies in a view */
    bool absences;                /* views have COLUMN_ABSENT; beside it they have look_columns() */
    int sources;                  /* simulations whose views are drawn; 0: 1 */
    int panel_source[PANELS_MAX]; /* which of them each of look.panels shows */
    const struct draw_group *groups;
    const struct draw_group *panel_groups[PANELS_MAX]; /* the same with the tints of each of
                                                          look.panels; NULL: groups */
    int group_count;
    uint64_t frames; /* of the whole film: the camera's path runs over them */
    bool loops;      /* its first frame follows its last */
    uint64_t seed;   /* of the background stars */
    struct view_place views;
    int gl_device; /* CUDA device that should draw, which need not be that of the views; -1: any */
    enum renderer_passes passes;
    bool quads;            /* for tests: sprites are quads even where points would do */
    size_t splats_at_once; /* for tests: see sprites/splats.h; 0: as many as suit */
};

#endif
