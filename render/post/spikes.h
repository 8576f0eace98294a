/* Light as spread by the vanes of a telescope's secondary mirror: straight arms of equal brightness
 * from every source. Along an arm light falls off exponentially, over a length relative to the
 * picture's height; an arm is slightly wider than a pixel, or in a larger picture the same part of
 * the height. A sum of shifted pictures, four at a time, each four times as far apart as the last:
 * M. Kawase, "Frame buffer postprocessing effects in DOUBLE-S.T.E.A.L", Game Developers Conference,
 * 2003. Beyond the target there is no light, and light spread over its edge is lost. Only for the
 * renderer; a GL context must be current. */
#pragma once

#include "render/gl/context.h"
#include "render/gl/util.h"

#include <stdbool.h>

/* Number and directions of arms. One const entry each, default first. */
struct spike_arms {
    const char *name, *doc;
    int count;
    double first; /* degrees counter-clockwise from the right */
    bool level;   /* all along rows and columns */
};

struct spikes_setup {
    const struct gl_target *source; /* a target of the source's size */
    double rows;                    /* rows of the source that are the picture's height */
    bool joined;                    /* the left and right edges meet */
    const struct spike_arms *arms;
};

struct spikes;

enum status spikes_create(struct spikes **out, const struct gl_context *context,
                          const struct spikes_setup *setup);
void spikes_destroy(struct spikes **spikes); /* accepts a pointer to NULL */

/* Writes the source's light, all of it in the arms, to spikes_target, whose texels span
 * spikes_factor texels of the source. A vertex array must be bound. */
void spikes_make(struct spikes *spikes, const struct gl_target *source);
const struct gl_target *spikes_target(const struct spikes *spikes);
int spikes_factor(const struct spikes *spikes);
