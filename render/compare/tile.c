#include "render/compare/tile.h"

#include "render/picture/pixel_isa.h"

void tile_sum(const struct planes *a, const struct planes *b, size_t at,
              const struct tile_params *params, struct tile_sums *sums,
              struct tile_block blocks[TILE_BLOCKS][TILE_BLOCKS],
              uint16_t most[TILE_SIDE][TILE_SIDE])
{
    ISA_CALL(tile_sum, a, b, at, params, sums, blocks, most);
}

uint32_t tile_pixel_light(const struct planes *picture, size_t at)
{
    const int32_t luma =
        54 * picture->channel[0][at] + 183 * picture->channel[1][at] + 19 * picture->channel[2][at];
    const float light = tile_light((float)luma * (1 / (256 * 65535.0f)));
    return (uint32_t)(int32_t)((light > 0 ? light : 0) * (float)TILE_WHITE + 0.5f);
}
