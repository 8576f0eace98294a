/* The smoothed direction of camera.align, from a pilot run. The plan contains it, so that a range
 * of a film has the same axes as the whole film. */
#pragma once

#include "base/status.h"
#include "render/found.h"
#include "scenes/scene.h"
#include "sim/frame_clock.h"
#include "sim/view.h"

#include <stdbool.h>
#include <stddef.h>

struct bodies;
struct camera_follow;

/* For pilot_params.see. The caller sets the first field. */
struct axes {
    const struct scene *scene;
    struct camera_follow *align; /* for the pilot run's bodies, set when they are first seen */
    struct camera_axis *axis;    /* [count], of the samples so far */
    size_t count;
};

/* `user` is a struct axes. */
enum status axes_see(void *user, const struct bodies *bodies, const struct view *view, double time);
void axes_end(struct axes *axes);

/* The axis of each frame: the mean over `width` frames around it with the weight (1 - u^2)^3, which
 * is twice continuously differentiable. There is at least one sample; samples are `interval` apart.
 * Beyond the ends the first and last axes are repeated, or those of the loop. [frames]; free()
 * frees it. */
struct camera_axis *axes_smooth(const struct axes *axes, double interval,
                                const struct frame_clock *clock, uint64_t frames, double width,
                                bool loops);
