/* Draws a body's motion while the shutter is open, with look.samples 1: as a row of sprites along a
 * straight path in the picture (shaders/sprite_streak.glsl), from the body's position in the
 * picture when the shutter opens to its position when it closes. */
#pragma once

#include <stdbool.h>

/* Maximum number of sprites along a path; on longer paths single sprites are visible. Each quad has
 * four corners, and a geometry shader may emit at most 1,024 numbers. */
enum { STREAK_MOST = 64, STREAK_QUADS = 16 };

/* The camera of one target when the shutter opens and closes, as camera_pose.view_projection. */
struct streak_ends {
    float opening[16], closing[16];
};
