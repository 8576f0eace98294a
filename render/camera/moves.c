#include "render/camera/moves.h"

#include "base/choice.h"
#include "base/functions/fn.h"
#include "base/memory.h"
#include "render/camera/vector.h"
#include "render/params.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- ease ---- */

static double ease_smooth(double t)
{
    return t * t * t * (10 + t * (6 * t - 15));
}

static double ease_in(double t)
{
    return t * t * t * (2 - t);
}

static double ease_out(double t)
{
    return 1 - ease_in(1 - t);
}

static double ease_linear(double t)
{
    return t;
}

static const struct ease eases[] = {
    {"smooth", "slowly at both ends", ease_smooth},
    {"in", "slowly at the beginning", ease_in},
    {"out", "slowly at the end", ease_out},
    {"linear", "at the same speed throughout", ease_linear},
};

const struct registry ease_registry = REGISTRY_OF("ease", eases);

double ease_at(const struct ease *ease, double t)
{
    return ease->part(fmin(fmax(t, 0), 1));
}

/* ---- path ---- */

enum { CHANNELS = 4 }; /* position, target, up; field of view in the first component of the last */

struct knot {
    double moment;
    double value[CHANNELS][3], velocity[CHANNELS][3], acceleration[CHANNELS][3];
};

struct camera_path {
    uint32_t count;
    struct knot knots[];
};

static void fill_channel(struct knot *before, struct knot *here, struct knot *after, int c)
{
    const double h0 = here->moment - before->moment, h1 = after->moment - here->moment;
    double d0[3], d1[3];
    vector_add(d0, here->value[c], -1, before->value[c]);
    vector_add(d1, after->value[c], -1, here->value[c]);
    const double l0 = vector_length(d0), l1 = vector_length(d1);
    if (l0 == 0 || l1 == 0)
        return;
    const double speed = 2 * (l0 / h0) * (l1 / h1) / (l0 / h0 + l1 / h1);
    const double most = 2 * fmin(l0 / (h0 * h0), l1 / (h1 * h1));
    for (int i = 0; i < 3; i++) {
        here->velocity[c][i] = speed * (d0[i] / l0 + d1[i] / l1) / 2;
        here->acceleration[c][i] = 2 * (d1[i] / h1 - d0[i] / h0) / (h0 + h1);
    }
    const double size = vector_length(here->acceleration[c]);
    for (int i = 0; i < 3 && size > most; i++)
        here->acceleration[c][i] *= most / size;
}

static enum status fill_knot(struct knot *knot, const struct keyframe_params *keyframe,
                             double moment, double fov, unsigned number)
{
    double sight[3], side[3];
    const double up = vector_length(keyframe->up);
    vector_add(sight, keyframe->target, -1, keyframe->position);
    const double distance = vector_length(sight);
    knot->moment = moment;
    knot->value[3][0] = keyframe->fov > 0 ? keyframe->fov : fov;
    for (int i = 0; i < 3; i++) {
        knot->value[0][i] = keyframe->position[i];
        knot->value[1][i] = keyframe->target[i];
        knot->value[2][i] = keyframe->up[i] / up;
        sight[i] /= distance;
    }
    if (!(distance > 0))
        return status_fail(STATUS_USAGE,
                           "camera.keyframes[%u].position is also its target, so that it has no "
                           "line of sight; move one of them",
                           number);
    if (!(up > 0))
        return status_fail(STATUS_USAGE,
                           "camera.keyframes[%u].up is zero; give a direction such as [0, 0, 1]",
                           number);
    vector_cross(side, sight, knot->value[2]);
    if (vector_length(side) < 1e-3)
        return status_fail(STATUS_USAGE,
                           "camera.keyframes[%u].up is parallel to its line of sight, so the "
                           "picture has no up; give another direction",
                           number);
    if (!(knot->value[3][0] >= 1 && knot->value[3][0] <= 170))
        return status_fail(STATUS_USAGE,
                           "camera.keyframes[%u].fov is %g degrees; give 1 to 170, or 0 for "
                           "camera.fov",
                           number, knot->value[3][0]);
    return STATUS_OK;
}

enum status camera_path_open(struct camera_path **out, const struct camera_params *params,
                             const double *moment)
{
    const uint32_t count = params->keyframe_count;
    struct camera_path *path = *out = memory_new(1, sizeof *path + count * sizeof path->knots[0]);
    enum status status = STATUS_OK;
    path->count = count;
    for (uint32_t k = 0; k < count && status == STATUS_OK; k++) {
        status = fill_knot(&path->knots[k], &params->keyframes[k], moment[k], params->fov, k + 1);
        if (status == STATUS_OK && k > 0 && !(moment[k] > moment[k - 1]))
            status = status_fail(STATUS_USAGE,
                                 "camera.keyframes[%u] is at frame %.10g, not after the one before "
                                 "it, at frame %.10g; list them in the order of their moments",
                                 k + 1, moment[k], moment[k - 1]);
    }
    for (uint32_t k = 1; k + 1 < count && status == STATUS_OK; k++)
        for (int c = 0; c < CHANNELS; c++)
            fill_channel(&path->knots[k - 1], &path->knots[k], &path->knots[k + 1], c);
    if (status != STATUS_OK)
        camera_path_close(out);
    return status;
}

