/* All panels of a picture, or the two eyes of a stereo pair, with their cameras and their bodies.
 * Only for the renderer; a GL context must be current. */
#pragma once

#include "render/panel/panel.h"
#include "render/panel/places.h"

struct panel_set {
    struct body_buffers bodies[PANELS_MAX]; /* one per source */
    int sources, count;
    int first;   /* the first panel that is seen: 1 for the right eye alone */
    bool stereo; /* the panels are two eyes */
    int source[PANELS_MAX];
    struct camera *cameras[PANELS_MAX];
    struct panel *panels[PANELS_MAX];
    struct panel_place places[PANELS_MAX];
    uint64_t seen; /* 1 + the frame to which exposures have adapted; 0: none yet */
};

/* Fills *set, which must be all zero. After a failure panel_set_destroy must still be called. */
enum status panel_set_create(struct panel_set *set, const struct renderer_params *params,
                             const struct gl_context *context, GLuint vertex_array);
void panel_set_destroy(struct panel_set *set); /* accepts all zero */

/* Replaces the found scales; only those on which the exposure depends may differ. */
void panel_set_find(struct panel_set *set, const struct look_found *found);

/* Opens the cameras of these params in the place of the present ones, which stay after a failure.
 * Everything else of params is as it was at creation. */
enum status panel_set_aim(struct panel_set *set, const struct renderer_params *params);

/* Sets the exposures from the view, whose bodies are in the buffers, as for the following
 * functions. */
enum status panel_set_expose(struct panel_set *set, const struct view *view);
/* Shows adapting exposures a view that is not drawn. */
enum status panel_set_observe(struct panel_set *set, const struct view *view);
/* Adds up the light of the view's bodies. `metered`: panel_set_expose was given this view last, and
 * the light that it added up is used again where it does not depend on the exposure. */
enum status panel_set_light(struct panel_set *set, const struct view *view, bool metered);
/* Converts that light and the background behind it to display values, faded by `seen` (0 .. 1) to
 * the background. Call once after each panel_set_light. */
void panel_set_show(struct panel_set *set, GLuint vertex_array, const struct gl_target *display,
                    double seen);

/* The view of a picture, or of an eye. */
const struct view *panel_set_view(const struct panel_set *set, const struct view *view, int panel);

/* Everything that the exposures of the next frame depend on. */
enum { PANEL_SET_STATE = PANELS_MAX * EXPOSURE_STATE };
void panel_set_state(const struct panel_set *set, double state[PANEL_SET_STATE]);
void panel_set_resume(struct panel_set *set, const double state[PANEL_SET_STATE]);
