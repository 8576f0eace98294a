/* What decides how large a sprite is. One const entry each, default first. */
#ifndef RENDER_SPRITES_SIZING_H
#define RENDER_SPRITES_SIZING_H

#include "render/params.h"
#include "sim/view.h"

#include <stdbool.h>

struct sprite_sizing {
    const char *name, *doc;
    bool chosen;   /* sizing_choose says which of the others it is */
    bool kernel;   /* that of a body that has one is in COLUMN_KERNEL; adaptive beside it */
    bool adaptive; /* the radius is the distance to a body's SIZING_NEIGHBOUR-th neighbour */
};

extern const struct sprite_sizing sizing_fixed, sizing_adaptive, sizing_kernel;

/* Of the drawn bodies; fewer where there are fewer. */
enum { SIZING_NEIGHBOUR = 32 };

/* A column of views that look.size kernel asks for: the radius of a body's kernel, 0 for a body
 * that has none. */
#define COLUMN_KERNEL "kernel"

/* Of all bodies: with fewer, a neighbourhood is most of what there is. */
enum { SIZING_FEWEST = 1000 };

/* What look.size means for a film of `count` bodies, some of which have kernels or none has.
 * Renderers take a look for which that has been decided. */
const struct sprite_sizing *sizing_choose(const struct look_params *look, uint64_t count,
                                          bool kernels);

/* Whether the sprites of a picture need COLUMN_DISTANCE: squares and counts have a size of their
 * own. */
bool sizing_adapts(const struct look_params *look);
/* The columns of views that sprites and colours of all pictures need, beside COLUMN_ABSENT. */
void look_columns(const struct look_params *look, struct column_names *out);
bool look_needs_column(const struct look_params *look, const char *name);
/* Whether a picture of the scene's look, in which look.size is not yet decided, may be drawn by
 * kernels. */
bool look_may_need_kernel(const struct look_params *look);

#endif
