#include "cmd/regression/compare/difference.h"

#include "base/machine.h"
#include "base/queue.h"
#include "base/status.h"
#include "cmd/regression/exhibit/film.h"
#include "cmd/film/open.h"
#include "render/reader/reader.h"

#include <stdlib.h>

struct difference {
    const struct difference_params *params;
    uint32_t width, height; /* size of one film */
    uint16_t *rgb[2];
    uint8_t *shown; /* [height][3 * width][3] */
    struct rgb_film *film;
};

static uint8_t byte_of(double value)
{
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value + 0.5);
}

static void put_together(struct difference *self)
{
    const size_t row = 3 * (size_t)self->width;
    for (size_t y = 0; y < self->height; y++)
        for (size_t x = 0; x < row; x++) {
            const double a = self->rgb[0][y * row + x] / 257.0;
            const double b = self->rgb[1][y * row + x] / 257.0;
            uint8_t *to = self->shown + y * 3 * row + x;
            to[0] = byte_of(a);
            to[row] = byte_of(b);
            to[2 * row] = byte_of(self->params->gain * (a > b ? a - b : b - a));
        }
}

static enum status open_film(struct difference *self)
{
    const struct reader_info *info = self->params->a->info;
    const struct rgb_film_params params = {.path = self->params->path,
                                           .width = 3 * self->width,
                                           .height = self->height,
                                           .fps_num = info->fps_num > 0 ? info->fps_num : 30,
                                           .fps_den = info->fps_num > 0 ? info->fps_den : 1,
                                           .crf = -1,
                                           .threads = machine_processors()};
    return rgb_film_open(&self->film, &params);
}

static enum status open_pictures(struct difference *self)
{
    const size_t samples = 3 * (size_t)self->width * self->height;
    self->rgb[0] = malloc(2 * samples * sizeof *self->rgb[0]);
    self->shown = malloc(3 * samples);
    if (!self->rgb[0] || !self->shown)
        return status_fail(STATUS_RUNTIME, "no memory left for three pictures of %ux%u",
                           self->width, self->height);
    self->rgb[1] = self->rgb[0] + samples;
    return open_film(self);
}

static enum status write_pair(struct difference *self, const struct pair *pair)
{
    enum status status = reader_read(self->params->a->reader, pair->a, self->rgb[0]);
    if (status == STATUS_OK)
        status = reader_read(self->params->b->reader, pair->b, self->rgb[1]);
    if (status != STATUS_OK)
        return status;
    put_together(self);
    return rgb_film_write(self->film, self->shown);
}

static enum status write_all(struct difference *self)
{
    const struct difference_params *params = self->params;
    enum status status = STATUS_OK;
    for (uint64_t i = 0; i < params->count && status == STATUS_OK; i++) {
        const struct pair *pair = &params->pairs[i];
        if (pair->a == PAIR_NONE || pair->b == PAIR_NONE)
            continue;
        status = stop_asked(params->stop) ? STATUS_STOPPED : write_pair(self, pair);
    }
    return status;
}

enum status difference_write(const struct difference_params *params)
{
    struct difference self = {
        .params = params, .width = params->a->info->width, .height = params->a->info->height};
    struct failure failure = {0};
    enum status status = open_pictures(&self);
    if (status == STATUS_OK)
        status = write_all(&self);
    failure_keep(&failure, status);
    failure_keep(&failure, rgb_film_close(&self.film, status == STATUS_OK, NULL));
    free(self.rgb[0]);
    free(self.shown);
    return failure_report(&failure);
}
