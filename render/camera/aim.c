#include "render/camera/aim.h"

#include "render/camera/vector.h"
#include "base/functions/fn.h"

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
    /* Levels the view: the horizon lies in the plane perpendicular to the aim's `up`. */
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

static void turn_vertically(double vector[3], double angle)
{
    const double x = vector[0], y = vector[1];
    const double c = fn_cos(angle), s = fn_sin(angle);
    vector[0] = c * x - s * y;
    vector[1] = s * x + c * y;
}

void camera_aim_orbit(struct camera_aim *aim, double turn, double tilt)
{
    double offset[3], right[3], up[3], back[3];
    vector_add(offset, aim->eye, -1, aim->target);
    turn_vertically(offset, turn * (M_PI / 180));
    turn_vertically(aim->up, turn * (M_PI / 180));
    vector_add(aim->eye, aim->target, 1, offset);
    if (tilt == 0)
        return;
    const double distance = camera_aim_axes(aim, right, up, back);
    const double c = fn_cos(tilt * (M_PI / 180)), s = fn_sin(tilt * (M_PI / 180));
    for (int i = 0; i < 3; i++) {
        aim->eye[i] = aim->target[i] + distance * (c * back[i] + s * up[i]);
        aim->up[i] = c * up[i] - s * back[i];
    }
}

void camera_aim_zoom(struct camera_aim *aim, double factor)
{
    for (int i = 0; i < 3; i++)
        aim->eye[i] = aim->target[i] + (aim->eye[i] - aim->target[i]) / factor;
}

void camera_aim_pan(struct camera_aim *aim, const double shift[3])
{
    double right[3], up[3], back[3];
    camera_aim_axes(aim, right, up, back);
    for (int i = 0; i < 3; i++) {
        const double by = shift[0] * right[i] + shift[1] * up[i] - shift[2] * back[i];
        aim->eye[i] += by;
        aim->target[i] += by;
    }
}
