/* The positions within a pixel, and the moments within the shutter's time, over which a picture is
 * averaged. They are the same in every frame, so that bodies at rest do not appear to move. Pure.
 */
#pragma once

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
