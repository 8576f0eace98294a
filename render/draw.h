/* The types of what is drawn, shared by the renderer and the libraries below it. Plain values;
 * pointers belong to the caller.
 *
 * A picture is what one camera sees: each of look.panels, or the only one. A stereo pair is one
 * picture, seen by two eyes. */
#pragma once

#include "base/status.h"
#include "render/found.h"
#include "render/params.h"
#include "render/picture/format.h"
#include "sim/view.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PANELS_MAX = 4 };

/* Frames between two measurements of the light, for an exposure that adapts. */
enum { EXPOSURE_EVERY = 8 };

static inline int look_pictures(const struct look_params *look)
{
    return look->panel_count > 0 ? (int)look->panel_count : 1;
}

/* Whether the panel has a scene of its own, so that every panel is a film by itself. */
static inline bool panel_is_apart(const struct panel_params *panel)
{
    return *panel->scene || *panel->snapshots || *panel->set || *panel->scene_text;
}

static inline bool look_is_montage(const struct look_params *look)
{
    bool apart = false;
    for (uint32_t i = 0; i < look->panel_count; i++)
        apart |= panel_is_apart(&look->panels[i]);
    return apart;
}

/* Whether a panel, or the only picture, shows the scene's own bodies. */
static inline bool look_shows_own(const struct look_params *look)
{
    bool shows = look->panel_count == 0;
    for (uint32_t i = 0; i < look->panel_count; i++)
        shows |= !panel_is_apart(&look->panels[i]);
    return shows;
}

/* The look of picture `i`: look with its panel's changes. */
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

/* Whether the background is so light that the picture is a print: bodies darken it and letters are
 * dark, because added light could hardly be seen. */
static inline bool look_prints(const struct look_params *look)
{
    const double *shown = look->background.shown;
    return 0.2126 * shown[0] + 0.7152 * shown[1] + 0.0722 * shown[2] > 0.5;
}

/* How much of a frame is visible, 0 .. 1: the film fades in from black at its first frame and out
 * to black at its last. */
static inline double look_fade(const struct look_params *look, uint64_t frame, uint64_t frames,
                               double fps)
{
    const double since = (double)frame / fps;
    const double until = frame + 1 < frames ? (double)(frames - 1 - frame) / fps : 0;
    const double in = since < look->fade_in ? since / look->fade_in : 1;
    const double out = until < look->fade_out ? until / look->fade_out : 1;
    return in * in * (3 - 2 * in) * out * out * (3 - 2 * out);
}

/* How visible the title card is, 1 .. 0, `seconds` after the film's start. */
static inline double overlay_card(const struct overlay_params *overlay, double seconds)
{
    const double half = overlay->card / 2, fade = overlay->fade < half ? overlay->fade : half;
    const double left = overlay->card - seconds;
    const double x = left < fade ? left / fade : 1;
    return left > 0 ? x * x * (3 - 2 * x) : 0;
}

/* How much of the frame the title card hides, 0 .. 1. */
static inline double overlay_cover(const struct overlay_params *overlay, double seconds)
{
    return overlay->card > 0 && overlay->card_covers ? overlay_card(overlay, seconds) : 0;
}

/* Bodies first .. first + count - 1, which are drawn alike. */
struct draw_group {
    size_t first, count;
    float light;      /* relative to the other groups */
    float tint[3];    /* display values; for the colour modes "galaxy" and "component" */
    bool given;       /* the tint comes from look.colors; look.saturation does not change it */
    const char *name; /* what the tint means, for the legend; NULL: nothing */
    bool dusty;       /* contains the dust of look.dust */
    /* If the light of several processes is added up, `whole` is the number of the group's bodies in
     * all of them (0: count), and a body's place here plus `before` is its number among all bodies,
     * so that its stars are the same in any process. */
    uint64_t whole, before;
};

static inline uint64_t draw_group_whole(const struct draw_group *group)
{
    return group->whole > 0 ? group->whole : group->count;
}

