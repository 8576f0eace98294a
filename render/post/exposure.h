/* How bright light is shown. Only for the renderer; a GL context must be current. */
#pragma once

#include "base/status.h"
#include "render/draw.h"
#include "render/found.h"
#include "render/gl/gl.h"
#include "render/post/tone.h"

#include <stdint.h>

struct exposure_reading {
    double factor;   /* on all light; 1 if nothing is lit */
    double contrast; /* for tones by density: 1 divided by the faintest measured light, at which
                      * the logarithm begins */
};

/* The smallest contrast. It is always used if the scene gives the factor or the exposure adapts,
 * because light in the first frame may be spread out later. */
enum { EXPOSURE_CONTRAST = 1000 };

/* Finds the factor that maps light exceeded by only a hundredth of the lit pixels to nearly white.
 * For tones by density it maps the median, below which half of all light lies, to the tone's
 * middle: cores and single stars may go far beyond white, and empty regions do not count. For
 * proportional tones it maps the brightest light, below which 99.9 percent lies, to 1; the faintest
 * is that below which 1 percent lies. All are scaled to the whole film by what was found about
 * it. */
enum status exposure_measure(const struct gl_target *light, const struct tone *tone,
                             const struct look_found *found, struct exposure_reading *out);
/* The same for light in host memory: RGBA, in rows of `width`. */
enum status exposure_of(const float *light, size_t width, size_t height, const struct tone *tone,
                        const struct look_found *found, struct exposure_reading *out);

/* An exposure that follows the light of a film. Every EXPOSURE_EVERY frames the goal is measured at
 * a coarse resolution; in every frame the logarithm of the exposure approaches it as a critically
 * damped spring, so that it neither jumps nor oscillates. The next frame depends only on the
 * state. */
enum { EXPOSURE_STATE = 4 };

struct exposure_meter {
    const struct tone *tone;
    struct gl_target coarse[3];   /* each half as large as the one before */
    double seconds;               /* of film within which most of a change is followed */
    double state[EXPOSURE_STATE]; /* factor; rate of its logarithm per second; the goal; the coarse
                                   * measure from which the goal was set */
};

/* For a light target of this size; *meter must be all zero. */
enum status exposure_meter_create(struct exposure_meter *meter, const struct tone *tone,
                                  GLsizei width, GLsizei height);
void exposure_meter_destroy(struct exposure_meter *meter); /* accepts all zero */

/* Starts at `factor`, which suits the current light. */
enum status exposure_meter_begin(struct exposure_meter *meter, const struct gl_target *light,
                                 double factor);
/* Advances to a frame, `interval` seconds of film after the previous one. */
enum status exposure_meter_step(struct exposure_meter *meter, const struct gl_target *light,
                                uint64_t frame, double interval);
