/* One picture, or one of several beside each other: bodies seen by a camera, as display values in a
 * rectangle of the display. Light pass, glow, exposure and tone curve are a panel's own. Only for
 * the renderer; a GL context must be current. */
#ifndef RENDER_PANEL_PANEL_H
#define RENDER_PANEL_PANEL_H

#include "render/camera/camera.h"
#include "render/post/exposure.h"
#include "render/gl/context.h"
#include "render/gl/util.h"
#include "render/renderer.h"
#include "render/gl/transfer.h"

struct panel_setup {
    struct look_params look; /* as renderer_params has it, with what the panel changes */
    struct look_found found;
    GLuint vertex_array; /* for full-screen passes */
    const struct draw_group *groups;
    int group_count;
    struct body_buffers bodies;
    GLuint reference;                   /* positions that bodies are compared with; 0: none */
    const struct camera *camera;        /* not owned */
    double eye;                         /* -1, 1: left and right of a stereo pair; 0: neither */
    double eye_distance;                /* 0: by the distance */
    bool whole_sphere;                  /* equirectangular instead of flat */
    uint32_t x, y, width, height;       /* the rectangle, from the display's upper left corner */
    uint32_t whole_width, whole_height; /* of the picture that the rectangle shows a tile of */
    double fps;                         /* for an exposure that adapts */
    bool quads;                         /* sprites are quads in any case */
};

/* How the picture is shared out. */
struct panel_place {
    uint32_t x, y, width, height; /* from the upper left corner */
    double eye;
    bool whole_sphere;
};

/* STATUS_USAGE where panels do not fit into the picture or beside the projection. */
enum status panel_places(const struct renderer_params *params, struct panel_place *places,
                         int *count);

/* The part of the picture that the overlay takes for all of it, and where that lies: in either
 * eye's half, in the middle of a whole sphere, or beyond the edges of a tile. */
struct overlay_places {
    uint32_t width, height;
    int count;
    struct {
        int x, y; /* of the upper left corner within the picture that is drawn */
    } at[2];
};
void overlay_places(const struct renderer_params *params, const struct panel_place *panels,
                    int count, struct overlay_places *out);

/* The titles of look.panels in their places. */
void panel_labels(const struct renderer_params *params, const struct panel_place *places,
                  struct overlay_label *labels);

/* What a panel's own keys change of the look. */
void panel_apply(const struct panel_params *panel, struct look_params *look);

struct panel;

enum status panel_create(struct panel **out, const struct panel_setup *setup,
                         const struct gl_context *context);
void panel_destroy(struct panel **panel); /* accepts a pointer to NULL */

/* The tile's upper left corner within the whole picture; 0, 0 after creation. */
void panel_place(struct panel *panel, uint32_t x, uint32_t y);

/* Adds up the light of the view's bodies, which lie in the panel's buffers. */
void panel_light(struct panel *panel, const struct view *view);

/* Light as last added up -> display values in the panel's rectangle. A vertex array must be bound.
 */
void panel_show(struct panel *panel, const struct gl_target *display);

/* Sets the exposure from the light as last added up, unless the scene gave one. */
enum status panel_expose(struct panel *panel);
/* Lets an exposure that follows the film move on to the frame as last added up. */
enum status panel_adapt(struct panel *panel, uint64_t frame);
double panel_exposure(const struct panel *panel);
void panel_set_exposure(struct panel *panel, double exposure);

/* What the exposure of the next frame depends on. */
void panel_state(const struct panel *panel, double state[EXPOSURE_STATE]);
void panel_resume(struct panel *panel, const double state[EXPOSURE_STATE]);

/* Of what was drawn last. */
const struct camera_pose *panel_pose(const struct panel *panel);

#endif
