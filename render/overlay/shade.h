/* Whether an area of the picture is dark enough for letters, from the light that was found before
 * the film (found.h). An area is bright if a part of it has a few times more light than the
 * picture has on average, so that a picture that is full of light hides nothing. Pure, thread-safe.
 */
#pragma once

#include "render/found.h"
#include "render/overlay/layout.h"

#include <stdbool.h>

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
