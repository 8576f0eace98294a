#include "render/inspect/look.h"

#include "base/hash.h"
#include "base/memory.h"
#include "render/video/libav_calls.h"

#include <libavutil/frame.h>
#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FULL = 65535 };

struct looker {
    uint16_t *now, *before; /* samples, black 0, white FULL */
    uint16_t *darkest;      /* [darkest_count]; NULL: none yet, or sizes differ */
    uint16_t *first;        /* the first picture; [darkest_count], likewise */
    size_t count, before_count, room, darkest_count;
    char hash[HASH_TEXT], before_hash[HASH_TEXT];
    uint64_t broken;
};

struct looker *looker_open(void)
{
    return memory_new(1, sizeof(struct looker));
}

void looker_close(struct looker **looker)
{
    if (!*looker)
        return;
    free((*looker)->now);
    free((*looker)->before);
    free((*looker)->darkest);
    free((*looker)->first);
    free(*looker);
    *looker = NULL;
}

/* Makes the current picture the previous one, with room for `count` samples of the next. */
static enum status next_picture(struct looker *self, size_t count)
{
    uint16_t *now = self->before;
    self->before = self->now;
    self->before_count = self->count;
    memcpy(self->before_hash, self->hash, sizeof self->hash);
    self->now = now;
    self->count = count;
    self->broken = 0;
    if (count > self->room) {
        free(self->now);
        free(self->before);
        self->now = malloc(count * sizeof *self->now);
        self->before = malloc(count * sizeof *self->before);
        self->before_count = 0;
        self->before_hash[0] = '\0';
        self->room = self->now && self->before ? count : 0;
    }
    if (self->room)
        return STATUS_OK;
    self->count = self->before_count = 0;
    return status_fail(STATUS_RUNTIME, "no memory left for two pictures of %zu MiB each",
                       count * sizeof *self->now >> 20);
}

/* Keeps the first picture; later ones must have its size. */
static void keep_first(struct looker *self)
{
    if (self->darkest_count == 0) {
        self->darkest = malloc(self->count * sizeof *self->darkest);
        self->first = malloc(self->count * sizeof *self->first);
        self->darkest_count = self->count;
        if (self->darkest)
            memcpy(self->darkest, self->now, self->count * sizeof *self->now);
        if (self->first)
            memcpy(self->first, self->now, self->count * sizeof *self->now);
    }
    if (self->count != self->darkest_count) {
        free(self->darkest);
        free(self->first);
        self->darkest = self->first = NULL;
    }
}

static void keep_darkest(struct looker *self)
{
    for (size_t i = 0; self->darkest && i < self->count; i++)
        self->darkest[i] = self->now[i] < self->darkest[i] ? self->now[i] : self->darkest[i];
}

double looker_darkest(const struct looker *looker)
{
    uint64_t sum = 0;
    for (size_t i = 0; looker->darkest && i < looker->darkest_count; i++)
        sum += looker->darkest[i];
    return looker->darkest && looker->darkest_count
               ? 255.0 / FULL * (double)sum / (double)looker->darkest_count
               : NAN;
}

static void measure(struct looker *self, struct look *out)
{
    keep_first(self);
    keep_darkest(self);
    uint64_t sum = 0, change = 0, away = 0;
    unsigned peak = 0;
    const bool comparable = self->count == self->before_count;
    for (size_t i = 0; i < self->count; i++) {
        const unsigned value = self->now[i];
        sum += value;
        peak = value > peak ? value : peak;
    }
    for (size_t i = 0; comparable && i < self->count; i++)
        change += (uint64_t)abs((int)self->now[i] - (int)self->before[i]);
    for (size_t i = 0; self->first && i < self->count; i++)
        away += (uint64_t)abs((int)self->now[i] - (int)self->first[i]);
    const double scale = 255.0 / FULL, each = self->count ? scale / (double)self->count : 0;
    *out = (struct look){
        .peak = peak * scale,
        .mean = (double)sum * each,
        .change = comparable ? (double)change * each : NAN,
        .away = self->first ? (double)away * each : NAN,
        .same = comparable && strcmp(self->hash, self->before_hash) == 0,
        .broken = self->broken,
    };
}

