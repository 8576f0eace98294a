#include "cmd/film/stills/still.h"

#include "base/file.h"
#include "base/output.h"
#include "cmd/film/advice.h"
#include "render/draw.h"
#include "render/picture/picture.h"
#include "render/video/picture_file.h"
#include "sim/views.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum status snapshot_open(struct snapshot *snapshot, const struct film_options *options)
{
    struct film *film = &snapshot->film;
    *snapshot = (struct snapshot){0};
    advice_tell_range(options->scene, options->format);
    enum status status = film_open(film, options);
    if (status == STATUS_OK)
        status = views_create(film->simulations, film->simulation_count, &snapshot->view);
    if (status == STATUS_OK)
        status = renderer_bind(film->renderer);
    snapshot->bound = status == STATUS_OK;
    if (status == STATUS_OK)
        status = renderer_picture_create(film->renderer, &snapshot->picture);
    if (status == STATUS_OK)
        status = views_fill(film->simulations, snapshot->view);
    if (status == STATUS_OK)
        status = renderer_meter(film->renderer, snapshot->view);
    snapshot->metered = status == STATUS_OK;
    return status;
}

void snapshot_close(struct snapshot *snapshot)
{
    if (snapshot->picture)
        renderer_picture_destroy(snapshot->film.renderer, &snapshot->picture);
    if (snapshot->bound)
        renderer_unbind(snapshot->film.renderer);
    views_destroy(snapshot->film.simulations, &snapshot->view);
    film_close(&snapshot->film);
    *snapshot = (struct snapshot){0};
}

enum status snapshot_find(const struct snapshot *snapshot, const struct moment *moment,
                          const char *text, uint64_t *frame)
{
    const struct film *film = &snapshot->film;
    double exact = 0, last = (double)(film->scene->output.frames - 1);
    enum status status = film_find_moment(film, moment, &exact);
    if (status != STATUS_OK)
        return status_prefix(status, "--at");
    if (round(exact) > last)
        return status_fail(STATUS_USAGE,
                           "--at %s falls on frame %.0f, but the film ends with frame %.0f; make "
                           "it longer with --set output.frames=N",
                           text, round(exact), last);
    *frame = (uint64_t)fmax(round(exact), 0);
    return STATUS_OK;
}

double snapshot_left(const struct scene *scene, uint64_t frame)
{
    const struct output_params *output = &scene->output;
    const double fps = (double)output->fps.num / output->fps.den;
    return look_fade(&scene->look, frame, output->frames, fps) *
           (1 - overlay_cover(&scene->overlay, (double)frame / fps));
}

/* Whether all simulations play runs, which can seek to any frame. */
static bool is_of_runs(const struct film *film)
{
    bool of_runs = true;
    int number;
    for (int i = 0; i < film->simulation_count; i++)
        of_runs &= simulation_run(film->simulations[i], &number) != NULL;
    return of_runs;
}

/* Frame by frame, to show progress. */
static enum status advance(struct snapshot *snapshot, uint64_t frame)
{
    struct film *film = &snapshot->film;
    enum status status = STATUS_OK;
    const uint64_t first = simulation_frame(film->simulations[0]);
    struct bar bar;
    if (is_of_runs(film) && !renderer_meters_every_frame(film->renderer)) {
        for (int i = 0; status == STATUS_OK && i < film->simulation_count; i++)
            status = simulation_show(film->simulations[i], frame);
        return status;
    }
    if (frame > first)
        film_warn_of_frame(film->scene);
    bar_begin(&bar, "simulating frame");
    for (uint64_t f = first; status == STATUS_OK && f < frame; f++) {
        bar_show(&bar, f - first, frame - first);
        for (int i = 0; status == STATUS_OK && i < film->simulation_count; i++)
            status = simulation_advance(film->simulations[i], f + 1, NULL);
        if (status == STATUS_OK && renderer_meters_every_frame(film->renderer))
            status = views_fill(film->simulations, snapshot->view);
        if (status == STATUS_OK && f + 1 < frame)
            status = renderer_observe(film->renderer, snapshot->view);
    }
    bar_end(&bar);
    return status;
}

enum status snapshot_take(struct snapshot *snapshot, uint64_t frame, const struct picture **picture)
{
    struct film *film = &snapshot->film;
    const bool metered = snapshot->metered && frame == simulation_frame(film->simulations[0]);
    enum status status = advance(snapshot, frame);
    snapshot->metered = false;
    if (status == STATUS_OK && !metered)
        status = views_fill(film->simulations, snapshot->view);
    if (status == STATUS_OK)
        status = (metered ? renderer_submit_metered
                          : renderer_submit)(film->renderer, snapshot->view, snapshot->picture);
    if (status == STATUS_OK)
        status = renderer_wait(film->renderer);
    *picture = snapshot->picture;
    return status;
}

bool snapshot_is_page(const char *output)
{
    return strcmp(file_extension(output), "pdf") == 0;
}

enum status snapshot_check_output(const char *output, const char *shown, bool overwrite,
                                  const char *example, bool alone)
{
    if (!output)
        return status_fail(STATUS_USAGE, "no output file given; for example -o %s", example);
    if (file_is_standard(output) && isatty(STDOUT_FILENO))
        return status_fail(STATUS_USAGE,
                           "the picture would go to the terminal; pipe it or name a file with -o");
    if (file_is_standard(output))
        return STATUS_OK;
    if (strcmp(file_extension(output), "png") != 0 &&
        !(alone && (picture_file_named(output) || snapshot_is_page(output)))) {
        char more[64] = "";
        const struct picture_file *file;
        for (size_t i = 0, used = 0; alone && (file = choice_at(&picture_file_registry, i)); i++)
            if (strcmp(file->name, "png") != 0)
                used += (size_t)snprintf(more + used, sizeof more - used, ", .%s", file->name);
        return status_fail(STATUS_USAGE, "'%s' does not end in .png%s%s; for example -o %s", output,
                           more, alone ? " or .pdf" : "", example);
    }
    if (shown && file_same(output, shown))
        return status_fail(STATUS_USAGE, "'%s' is the file to be shown; choose another -o", output);
    if (!overwrite && file_exists(output))
        return status_fail(STATUS_USAGE,
                           "'%s' already exists; replace it with -y or choose another -o", output);
    return output_check(output);
}

/* ==== tiles ==== */

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
