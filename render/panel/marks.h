/* Marks: spots of a size, colour and brightness of their own on some of the bodies, and their
 * paths. They are light, like the stars behind the bodies (sky/sky.h): a pixel shows the brighter
 * of both, and they glow and have spikes as everything bright. Only for the renderer; a GL context
 * must be current. */
#pragma once

#include "render/draw.h"
#include "render/sky/sky.h"

struct marks;

struct marks_setup {
    const struct mark_params *params; /* look.marks; copied, like `tracked` */
    uint32_t param_count;
    const struct tracked *tracked; /* [count] what they mark */
    size_t count;                  /* > 0 */
    double fps;
    struct stars_setup stars; /* without stars */
};

enum status marks_create(struct marks **out, const struct marks_setup *setup);
void marks_destroy(struct marks **marks); /* accepts a pointer to NULL */

/* Takes the places of a view. */
void marks_take(struct marks *marks, const struct view *view, const struct camera_eye *eye);

/* Adds them to a target, as stars_add does; `light` gives the light of a display value. */
void marks_add(struct marks *marks, const struct gl_target *target, const struct camera_aim *aim,
               const struct camera_window *window, double (*light)(const void *user, double shown),
               const void *user);
