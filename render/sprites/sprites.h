/* The light pass: bodies as additive sprites in a linear float target that is larger than the
 * picture by a margin, so that a sprite disappears only when all of it has left the picture. For a
 * mode that counts bodies, the target holds display values instead of light. Only for the renderer;
 * a GL context must be current. */
#pragma once

#include "render/camera/project.h"
#include "render/gl/context.h"
#include "render/gl/gl.h"
#include "render/sprites/setup.h"

#include <stdbool.h>

/* The positions within a pixel, and the moments within the shutter's time, over which a picture is
 * averaged. They are the same in every frame, so that bodies at rest do not appear to move. Pure.
 */

enum { SPRITE_SAMPLES_MAX = 64 };

/* x and y in pixels, the moment in parts of the shutter's time, from -0.5 to 0.5 (y may reach a
 * little further); the mean over the samples is 0. */
struct sprite_sample {
    float x, y, moment;
};

/* The lattice of the golden ratio in the pixel, and one sample in every one of `count` equal parts
 * of the shutter's time, in the order of the multiples of the silver ratio, so that samples close
 * to each other in the pixel are far apart in time. 1 <= count <= SPRITE_SAMPLES_MAX. */
void sprite_samples_make(struct sprite_sample *out, unsigned count);

struct sprites;

/* STATUS_USAGE for an unknown name, an inconsistent look, or a size beyond GL's limit. */
enum status sprites_create(struct sprites **out, const struct sprites_setup *setup,
                           const struct gl_context *context);
void sprites_destroy(struct sprites **sprites); /* accepts a pointer to NULL */

/* Whether motion is drawn along paths, so that sprites_draw needs `ends`. */
bool sprites_streak(const struct sprites *sprites);

/* The cameras that see the bodies in one picture: one or, in a periodic box, one for each image of
 * the box. All have the same window, distance and field of view. */
struct sprite_sights {
    const struct camera_pose *poses; /* [count] */
    const struct streak_ends *ends;  /* [count] only read where motion is drawn along paths */
    size_t count;                    /* at least 1 */
    /* The factor by which colours show comoving velocities, as peculiar ones; 0: velocities are not
     * comoving. */
    double scale;
};

/* Clears the target and adds up every group's bodies. `interval`: simulated time between frames;
 * the shutter is open for a part of it. */
enum status sprites_draw(struct sprites *sprites, const struct sprite_sights *sights,
                         double interval);

/* Adds up the light in the target, or the map of counted bodies, over all processes of the setup's
 * sum; the leading process gets the result. Does nothing in a process that is alone. */
enum status sprites_sum(struct sprites *sprites);

/* Light in host memory is only now written to the target. */
const struct gl_target *sprites_target(struct sprites *sprites);
/* Whether the target's light is also in host memory. */
bool sprites_in_memory(const struct sprites *sprites);
/* The light, RGBA, rows from the bottom. The caller may change it before it asks for the target. */
float *sprites_light(struct sprites *sprites);
uint32_t sprites_margin(const struct sprites *sprites); /* in pixels, on every side */
bool sprites_shine(const struct sprites *sprites);      /* false: display values, not light */
bool sprites_computed(const struct sprites *sprites);   /* by splats.h, not drawn */
/* Whether they read what struct view_along has there alone. */
bool sprites_only_along(const struct sprites *sprites);

/* Draws later frames with the numbers of this look, which was the setup's but for them. No sprite
 * is larger than in that. */
void sprites_tune(struct sprites *sprites, const struct look_params *look);

/* Fills in what the light pass is, with the setup that it was created with. */
enum status sprites_recipe(const struct sprites *sprites, const struct sprites_setup *setup,
                           struct recipe *out);

/* Dust that dims and reddens the light behind it. One light pass adds up the dusty bodies' column,
 * another the depths of all other bodies; the result multiplies the light that sprites.h has added
 * up. If the dust had as much light as all other bodies, the optical depth where that is exposed to
 * 1 would be look.dust times that of an ordinary spiral. Only for the renderer; a GL context must
 * be current. */

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
void dust_destroy(struct dust **dust);                             /* accepts a pointer to NULL */
bool dust_only_along(const struct dust *dust);                     /* see sprites_only_along */
void dust_tune(struct dust *dust, const struct look_params *look); /* as sprites_tune */

/* Dims what sprites_draw, and then sprites_sum, have left in the target with the same arguments;
 * dims nothing while the exposure is still 0. With a sum, every process calls it, and the leading
 * one dims. */
enum status dust_dim(struct dust *dust, struct sprites *sprites, const struct sprite_sights *sights,
                     double interval, double exposure);
