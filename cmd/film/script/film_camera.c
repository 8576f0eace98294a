#include "cmd/film/script/film_camera.h"

#include "base/log.h"
#include "cmd/film/start/panels.h"
#include "render/camera/camera.h"
#include "render/camera/keyed.h"
#include "render/camera/project.h"
#include "render/panel/places.h"
#include "render/picture/picture.h"

#include <stdlib.h>

enum status film_camera_check(const struct scene *scene, const struct bodies *bodies,
                              const struct film_watch *watch)
{
    int count;
    struct camera_part *parts = film_camera_names(bodies, &count);
    const struct renderer_params params = {.camera = scene->camera,
                                           .look = scene->look,
                                           .frames = scene->output.frames,
                                           .parts = parts,
                                           .part_count = count,
                                           .bodies =
                                               watch ? watch->bodies : (struct camera_bodies){0}};
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
    struct camera_params camera = params->camera;
    keyed_apply(params->found.camera.keyed, params->found.camera.keyed_count, KEYED_CAMERA, 0,
                &camera);
    params->found.camera.distance = camera_fit(&camera, radius > 0 ? 1.1 * radius : 1, &frame);
    return status;
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
        status = start_check_eye(start, scene, aim.eye);
    }
    return status;
}
