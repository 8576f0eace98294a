#include "cmd/regression/exhibit/rgb_film.h"

#include "base/memory.h"
#include "render/sinks.h"

#include <stdlib.h>
#include <string.h>

struct rgb_film {
    uint32_t width, height; /* as given; the picture may be padded */
    struct sink *sink;
    struct picture picture;
};

static uint8_t byte_of(double value)
{
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value + 0.5);
}

static const uint8_t *pixel_at(const struct rgb_film *self, const uint8_t *rgb, int64_t x,
                               int64_t y)
{
    const int64_t width = self->width, height = self->height;
    x = x < 0 ? 0 : x < width ? x : width - 1;
    y = y < height ? y : height - 1;
    return rgb + 3 * (size_t)(y * width + x);
}

static void fill_rgba(struct rgb_film *self, const uint8_t *rgb)
{
    const struct picture_layout *layout = &self->picture.layout;
    for (uint32_t y = 0; y < layout->height; y++)
        for (uint32_t x = 0; x < layout->width; x++) {
            uint8_t *to = self->picture.data + (size_t)y * layout->plane[0].stride + 4 * (size_t)x;
            memcpy(to, pixel_at(self, rgb, x, y), 3);
            to[3] = 255;
        }
}

/* BT.709, limited range. */
static const double luma[3] = {0.2126, 0.7152, 0.0722};

static void fill_luma(struct rgb_film *self, const uint8_t *rgb)
{
    const struct picture_layout *layout = &self->picture.layout;
    for (uint32_t y = 0; y < layout->height; y++)
        for (uint32_t x = 0; x < layout->width; x++) {
            const uint8_t *at = pixel_at(self, rgb, x, y);
            const double value = luma[0] * at[0] + luma[1] * at[1] + luma[2] * at[2];
            self->picture.data[(size_t)y * layout->plane[0].stride + x] =
                byte_of(16 + 219 * value / 255);
        }
}

/* Fills the chroma planes; a chroma sample lies at the left pixel, between two rows. */
static void fill_chroma(struct rgb_film *self, const uint8_t *rgb)
{
    static const double weights[3] = {0.25, 0.5, 0.25};
    const struct picture_layout *layout = &self->picture.layout;
    const bool together = layout->format == PICTURE_NV12;
    const uint32_t columns = layout->plane[1].bytes / (together ? 2 : 1);
    for (uint32_t y = 0; y < layout->plane[1].rows; y++)
        for (uint32_t x = 0; x < columns; x++) {
            double mean[3] = {0};
            for (int64_t j = 0; j < 2; j++)
                for (int64_t i = 0; i < 3; i++) {
                    const uint8_t *at =
                        pixel_at(self, rgb, 2 * (int64_t)x + i - 1, 2 * (int64_t)y + j);
                    for (int c = 0; c < 3; c++)
                        mean[c] += weights[i] / 2 * at[c];
                }
            const double value = luma[0] * mean[0] + luma[1] * mean[1] + luma[2] * mean[2];
            const double blue = (mean[2] - value) / (2 * (1 - luma[2]));
            const double red = (mean[0] - value) / (2 * (1 - luma[0]));
            uint8_t *first = self->picture.data + layout->plane[1].offset +
                             (size_t)y * layout->plane[1].stride + (together ? 2 : 1) * (size_t)x;
            uint8_t *second = together ? first + 1
                                       : self->picture.data + layout->plane[2].offset +
                                             (size_t)y * layout->plane[2].stride + x;
            *first = byte_of(128 + 224 * blue / 255);
            *second = byte_of(128 + 224 * red / 255);
        }
}

static enum status open_sink(struct rgb_film *self, const struct rgb_film_params *given)
{
    const struct sink_params params = {.path = given->path,
                                       .format = "",
                                       .width = given->width,
                                       .height = given->height,
                                       .fps_num = given->fps_num,
                                       .fps_den = given->fps_den,
                                       .output = {.crf = given->crf,
                                                  .preset = "",
                                                  .pad = true,
                                                  .threads = given->threads,
                                                  .png_bits = 8,
                                                  .png_level = 6}};
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

enum status rgb_film_open(struct rgb_film **out, const struct rgb_film_params *params)
{
    struct rgb_film *self = *out = memory_new(1, sizeof *self);
    self->width = params->width;
    self->height = params->height;
    struct failure failure = {0};
    if (failure_keep(&failure, open_sink(self, params)))
        failure_keep(&failure, rgb_film_close(out, false, NULL));
    return failure_report(&failure);
}

enum status rgb_film_write(struct rgb_film *self, const uint8_t *rgb)
{
    if (self->sink->format == PICTURE_RGBA8) {
        fill_rgba(self, rgb);
    } else {
        fill_luma(self, rgb);
        fill_chroma(self, rgb);
    }
    enum status status = self->sink->ops->write(self->sink, &self->picture);
    self->picture.frame++;
    return status;
}

enum status rgb_film_close(struct rgb_film **film, bool keep, uint64_t *bytes)
{
    enum status status = STATUS_OK;
    if (!*film)
        return status;
    if ((*film)->sink)
        status = (*film)->sink->ops->close(&(*film)->sink, keep, NULL, bytes);
    free((*film)->picture.data);
    free(*film);
    *film = NULL;
    return status;
}
