#include "render/reader/quiet.h"

#include "render/picture/isa.h"
#include "render/picture/planes.h"

#include <math.h>

/* A change of chroma by one code changes red, green or blue by at most 2 * (1 - 0.0593) * 255 / 224
 * (blue, BT.2020); one code of luma by 255 / 219. */
static const double chroma_gain = 2.1419, luma_gain = 255 / 219.0;

static bool find_bounds(bool full, double lit, double free, struct quiet_bounds *bounds)
{
    const double rest = floor((lit - QUIET_CHROMA_NEAR * chroma_gain) / luma_gain - 1e-6);
    const double same = floor(free / luma_gain);
    if (!(rest >= 1 && rest < 128 && same >= 0 && same < 128))
        return false;
    bounds->luma = (uint8_t)(rest + (full ? 0 : 16));
    bounds->free_luma = (uint8_t)same;
    return true;
}

bool quiet_find_needed(const struct quiet_pictures *self, double lit, double free, uint8_t *needed)
{
    struct quiet_bounds bounds;
    if (!find_bounds(self->full, lit, free, &bounds))
        return false;
    const uint32_t columns = (self->width + PLANES_TILE - 1) / PLANES_TILE;
    const uint32_t rows = (self->height + PLANES_TILE - 1) / PLANES_TILE;
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t column = 0; column < columns; column++) {
            const uint32_t x = column * PLANES_TILE, y = row * PLANES_TILE;
            needed[(size_t)row * columns + column] = !ISA_CALL(quiet_tile, self, &bounds, x, y);
        }
    return true;
}
