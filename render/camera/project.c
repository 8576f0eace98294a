#include "render/camera/camera.h"

#include "render/camera/vector.h"

#include <cglm/cglm.h>
#include <string.h>

static double radians(double degrees)
{
    return degrees * (M_PI / 180.0);
}

double camera_aim_axes(const struct camera_aim *aim, double right[3], double up[3], double back[3])
{
    vector_add(back, aim->eye, -1, aim->target);
    const double distance = vector_length(back);
    for (int i = 0; i < 3; i++)
        back[i] /= distance;
    vector_cross(right, aim->up, back);
    const double length = vector_length(right);
    for (int i = 0; i < 3; i++)
        right[i] /= length;
    vector_cross(up, back, right);
    return distance;
}

double camera_aim_distance(const struct camera_aim *aim)
{
    double right[3], up[3], back[3];
    return camera_aim_axes(aim, right, up, back);
}

void camera_aim_eye(struct camera_aim *aim, double shift)
{
    double right[3], up[3], back[3];
    camera_aim_axes(aim, right, up, back);
    for (int i = 0; i < 3; i++) {
        aim->eye[i] += shift * right[i];
        aim->target[i] += shift * right[i];
    }
}

void camera_aim_face(struct camera_aim *out, const struct camera_aim *aim, int face)
{
    double right[3], up[3], back[3];
    double distance = camera_aim_axes(aim, right, up, back);
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
    const double distance = camera_aim_axes(aim, right, up, back);
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
    out->corner[0] = (float)window->x - (float)window->margin;
    out->corner[1] =
        (float)window->height - (float)window->y - (float)window->rows - (float)window->margin;
    out->pixels_per_unit = (float)(window->height / (2 * tangent * distance));
}

double camera_fit(const struct camera_params *params, double radius, uint32_t width,
                  uint32_t height)
{
    double narrow = radians(params->fov) / 2;
    if (width < height)
        narrow = atan(tan(narrow) * width / height);
    return radius / sin(narrow);
}
