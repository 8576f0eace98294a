#include "render/panel/set.h"

#include "render/picture/picture.h"
#include "render/sprites/modes.h"

#include <string.h>

static enum status create_panel(struct panel_set *set, const struct renderer_params *params,
                                const struct gl_context *context, GLuint vertex_array, int i)
{
    const struct panel_place *place = &set->places[i];
    struct panel_setup setup = {
        .sprites = {.look = look_of_picture(&params->look, i),
                    .found = params->found.look,
                    .vertex_array = vertex_array,
                    .groups = params->groups,
                    .group_count = params->group_count,
                    .sum = params->sum,
                    .absences = params->absences,
                    .whole_sphere = place->whole_sphere,
                    .width = place->width,
                    .height = place->height,
                    .whole_width = place->whole_width,
                    .whole_height = place->whole_height,
                    .stretch = params->found.camera.stretch,
                    .quads = params->quads,
                    .splats_at_once = params->splats_at_once},
        .bare = picture_format_is_light(params->format),
        .headroom = hdr_headroom(picture_format_hdr(params->format)),
        .dome = place->dome,
        .lean = camera_dome_lean(&params->camera),
        .dome_height = params->camera.dome_height,
        .universe = params->found.universe,
        .eye = place->eye,
        .eye_distance = params->camera.eye_distance,
        .x = place->x,
        .y = place->y,
        .fps = params->labels.fps,
        .seed = params->seed,
        .keyed = params->found.camera.keyed,
        .keyed_count = params->found.camera.keyed_count,
        .marked = params->marked,
        .marked_count = params->marked_count,
    };
    if (params->look.panel_count > 0) {
        const struct panel_params *panel = &params->look.panels[i];
        set->source[i] = params->panel_source[i];
        if (params->panel_groups[i])
            setup.sprites.groups = params->panel_groups[i];
        if (panel->difference)
            setup.sprites.reference = set->bodies[set->source[0]].position;
    }
    setup.sprites.bodies = set->bodies[set->source[i]];
    enum status status = camera_open_picture(&set->cameras[i], params, i);
    setup.camera = set->cameras[i];
    return status == STATUS_OK ? panel_create(&set->panels[i], &setup, context) : status;
}

enum status panel_set_create(struct panel_set *set, const struct renderer_params *params,
                             const struct gl_context *context, GLuint vertex_array)
{
    enum status status = panel_places(params, set->places, &set->count);
    if (status != STATUS_OK)
        return status;
    set->sources = params->sources;
    set->stereo = set->places[0].eye != 0;
    set->first = params->camera.projection && params->camera.projection->eye > 0;
    struct column_names names;
    look_columns(&params->look, &names);
    if (params->absences)
        column_names_add(&names, COLUMN_ABSENT);
    if (params->group_count == 0) /* nothing is drawn */
        names.count = 0;
    for (int i = 0; i < set->sources; i++)
        body_buffers_create(&set->bodies[i], params->count, &names, params->ordered);
    bool along = true;
    for (int i = 0; status == STATUS_OK && i < set->count; i++) {
        status = create_panel(set, params, context, vertex_array, i);
        along = along && status == STATUS_OK && panel_only_along(set->panels[i]);
    }
    for (int i = 0; i < set->sources && along; i++)
        body_buffers_only_along(&set->bodies[i]);
    return status;
}

void panel_set_find(struct panel_set *set, const struct look_found *found)
{
    for (int i = 0; i < set->count; i++)
        panel_find(set->panels[i], found);
}

enum status panel_set_aim(struct panel_set *set, const struct renderer_params *params)
{
    struct camera *cameras[PANELS_MAX] = {0};
    enum status status = STATUS_OK;
    for (int i = 0; i < set->count && status == STATUS_OK; i++)
        status = camera_open_picture(&cameras[i], params, i);
    for (int i = 0; i < set->count; i++) {
        struct camera *spare = cameras[i];
        if (status == STATUS_OK) {
            spare = set->cameras[i];
            set->cameras[i] = cameras[i];
            panel_aim(set->panels[i], set->cameras[i]);
        }
        camera_close(&spare);
    }
    return status;
}

void panel_set_destroy(struct panel_set *set)
{
    for (int i = 0; i < PANELS_MAX; i++) {
        panel_destroy(&set->panels[i]);
        camera_close(&set->cameras[i]);
        body_buffers_destroy(&set->bodies[i]);
    }
    *set = (struct panel_set){0};
}

const struct view *panel_set_view(const struct panel_set *set, const struct view *view, int panel)
{
    for (int i = 0; i < set->source[panel]; i++)
        view = view->next;
    return view;
}

/* Both eyes have one exposure: the right eye copies the left. */
static void share_exposure(struct panel_set *set)
{
    for (int i = 1; i < set->count && set->stereo; i++)
        panel_share_exposure(set->panels[i], set->panels[0]);
}

enum status panel_set_expose(struct panel_set *set, const struct view *view)
{
    const int lit = set->stereo ? 1 : set->count;
    enum status status = STATUS_OK;
    for (int i = 0; i < lit && status == STATUS_OK; i++) {
        status = panel_light(set->panels[i], panel_set_view(set, view, i));
        if (status == STATUS_OK)
            status = panel_expose(set->panels[i]);
    }
    share_exposure(set);
    return status;
}

static enum status light_panel(struct panel_set *set, const struct view *view, int i, bool metered)
{
    const bool follows = set->stereo && i > 0, seen = set->seen == view->frame + 1;
    enum status status = STATUS_OK;
    if (!metered || follows || panel_light_is_exposed(set->panels[i]))
        status = panel_light(set->panels[i], panel_set_view(set, view, i));
    return status != STATUS_OK || follows || seen ? status
                                                  : panel_adapt(set->panels[i], view->frame);
}

enum status panel_set_observe(struct panel_set *set, const struct view *view)
{
    const int lit = set->stereo ? 1 : set->count;
    enum status status = STATUS_OK;
    for (int i = 0; i < lit && status == STATUS_OK; i++)
        status = light_panel(set, view, i, false);
    set->seen = view->frame + 1;
    return status;
}

enum status panel_set_light(struct panel_set *set, const struct view *view, bool metered)
{
    enum status status = STATUS_OK;
    for (int i = 0; i < set->count && status == STATUS_OK; i++)
        status = light_panel(set, view, i, metered);
    share_exposure(set);
    set->seen = view->frame + 1; /* all tiles of a frame have the same exposure */
    return status;
}

void panel_set_show(struct panel_set *set, GLuint vertex_array, const struct gl_target *display,
                    double seen)
{
    glBindVertexArray(vertex_array);
    glActiveTexture(GL_TEXTURE0);
    for (int i = set->first; i < set->count; i++)
        panel_show(set->panels[i], display, seen);
}

void panel_set_state(const struct panel_set *set, double state[PANEL_SET_STATE])
{
    memset(state, 0, PANEL_SET_STATE * sizeof *state);
    for (int i = 0; i < set->count; i++)
        panel_state(set->panels[i], state + i * EXPOSURE_STATE);
}

void panel_set_resume(struct panel_set *set, const double state[PANEL_SET_STATE])
{
    for (int i = 0; i < set->count; i++)
        panel_resume(set->panels[i], state + i * EXPOSURE_STATE);
    set->seen = 0;
}
