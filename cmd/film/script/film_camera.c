#include "cmd/film/script/film_camera.h"

#include "base/functions/fn.h"
#include "base/log.h"
#include "base/memory.h"
#include "render/camera/camera.h"
#include "render/camera/project.h"
#include "render/panel/places.h"
#include "render/picture/picture.h"
#include "sim/bodies/bodies_whole.h"
#include "sim/pilot/galaxy_core.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The largest number of bodies from which the radii of galaxies are measured. */
enum { MEASURED = 1 << 18 };

bool film_follows(const struct scene *scene)
{
    bool follows = scene->camera.follow[0] != '\0';
    for (uint32_t i = 0; i < scene->look.panel_count; i++)
        follows = follows || scene->look.panels[i].follow[0];
    return follows;
}

/* The core radius of the galaxy of component c, which may have been measured for an earlier
 * component. */
static enum status find_radius(struct camera_part *parts, const struct bodies *bodies, size_t c)
{
    struct galaxy_core *core;
    for (size_t k = 0; k < c; k++)
        if (strcmp(parts[k].galaxy, parts[c].galaxy) == 0) {
            parts[c].radius = parts[k].radius;
            return STATUS_OK;
        }
    enum status status = galaxy_core_open(&core, bodies, c);
    if (status == STATUS_OK)
        parts[c].radius = galaxy_core_radius(core);
    galaxy_core_close(&core);
    return status;
}

static struct camera_part *list_parts(const struct bodies *bodies)
{
    struct camera_part *parts = memory_new(bodies->component_count, sizeof *parts);
    size_t first = 0;
    for (size_t c = 0; c < bodies->component_count; first += parts[c++].count) {
        const struct component *component = &bodies->components[c];
        parts[c] = (struct camera_part){.galaxy = component->galaxy,
                                        .component = component->name,
                                        .first = first,
                                        .count = (size_t)component_whole(component),
                                        .draw = component->draw};
    }
    return parts;
}

enum status film_camera_parts(struct camera_part **out, const struct scene *scene,
                              const struct bodies *bodies)
{
    struct camera_part *parts = *out = list_parts(bodies);
    struct bodies *few = NULL;
    if (!film_follows(scene))
        return STATUS_OK;
    /* More bodies would not make a radius more accurate, and on ranks no process has all. */
    enum status status = whole_thin(bodies, whole_most(bodies_whole(bodies), MEASURED), &few);
    for (size_t c = 0; c < bodies->component_count && status == STATUS_OK; c++)
        status = find_radius(parts, few, c);
    bodies_destroy(&few);
    return status;
}

enum status film_camera_check(const struct scene *scene, const struct bodies *bodies)
{
    struct camera_part *parts = list_parts(bodies);
    const struct renderer_params params = {.camera = scene->camera,
                                           .look = scene->look,
                                           .frames = scene->output.frames,
                                           .parts = parts,
                                           .part_count = (int)bodies->component_count};
    enum status status = STATUS_OK;
    for (int i = 0; i < look_pictures(&scene->look) && status == STATUS_OK; i++)
        status = camera_check_picture(&params, i);
    free(parts);
    return status;
}

static enum status find_distance(struct renderer_params *params, struct start *start)
{
    double target[3];
    struct camera_frame frame = {.stretch = params->found.camera.stretch};
    enum status status = camera_find_target(params, 0, &start->view, target);
    if (status != STATUS_OK)
        return status;
    double radius;
    status = start_radius(start, target, 0.99, &radius);
    panel_size(params, &frame.width, &frame.height);
    params->found.camera.distance =
        camera_fit(&params->camera, radius > 0 ? 1.1 * radius : 1, &frame);
    return status;
}

static enum status check_eye(const struct scene *scene, const struct bodies *bodies,
                             const double eye[3])
{
    for (size_t c = 0; c < bodies->component_count; c++) {
        const struct component *part = &bodies->components[c];
        const double softening =
            part->softening > 0 ? part->softening : scene->simulation.softening;
        const double size = fmax(softening, scene->look.radius);
        for (size_t i = part->first; part->draw && i < part->first + part->count; i++) {
            const double *x = bodies->position[i];
            const double away = fn_hypot(fn_hypot(x[0] - eye[0], x[1] - eye[1]), x[2] - eye[2]);
            if (away > size)
                continue;
            return status_fail(
                STATUS_USAGE,
                "%s puts the camera at [%.6g, %.6g, %.6g] at the start, %.3g from "
                "body %zu of %s, which is %.3g in size; move it outside of the "
                "bodies",
                scene->camera.keyframe_count > 0 ? "camera.keyframes" : "camera.distance", eye[0],
                eye[1], eye[2], away, whole_number(bodies, i) + 1, part->name, size);
        }
    }
    return STATUS_OK;
}

/* A camera among the bodies would show only a few of them, large. */
static enum status warn_of_inside(const struct renderer_params *params, struct start *start)
{
    const struct camera_params *camera = &params->camera;
    const bool flat = !camera->projection || camera->projection->flat;
    double target[3], half;
    if (!(camera->distance > 0) || camera->keyframe_count > 0 || !flat ||
        camera_find_target(params, 0, &start->view, target) != STATUS_OK)
        return STATUS_OK;
    const enum status status = start_radius(start, target, 0.5, &half);
    if (status == STATUS_OK && camera->distance < half)
        log_warning("the camera is among the bodies: camera.distance is %.3g, but half of the "
                    "drawn bodies are within %.3g of its target; raise camera.distance, or leave "
                    "it out to see all bodies",
                    camera->distance, half);
    return status;
}

enum status film_camera_place(struct renderer_params *params, const struct scene *scene,
                              struct start *start)
{
    enum status status = warn_of_inside(params, start);
    if (status == STATUS_OK && params->camera.distance == 0 && params->found.camera.distance == 0)
        status = find_distance(params, start);
    for (int i = 0; i < look_pictures(&params->look) && status == STATUS_OK; i++) {
        struct camera *camera;
        struct camera_aim aim;
        status = camera_open_picture(&camera, params, i);
        if (status != STATUS_OK)
            break;
        camera_aim(camera, &start->view, &aim);
        camera_close(&camera);
        status = check_eye(scene, start->bodies, aim.eye);
    }
    return status;
}