/* A part that camera.follow can name: bodies first .. first + count - 1. Together the parts contain
 * all bodies, of all processes. */
struct camera_part {
    const char *galaxy, *component; /* galaxy "": it belongs to none */
    size_t first, count;
    bool draw;
    double
        radius; /* of its galaxy's core, see camera/follow.h; 0: its centre is the centre of mass */
};

/* Bodies that camera.follow can name, by their numbers: a file's ids, or else 1, 2 ... in the order
 * of all bodies. A view's `followed` has their motion, in the same order. */
struct tracked;
struct camera_bodies {
    int count;                          /* at most VIEW_FOLLOWED_MAX */
    uint64_t number[VIEW_FOLLOWED_MAX]; /* that exist, of those that the scene names */
    uint64_t last;                      /* of all bodies; 0: they have ids */
    /* Finds what else camera.follow names, such as "halo 17"; NULL, or a result of NULL: none. Its
     * result outlives cameras. */
    const struct tracked *(*find)(void *user, const char *name);
    void *user;
};

/* Something that a label or a mark follows: see cmd/film/start/tracking.h. */
enum { TRACKED_NAME = 96 };
struct tracked {
    char name[TRACKED_NAME]; /* what its label says */
    uint32_t entry;          /* of overlay.labels or look.marks, counted from 0 */
    uint64_t body;           /* its number among all bodies; UINT64_MAX: it is none */
    double radius;           /* within which half of it is, in the scene's unit; 0: a point */
    /* Where it is in a view; false: the view lacks it. Pure, thread-safe. */
    bool (*at)(const struct tracked *tracked, const struct view *view, double place[3]);
    /* The radius of the ring around it, instead of `radius`; NULL: it has none. Likewise. */
    double (*radius_at)(const struct tracked *tracked, const struct view *view);
    const void *by; /* `at`'s, like `number` */
    size_t number;
};

/* The title of a panel. */
struct overlay_label {
    const char *text;        /* "": none */
    int x, y, width, height; /* the panel, in pixels from the picture's upper left corner */
};

/* The facts about the film that the overlay shows. */
struct film_labels {
    const char *title;
    double length_kpc; /* of the scene's unit of length; 0: unknown */
    double time_myr;
    double velocity_kms;
    const char *quantity_unit;          /* unit of look.quantity; NULL or "": unknown */
    double fps;                         /* for captions; > 0 if there are any */
    const struct overlay_label *panels; /* the first one has the scale bar */
    int panel_count;                    /* at most PANELS_MAX */
};

/* Why the light of a frame is drawn. PICTURE: for its picture; METERED: for its picture, from the
 * view that was metered directly before; METER: only for the exposure, from the film's first frame;
 * OBSERVE: only for the exposure, from a frame that is not shown. */
enum light_kind { LIGHT_PICTURE, LIGHT_METERED, LIGHT_METER, LIGHT_OBSERVE };

/* Adds up the light of several processes, each of which draws its own share of the bodies. All have
 * the same parameters, including the number and order of groups, except for the numbers of bodies.
 */
struct light_sum {
    /* Every process calls it with its own light, in the same order and with the same `count` of
     * floats. Where `leads` is set, it replaces the light by the sum over all processes; in other
     * processes, what it leaves there is not read. NULL: this process is alone.
     *
     * After a failure of `add`, or of anything before it, no more light of the frame is added up;
     * whoever provides `add` tells the other processes. */
    enum status (*add)(void *user, float *light, size_t count);
    /* The same for numbers that every process needs for its own light: each gets their sum. NULL:
     * looks that need it, those of the colour density, cannot be drawn by several processes. */
    enum status (*share)(void *user, float *numbers, size_t count);
    void *user;
    bool leads;      /* set in one process, which makes pictures from the sum */
    uint64_t bodies; /* of all processes */
};

/* Whether this process only lends its light to another one. */
static inline bool light_sum_lends(const struct light_sum *sum)
{
    return sum->add && !sum->leads;
}

