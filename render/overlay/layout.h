/* Measurements shared by all elements of the overlay. Pure, thread-safe. */
#pragma once

#include "render/params.h"

#include <stdint.h>

/* In pixels. */
struct overlay_layout {
    int width, height; /* of the picture */
    int side, edge; /* margins on the left and right, at the top and bottom: the title-safe area */
    int pad;        /* around a plate's ink, for its shadow */
    double size;    /* of the letters */
    double true_size; /* without a lower limit */
};

/* A rectangle of the picture. */
struct overlay_area {
    int x, y, width, height;
};

#define OVERLAY_SHADOW 0.3 /* extent of shadows, in letter sizes */

/* The margin inside a panel's left or right edge at x: that of the picture, or a smaller one. */
int overlay_inset(const struct overlay_layout *layout, int x);

void overlay_lay_out(struct overlay_layout *out, const struct overlay_params *params,
                     uint32_t width, uint32_t height);

/* The parts of the picture's width and height that the overlay's lines leave free around the
 * middle: within the margins and, where there are lines, between one line at the upper and one at
 * the lower edge, two with captions. */
void overlay_clear(double clear[2], const struct overlay_params *params, uint32_t width,
                   uint32_t height);
