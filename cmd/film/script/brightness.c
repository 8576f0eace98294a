#include "cmd/film/script/brightness.h"

#include "base/functions/fn.h"
#include "base/memory.h"
#include "cmd/film/script/camera.h"
#include "cmd/film/start/sources.h"
#include "render/camera/camera.h"
#include "render/density/light_tally.h"
#include "render/panel/places.h"
#include "render/picture/projection.h"
#include "render/post/tone.h"
#include "render/sprites/draw_mode.h"
#include "render/sprites/weight.h"
#include "sim/pilot/pilot.h"
#include "sim/gravity/tree/neighbours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Among the reduced bodies: enough for continuous light. */
enum { NEIGHBOUR = 24 };

struct glance {
    const struct renderer_params *params;
    const struct script *script;
    const struct script_source *source;
    bool open; /* the rest is set when the run's bodies are first seen */
    struct light_picture picture;
    struct camera *camera;
    size_t *body; /* [picture.count]: indices of the drawn bodies */
    double (*rows)[4];
    double (*position)[3];
    double *light;
    float *radius;
    struct neighbours *neighbours;
    struct light_tally *first, *all;
    double corner[FOUND_CORNERS], everywhere; /* light over the film */
};

/* Size of a corner, in halves of the picture's shorter side: about as large as a box. */
static const double corner_width = 1, corner_height = 0.7;

static bool needs_corners(const struct renderer_params *params)
{
    const struct overlay_params *overlay = &params->overlay;
    const struct projection *projection = params->camera.projection;
    return (overlay->legend || overlay->energy) && params->look.panel_count == 0 &&
           (!projection || projection->flat);
}

static bool needs_exposure(const struct renderer_params *params)
{
    const struct look_params *look = &params->look;
    return look->tone->by_density && look->exposure.factor == 0 && !look->exposure.adapts &&
           !look->exposure.surface && !look->mode->counts;
}

static size_t component_of(const struct bodies *bodies, size_t i)
{
    size_t c = 0;
    while (i >= bodies->components[c].first + bodies->components[c].count)
        c++;
    return c;
}

/* The film's groups are components, of which fewer bodies are left, each representing several. */
static void choose_bodies(struct glance *glance, const struct bodies *bodies)
{
    const bool by_mass = glance->params->look.weight->by_mass;
    size_t count = 0;
    for (int g = 0; g < glance->params->group_count; g++) {
        const struct draw_group *group = &glance->params->groups[g];
        const struct component *left =
            &bodies->components[component_of(glance->source->bodies, group->first)];
        for (size_t i = left->first; i < left->first + left->count; i++) {
            const double each = (double)group->count / (double)left->count;
            glance->light[count] = (double)group->light * (by_mass ? bodies->mass[i] : each);
            glance->body[count++] = i;
        }
    }
    glance->picture.count = count;
}

static enum status open_camera(struct glance *glance, const struct bodies *bodies)
{
    struct renderer_params params = *glance->params;
    struct camera_part *parts;
    enum status status = film_camera_parts(&parts, glance->source->scene, bodies);
    params.parts = parts;
    params.part_count = (int)bodies->component_count;
    if (status == STATUS_OK)
        status = camera_open_picture(&glance->camera, &params, 0);
    free(parts);
    return status;
}

static enum status open_glance(struct glance *glance, const struct bodies *bodies)
{
    const size_t n = bodies->count;
    struct panel_place places[PANELS_MAX];
    int pictures;
    enum status status = panel_places(glance->params, places, &pictures);
    if (status != STATUS_OK)
        return status;
    glance->open = true;
    glance->body = memory_new(n, sizeof *glance->body);
    glance->rows = memory_new(n, sizeof *glance->rows);
    glance->position = memory_new(n, sizeof *glance->position);
    glance->light = memory_new(n, sizeof *glance->light);
    glance->radius = memory_new(n, sizeof *glance->radius);
    glance->picture = (struct light_picture){
        .aspect = (double)places[0].whole_width / places[0].whole_height,
        .whole_sphere = places[0].whole_sphere,
        .position = (const double(*)[3])glance->position,
        .radius = glance->radius,
        .light = glance->light,
    };
    choose_bodies(glance, bodies);
    status = open_camera(glance, bodies);
    const size_t count = glance->picture.count;
    if (status == STATUS_OK && count > 1)
        status = neighbours_open(&glance->neighbours, count,
                                 count > NEIGHBOUR ? NEIGHBOUR : (unsigned)count - 1);
    return status;
}

