/* The look of a body in the picture: the draw modes of look.mode, the profiles of sprites of
 * look.profile, and what a body's light comes from, look.weight. One const entry each, default
 * first. */
#pragma once

#include "base/whole.h"
#include "render/colour/legend.h"
#include "render/params.h"
#include "sim/view.h"

#include <stdbool.h>
#include <stdint.h>

/* Sprite profiles: how light fades from a sprite's centre to its edge, where it is exactly zero.
 * All have the same total light. One const entry each, default first. */

struct look_params;

struct sprite_profile {
    const char *name, *doc;
    /* Defines `float profile(float square)` of the squared distance from the centre, 1 at the edge;
     * its mean over the disk is 1/3. */
    const char *glsl;
    bool polynomial; /* (1 - r^2)^2, which captured.h computes */
    float smallest;  /* factor on look.smallest: a narrow core would flicker from pixel to pixel */
    float spacing;   /* largest spacing, in radii, at which sprites form an even line */
};

/* The profile of a picture: look.profile, or the cubic spline for look.size kernel. */
const struct sprite_profile *profile_of(const struct look_params *look);

/* The source of a body's light. One const entry each, default first. */

struct light_weight {
    const char *name, *doc;
    bool by_mass; /* the component's light times mass / mean mass of the drawn bodies */
};

extern const struct light_weight light_by_component, light_by_mass;

/* Draw modes: what a body looks like in the picture. One const entry each, default first. */

struct draw_mode {
    const char *name, *doc;
    double point_size;    /* where look.point_size is 0 */
    bool square;          /* whole pixels, all lit alike, the same size at any distance */
    bool plain;           /* every body in the colour look.plain instead of look.color */
    bool counts;          /* a map of the number of bodies instead of their light */
    struct legend legend; /* of a mode with its own colours; no bars: that of look.color */
};

/* The ways to choose the size of a sprite. One const entry each, default first. */

struct sprite_sizing {
    const char *name, *doc;
    bool chosen;   /* sizing_choose decides which of the others it is */
    bool kernel;   /* COLUMN_KERNEL has the radius of bodies with a kernel; others are adaptive */
    bool adaptive; /* the radius is the distance to a body's SIZING_NEIGHBOUR-th neighbour */
};

extern const struct sprite_sizing sizing_fixed, sizing_adaptive, sizing_kernel;

/* Counted among the drawn bodies; lower if there are fewer. */
enum { SIZING_NEIGHBOUR = 32 };

/* A column that look.size kernel needs: the radius of a body's kernel, 0 for a body without one. */
#define COLUMN_KERNEL "kernel"

/* With fewer bodies in all, a neighbourhood would include most of them. */
enum { SIZING_FEWEST = 1000 };

/* Resolves look.size for a film of that many bodies, of which some or none have kernels. Renderers
 * take a resolved look. */
const struct sprite_sizing *sizing_choose(const struct look_params *look, struct whole bodies,
                                          bool kernels);

/* Whether a picture's sprites need COLUMN_DISTANCE; squares and counts have sizes of their own. */
bool sizing_adapts(const struct look_params *look);

/* The number of drawn bodies, on all ranks, from which on a picture of this size has so many in a
 * pixel that a GPU adds up small sprites in shared memory first, which rounds the light of each at
 * its centre to a 30,000th if it is an ordinary one, and at worst to a 256th, and that it draws
 * them in the order of views. A tile has the size of the whole picture. */
uint64_t sizing_crowd(uint64_t width, uint64_t height);
/* The columns that sprites and colours of all pictures need, besides COLUMN_ABSENT. */
void look_columns(const struct look_params *look, struct column_names *out);
bool look_needs_column(const struct look_params *look, const char *name);
/* Whether a picture may use kernels, for a scene's look whose look.size is not resolved yet. */
bool look_may_need_kernel(const struct look_params *look);

/* The direction across look.slab. */
struct slab_axis {
    const char *name, *doc;
    int axis; /* 0 .. 2; SLAB_VIEW: towards the camera */
};
enum { SLAB_VIEW = -1 };

/* Resolves the light of bodies into stars, so that a picture has points in focus: look.resolved of
 * a body's light comes from look.stars stars, the rest from its sprite of adaptive size.
 * shaders/sprites.glsl places them. Pure and thread-safe. */

/* Stars per body in a film that draws that many bodies: look.stars, or if that is auto,
 * RESOLVED_MOST, reduced so that all bodies together have at most RESOLVED_ALL. */
enum { RESOLVED_MOST = 8, RESOLVED_FEWEST = 2, RESOLVED_ALL = 2000000 };
uint32_t resolved_choose(const struct look_params *look, struct whole drawn);

/* Stars per body in a picture; 0 if sprites do not have adaptive size. look->stars must come from
 * resolved_choose. */
uint32_t resolved_stars(const struct look_params *look);

/* A point-spread function: its core is a star's sprite, and the share look.glow of the light forms
 * its wings (render/post/glow.h). One const entry each, default first. */
struct optics {
    const char *name, *doc;
    double wings;   /* width of the glow's core, relative to the picture's height */
    double star;    /* diameter of a star in a picture 1080 rows high, in pixels */
    double finer;   /* the diameter grows as this power of the rows above 1080; below 1: sharper */
    double coarser; /* and shrinks as this power of the rows below 1080 */
    double brightest; /* light of the brightest star, relative to the faintest */
    double clouds;    /* share of the dust (look.dust) that is in clouds; the rest is smooth */
};

/* The luminosity function: dN / dL ~ L^-2.1 between 1 and optics.brightest. For u uniform in [0,
 * 1), pow(1 + u power[0], power[1]) is distributed like that, and power[2] scales the mean to 1. */
void resolved_power(const struct optics *optics, float power[3]);

/* The diameter of a star in a picture `rows` pixels high. */
float resolved_size(const struct optics *optics, double rows);
