/* How bright light is to be shown. Only for the renderer; a GL context must be current. */
#ifndef RENDER_EXPOSURE_H
#define RENDER_EXPOSURE_H

#include "base/status.h"
#include "render/gl_util.h"

/* The factor with which the light that only a hundredth of the lit pixels exceed comes out near
 * white; 1 where nothing is lit. */
enum status exposure_measure(const struct gl_target *light, double *factor);

#endif
