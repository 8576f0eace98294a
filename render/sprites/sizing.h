/* What decides how large a sprite is. One const entry each, default first. */
#ifndef RENDER_SPRITES_SIZING_H
#define RENDER_SPRITES_SIZING_H

#include "render/params.h"

#include <stdbool.h>

struct sprite_sizing {
    const char *name, *doc;
    bool chosen;   /* sizing_choose says which of the others it is */
    bool kernel;   /* that of a body that has one is renderer_params.kernel; adaptive beside it */
    bool adaptive; /* the radius is the distance to a body's SIZING_NEIGHBOUR-th neighbour */
};

extern const struct sprite_sizing sizing_fixed, sizing_adaptive, sizing_kernel;

/* Of the drawn bodies; fewer where there are fewer. */
enum { SIZING_NEIGHBOUR = 32 };

/* Of all bodies: with fewer, a neighbourhood is most of what there is. */
enum { SIZING_FEWEST = 1000 };

/* What look.size means for a film of `count` bodies, some of which have kernels or none has.
 * Renderers take a look for which that has been decided. */
const struct sprite_sizing *sizing_choose(const struct look_params *look, uint64_t count,
                                          bool kernels);

/* Whether the sprites of a picture need view.near: squares and counts have a size of their own. */
bool sizing_adapts(const struct look_params *look);
/* Whether those of any picture, or its colours, do. */
bool look_needs_near(const struct look_params *look);
/* Whether those of any picture need renderer_params.kernel, once look.size is decided or, as in a
 * scene, where it may be. */
bool look_needs_kernel(const struct look_params *look);
bool look_may_need_kernel(const struct look_params *look);
/* Whether colours need view.dispersion: those of a picture, and of any. */
bool colour_needs_dispersion(const struct look_params *look);
bool look_needs_dispersion(const struct look_params *look);
/* Whether colours of any picture need renderer_params.quantity. */
bool look_needs_quantity(const struct look_params *look);

#endif
