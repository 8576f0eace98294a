/* Lengths that all elements of the overlay keep to. Pure, thread-safe. */
#ifndef RENDER_OVERLAY_LAYOUT_H
#define RENDER_OVERLAY_LAYOUT_H

#include "render/params.h"

#include <stdint.h>

/* In pixels. */
struct overlay_layout {
    int width, height;  /* of the picture */
    int margin, pad;    /* around the picture's content; around a plate's ink, for its shadow */
    double size, small; /* of the letters */
    double true_size, true_small; /* the same without a smallest size, for what stays legible */
};

/* A rectangle of the picture. */
struct overlay_area {
    int x, y, width, height;
};

#define OVERLAY_SHADOW 0.3 /* how far it reaches, in sizes of the letters */

void overlay_lay_out(struct overlay_layout *out, const struct overlay_params *params,
                     uint32_t width, uint32_t height);

/* What its lines leave of the picture, about the middle: the parts of the width and of the height
 * that are between the margins, and between a line at the upper and one at the lower edge where
 * there are any, two where there are captions. */
void overlay_clear(double clear[2], const struct overlay_params *params, uint32_t width,
                   uint32_t height);

#endif
