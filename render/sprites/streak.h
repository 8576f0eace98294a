/* Motion blur at look.samples 1: a body becomes a row of sprites along its path in the picture
 * (shaders/sprite_streak.glsl), straight from where the camera sees it when the shutter opens to
 * where the camera sees it when the shutter closes. */
#ifndef RENDER_SPRITES_STREAK_H
#define RENDER_SPRITES_STREAK_H

#include <stdbool.h>

/* Largest number of sprites along a path; on longer paths the sprites become visible. A quad has
 * four corners, and a geometry shader may output 1,024 components. */
enum { STREAK_MOST = 64, STREAK_QUADS = 16 };

/* The matrices of one target's camera at both ends, as in camera_pose.view_projection. */
struct streak_ends {
    float opening[16], closing[16];
};

#endif
