#include "cmd/compare/difference.h"

#include "base/machine.h"
#include "base/stop.h"
#include "render/reader/reader.h"
#include "render/sinks.h"

#include <stdlib.h>
#include <string.h>

struct difference {
    const struct difference_params *params;
    uint32_t width, height; /* of one film */
    uint16_t *rgb[2];
    uint8_t *shown; /* [height][3 * width][3] */
    struct sink *sink;
    struct picture picture;
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

static const uint8_t *shown_at(const struct difference *self, int64_t x, int64_t y)
{
    const int64_t width = 3 * (int64_t)self->width, height = self->height;
    x = x < 0 ? 0 : x < width ? x : width - 1;
    y = y < height ? y : height - 1;
    return self->shown + 3 * (size_t)(y * width + x);
}

static void fill_rgba(struct difference *self)
{
    const struct picture_layout *layout = &self->picture.layout;
    for (uint32_t y = 0; y < layout->height; y++)
        for (uint32_t x = 0; x < layout->width; x++) {
            uint8_t *to = self->picture.data + (size_t)y * layout->plane[0].stride + 4 * (size_t)x;
            memcpy(to, shown_at(self, x, y), 3);
            to[3] = 255;
        }
}

/* BT.709, limited range. */
static const double luma[3] = {0.2126, 0.7152, 0.0722};

static void fill_luma(struct difference *self)
{
    const struct picture_layout *layout = &self->picture.layout;
    for (uint32_t y = 0; y < layout->height; y++)
        for (uint32_t x = 0; x < layout->width; x++) {
            const uint8_t *rgb = shown_at(self, x, y);
            const double value = luma[0] * rgb[0] + luma[1] * rgb[1] + luma[2] * rgb[2];
            self->picture.data[(size_t)y * layout->plane[0].stride + x] =
                byte_of(16 + 219 * value / 255);
        }
}

/* Samples lie beside the left pixel, between two rows. */
static void fill_chroma(struct difference *self)
{
    static const double weights[3] = {0.25, 0.5, 0.25};
    const struct picture_layout *layout = &self->picture.layout;
    const bool together = layout->format == PICTURE_NV12;
    const uint32_t columns = layout->plane[1].bytes / (together ? 2 : 1);
    for (uint32_t y = 0; y < layout->plane[1].rows; y++)
        for (uint32_t x = 0; x < columns; x++) {
            double rgb[3] = {0};
            for (int64_t j = 0; j < 2; j++)
                for (int64_t i = 0; i < 3; i++) {
                    const uint8_t *at = shown_at(self, 2 * (int64_t)x + i - 1, 2 * (int64_t)y + j);
                    for (int c = 0; c < 3; c++)
                        rgb[c] += weights[i] / 2 * at[c];
                }
            const double value = luma[0] * rgb[0] + luma[1] * rgb[1] + luma[2] * rgb[2];
            const double blue = (rgb[2] - value) / (2 * (1 - luma[2]));
            const double red = (rgb[0] - value) / (2 * (1 - luma[0]));
            uint8_t *first = self->picture.data + layout->plane[1].offset +
                             (size_t)y * layout->plane[1].stride + (together ? 2 : 1) * (size_t)x;
            uint8_t *second = together ? first + 1
                                       : self->picture.data + layout->plane[2].offset +
                                             (size_t)y * layout->plane[2].stride + x;
            *first = byte_of(128 + 224 * blue / 255);
            *second = byte_of(128 + 224 * red / 255);
        }
}

static enum status open_sink(struct difference *self)
{
    const struct reader_info *info = self->params->a->info;
    const struct sink_params params = {.path = self->params->path,
                                       .format = "",
                                       .width = 3 * self->width,
                                       .height = self->height,
                                       .fps_num = info->fps_num > 0 ? info->fps_num : 30,
                                       .fps_den = info->fps_num > 0 ? info->fps_den : 1,
                                       .crf = -1,
                                       .preset = "",
                                       .pad = true,
                                       .threads = machine_processors(),
                                       .png_bits = 8,
                                       .png_level = 6};
    struct sink_plan plan;
    enum status status = sink_make_plan(&params, &plan);
    if (status != STATUS_OK)
        return status;
    if (plan.format != PICTURE_RGBA8 && plan.format != PICTURE_YUV420P &&
        plan.format != PICTURE_NV12)
        return status_fail(STATUS_USAGE,
                           "a film of differences is not written as '%s'; name one in .mp4, .mkv, "
                           ".webm or .y4m, or PNG files",
                           params.path);
    status = sink_open(&params, &self->sink);
    if (status != STATUS_OK)
        return status;
    picture_layout(&self->picture.layout, self->sink->format, self->sink->width,
                   self->sink->height);
    self->picture.data = malloc(self->picture.layout.size);
    return self->picture.data ? STATUS_OK
                              : status_fail(STATUS_RUNTIME, "no memory left for a picture of %ux%u",
                                            self->sink->width, self->sink->height);
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
    return open_sink(self);
}

static enum status write_pair(struct difference *self, const struct pair *pair, uint64_t number)
{
    enum status status = reader_read(self->params->a->reader, pair->a, self->rgb[0]);
    if (status == STATUS_OK)
        status = reader_read(self->params->b->reader, pair->b, self->rgb[1]);
    if (status != STATUS_OK)
        return status;
    put_together(self);
    if (self->sink->format == PICTURE_RGBA8) {
        fill_rgba(self);
    } else {
        fill_luma(self);
        fill_chroma(self);
    }
    self->picture.frame = number;
    return self->sink->ops->write(self->sink, &self->picture);
}

static enum status write_all(struct difference *self)
{
    const struct difference_params *params = self->params;
    enum status status = STATUS_OK;
    uint64_t number = 0;
    for (uint64_t i = 0; i < params->count && status == STATUS_OK; i++) {
        const struct pair *pair = &params->pairs[i];
        if (pair->a == PAIR_NONE || pair->b == PAIR_NONE)
            continue;
        status = stop_asked(params->stop) ? STATUS_STOPPED : write_pair(self, pair, number++);
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
    if (self.sink)
        failure_keep(&failure, self.sink->ops->close(&self.sink, status == STATUS_OK, NULL, NULL));
    free(self.picture.data);
    free(self.rgb[0]);
    free(self.shown);
    return failure_report(&failure);
}
