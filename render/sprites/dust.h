/* Dust that dims and reddens the light behind it. One light pass adds up the dusty bodies' column,
 * another the depths of all other bodies; the result multiplies the light that sprites.h has added
 * up. If the dust had as much light as all other bodies, the optical depth where that is exposed to
 * 1 would be look.dust times that of an ordinary spiral. Only for the renderer; a GL context must
 * be current. */
#pragma once

#include "render/sprites/sprites.h"

/* The optical depth in V, face-on, with look.dust 1 where the dust's column is exposed to 1. At the
 * median of a spiral's light (post/tone.h) the depth is several. */
#define DUST_ORDINARY 8.0
/* The limit of the effective optical depth in V for large amounts of dust: dust is clumped, and
 * light passes between the clumps. Much smaller depths are unchanged. */
#define DUST_THICKEST 16.0

struct dust;

/* `setup`: of the sprites whose light is dimmed, including the dusty groups. */
enum status dust_create(struct dust **out, const struct sprites_setup *setup,
                        const struct gl_context *context);
void dust_destroy(struct dust **dust); /* accepts a pointer to NULL */

/* Dims what sprites_draw, and then sprites_sum, have left in the target with the same arguments;
 * dims nothing while the exposure is still 0. With a sum, every process calls it, and the leading
 * one dims. */
enum status dust_dim(struct dust *dust, struct sprites *sprites, const struct camera_pose *pose,
                     const struct streak_ends *ends, double interval, double exposure);
