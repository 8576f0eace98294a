/* The legend: what the colours of the picture mean, of several panels each that differs from the
 * one before. Only for the overlay. */
#ifndef RENDER_OVERLAY_LEGEND_H
#define RENDER_OVERLAY_LEGEND_H

#include "render/overlay/entry.h"

extern const struct overlay_box overlay_legend;

#endif
