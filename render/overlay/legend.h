/* The legend: what the colours of the picture mean, of several panels those of the first. Only for
 * the overlay. */
#ifndef RENDER_OVERLAY_LEGEND_H
#define RENDER_OVERLAY_LEGEND_H

#include "render/overlay/element.h"

extern const struct overlay_element element_legend;

#endif