/* How full-screen passes run: whichever suits the GL, or for tests one fixed way; see gl/gl.h. */
enum renderer_passes { PASSES_USUAL, PASSES_DRAWN, PASSES_COMPUTED };

/* A program for another GL: GLSL without its version line, and the values of its uniforms as
 * floats, those of an array one after the other. */
struct recipe_value {
    char name[48];
    size_t count;
    float *value; /* [count] */
};

struct recipe_program {
    char *vertex, *fragment;
    struct recipe_value *values; /* [value_count] */
    size_t value_count;
};

/* How the only picture of a film is drawn, for those who draw it themselves, such as a page. The
 * programs are those of shaders/sprites.glsl and shaders/look.glsl; passes are fragments with
 * `vec4 shade(vec2 at)`, which `pass` follows. Uniforms that depend on the camera or on the size of
 * the picture are the caller's. */
struct recipe {
    struct recipe_program sprites;
    struct recipe_program look;  /* its fragment is a pass */
    struct column_names columns; /* floats of a body, in the order of their attributes from
                                  * `first_column` on */
    int first_column;
    const char *fullscreen, *pass; /* pass.glsl; not owned, like these: */
    const char *levels;            /* sprites.glsl */
    const char *glow_down, *glow_smooth, *glow_up, *bloom_down, *bloom_up; /* glow.glsl */
    const struct draw_group *groups; /* [group_count]; the renderer's */
    int group_count;
    float mass; /* of a body with its group's light; 0: masses do not matter */
    /* Sizes of sprites, see sprites/setup.h. */
    double point; /* diameter in a picture 1080 rows high */
    double radius, smallest;
    bool square, adaptive;
    uint32_t level, stars;
    bool tinted; /* colours depend on the groups */
    float plain[3];
    bool is_plain; /* all bodies have this colour */
};

/* All that a film's pictures depend on besides the views. */
struct renderer_params {
    uint32_t width, height;
    uint32_t whole_width, whole_height; /* size of the picture that this is a tile of; 0: not a
                                         * tile. Only a single flat picture has tiles */
    enum picture_format format;
    struct camera_params camera;
    const struct camera_part *parts; /* what camera.follow can name */
    int part_count;
    struct camera_bodies bodies; /* likewise */
    struct look_params look;     /* exposure.factor 0: set by renderer_meter */
    struct overlay_params overlay;
    struct found found;
    struct film_labels labels;     /* only read when the overlay shows something */
    size_t count;                  /* number of bodies in a view */
    struct light_sum sum;          /* with other processes; all zero: there are none */
    bool ordered;                  /* views have an order */
    bool absences;                 /* views have COLUMN_ABSENT, in addition to look_columns() */
    int sources;                   /* number of simulations whose views are drawn; 0: 1 */
    int panel_source[PANELS_MAX];  /* the source that each of look.panels shows */
    const struct tracked *tracked; /* [tracked_count] what has labels; outlives the renderer */
    size_t tracked_count;
    const struct tracked *marked; /* [marked_count] likewise what has marks */
    size_t marked_count;
    const struct draw_group *groups;
    const struct draw_group *panel_groups[PANELS_MAX]; /* groups with the tints of each of
                                                        * look.panels; NULL: groups */
    int group_count;
    uint64_t frames; /* of the whole film: the camera's path runs over them */
    bool loops;      /* its first frame follows its last */
    uint64_t seed;   /* of the background stars */
    struct view_place views;
    int gl_device; /* CUDA device that should draw, which need not be that of the views; -1: any */
    bool gl_device_only; /* fail rather than draw on another device */
    /* Completes `found` by what a pilot run measures: look.brightest, middle and faintest, and
     * corner. renderer_open calls it as late as it can, so that the run can go on beside it; its
     * failure is renderer_open's. NULL: nothing is missing. */
    enum status (*find)(void *user, struct found *found);
    void *find_user;
    enum renderer_passes passes;
    bool quads;            /* for tests: sprites are quads even where points would suffice */
    size_t splats_at_once; /* for tests: see sprites/splats.h; 0: chosen automatically */
};
