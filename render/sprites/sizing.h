/* What decides the size of a sprite. One const entry each, default first. */
#pragma once

#include "base/whole.h"
#include "render/params.h"
#include "sim/view.h"

#include <stdbool.h>

struct sprite_sizing {
    const char *name, *doc;
    bool chosen;   /* sizing_choose decides which of the others it is */
    bool kernel;   /* COLUMN_KERNEL has the radius of bodies with a kernel; others are adaptive */
    bool adaptive; /* the radius is the distance to a body's SIZING_NEIGHBOUR-th neighbour */
};

extern const struct sprite_sizing sizing_fixed, sizing_adaptive, sizing_kernel;

/* Counted among the drawn bodies; lower if there are fewer. */
enum { SIZING_NEIGHBOUR = 32 };

/* A column that look.size kernel needs: the radius of a body's kernel, 0 for a body without one. */
#define COLUMN_KERNEL "kernel"

/* With fewer bodies in all, a neighbourhood would include most of them. */
enum { SIZING_FEWEST = 1000 };

/* Resolves look.size for a film of that many bodies, of which some or none have kernels. Renderers
 * take a resolved look. */
const struct sprite_sizing *sizing_choose(const struct look_params *look, struct whole bodies,
                                          bool kernels);

/* Whether a picture's sprites need COLUMN_DISTANCE; squares and counts have sizes of their own. */
bool sizing_adapts(const struct look_params *look);
/* The columns that sprites and colours of all pictures need, besides COLUMN_ABSENT. */
void look_columns(const struct look_params *look, struct column_names *out);
bool look_needs_column(const struct look_params *look, const char *name);
/* Whether a picture may use kernels, for a scene's look whose look.size is not resolved yet. */
bool look_may_need_kernel(const struct look_params *look);
