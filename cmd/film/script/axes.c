#include "cmd/film/script/axes.h"

#include "base/memory.h"
#include "cmd/film/start/panels.h"
#include "render/camera/follow.h"
#include "render/camera/project.h"
#include "sim/bodies/bodies.h"

#include <math.h>
#include <stdlib.h>

static enum status open_align(struct axes *axes, const struct bodies *bodies)
{
    struct camera_part *parts;
    enum status status = film_camera_parts(&parts, axes->scene, bodies);
    const struct camera_follow_setup setup = {.follow = axes->scene->camera.align,
                                              .key = "camera.align",
                                              .parts = parts,
                                              .part_count = (int)bodies->component_count};
    if (status == STATUS_OK)
        status = camera_follow_open(&axes->align, &setup);
    free(parts);
    return status;
}

enum status axes_see(void *user, const struct bodies *bodies, const struct view *view, double time)
{
    struct axes *axes = user;
    (void)time;
    const enum status status = axes->align ? STATUS_OK : open_align(axes, bodies);
    if (status != STATUS_OK)
        return status;
    camera_follow_axis(axes->align, view, MEMORY_ADD(axes->axis, axes->count)->up);
    return STATUS_OK;
}

void axes_end(struct axes *axes)
{
    camera_follow_close(&axes->align);
    free(axes->axis);
}

/* Leaves an axis of length 0 as it is. */
static void norm(struct camera_axis *axis)
{
    const double length = vector_length(axis->up);
    for (int c = 0; c < 3 && length > 0; c++)
        axis->up[c] /= length;
}

/* Interpolates between samples. */
static struct camera_axis axis_at(const struct axes *axes, double sample)
{
    const double within = fmin(fmax(sample, 0), (double)(axes->count - 1));
    const size_t k = (size_t)within, next = k + 1 < axes->count ? k + 1 : k;
    struct camera_axis out = axes->axis[k];
    for (int c = 0; c < 3; c++)
        out.up[c] += (within - (double)k) * (axes->axis[next].up[c] - out.up[c]);
    norm(&out);
    return out;
}

struct camera_axis *axes_smooth(const struct axes *axes, double interval,
                                const struct frame_clock *clock, uint64_t frames, double width,
                                bool loops)
{
    struct camera_axis *raw = memory_new(frames, sizeof *raw),
                       *out = memory_new(frames, sizeof *out);
    const int64_t count = (int64_t)frames, half = (int64_t)fmin(width / 2, (double)frames);
    for (uint64_t f = 0; f < frames; f++)
        raw[f] = axis_at(axes, interval > 0 ? frame_clock_time(clock, f) / interval : 0);
    for (int64_t f = 0; f < count; f++) {
        for (int64_t j = -half; j <= half; j++) {
            const int64_t k = f + j, looped = ((k % count) + count) % count;
            const int64_t from = loops ? looped : k < 0 ? 0 : k < count ? k : count - 1;
            const double u = (double)j / (double)(half + 1), rest = 1 - u * u;
            vector_add(out[f].up, out[f].up, rest * rest * rest, raw[from].up);
        }
        if (vector_length(out[f].up) > 0)
            norm(&out[f]);
        else
            out[f] = raw[f];
    }
    free(raw);
    return out;
}
