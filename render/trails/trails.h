/* Trails: the paths of a view's last frames, as light added to that of the bodies. Only for the
 * renderer; a GL context must be current. */
#pragma once

#include "render/camera/project.h"
#include "render/gl/context.h"
#include "render/gl/util.h"
#include "render/sprites/setup.h"
#include "sim/view.h"

struct trails;

/* `setup` and `target`: of the sprites to whose light trails are added; `fps`: frames per second.
 * STATUS_USAGE for colours that need more than a body's position and velocity. */
enum status trails_create(struct trails **out, const struct sprites_setup *setup, double fps,
                          const struct gl_target *target, const struct gl_context *context);
void trails_destroy(struct trails **trails); /* accepts a pointer to NULL */

/* Adds the view's trail, if it has one, to the target. */
void trails_add(struct trails *trails, const struct gl_target *target,
                const struct camera_pose *pose, const struct view *view);
