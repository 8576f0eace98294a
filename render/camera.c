#include "render/camera.h"

#include <cglm/cglm.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct camera {
    struct camera_setup setup;
    struct camera_params params;
};

static double radians(double degrees)
{
    return degrees * (M_PI / 180.0);
}

enum status camera_open(struct camera **out, const struct camera_setup *setup)
{
    struct camera *camera = *out = calloc(1, sizeof *camera);
    if (!camera)
        return status_fail(STATUS_RUNTIME, "no memory left for a camera");
    camera->setup = *setup;
    camera->params = *setup->params;
    return STATUS_OK;
}

void camera_close(struct camera **camera)
{
    free(*camera);
    *camera = NULL;
}

void camera_aim(const struct camera *camera, const struct view *view, struct camera_aim *out)
{
    const struct camera_params *params = &camera->params;
    double last = camera->setup.frames > 1 ? (double)(camera->setup.frames - 1) : 1;
    double progress = (double)view->frame / last;
    double zoom = camera->setup.zoom > 0 ? camera->setup.zoom : 1;
    double distance = params->distance * pow(params->zoom, -progress) / zoom;
    double azimuth = radians(params->azimuth + params->orbit * progress + camera->setup.azimuth);
    double elevation = radians(params->elevation + camera->setup.elevation);
    const double outwards[3] = {cos(elevation) * cos(azimuth), cos(elevation) * sin(azimuth),
                                sin(elevation)};
    /* Up along the meridian, not the z axis, so that looking straight down has an up as well. */
    const double up[3] = {-sin(elevation) * cos(azimuth), -sin(elevation) * sin(azimuth),
                          cos(elevation)};
    for (int i = 0; i < 3; i++) {
        out->target[i] = params->target[i];
        out->eye[i] = params->target[i] + distance * outwards[i];
        out->up[i] = up[i];
    }
    out->fov = params->fov;
}

/* Right, up and backwards of an aim, unit vectors. */
static double axes(const struct camera_aim *aim, double right[3], double up[3], double back[3])
{
    double distance = 0, length = 0;
    for (int i = 0; i < 3; i++) {
        back[i] = aim->eye[i] - aim->target[i];
        distance += back[i] * back[i];
    }
    distance = sqrt(distance);
    for (int i = 0; i < 3; i++)
        back[i] /= distance;
    for (int i = 0; i < 3; i++) {
        right[i] =
            aim->up[(i + 1) % 3] * back[(i + 2) % 3] - aim->up[(i + 2) % 3] * back[(i + 1) % 3];
        length += right[i] * right[i];
    }
    for (int i = 0; i < 3; i++)
        right[i] /= sqrt(length);
    for (int i = 0; i < 3; i++)
        up[i] = back[(i + 1) % 3] * right[(i + 2) % 3] - back[(i + 2) % 3] * right[(i + 1) % 3];
    return distance;
}

double camera_aim_distance(const struct camera_aim *aim)
{
    double right[3], up[3], back[3];
    return axes(aim, right, up, back);
}

void camera_aim_eye(struct camera_aim *aim, double shift)
{
    double right[3], up[3], back[3];
    axes(aim, right, up, back);
    for (int i = 0; i < 3; i++) {
        aim->eye[i] += shift * right[i];
        aim->target[i] += shift * right[i];
    }
}

void camera_aim_face(struct camera_aim *out, const struct camera_aim *aim, int face)
{
    double right[3], up[3], back[3];
    double distance = axes(aim, right, up, back);
    /* Levelled: the horizon of the film is the plane across `up` of the aim. */
    double rise = 0, length = 0, level[3], over[3];
    for (int i = 0; i < 3; i++)
        length += aim->up[i] * aim->up[i];
    for (int i = 0; i < 3; i++) {
        over[i] = aim->up[i] / sqrt(length);
        rise += -back[i] * over[i];
    }
    length = 0;
    for (int i = 0; i < 3; i++) {
        level[i] = -back[i] - rise * over[i];
        length += level[i] * level[i];
    }
    *out = *aim;
    out->fov = 90;
    for (int i = 0; i < 3; i++) {
        level[i] /= sqrt(length);
        const double forward[6] = {right[i], -right[i], over[i], -over[i], level[i], -level[i]};
        const double top[6] = {over[i], over[i], -level[i], level[i], over[i], over[i]};
        out->target[i] = aim->eye[i] + distance * forward[face];
        out->up[i] = top[face];
    }
}

void camera_project(struct camera_pose *out, const struct camera_aim *aim,
                    const struct camera_window *window)
{
    double right[3], up[3], back[3];
    const double distance = axes(aim, right, up, back);
    const double tangent = tan(radians(aim->fov) / 2);
    const double near = distance * 1e-3, far = distance * 1e3;
    const double pixel = 2 * tangent * near / window->height; /* on the near plane */
    const double shear = -window->shear / distance * near;
    const double left = pixel * ((double)window->x - window->margin - 0.5 * window->width) + shear;
    const double top = pixel * (0.5 * window->height + window->margin - (double)window->y);
    const double columns = window->columns + 2.0 * window->margin;
    const double rows = window->rows + 2.0 * window->margin;
    double place[3] = {0};
    mat4 view = GLM_MAT4_IDENTITY_INIT, projection, product;
    for (int i = 0; i < 3; i++) {
        view[i][0] = (float)right[i];
        view[i][1] = (float)up[i];
        view[i][2] = (float)back[i];
        out->position[i] = (float)aim->eye[i];
        for (int axis = 0; axis < 3; axis++)
            place[axis] -= (axis == 0 ? right : axis == 1 ? up : back)[i] * aim->eye[i];
    }
    for (int axis = 0; axis < 3; axis++)
        view[3][axis] = (float)place[axis];
    glm_frustum((float)left, (float)(left + pixel * columns), (float)(top - pixel * rows),
                (float)top, (float)near, (float)far, projection);
    glm_mat4_mul(projection, view, product);
    memcpy(out->view_projection, product, sizeof out->view_projection);
    out->distance = (float)distance;
    out->pixels_a_unit = (float)(window->height / (2 * tangent * distance));
}

double camera_fit(const struct camera_params *params, double radius, uint32_t width,
                  uint32_t height)
{
    double narrow = radians(params->fov) / 2;
    if (width < height)
        narrow = atan(tan(narrow) * width / height);
    return radius / sin(narrow);
}
