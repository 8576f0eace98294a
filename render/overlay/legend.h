/* The legend of the overlay: what the colours of the picture mean, laid out once and painted into
 * ink. Only for the overlay. */
#ifndef RENDER_OVERLAY_LEGEND_H
#define RENDER_OVERLAY_LEGEND_H

#include "render/overlay/ink.h"
#include "render/draw.h"

struct overlay_legend;

/* For letters of `size` pixels. Of several panels the first one's. Leaves NULL when its colours
 * mean nothing. */
enum status overlay_legend_create(struct overlay_legend **out, struct ink *ink,
                                  const struct renderer_params *params, double size);
void overlay_legend_destroy(struct overlay_legend **legend); /* accepts a pointer to NULL */

void overlay_legend_size(const struct overlay_legend *legend, int *width, int *height);

/* With its upper left corner at (x, y) of the plate that has been begun. */
void overlay_legend_paint(const struct overlay_legend *legend, struct ink *ink, int x, int y);

#endif
