/* The pose of a camera without bodies, at `progress` of a film. */
#pragma once

#include "render/camera/camera.h"
#include "render/camera/project.h"

#include "tests/support/test.h"

static inline void camera_at(struct camera_pose *out, const struct camera_params *params,
                             double progress, uint32_t width, uint32_t height, uint32_t margin)
{
    enum { STEPS = 1000 };
    const struct camera_setup setup = {.params = params, .frames = STEPS + 1};
    const struct camera_window window = {
        .width = width, .height = height, .columns = width, .rows = height, .margin = margin};
    const struct view view = {.frame = (uint64_t)(progress * STEPS + 0.5)};
    struct camera *camera;
    struct camera_aim aim;
    assert_ok(camera_open(&camera, &setup));
    camera_aim(camera, &view, &aim);
    camera_project(out, &aim, &window);
    camera_close(&camera);
}
