/* All panels of a picture, or the two eyes of a stereo pair, with their cameras and the bodies that
 * they show. Only for the renderer; a GL context must be current. */
#ifndef RENDER_PANEL_SET_H
#define RENDER_PANEL_SET_H

#include "render/panel/panel.h"
#include "render/panel/places.h"

struct panel_set {
    struct body_buffers bodies[PANELS_MAX]; /* of each source */
    GLuint quantity, kernel;                /* the same for all; 0: not wanted */
    int sources, count;
    bool stereo; /* the panels are two eyes */
    int source[PANELS_MAX];
    struct camera *cameras[PANELS_MAX];
    struct panel *panels[PANELS_MAX];
    struct panel_place places[PANELS_MAX];
    uint64_t seen; /* 1 + the frame that exposures have adapted to; 0: none yet */
};

/* Fills *set, all zero before. On failure panel_set_destroy must still be called. */
enum status panel_set_create(struct panel_set *set, const struct renderer_params *params,
                             const struct gl_context *context, GLuint vertex_array);
void panel_set_destroy(struct panel_set *set); /* accepts one never created, all zero */

/* Sets the exposures from the view, whose bodies lie in the buffers; likewise below. */
enum status panel_set_expose(struct panel_set *set, const struct view *view);
/* For a view that is not shown: exposures that adapt see it. */
enum status panel_set_observe(struct panel_set *set, const struct view *view);
/* The light of the view's bodies. */
enum status panel_set_light(struct panel_set *set, const struct view *view);
/* Display values of that light and what lies behind it, `seen` of them before the background,
 * 0 .. 1; once for each panel_set_light. */
void panel_set_show(struct panel_set *set, GLuint vertex_array, const struct gl_target *display,
                    double seen);

/* What the exposures of the next frame depend on. */
enum { PANEL_SET_STATE = PANELS_MAX * EXPOSURE_STATE };
void panel_set_state(const struct panel_set *set, double state[PANEL_SET_STATE]);
void panel_set_resume(struct panel_set *set, const double state[PANEL_SET_STATE]);

#endif