static void take_bodies(struct glance *glance, const struct bodies *bodies)
{
    for (size_t i = 0; i < glance->picture.count; i++) {
        for (size_t c = 0; c < 3; c++)
            glance->rows[i][c] = glance->position[i][c] = bodies->position[glance->body[i]][c];
        glance->rows[i][3] = bodies->mass[glance->body[i]];
    }
}

static void tally_corners(struct glance *glance)
{
    const struct light_picture *picture = &glance->picture;
    const struct camera_aim *aim = &picture->aim;
    const double tangent = fn_tan(aim->fov * M_PI / 360);
    const double aspect = picture->aspect, shorter = fmin(1, aspect);
    const double left = 1 - corner_width * shorter / aspect, low = 1 - corner_height * shorter;
    double axis[3][3];
    camera_aim_axes(aim, axis[0], axis[1], axis[2]);
    for (size_t i = 0; i < picture->count; i++) {
        double at[3] = {0};
        for (int a = 0; a < 3; a++)
            for (int c = 0; c < 3; c++)
                at[a] += axis[a][c] * (picture->position[i][c] - aim->eye[c]);
        glance->everywhere += picture->light[i];
        const double x = at[0] / (-at[2] * tangent * aspect), y = at[1] / (-at[2] * tangent);
        if (at[2] < 0 && fabs(x) > left && fabs(x) < 1 && fabs(y) > low && fabs(y) < 1)
            glance->corner[(y < 0 ? 2 : 0) + (x > 0 ? 1 : 0)] += picture->light[i];
    }
}

static enum status see(void *user, const struct bodies *bodies, const struct view *view,
                       double time)
{
    struct glance *glance = user;
    const struct script *script = glance->script;
    enum status status = glance->open ? STATUS_OK : open_glance(glance, bodies);
    if (status != STATUS_OK || !glance->neighbours)
        return status;
    take_bodies(glance, bodies);
    status = neighbours_find(glance->neighbours, (const double(*)[4])glance->rows, 1,
                             glance->radius, NULL);
    if (status != STATUS_OK)
        return status;
    const double frame = fmax(0, round(frame_clock_frame(&script->clock, time)));
    struct view now = *view;
    now.frame = (uint64_t)fmin(frame, (double)(glance->params->frames - 1));
    camera_aim(glance->camera, &now, &glance->picture.aim);
    if (time == 0)
        light_tally_add(glance->first, &glance->picture);
    light_tally_add(glance->all, &glance->picture);
    if (needs_corners(glance->params))
        tally_corners(glance);
    return STATUS_OK;
}

static void end_glance(struct glance *glance)
{
    camera_close(&glance->camera);
    neighbours_close(&glance->neighbours);
    free(glance->body);
    free(glance->rows);
    free(glance->position);
    free(glance->light);
    free(glance->radius);
    free(glance->first);
    free(glance->all);
}

static double against_first(const struct glance *glance, double share)
{
    const double first = light_tally_below(glance->first, share);
    return first > 0 ? light_tally_below(glance->all, share) / first : 1;
}

enum status brightness_find(struct renderer_params *params, const struct script *script,
                            const struct script_source *source)
{
    struct simulation_params simulation = source->scene->simulation;
    struct glance glance = {.params = params, .script = script, .source = source};
    struct pilot *pilot = NULL;
    if (!(needs_exposure(params) || needs_corners(params)) || params->frames < 2 ||
        params->group_count == 0 || script->duration == 0)
        return STATUS_OK;
    simulation.played = film_played(source->scene);
    glance.first = memory_new(1, sizeof *glance.first);
    glance.all = memory_new(1, sizeof *glance.all);
    const struct pilot_params run = {.simulation = &simulation,
                                     .duration = script->duration,
                                     .frames = params->frames,
                                     .seeks = PILOT_GLANCE,
                                     .backend = source->backend,
                                     .device = source->device,
                                     .see = see,
                                     .user = &glance};
    enum status status = pilot_run(&pilot, &run, source->bodies);
    if (status == STATUS_OK)
        for (int i = 0; i < FOUND_CORNERS && glance.everywhere > 0; i++)
            params->found.corner[i] = glance.corner[i] / glance.everywhere;
    if (status == STATUS_OK && needs_exposure(params)) {
        params->found.look.brightest = against_first(&glance, 0.99);
        params->found.look.middle = against_first(&glance, 0.5);
        params->found.look.faintest = against_first(&glance, 0.01);
    }
    pilot_close(&pilot);
    end_glance(&glance);
    return status;
}
