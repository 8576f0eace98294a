#include "render/camera/moves.h"

#include "base/choice.h"
#include "base/functions/fn.h"
#include "base/memory.h"
#include "render/camera/ease.h"

#include <math.h>
#include <stdlib.h>

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
