/* How bright light is shown. Only for the renderer; a GL context must be current. */
#ifndef RENDER_POST_EXPOSURE_H
#define RENDER_POST_EXPOSURE_H

#include "base/status.h"
#include "render/draw.h"
#include "render/found.h"
#include "render/gl/util.h"
#include "render/post/tone.h"

#include <stdint.h>

struct exposure_reading {
    double factor;   /* on all light; 1 where nothing is lit */
    double contrast; /* of tones by density: light of 1 over where the logarithm sets in, which
                        is at the faintest light measured */
};

/* The least contrast, and where the scene gives the factor or the exposure adapts the only one:
 * what the first frame shows may be spread out later. */
enum { EXPOSURE_CONTRAST = 1000 };

/* The factor with which the light that only a hundredth of the lit pixels exceed comes out near
 * white. By density, the median of light, below which half of all light lies, comes out as the
 * tone's middle: cores and single stars go beyond white by as much as they are brighter, and where
 * it is empty counts for nothing. For tones in proportion the brightest light comes out as 1, below
 * which 99.9 percent lies; the faintest is that below which 1 percent lies. All become those of the
 * whole film by what was found of it. */
enum status exposure_measure(const struct gl_target *light, const struct tone *tone,
                             const struct look_found *found, struct exposure_reading *out);

/* An exposure that follows the light of a film: every EXPOSURE_EVERY frames the goal is measured,
 * at a coarse resolution, and every frame the exposure approaches it as a critically damped spring
 * does, in the logarithm, so that it neither jumps nor swings. The state is all that the next frame
 * depends on. */
enum { EXPOSURE_STATE = 4 };

struct exposure_meter {
    const struct tone *tone;
    struct gl_target coarse[3];   /* each half as large as the one before */
    double seconds;               /* of film in which most of a change is followed */
    double state[EXPOSURE_STATE]; /* factor; its logarithm's rate per second; the goal; the
                                     coarse measure that the goal was set by */
};

/* For a light target of the given size; *meter all zero before. */
enum status exposure_meter_create(struct exposure_meter *meter, const struct tone *tone,
                                  GLsizei width, GLsizei height);
void exposure_meter_destroy(struct exposure_meter *meter); /* accepts one all zero */

/* Starts at `factor`, which suits the light as it is now. */
enum status exposure_meter_begin(struct exposure_meter *meter, const struct gl_target *light,
                                 double factor);
/* Moves on to a frame, `interval` seconds of film after the one before. */
enum status exposure_meter_step(struct exposure_meter *meter, const struct gl_target *light,
                                uint64_t frame, double interval);

#endif
