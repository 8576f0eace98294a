/* The light pass: bodies as additive sprites in a linear float target that is larger than the
 * picture by a margin, so that a sprite disappears only when all of it has left the picture. For a
 * mode that counts bodies, the target holds display values instead of light. Only for the renderer;
 * a GL context must be current. */
#pragma once

#include "render/camera/project.h"
#include "render/gl/context.h"
#include "render/gl/util.h"
#include "render/sprites/setup.h"
#include "render/sprites/streak.h"

struct sprites;

/* STATUS_USAGE for an unknown name, an inconsistent look, or a size beyond GL's limit. */
enum status sprites_create(struct sprites **out, const struct sprites_setup *setup,
                           const struct gl_context *context);
void sprites_destroy(struct sprites **sprites); /* accepts a pointer to NULL */

/* Whether motion is drawn along paths, so that sprites_draw needs `ends`. */
bool sprites_streak(const struct sprites *sprites);

/* Clears the target and adds up every group's bodies. `ends`: in the same window as `pose`; read
 * only where motion is drawn along paths. `interval`: simulated time between frames; the shutter is
 * open for a part of it. */
enum status sprites_draw(struct sprites *sprites, const struct camera_pose *pose,
                         const struct streak_ends *ends, double interval);

/* Adds up the light in the target, or the map of counted bodies, over all processes of the setup's
 * sum; the leading process gets the result. Does nothing in a process that is alone. */
enum status sprites_sum(struct sprites *sprites);

/* Light in host memory is only now written to the target. */
const struct gl_target *sprites_target(struct sprites *sprites);
/* Whether the target's light is also in host memory. */
bool sprites_in_memory(const struct sprites *sprites);
/* That light, RGBA, rows from the bottom. The caller may change it before it asks for the target.
 */
float *sprites_light(struct sprites *sprites);
uint32_t sprites_margin(const struct sprites *sprites); /* in pixels, on every side */
bool sprites_shine(const struct sprites *sprites);      /* false: display values, not light */
bool sprites_computed(const struct sprites *sprites);   /* by splats.h, not drawn */
