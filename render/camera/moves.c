#include "render/camera/moves.h"

#include "base/choice.h"
#include "render/camera/vector.h"

#include <stdlib.h>

static void turn_vertically(double vector[3], double angle)
{
    const double x = vector[0], y = vector[1];
    vector[0] = cos(angle) * x - sin(angle) * y;
    vector[1] = sin(angle) * x + cos(angle) * y;
}

void camera_orbit(struct camera_aim *aim, double turn, double tilt)
{
    double offset[3], right[3], up[3], back[3];
    vector_add(offset, aim->eye, -1, aim->target);
    turn_vertically(offset, turn * (M_PI / 180));
    turn_vertically(aim->up, turn * (M_PI / 180));
    vector_add(aim->eye, aim->target, 1, offset);
    if (tilt == 0)
        return;
    const double distance = camera_aim_axes(aim, right, up, back);
    const double c = cos(tilt * (M_PI / 180)), s = sin(tilt * (M_PI / 180));
    for (int i = 0; i < 3; i++) {
        aim->eye[i] = aim->target[i] + distance * (c * back[i] + s * up[i]);
        aim->up[i] = c * up[i] - s * back[i];
    }
}

void camera_zoom(struct camera_aim *aim, double factor)
{
    for (int i = 0; i < 3; i++)
        aim->eye[i] = aim->target[i] + (aim->eye[i] - aim->target[i]) / factor;
}

void camera_pan(struct camera_aim *aim, const double shift[3])
{
    double right[3], up[3], back[3];
    camera_aim_axes(aim, right, up, back);
    for (int i = 0; i < 3; i++) {
        const double by = shift[0] * right[i] + shift[1] * up[i] - shift[2] * back[i];
        aim->eye[i] += by;
        aim->target[i] += by;
    }
}

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

double camera_ease(const struct ease *ease, double t)
{
    return ease->part(fmin(fmax(t, 0), 1));
}

static void apply_orbit(const struct move_params *move, double done, struct camera_aim *aim)
{
    camera_orbit(aim, done * move->turn, done * move->tilt);
}

static void apply_zoom(const struct move_params *move, double done, struct camera_aim *aim)
{
    camera_zoom(aim, pow(move->factor, done));
}

static void apply_pan(const struct move_params *move, double done, struct camera_aim *aim)
{
    const double shift[] = {done * move->shift[0], done * move->shift[1], done * move->shift[2]};
    camera_pan(aim, shift);
}

static const struct move_kind kinds[] = {
    {"orbit", "turns around the target: turn and tilt", apply_orbit},
    {"zoom", "goes nearer: factor", apply_zoom},
    {"pan", "moves sideways together with its target: shift", apply_pan},
};

const struct registry move_registry = REGISTRY_OF("move of the camera", kinds);

struct move {
    struct move_params params; /* without its texts */
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
    struct camera_moves *moves = *out = calloc(1, sizeof *moves + count * sizeof moves->list[0]);
    if (!moves)
        return status_fail(STATUS_RUNTIME, "no memory left for %u moves", count);
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
        move->params.move->apply(&move->params, camera_ease(move->params.ease, part), aim);
    }
}
