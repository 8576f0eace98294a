/* How a body's motion while the shutter is open is drawn at look.samples 1: as a row of sprites
 * along its path in the picture (shaders/sprite_streak.glsl) that is straight from where the body
 * is when the shutter opens, as the camera sees it then, to where it is when it closes. */
#pragma once

#include <stdbool.h>

/* Sprites along a path, at most: of longer ones single sprites show. Each quad has four corners,
 * and a geometry shader may give out 1,024 numbers. */
enum { STREAK_MOST = 64, STREAK_QUADS = 16 };

/* The camera of one target at both ends, as camera_pose.view_projection. */
struct streak_ends {
    float opening[16], closing[16];
};