enum status looker_rgb(struct looker *looker, const uint16_t *rgb, uint32_t width, uint32_t height,
                       struct look *out)
{
    const size_t count = (size_t)width * height * 3;
    enum status status = next_picture(looker, count);
    if (status != STATUS_OK)
        return status;
    memcpy(looker->now, rgb, count * sizeof *rgb);
    const struct hash_part part = {rgb, count * sizeof *rgb};
    hash_parts(&part, 1, looker->hash);
    measure(looker, out);
    return STATUS_OK;
}

static uint16_t to_code(double value)
{
    return (uint16_t)(fmin(fmax(value, 0), 1) * FULL + 0.5);
}

static void take_integers(struct looker *self, const AVFrame *frame,
                          const AVPixFmtDescriptor *format, int component, uint16_t *to)
{
    const int depth = format->comp[component].depth;
    const bool limited =
        !(format->flags & AV_PIX_FMT_FLAG_RGB) && frame->color_range != AVCOL_RANGE_JPEG;
    const double unit = depth >= 8 ? (double)(1 << (depth - 8)) : 1,
                 black = limited ? 16 * unit : 0,
                 range = limited ? 219 * unit : (double)((1 << depth) - 1);
    uint16_t *table = memory_new((size_t)1 << depth, sizeof *table);
    for (int value = 0; value < 1 << depth; value++)
        table[value] = to_code((value - black) / range);
    const size_t width = (size_t)frame->width;
    for (int y = 0; y < frame->height; y++) {
        uint16_t *row = to + (size_t)y * width;
        av_read_image_line2(row, (const uint8_t **)frame->data, frame->linesize, format, 0, y,
                            component, frame->width, 0, (int)sizeof *row);
        for (size_t x = 0; x < width; x++)
            row[x] = table[row[x] & ((1 << depth) - 1)];
    }
    free(table);
    (void)self;
}

static void take_floats(struct looker *self, const AVFrame *frame, const AVPixFmtDescriptor *format,
                        int component, uint16_t *to)
{
    const AVComponentDescriptor *place = &format->comp[component];
    for (int y = 0; y < frame->height; y++) {
        const uint8_t *row = frame->data[place->plane] +
                             (ptrdiff_t)y * frame->linesize[place->plane] + place->offset;
        for (int x = 0; x < frame->width; x++) {
            float value;
            memcpy(&value, row + (ptrdiff_t)x * place->step, sizeof value);
            self->broken += !isfinite(value);
            to[(size_t)y * (size_t)frame->width + (size_t)x] = isfinite(value) ? to_code(value) : 0;
        }
    }
}

/* Hashes the visible samples without the padding between rows. */
static void hash_planes(const AVFrame *frame, const AVPixFmtDescriptor *format, char *out)
{
    struct hash_stream *stream = hash_open();
    const int planes = av_pix_fmt_count_planes((enum AVPixelFormat)frame->format);
    for (int p = 0; p < planes; p++) {
        const int bytes = av_image_get_linesize((enum AVPixelFormat)frame->format, frame->width, p);
        const bool chroma = p == 1 || p == 2;
        const int rows = chroma ? -(-frame->height >> format->log2_chroma_h) : frame->height;
        for (int y = 0; bytes > 0 && y < rows; y++)
            hash_add(stream, frame->data[p] + (ptrdiff_t)y * frame->linesize[p], (size_t)bytes);
    }
    hash_end(&stream, out);
}

enum status looker_frame(struct looker *looker, const struct AVFrame *frame, struct look *out)
{
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
    const uint64_t strange = AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_PAL;
    const bool floats = format && format->flags & AV_PIX_FMT_FLAG_FLOAT;
    if (!format || format->flags & strange ||
        (floats ? format->comp[0].depth != 32 || format->flags & AV_PIX_FMT_FLAG_BE
                : format->comp[0].depth > 16))
        return status_fail(STATUS_USAGE, "pixel format %s is not supported",
                           format ? format->name : "unknown");
    const int components =
        format->flags & AV_PIX_FMT_FLAG_RGB && format->nb_components >= 3 ? 3 : 1;
    const size_t each = (size_t)frame->width * (size_t)frame->height;
    enum status status = next_picture(looker, each * (size_t)components);
    for (int c = 0; status == STATUS_OK && c < components; c++)
        (floats ? take_floats : take_integers)(looker, frame, format, c,
                                               looker->now + (size_t)c * each);
    if (status != STATUS_OK)
        return status;
    hash_planes(frame, format, looker->hash);
    measure(looker, out);
    return STATUS_OK;
}
