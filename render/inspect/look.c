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

enum { FULL = 65535, COLUMNS = 64, ROWS = 36, CELLS = COLUMNS * ROWS, KEPT = 3 };

struct looker {
    uint16_t *now, *before; /* samples, black 0, white FULL */
    uint16_t *darkest;      /* [darkest_count]; NULL: none yet, or sizes differ */
    uint16_t *first;        /* the first picture; [darkest_count], likewise */
    size_t count, before_count, room, darkest_count;
    char hash[HASH_TEXT], before_hash[HASH_TEXT];
    uint64_t broken;
    double (*cells)[CELLS]; /* [KEPT] means of cells, of picture n in n % KEPT */
    uint64_t pictures;
};

/* How the samples lie in `now`. */
struct grid_layout {
    size_t width, height, planes; /* of planes one after the other */
};

struct looker *looker_open(void)
{
    struct looker *looker = memory_new(1, sizeof *looker);
    looker->cells = memory_new(KEPT, sizeof *looker->cells);
    return looker;
}

void looker_close(struct looker **looker)
{
    if (!*looker)
        return;
    free((*looker)->now);
    free((*looker)->before);
    free((*looker)->darkest);
    free((*looker)->first);
    free((*looker)->cells);
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

/* Fills in the cells' means, in codes of 255, over all planes. */
static void fill_cells(const struct looker *self, const struct grid_layout *layout, double *cells)
{
    memset(cells, 0, CELLS * sizeof *cells);
    const size_t width = layout->width, height = layout->height;
    for (size_t row = 0; row < layout->planes * height; row++) {
        const uint16_t *from = self->now + row * width;
        double *to = cells + (row % height * ROWS / height) * COLUMNS;
        for (size_t x = 0; x < width; x++)
            to[x * COLUMNS / width] += from[x];
    }
    const double each = 255.0 / FULL * CELLS / ((double)layout->planes * (double)(width * height));
    for (size_t i = 0; i < CELLS; i++)
        cells[i] *= each;
}

/* Adds the squares of the differences in each grid; the coarser ones join 2 x 2 and 4 x 4 cells. */
static void grid_distances(const double *a, const double *b, double out[LOOK_GRIDS])
{
    for (int g = 0; g < LOOK_GRIDS; g++) {
        const int joined = 4 >> g;
        out[g] = 0;
        for (int y = 0; y < ROWS; y += joined)
            for (int x = 0; x < COLUMNS; x += joined) {
                double sum = 0;
                for (int i = 0; i < joined * joined; i++) {
                    const int cell = (y + i / joined) * COLUMNS + x + i % joined;
                    sum += a[cell] - b[cell];
                }
                out[g] += sum * sum / (joined * joined * joined * joined);
            }
    }
}

static void measure_motion(struct looker *self, const struct grid_layout *layout, struct look *out)
{
    const uint64_t n = self->pictures++;
    fill_cells(self, layout, self->cells[n % KEPT]);
    for (int g = 0; g < LOOK_GRIDS; g++)
        out->step[g] = out->leap[g] = NAN;
    if (n >= 1)
        grid_distances(self->cells[n % KEPT], self->cells[(n - 1) % KEPT], out->step);
    if (n >= 2)
        grid_distances(self->cells[n % KEPT], self->cells[(n - 2) % KEPT], out->leap);
}

static void measure(struct looker *self, const struct grid_layout *layout, struct look *out)
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
    measure_motion(self, layout, out);
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
    measure(looker, &(struct grid_layout){(size_t)width * 3, height, 1}, out);
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
    const struct grid_layout layout = {(size_t)frame->width, (size_t)frame->height,
                                       (size_t)components};
    measure(looker, &layout, out);
    return STATUS_OK;
}
