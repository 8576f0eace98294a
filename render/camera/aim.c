#include "render/camera/aim.h"

#include "render/camera/vector.h"

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
