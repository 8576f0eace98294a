/* Stars that are in only one of two pictures, and points that moved by a pixel. */
#pragma once

#include "render/picture/planes.h"

#include <stdbool.h>
#include <stdint.h>

/* How far from a pixel these functions read. */
enum { STARS_MARGIN = 2 };

/* Whether the 3 x 3 pixels around contain the same light in both pictures, each channel to within a
 * thirtieth, and one of them changed in the opposite direction: a point at a pixel's edge moved to
 * the other side. Symmetric. */
bool stars_moved(const struct planes *a, const struct planes *b, int32_t x, int32_t y);

/* The brightness (65535ths) of a star that the other picture lacks here, 0 if there is none of at
 * least `least` (> 0). The pixel must have the largest excess over the other picture among its 3 x
 * 3 pixels, none of these may have gained a third of that, and the excess must be at least half of
 * what the pixel stands out by. The background is the median of the 16 pixels two away. */
int32_t stars_alone(const struct planes *picture, const struct planes *other, int32_t x, int32_t y,
                    int32_t least);
