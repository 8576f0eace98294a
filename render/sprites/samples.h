/* Sample positions within a pixel, and sample times within the shutter's opening, over which a
 * picture is averaged. They are the same in every frame, so that resting bodies do not appear to
 * move. Pure. */
#ifndef RENDER_SPRITES_SAMPLES_H
#define RENDER_SPRITES_SAMPLES_H

enum { SPRITE_SAMPLES_MAX = 64 };

/* x and y in pixels, the time in parts of the shutter's opening, from -0.5 to 0.5 (y may be
 * slightly outside); the mean over the samples is 0. */
struct sprite_sample {
    float x, y, moment;
};

/* Positions form a golden-ratio lattice in the pixel. Times take one sample from each of `count`
 * equal parts of the opening, ordered by multiples of the silver ratio, so that samples close to
 * each other in the pixel are far apart in time. 1 <= count <= SPRITE_SAMPLES_MAX. */
void sprite_samples_make(struct sprite_sample *out, unsigned count);

#endif
