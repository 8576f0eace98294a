#include "render/camera/project.h"

#include <string.h>

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

void camera_aim_lean(struct camera_aim *aim, double degrees)
{
    double right[3], up[3], back[3];
    const double distance = camera_aim_axes(aim, right, up, back);
    const double c = fn_cos(degrees * (M_PI / 180)), s = fn_sin(degrees * (M_PI / 180));
    for (int i = 0; i < 3; i++) {
        aim->target[i] = aim->eye[i] + distance * (s * up[i] - c * back[i]);
        aim->up[i] = c * up[i] + s * back[i];
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

/* ---- project ---- */

static double radians(double degrees)
{
    return degrees * (M_PI / 180.0);
}

/* The matrix of glFrustum times `view`, both in columns. */
static void look_through(float out[4][4], float left, float right, float bottom, float top,
                         float near, float far, const float view[4][4])
{
    const float width = 1 / (right - left), height = 1 / (top - bottom), depth = -1 / (far - near);
    for (int c = 0; c < 4; c++) {
        const float *v = view[c];
        out[c][0] = 2 * near * width * v[0] + (right + left) * width * v[2];
        out[c][1] = 2 * near * height * v[1] + (top + bottom) * height * v[2];
        out[c][2] = (far + near) * depth * v[2] + far * (2 * near) * depth * v[3];
        out[c][3] = -v[2];
    }
}

double camera_slab_depth(const float slab[4], const double place[3])
{
    double depth = (double)slab[3];
    for (int i = 0; i < 3; i++)
        depth += (double)slab[i] * place[i];
    return fabs(depth);
}

bool camera_pose_has(const struct camera_pose *pose, const float place[3])
{
    const float *slab = pose->slab;
    return fabsf(slab[0] * place[0] + slab[1] * place[1] + slab[2] * place[2] + slab[3]) <= 1;
}

void camera_project(struct camera_pose *out, const struct camera_aim *aim,
                    const struct camera_window *window)
{
    memset(out->slab, 0, sizeof out->slab);
    double right[3], up[3], back[3];
    const double distance = camera_aim_axes(aim, right, up, back);
    const double tangent = fn_tan(radians(aim->fov) / 2);
    const double near = distance * 1e-3, far = distance * 1e3;
    const double pixel = 2 * tangent * near / window->height; /* on the near plane */
    const double shear = -window->shear / distance * near;
    const double left = pixel * ((double)window->x - window->margin - 0.5 * window->width) + shear;
    const double top = pixel * (0.5 * window->height + window->margin - (double)window->y);
    const double columns = window->columns + 2.0 * window->margin;
    const double rows = window->rows + 2.0 * window->margin;
    double place[3] = {0};
    float view[4][4] = {[3][3] = 1}, product[4][4];
    for (int i = 0; i < 3; i++) {
        view[i][0] = (float)right[i];
        view[i][1] = (float)up[i];
        view[i][2] = (float)back[i];
        out->position[i] = (float)aim->eye[i];
        out->up[i] = (float)up[i];
        for (int axis = 0; axis < 3; axis++)
            place[axis] -= (axis == 0 ? right : axis == 1 ? up : back)[i] * aim->eye[i];
    }
    for (int axis = 0; axis < 3; axis++)
        view[3][axis] = (float)place[axis];
    look_through(product, (float)left, (float)(left + pixel * columns), (float)(top - pixel * rows),
                 (float)top, (float)near, (float)far, view);
    memcpy(out->view_projection, product, sizeof out->view_projection);
    out->distance = (float)distance;
    out->corner[0] = (float)window->x - (float)window->margin;
    out->corner[1] =
        (float)window->height - (float)window->y - (float)window->rows - (float)window->margin;
    out->pixels_per_unit = (float)(window->height / (2 * tangent * distance));
}

bool camera_see(const struct camera_eye *eye, const double point[3], double at[2], double *scale)
{
    const struct camera_aim *aim = &eye->aim;
    double right[3], up[3], back[3], offset[3], seen[3] = {0};
    struct camera_aim level;
    camera_aim_face(&level, aim, 4);
    const double distance = camera_aim_axes(eye->whole_sphere ? &level : aim, right, up, back);
    vector_add(offset, point, -1, aim->eye);
    for (int i = 0; i < 3; i++) {
        seen[0] += right[i] * offset[i];
        seen[1] += up[i] * offset[i];
        seen[2] -= back[i] * offset[i];
    }
    at[0] = eye->width / 2;
    at[1] = eye->height / 2;
    const double radian = camera_radian(eye->width, eye->dome);
    const double away = fmax(vector_length(offset), 1e-300);
    if (eye->dome > 0) {
        const double across = fn_hypot(seen[0], seen[1]), angle = fn_atan2(across, seen[2]);
        at[0] += radian * angle * seen[0] / fmax(across, 1e-300);
        at[1] -= radian * angle * seen[1] / fmax(across, 1e-300);
        *scale = radian / away;
        return angle <= radians(eye->dome) / 2;
    }
    if (eye->whole_sphere) {
        at[0] += radian * fn_atan2(seen[0], seen[2]);
        at[1] -= radian * fn_atan2(seen[1], fn_hypot(seen[0], seen[2]));
        *scale = radian / away;
        return true;
    }
    const double focal = eye->height / (2 * fn_tan(radians(aim->fov) / 2));
    if (!(seen[2] > 1e-3 * distance))
        return false;
    *scale = focal / seen[2];
    at[0] += *scale * seen[0] + focal * eye->shear / distance;
    at[1] -= *scale * seen[1];
    return true;
}

double camera_stretched_fov(double fov, double stretch)
{
    return 2 * fn_atan(fn_tan(radians(fov) / 2) * stretch) * (180.0 / M_PI);
}

double camera_fit(const struct camera_params *params, double radius,
                  const struct camera_frame *frame)
{
    double narrow = radians(params->fov) / 2;
    if (params->projection && params->projection->span > 0)
        narrow = radians(params->projection->span) / 2;
    else if (frame->stretch == 0 && frame->width < frame->height)
        narrow = fn_atan(fn_tan(narrow) * frame->width / frame->height);
    return radius / fn_sin(narrow);
}
