#include "cmd/film/script/brightness.h"

#include "base/functions/fn.h"
#include "base/memory.h"
#include "cmd/film/start/panels.h"
#include "render/camera/camera.h"
#include "render/density/density.h"
#include "render/panel/places.h"
#include "render/picture/picture.h"
#include "render/post/tone.h"
#include "render/sprites/modes.h"
#include "sim/bodies/bodies_whole.h"
#include "sim/gravity/tree/neighbours.h"
#include "sim/pilot/pilot.h"

#include <math.h>
#include <stdlib.h>

/* A sprite's size is the distance to this neighbour; among the reduced bodies 24 is enough for
 * continuous light. */
enum { NEIGHBOUR = 24 };

struct brightness {
    const struct renderer_params *params;
    const struct script *script;
    const struct script_source *source;
    bool open; /* the rest is set when the run's bodies are first seen */
    struct light_picture picture;
    struct camera *camera;
    size_t followed[VIEW_FOLLOWED_MAX]; /* rows of the bodies that it follows, or stand-ins */
    size_t *body;                       /* [picture.count]: indices of the drawn bodies */
    double (*rows)[4];
    double (*position)[3];
    double *light;
    float *radius;
    struct neighbours *neighbours;
    struct light_tally *first, *all;
    struct found_light seen;
};

/* Whether the overlay keeps out of the light. */
static bool needs_places(const struct renderer_params *params)
{
    const struct overlay_params *overlay = &params->overlay;
    const bool shown = overlay->title || overlay->clock || overlay->scale_bar || overlay->bodies ||
                       overlay->frame || overlay->legend || overlay->energy ||
                       overlay->caption_count > 0 || overlay->label_count > 0;
    return shown && params->look.panel_count == 0;
}

static bool needs_exposure(const struct renderer_params *params)
{
    const struct look_params *look = &params->look;
    return look->tone->by_density && look->exposure.factor == 0 && !look->exposure.adapts &&
           !look->exposure.surface && !look->mode->counts;
}

/* The groups are the film's drawn components, in which fewer bodies are left, each representing
 * several. */
static void choose_bodies(struct brightness *brightness, const struct bodies *bodies)
{
    const bool by_mass = brightness->params->look.weight->by_mass;
    const struct component *film = brightness->source->bodies->components;
    size_t count = 0, c = 0;
    for (int g = 0; g < brightness->params->group_count; g++, c++) {
        const struct draw_group *group = &brightness->params->groups[g];
        while (!film[c].draw || component_whole(&film[c]) == 0)
            c++;
        const struct component *left = &bodies->components[c];
        for (size_t i = left->first; i < left->first + left->count; i++) {
            const double each = (double)draw_group_whole(group) / (double)left->count;
            brightness->light[count] = (double)group->light * (by_mass ? bodies->mass[i] : each);
            brightness->body[count++] = i;
        }
    }
    brightness->picture.count = count;
}

static enum status open_camera(struct brightness *brightness, const struct bodies *bodies)
{
    struct renderer_params params = *brightness->params;
    struct camera_part *parts;
    enum status status = film_camera_parts(&parts, brightness->source->scene, bodies);
    params.parts = parts;
    params.part_count = (int)bodies->component_count;
    film_watch_stand_in(brightness->source->watch, bodies, brightness->followed);
    if (status == STATUS_OK)
        status = camera_open_picture(&brightness->camera, &params, 0);
    free(parts);
    return status;
}

static enum status open_brightness(struct brightness *brightness, const struct bodies *bodies)
{
    const size_t n = bodies->count;
    struct panel_place places[PANELS_MAX];
    int pictures;
    enum status status = panel_places(brightness->params, places, &pictures);
    if (status != STATUS_OK)
        return status;
    brightness->open = true;
    brightness->body = memory_new(n, sizeof *brightness->body);
    brightness->rows = memory_new(n, sizeof *brightness->rows);
    brightness->position = memory_new(n, sizeof *brightness->position);
    brightness->light = memory_new(n, sizeof *brightness->light);
    brightness->radius = memory_new(n, sizeof *brightness->radius);
    brightness->picture = (struct light_picture){
        .aspect = (double)places[0].whole_width / places[0].whole_height,
        .whole_sphere = places[0].whole_sphere,
        .dome = places[0].dome,
        .position = (const double(*)[3])brightness->position,
        .radius = brightness->radius,
        .light = brightness->light,
    };
    choose_bodies(brightness, bodies);
    status = open_camera(brightness, bodies);
    const size_t count = brightness->picture.count;
    if (status == STATUS_OK && count > 1)
        status = neighbours_open(&brightness->neighbours, count,
                                 count > NEIGHBOUR ? NEIGHBOUR : (unsigned)count - 1);
    return status;
}

static void take_bodies(struct brightness *brightness, const struct bodies *bodies)
{
    for (size_t i = 0; i < brightness->picture.count; i++) {
        for (size_t c = 0; c < 3; c++)
            brightness->rows[i][c] = brightness->position[i][c] =
                bodies->position[brightness->body[i]][c];
        brightness->rows[i][3] = bodies->mass[brightness->body[i]];
    }
}

/* The place of a body in the picture, -1 .. 1 to the right and up: in the overlay's part of a whole
 * sphere, a quarter of the way around, or of a dome (panel/places.h). `at` is along the camera's
 * axes. */
