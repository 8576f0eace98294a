/* Measurements shared by all elements of the overlay. Pure, thread-safe. */
#pragma once

#include "render/found.h"
#include "render/params.h"

#include <stdbool.h>
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

/* Whether an area of the picture is dark enough for letters, from the light that was found before
 * the film (found.h). An area is bright if a part of it has a few times more light than the
 * picture has on average, so that a picture that is full of light hides nothing. Pure, thread-safe.
 */

/* The part of the film, 0 .. 1, for which the area is bright; less bright times count in
 * proportion. Between two times in seconds; to <= from: over the whole film. 0: not measured. */
double shade_light(const struct found_light *light, const struct overlay_layout *layout,
                   const struct overlay_area *area, double fps, double from, double to);

/* Whether letters leave an area with `own` light for one with `other`: small amounts are ignored,
 * because they change with the number of bodies. */
bool shade_leaves(double own, double other);

/* The times at which an area is dark. */
struct shade {
    int count;
    struct {
        double from, to; /* seconds */
    } dark[FOUND_LIGHT_TIMES + 1];
};

/* Dark times that are too short to read anything in are left out. all: any light counts, as around
 * the whole sphere, where the overlay lies in the middle of the picture. */
void shade_find(struct shade *out, const struct found_light *light,
                const struct overlay_layout *layout, const struct overlay_area *area, double fps,
                bool all);

/* The opacity of letters in the area, which fade before it becomes bright. */
double shade_opacity(const struct shade *shade, double seconds, double fade);
