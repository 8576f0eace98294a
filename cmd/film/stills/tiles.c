#include "cmd/film/stills/tiles.h"

#include "render/picture/picture.h"

#include <stdlib.h>
#include <string.h>

/* Wide and low: the memory for a row of tiles is then small compared with a tile's light. */
enum { TILE_WIDTH = 4096, TILE_HEIGHT = 1024, SIDE_WHOLE = 4096 };

bool snapshot_needs_tiles(const struct scene *scene, struct film_tile *tile)
{
    const uint32_t width = scene->output.size.width, height = scene->output.size.height;
    const bool tiled = (width > SIDE_WHOLE || height > SIDE_WHOLE) &&
                       scene->look.panel_count == 0 && scene->camera.projection->flat;
    *tile = (struct film_tile){0};
    if (tiled)
        *tile = (struct film_tile){.width = width < TILE_WIDTH ? width : TILE_WIDTH,
                                   .height = height < TILE_HEIGHT ? height : TILE_HEIGHT};
    return tiled;
}

static void copy_tile(const struct snapshot_tiles *tiles, const struct picture *picture, uint32_t x)
{
    const struct picture_layout *layout = &picture->layout;
    const uint32_t left = tiles->whole_width - x;
    const size_t bytes = tiles->pixel * (left < tiles->tile.width ? left : tiles->tile.width);
    for (uint32_t row = 0; row < tiles->tile.height; row++)
        memcpy(tiles->band + ((size_t)row * tiles->whole_width + x) * tiles->pixel,
               picture->data + layout->plane[0].offset + row * layout->plane[0].stride, bytes);
}

static enum status fetch_band(void *user, uint32_t y, const uint8_t **rows, uint32_t *count,
                              size_t *stride)
{
    struct snapshot_tiles *tiles = user;
    struct snapshot *snapshot = tiles->snapshot;
    struct renderer *renderer = snapshot->film.renderer;
    enum status status = STATUS_OK;
    bar_show(&tiles->bar, y, snapshot->film.scene->output.size.height);
    for (uint32_t x = 0; x < tiles->whole_width && status == STATUS_OK; x += tiles->tile.width) {
        renderer_set_tile(renderer, x, y);
        status = renderer_submit(renderer, snapshot->view, snapshot->picture);
        if (status == STATUS_OK)
            status = renderer_wait(renderer);
        if (status == STATUS_OK)
            copy_tile(tiles, snapshot->picture, x);
    }
    *rows = tiles->band;
    *count = tiles->tile.height;
    *stride = tiles->whole_width * tiles->pixel;
    return status;
}

enum status snapshot_tiles_lend(struct snapshot *snapshot, const struct film_tile *tile)
{
    const struct output_params *output = &snapshot->film.scene->output;
    struct renderer *renderer = snapshot->film.renderer;
    enum status status = STATUS_OK;
    for (uint32_t y = 0; y < output->size.height && status == STATUS_OK; y += tile->height)
        for (uint32_t x = 0; x < output->size.width && status == STATUS_OK; x += tile->width) {
            renderer_set_tile(renderer, x, y);
            status = renderer_submit(renderer, snapshot->view, NULL);
        }
    return status;
}

enum status snapshot_tiles_open(struct snapshot_tiles *tiles, struct snapshot *snapshot,
                                const struct film_tile *tile, struct png_rows *rows)
{
    const struct output_params *output = &snapshot->film.scene->output;
    const enum picture_format format = snapshot->picture->layout.format;
    *tiles = (struct snapshot_tiles){.snapshot = snapshot,
                                     .whole_width = output->size.width,
                                     .tile = *tile,
                                     .pixel = picture_format_bits(format) / 2};
    const size_t bytes = (size_t)output->size.width * tile->height * tiles->pixel;
    tiles->band = malloc(bytes);
    if (!tiles->band)
        return status_fail(STATUS_RUNTIME,
                           "no memory left for %u rows of a picture of %ux%u, which take %zu bytes",
                           tile->height, output->size.width, output->size.height, bytes);
    bar_begin(&tiles->bar, "drawing row");
    *rows = (struct png_rows){format, output->size.width, output->size.height, fetch_band, tiles};
    return STATUS_OK;
}

void snapshot_tiles_close(struct snapshot_tiles *tiles)
{
    bar_end(&tiles->bar);
    free(tiles->band);
    tiles->band = NULL;
}