void camera_path_close(struct camera_path **path)
{
    free(*path);
    *path = NULL;
}

uint32_t camera_path_segment(const struct camera_path *path, double frame)
{
    uint32_t low = 0, high = path->count - 1;
    while (low < high) {
        const uint32_t middle = (low + high + 1) / 2;
        if (path->knots[middle].moment <= frame)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* The quintic polynomial on 0 .. 1 with these values, velocities and accelerations at its ends. */
static double quintic(const double x[2], const double v[2], const double a[2], double t)
{
    const double rest = x[1] - x[0] - v[0] - a[0] / 2;
    const double speed = v[1] - v[0] - a[0], bend = a[1] - a[0];
    const double c3 = 10 * rest - 4 * speed + bend / 2;
    const double c4 = -15 * rest + 7 * speed - bend;
    const double c5 = 6 * rest - 3 * speed + bend / 2;
    return x[0] + t * (v[0] + t * (a[0] / 2 + t * (c3 + t * (c4 + t * c5))));
}

void camera_path_at(const struct camera_path *path, double frame, struct camera_aim *out)
{
    const struct knot *from = &path->knots[camera_path_segment(path, frame)];
    const bool still = from + 1 == path->knots + path->count || frame <= from->moment;
    const struct knot *to = still ? from : from + 1;
    const double h = still ? 1 : to->moment - from->moment;
    const double t = still ? 0 : (frame - from->moment) / h;
    double value[CHANNELS][3];
    for (int c = 0; c < CHANNELS; c++)
        for (int i = 0; i < 3; i++)
            value[c][i] = quintic(
                (double[]){from->value[c][i], to->value[c][i]},
                (double[]){from->velocity[c][i] * h, to->velocity[c][i] * h},
                (double[]){from->acceleration[c][i] * h * h, to->acceleration[c][i] * h * h}, t);
    memcpy(out->eye, value[0], sizeof out->eye);
    memcpy(out->target, value[1], sizeof out->target);
    memcpy(out->up, value[2], sizeof out->up);
    out->fov = value[3][0];
}

/* ---- moves ---- */

static void apply_orbit(const struct move_params *move, double done, struct camera_aim *aim)
{
    camera_aim_orbit(aim, done * move->turn, done * move->tilt);
}

static void apply_zoom(const struct move_params *move, double done, struct camera_aim *aim)
{
    camera_aim_zoom(aim, fn_pow(move->factor, done));
}

static void apply_pan(const struct move_params *move, double done, struct camera_aim *aim)
{
    const double shift[] = {done * move->shift[0], done * move->shift[1], done * move->shift[2]};
    camera_aim_pan(aim, shift);
}

static const struct move_kind kinds[] = {
    {"orbit", "turns around the target: turn and tilt", apply_orbit},
    {"zoom", "moves nearer: factor", apply_zoom},
    {"pan", "moves sideways together with its target: shift", apply_pan},
};

const struct registry move_registry = REGISTRY_OF("move of the camera", kinds);

struct move {
    struct move_params params; /* its strings are not used */
    double from, to;           /* frames */
};

struct camera_moves {
    uint32_t count;
    struct move list[];
};

enum status camera_moves_open(struct camera_moves **out, const struct camera_params *params,
                              const double *from, const double *to)
{
    const uint32_t count = params->move_count;
    struct camera_moves *moves = *out =
        memory_new(1, sizeof *moves + count * sizeof moves->list[0]);
    moves->count = count;
    for (uint32_t i = 0; i < count; i++) {
        struct move *move = &moves->list[i];
        *move = (struct move){.params = params->moves[i], .from = from[i], .to = to[i]};
        move->params.from.text = move->params.to.text = NULL;
        if (!(move->to > move->from)) {
            camera_moves_close(out);
            return status_fail(STATUS_USAGE,
                               "camera.moves[%u] ends at frame %.10g, not after it begins, at "
                               "frame %.10g; give it another from or to",
                               i + 1, to[i], from[i]);
        }
    }
    return STATUS_OK;
}

void camera_moves_close(struct camera_moves **moves)
{
    free(*moves);
    *moves = NULL;
}

void camera_moves_apply(const struct camera_moves *moves, double frame, struct camera_aim *aim)
{
    for (uint32_t i = 0; i < moves->count; i++) {
        const struct move *move = &moves->list[i];
        const double part = (frame - move->from) / (move->to - move->from);
        move->params.move->apply(&move->params, ease_at(move->params.ease, part), aim);
    }
}
