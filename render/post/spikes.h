/* Light as the vanes of a telescope's secondary mirror spread it: into straight arms that run out
 * from every source, as bright in all of them. Along an arm light falls off exponentially, over a
 * part of the picture's height; across it is a little wider than a pixel, in a larger picture the
 * same part of the height. A sum of shifted pictures, four at a time, each four times as far apart
 * as the last: M. Kawase, "Frame buffer postprocessing effects in DOUBLE-S.T.E.A.L", Game
 * Developers Conference, 2003. Light beyond the target is none, and what is spread over its edge is
 * lost. Only for the renderer; a GL context must be current. */
#ifndef RENDER_POST_SPIKES_H
#define RENDER_POST_SPIKES_H

#include "render/gl/context.h"
#include "render/gl/util.h"

#include <stdbool.h>

/* How many arms, and where. One const entry each, default first. */
struct spike_arms {
    const char *name, *doc;
    int count;
    double first; /* degrees from the right, counter-clockwise */
    bool level;   /* all along rows and columns */
};

struct spikes_setup {
    const struct gl_target *source; /* what shines, of this size */
    double rows;                    /* of it that are the picture's height */
    bool joined;                    /* its left and right edges meet */
    const struct spike_arms *arms;
};

struct spikes;

enum status spikes_create(struct spikes **out, const struct gl_context *context,
                          const struct spikes_setup *setup);
void spikes_destroy(struct spikes **spikes); /* accepts a pointer to NULL */

/* Leaves the source's light, all of it in the arms, in spikes_target, of which a texel is
 * spikes_factor of the source's along an axis. A vertex array must be bound. */
void spikes_make(struct spikes *spikes, const struct gl_target *source);
const struct gl_target *spikes_target(const struct spikes *spikes);
int spikes_factor(const struct spikes *spikes);

#endif
