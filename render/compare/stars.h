/* Stars that one of two pictures lacks, and points that moved by a pixel. */
#ifndef RENDER_COMPARE_STARS_H
#define RENDER_COMPARE_STARS_H

#include "render/picture/planes.h"

#include <stdbool.h>
#include <stdint.h>

/* How far from a pixel these functions look. */
enum { STARS_REACH = 2 };

/* Whether the 3 x 3 pixels around hold the same light in both pictures, each channel within a
 * thirtieth of all, and one of them has changed the other way: so it is where a point at a pixel's
 * edge fell on the other side. Symmetric. */
bool stars_moved(const struct planes *a, const struct planes *b, int32_t x, int32_t y);

/* The brightness (65535ths) of a star that the other picture lacks here, 0 if there is none of
 * at least `least` (> 0): the
 * pixel is where this picture is brightest beyond the other one among its 3 x 3 pixels, none of
 * these has gained a third of that, and that is more than half of what makes it stand out. What
 * surrounds it is the median of the 16 pixels two away. */
int32_t stars_alone(const struct planes *picture, const struct planes *other, int32_t x, int32_t y,
                    int32_t least);

#endif
