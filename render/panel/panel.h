/* One picture, or one of several side by side: bodies seen by a camera, as display values in a
 * rectangle of the display. Each panel has its own light pass, glow, exposure and tone curve. Only
 * for the renderer; a GL context must be current. */
#pragma once

#include "render/camera/camera.h"
#include "render/gl/context.h"
#include "render/gl/gl.h"
#include "render/post/exposure.h"
#include "render/sprites/setup.h"

struct panel_setup {
    struct sprites_setup sprites;
    const struct camera *camera; /* not owned */
    bool bare;                   /* raw light without tone curve: see picture_format_is_light */
    double headroom;             /* for high dynamic range, see picture/picture.h; otherwise 1 */
    struct universe_found universe;
    double dome, lean; /* see camera_dome and camera_dome_lean, of this height: */
    double dome_height;
    double eye;                /* -1, 1: left and right of a stereo pair; 0: no pair */
    double eye_distance;       /* 0: derived from the distance */
    uint32_t x, y;             /* of the rectangle, from the display's upper left corner */
    double fps;                /* for an exposure that adapts */
    uint64_t seed;             /* for the background stars */
    const struct keyed *keyed; /* [keyed_count] not owned */
    size_t keyed_count;
    const struct tracked *marked; /* [marked_count], see struct renderer_params */
    size_t marked_count;
};

struct panel;

enum status panel_create(struct panel **out, const struct panel_setup *setup,
                         const struct gl_context *context);
void panel_destroy(struct panel **panel); /* accepts a pointer to NULL */

/* How it is drawn, without look.spikes, dust, trails and background stars. */
enum status panel_recipe(const struct panel *panel, struct recipe *out);

/* See panel_set_find. */
void panel_find(struct panel *panel, const struct look_found *found);

/* Sees later bodies with this camera, which is not owned. The exposure stays as it is. */
void panel_aim(struct panel *panel, const struct camera *camera);

/* Sets the tile's upper left corner in the whole picture; 0, 0 after creation. */
void panel_move_tile(struct panel *panel, uint32_t x, uint32_t y);

/* Adds up the light of the view's bodies, which lie in the panel's buffers, then that of all
 * processes. */
enum status panel_light(struct panel *panel, const struct view *view);

/* Whether that light depends on the exposure. */
bool panel_light_is_exposed(const struct panel *panel);

/* The light, including the pixels around the rectangle that are drawn for the glow. */
const struct gl_target *panel_light_target(const struct panel *panel);

/* Adds the background stars to the light that panel_light has added up, then converts it to display
 * values in the panel's rectangle, faded by `seen` (0 .. 1) to the background. Call once after each
 * panel_light. A vertex array must be bound. */
void panel_show(struct panel *panel, const struct gl_target *display, double seen);

/* Sets the exposure from the current light, unless the scene gives one. */
enum status panel_expose(struct panel *panel);
/* Advances an adapting exposure to the frame that was added up last. */
enum status panel_adapt(struct panel *panel, uint64_t frame);
/* Whether its sprites are added up by compute shaders. */
bool panel_computes(const struct panel *panel);
/* Whether it reads what struct view_along has there alone. */
bool panel_only_along(const struct panel *panel);
/* Copies exposure and contrast from another panel. */
void panel_share_exposure(struct panel *panel, const struct panel *other);

/* Everything that the exposure of the next frame depends on. */
void panel_state(const struct panel *panel, double state[EXPOSURE_STATE]);
void panel_resume(struct panel *panel, const double state[EXPOSURE_STATE]);

/* How the picture of which it was or is a tile was seen last. */
void panel_eye(const struct panel *panel, struct camera_eye *out);

/* The pose that was drawn last. */
const struct camera_pose *panel_pose(const struct panel *panel);
