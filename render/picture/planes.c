#include "render/picture/planes.h"

#include <stdlib.h>

enum status planes_open(struct planes *planes, uint32_t width, uint32_t height)
{
    *planes = (struct planes){.width = width, .height = height};
    planes->columns = (width + PLANES_TILE - 1) / PLANES_TILE;
    planes->rows = (height + PLANES_TILE - 1) / PLANES_TILE;
    planes->stride = (size_t)planes->columns * PLANES_TILE;
    const size_t samples = planes->stride * planes->rows * PLANES_TILE;
    uint16_t *memory = calloc(3 * samples, sizeof *memory);
    if (!memory)
        return status_fail(STATUS_RUNTIME,
                           "no memory left for a picture of %ux%u, which takes %zu bytes", width,
                           height, 3 * samples * sizeof *memory);
    for (size_t c = 0; c < 3; c++)
        planes->channel[c] = memory + c * samples;
    return STATUS_OK;
}

void planes_close(struct planes *planes)
{
    free(planes->channel[0]);
    *planes = (struct planes){0};
}

void planes_fill(struct planes *planes, const uint16_t *rgb)
{
    for (uint32_t y = 0; y < planes->height; y++)
        for (size_t c = 0; c < 3; c++) {
            const uint16_t *from = rgb + 3 * (size_t)y * planes->width + c;
            uint16_t *to = planes->channel[c] + y * planes->stride;
            for (uint32_t x = 0; x < planes->width; x++)
                to[x] = from[3 * (size_t)x];
        }
}