static void place(const struct light_picture *picture, const double at[3], double *x, double *y)
{
    const double tangent = fn_tan(picture->aim.fov * M_PI / 360);
    *x = at[0] / (-at[2] * tangent * picture->aspect);
    *y = at[1] / (-at[2] * tangent);
    if (picture->dome > 0) {
        const double across = fmax(fn_hypot(at[0], at[1]), 1e-300);
        const double off = camera_radian(1, picture->dome) * fn_atan2(across, -at[2]);
        *x = off * at[0] / across / (DOME_TEXT_WIDTH / 2);
        *y = (off * at[1] / across + DOME_TEXT_TOP) / (DOME_TEXT_HEIGHT / 2) + 1;
        return;
    }
    if (!picture->whole_sphere)
        return;
    *x = fn_atan(at[0] / -at[2]) / (M_PI / 4);
    *y = fn_atan(at[1] / sqrt(at[0] * at[0] + at[2] * at[2])) / (M_PI / 4 * 9 / 16);
}

static void take_places(struct brightness *brightness, double frame)
{
    const struct light_picture *picture = &brightness->picture;
    const struct camera_aim *aim = &picture->aim;
    double axis[3][3], cell[FOUND_LIGHT_SIDE][FOUND_LIGHT_SIDE] = {{0}}, everywhere = 0;
    camera_aim_axes(aim, axis[0], axis[1], axis[2]);
    for (size_t i = 0; i < picture->count; i++) {
        double at[3] = {0};
        for (int a = 0; a < 3; a++)
            for (int c = 0; c < 3; c++)
                at[a] += axis[a][c] * (picture->position[i][c] - aim->eye[c]);
        double x, y;
        place(picture, at, &x, &y);
        everywhere += picture->light[i];
        if ((at[2] < 0 || picture->dome > 0) && fabs(x) < 1 && fabs(y) < 1)
            cell[(int)((1 - y) / 2 * FOUND_LIGHT_SIDE)][(int)((1 + x) / 2 * FOUND_LIGHT_SIDE)] +=
                picture->light[i];
    }
    found_light_add(&brightness->seen, frame, cell, everywhere);
}

static enum status see(void *user, const struct bodies *bodies, const struct view *view,
                       double time)
{
    struct brightness *brightness = user;
    const struct script *script = brightness->script;
    enum status status = brightness->open ? STATUS_OK : open_brightness(brightness, bodies);
    if (status != STATUS_OK || !brightness->neighbours)
        return status;
    take_bodies(brightness, bodies);
    status = neighbours_find(brightness->neighbours, (const double(*)[4])brightness->rows, 1,
                             brightness->radius, NULL);
    if (status != STATUS_OK)
        return status;
    const double frame = fmax(0, round(frame_clock_frame(&script->clock, time)));
    struct view now = *view;
    now.frame = (uint64_t)fmin(frame, (double)(brightness->params->frames - 1));
    film_watch_show(brightness->source->watch, bodies, brightness->followed, &now);
    camera_aim(brightness->camera, &now, &brightness->picture.aim);
    if (brightness->picture.dome > 0)
        camera_aim_lean(&brightness->picture.aim,
                        camera_dome_lean_at(brightness->params, (double)now.frame));
    if (time == 0)
        light_tally_add(brightness->first, &brightness->picture);
    light_tally_add(brightness->all, &brightness->picture);
    if (needs_places(brightness->params))
        take_places(brightness, (double)now.frame);
    return STATUS_OK;
}

static void end_brightness(struct brightness *brightness)
{
    camera_close(&brightness->camera);
    neighbours_close(&brightness->neighbours);
    free(brightness->body);
    free(brightness->rows);
    free(brightness->position);
    free(brightness->light);
    free(brightness->radius);
    free(brightness->first);
    free(brightness->all);
}

static double against_first(const struct brightness *brightness, double share)
{
    const double first = light_tally_below(brightness->first, share);
    return first > 0 ? light_tally_below(brightness->all, share) / first : 1;
}

enum status brightness_find(struct renderer_params *params, const struct script *script,
                            const struct script_source *source)
{
    struct simulation_params simulation = source->scene->simulation;
    struct brightness brightness = {.params = params, .script = script, .source = source};
    struct pilot *pilot = NULL;
    if (!(needs_exposure(params) || needs_places(params)) || params->frames < 2 ||
        params->group_count == 0 || script->duration == 0)
        return STATUS_OK;
    simulation.played = film_played(source->scene);
    brightness.first = memory_new(1, sizeof *brightness.first);
    brightness.all = memory_new(1, sizeof *brightness.all);
    const struct pilot_params run = {.simulation = &simulation,
                                     .duration = script->duration,
                                     .frames = params->frames,
                                     .seeks = PILOT_SHORT,
                                     .backend = source->backend,
                                     .device = source->device,
                                     .run = source->run,
                                     .keep = source->pilots,
                                     .see = see,
                                     .user = &brightness};
    enum status status = pilot_run(&pilot, &run, source->bodies);
    if (status == STATUS_OK)
        params->found.light =
            script->light.times > 0 && needs_places(params) ? script->light : brightness.seen;
    if (status == STATUS_OK && needs_exposure(params)) {
        params->found.look.brightest = against_first(&brightness, 0.99);
        params->found.look.middle = against_first(&brightness, 0.5);
        params->found.look.faintest = against_first(&brightness, 0.01);
    }
    pilot_close(&pilot);
    end_brightness(&brightness);
    return status;
}

enum status brightness_keep(const struct script *script, const struct script_source *source)
{
    const struct simulation_params *simulation = &source->scene->simulation;
    struct pilot *pilot = NULL;
    if (source->scene->output.frames < 2 || script->duration == 0)
        return STATUS_OK;
    const struct pilot_params run = {.simulation = simulation,
                                     .duration = script->duration,
                                     .frames = source->scene->output.frames,
                                     .seeks = PILOT_SHORT,
                                     .backend = source->backend,
                                     .device = source->device,
                                     .keep = source->pilots};
    const enum status status = pilot_run(&pilot, &run, source->bodies);
    pilot_close(&pilot);
    return status;
}
