#include "render/inspect/inspect.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/queue.h"
#include "render/picture/png_pdf.h"
#include "render/reader/frame.h"
#include "render/reader/reader.h"
#include "render/reader/stream.h"
#include "render/video/codecs.h"
#include "render/video/libav.h"
#include "render/video/picture_file.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/frame.h>
#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
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

static struct looker *looker_open(void)
{
    struct looker *looker = memory_new(1, sizeof *looker);
    looker->cells = memory_new(KEPT, sizeof *looker->cells);
    return looker;
}

/* Accepts a pointer to NULL. */
static void looker_close(struct looker **looker)
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

/* Takes for each sample the darkest value in any picture, and returns their mean in codes of 255:
 * it shows what stays, such as lettering, without what moves. NAN: sizes differ, or there were no
 * pictures. */
static double looker_darkest(const struct looker *looker)
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

/* rgb[height][width][3] as in render/reader/reader.h. */
static enum status looker_rgb(struct looker *looker, const uint16_t *rgb, uint32_t width,
                              uint32_t height, struct look *out)
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

/* Measures luma for Y'CbCr and all channels for RGB; `same` compares all planes. STATUS_RUNTIME
 * when there is no memory for the picture. */
static enum status looker_frame(struct looker *looker, const struct AVFrame *frame,
                                struct look *out)
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

/* ---- inspect ---- */

/* ---- inspection ---- */

void inspection_free(struct inspection *inspection)
{
    for (uint64_t i = 0; i < inspection->count; i++)
        free(inspection->frames[i].complaint);
    free(inspection->frames);
    free(inspection->codec);
    free(inspection->pixel_format);
    free(inspection->ending);
    free(inspection->file);
    tags_free(&inspection->tags);
    *inspection = (struct inspection){0};
}

/* ---- sequence ---- */

static enum status inspect_file(struct inspection *out, struct reader *reader,
                                struct looker *looker, uint16_t *rgb, uint64_t index)
{
    struct inspected_frame *frame = &out->frames[index];
    *frame = (struct inspected_frame){
        .shown = (int64_t)index, .key = true, .key_coded = true, .look = {.change = NAN}};
    if (reader_read(reader, out->first + index, rgb) != STATUS_OK) {
        frame->complaint = memory_text(status_text());
        return STATUS_OK;
    }
    frame->decoded = true;
    return looker_rgb(looker, rgb, out->width, out->height, &frame->look);
}

/* Describes the sequence; tags are those of the first file. */
static void describe_frames(struct inspection *out, const struct reader_info *info,
                            const char *path)
{
    char name[PATH_MAX];
    out->codec = memory_text(info->file->name);
    out->pixel_format = memory_text(info->file->light ? info->pixel_format
                                    : info->bits > 8  ? "rgb48"
                                                      : "rgb24");
    out->file_format = info->file;
    out->width = info->width;
    out->height = info->height;
    out->first = info->first;
    out->count = info->frames;
    out->is_alone = file_exists(path);
    if (out->is_alone || png_name(path, out->first, name, sizeof name) != STATUS_OK)
        snprintf(name, sizeof name, "%s", path);
    out->file = memory_text(name);
    (void)info->file->tags(name, &out->tags);
}

static enum status inspect_all(struct inspection *out, struct reader *reader,
                               volatile sig_atomic_t *stop)
{
    const size_t samples = (size_t)out->width * out->height * 3;
    uint16_t *rgb = malloc(samples * sizeof *rgb);
    if (!rgb)
        return status_fail(STATUS_RUNTIME, "no memory left for a picture of %zu MiB",
                           samples * sizeof *rgb >> 20);
    struct looker *looker = looker_open();
    enum status status = STATUS_OK;
    for (uint64_t i = 0; i < out->count && status == STATUS_OK; i++)
        status = stop_asked(stop) ? STATUS_STOPPED : inspect_file(out, reader, looker, rgb, i);
    out->darkest = looker_darkest(looker);
    looker_close(&looker);
    free(rgb);
    return status;
}

/* The same for PNG files (picture_file.c); missing and unreadable files are recorded. */
static enum status inspect_sequence(struct inspection *out, const char *path,
                                    volatile sig_atomic_t *stop)
{
    struct reader *reader;
    *out = (struct inspection){.duration = -1};
    enum status status = reader_open(&reader, path);
    if (status != STATUS_OK)
        return status;
    const struct reader_info *info = reader_info(reader);
    if (info->frames > INSPECT_FRAMES_MAX) {
        status = status_fail(STATUS_USAGE,
                             "the numbers of '%s' span %llu files, more than the %d that can be "
                             "inspected; check for a file that does not belong there",
                             path, (unsigned long long)info->frames, (int)INSPECT_FRAMES_MAX);
        reader_close(&reader);
        return status;
    }
    describe_frames(out, info, path);
    out->frames = memory_new(out->count, sizeof *out->frames);
    status = inspect_all(out, reader, stop);
    reader_close(&reader);
    return status;
}

/* ---- inspect ---- */

/* A decoded picture. */
struct shot {
    int64_t shown;
    bool key;
    struct look look;
};

struct work {
    struct inspection *out;
    struct demuxer film;
    AVCodecContext *decoder;
    AVFrame *picture;
    struct looker *looker;
    struct shot *shots; /* in the order of decoding */
    uint64_t shot_count;
    int64_t last_key;  /* presentation time of the latest key frame */
    int64_t last_time; /* decoding time of the latest packet */
    bool times_stored; /* the container stores decoding times; libav did not derive them */
    volatile sig_atomic_t *stop;
};

static bool is_key(const AVFrame *frame)
{
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    return (frame->flags & AV_FRAME_FLAG_KEY) != 0;
#else
    return frame->key_frame != 0;
#endif
}

static void complain(struct inspected_frame *frame, const char *text)
{
    if (text && !frame->complaint)
        frame->complaint = memory_text(text);
}

/* Keeps the stream's own colour properties, from the first picture. */
static void keep_coded(struct work *work)
{
    const AVFrame *frame = work->picture;
    work->out->coded = (struct colour_tags){frame->color_range, frame->colorspace, frame->color_trc,
                                            frame->color_primaries, frame->chroma_location};
}

static enum status keep_shot(struct work *work)
{
    const AVFrame *frame = work->picture;
    if (work->shot_count == 0)
        keep_coded(work);
    struct shot *shot = MEMORY_ADD(work->shots, work->shot_count);
    shot->shown = frame->pts != AV_NOPTS_VALUE ? frame->pts : frame->best_effort_timestamp;
    shot->key = is_key(frame);
    return looker_frame(work->looker, frame, &shot->look);
}

/* Decodes a packet; NULL: there are no more. libav's messages are kept with the frame, damaged
 * packets are skipped. */
static enum status decode(struct work *work, const AVPacket *packet, struct inspected_frame *frame)
{
    libav_forget();
    enum status status = STATUS_OK;
    int error = avcodec_send_packet(work->decoder, packet);
    for (bool more = error >= 0; more && status == STATUS_OK;) {
        error = avcodec_receive_frame(work->decoder, work->picture);
        more = error >= 0;
        if (more && work->picture->decode_error_flags != 0)
            complain(frame, "the decoder had to conceal damage");
        if (more)
            status = keep_shot(work);
        av_frame_unref(work->picture);
    }
    if (error < 0 && error != AVERROR(EAGAIN) && error != AVERROR_EOF)
        complain(frame, libav_reason(error));
    complain(frame, libav_warning());
    return status;
}

/* Times of decoding must rise from packet to packet. */
static void check_decoding_time(struct work *work, struct inspected_frame *frame)
{
    const int64_t time = work->film.packet->dts;
    if (!work->times_stored || time == AV_NOPTS_VALUE)
        return;
    if (work->last_time != AV_NOPTS_VALUE && time <= work->last_time)
        complain(frame, "its packet is not decoded later than the one before it");
    work->last_time = time;
}

static enum status add_packet(struct work *work, const char *warning)
{
    struct inspection *out = work->out;
    const AVPacket *packet = work->film.packet;
    if (out->count == INSPECT_FRAMES_MAX)
        return status_fail(STATUS_USAGE, "'%s' has more than the %d frames that can be inspected",
                           work->film.path, (int)INSPECT_FRAMES_MAX);
    struct inspected_frame *frame = MEMORY_ADD(out->frames, out->count);
    *frame = (struct inspected_frame){.shown = packet->pts,
                                      .key = (packet->flags & AV_PKT_FLAG_KEY) != 0,
                                      .look = {.change = NAN}};
    frame->leads_back = work->last_key != AV_NOPTS_VALUE && packet->pts < work->last_key;
    if (frame->key)
        work->last_key = packet->pts;
    complain(frame, warning);
    if (packet->flags & AV_PKT_FLAG_CORRUPT)
        complain(frame, "the packet is cut short");
    if (packet->pts == AV_NOPTS_VALUE)
        complain(frame, "the packet does not say when it is shown");
    check_decoding_time(work, frame);
    return decode(work, packet, frame);
}

static enum status read_all(struct work *work)
{
    struct inspection *out = work->out;
    for (;;) {
        if (stop_asked(work->stop))
            return STATUS_STOPPED;
        const int error = demuxer_next(&work->film);
        if (error < 0 && error != AVERROR_EOF)
            out->ending = memory_text(libav_reason(error));
        else if (error < 0 && libav_complaint())
            out->ending = memory_text(libav_complaint());
        if (error < 0)
            break;
        enum status status = add_packet(work, libav_warning());
        if (status != STATUS_OK)
            return status;
    }
    if (out->count == 0)
        return status_fail(STATUS_USAGE, "'%s' has no frames", work->film.path);
    return decode(work, NULL, &out->frames[out->count - 1]);
}

static int by_time(const void *a, const void *b)
{
    const int64_t x = ((const struct inspected_frame *)a)->shown,
                  y = ((const struct inspected_frame *)b)->shown;
    return (x > y) - (x < y);
}

/* Assigns each picture to the packet with its presentation time. Decoders output pictures in the
 * stream's own order, which must be the order of the times. */
static void match(struct work *work)
{
    struct inspection *out = work->out;
    int64_t latest = INT64_MIN;
    qsort(out->frames, out->count, sizeof *out->frames, by_time);
    for (uint64_t i = 0; i < work->shot_count; i++) {
        const struct shot *shot = &work->shots[i];
        const struct inspected_frame sought = {.shown = shot->shown};
        struct inspected_frame *found =
            bsearch(&sought, out->frames, out->count, sizeof sought, by_time);
        if (!found || found->decoded) {
            out->extra_pictures++;
            continue;
        }
        found->decoded = true;
        if (shot->shown < latest)
            complain(found, "the stream has its picture at another place than the container");
        latest = shot->shown > latest ? shot->shown : latest;
        found->key_coded = shot->key;
        found->look = shot->look;
    }
}

/* Reads the film again as all other commands do, with render/reader, in several threads and by
 * seeking: a frame that it does not deliver is damaged, even if the strict decoder did not notice.
 * Stops after a few, because each costs decoding the film before it. */
static enum status read_again(struct work *work)
{
    enum { FAILURES_MAX = 8 };
    struct inspection *out = work->out;
    struct reader *reader;
    int failures = 0;
    if (reader_open(&reader, work->film.path) != STATUS_OK) {
        complain(&out->frames[0], status_text());
        return STATUS_OK;
    }
    const uint64_t count = reader_info(reader)->frames;
    bool stopped = false;
    for (uint64_t i = 0; i < count && i < out->count && failures < FAILURES_MAX && !stopped; i++) {
        struct reader_frame *frame = NULL;
        stopped = stop_asked(work->stop);
        if (out->frames[i].complaint || reader_take(reader, i, &frame) == STATUS_OK) {
            frame_release(&frame);
            continue;
        }
        complain(&out->frames[i], status_text());
        failures++;
    }
    reader_close(&reader);
    return stopped ? STATUS_STOPPED : STATUS_OK;
}

static void describe(struct inspection *out, const struct demuxer *film)
{
    const AVStream *stream = film->stream;
    const AVCodecParameters *codec = stream->codecpar;
    const char *format = av_get_pix_fmt_name((enum AVPixelFormat)codec->format);
    const AVRational rate = stream->avg_frame_rate,
                     pixel = av_guess_sample_aspect_ratio(film->film, film->stream, NULL);
    const bool has_rate = rate.num > 0 && rate.den > 0;
    out->is_film = true;
    out->container = demuxer_container(film);
    out->codec = memory_text(avcodec_get_name(codec->codec_id));
    out->pixel_format = memory_text(format ? format : "");
    out->width = (uint32_t)codec->width;
    out->height = (uint32_t)codec->height;
    out->fps_num = has_rate ? (uint32_t)rate.num : 0;
    out->fps_den = has_rate ? (uint32_t)rate.den : 0;
    out->base_num = stream->time_base.num;
    out->base_den = stream->time_base.den;
    out->duration = film->film->duration == AV_NOPTS_VALUE ? -1 : film->film->duration;
    out->told_frames = stream->nb_frames > 0 ? (uint64_t)stream->nb_frames : 0;
    out->told = film->told;
    out->told_width = (uint32_t)film->told_width;
    out->told_height = (uint32_t)film->told_height;
    out->aspect_num = pixel.num > 0 && pixel.den > 0 ? (uint32_t)pixel.num : 0;
    out->aspect_den = pixel.num > 0 && pixel.den > 0 ? (uint32_t)pixel.den : 0;
    out->streams = film->film->nb_streams;
    const AVDictionaryEntry *tag = NULL;
    while ((tag = av_dict_get(film->film->metadata, "", tag, AV_DICT_IGNORE_SUFFIX)))
        tags_add(&out->tags, tag->key, tag->value);
    tags_unpack(&out->tags);
}

/* Clears what the container says, so that the decoder reports the stream's own values. */
static void forget_colours(AVCodecParameters *codec)
{
    codec->color_range = AVCOL_RANGE_UNSPECIFIED;
    codec->color_space = AVCOL_SPC_UNSPECIFIED;
    codec->color_trc = AVCOL_TRC_UNSPECIFIED;
    codec->color_primaries = AVCOL_PRI_UNSPECIFIED;
    codec->chroma_location = AVCHROMA_LOC_UNSPECIFIED;
}

/* Decodes in one thread, so that libav's messages about a packet arrive on this thread. */
static enum status look_through(struct work *work)
{
    describe(work->out, &work->film);
    work->times_stored = strcmp(work->out->container->name, "mp4") == 0 ||
                         strcmp(work->out->container->name, "mov") == 0;
    forget_colours(work->film.stream->codecpar);
    enum status status = demuxer_open_decoder(&work->film, 1, true, &work->decoder);
    if (status == STATUS_OK)
        status = read_all(work);
    if (status == STATUS_OK)
        match(work);
    if (status == STATUS_OK)
        status = read_again(work);
    return status;
}

enum status inspect_film(struct inspection *out, const char *path, volatile sig_atomic_t *stop)
{
    if (!film_info_is_film(path))
        return inspect_sequence(out, path, stop);
    *out = (struct inspection){.duration = -1};
    struct work work = {
        .out = out, .stop = stop, .last_key = AV_NOPTS_VALUE, .last_time = AV_NOPTS_VALUE};
    work.picture = av_frame_alloc();
    if (!work.picture)
        memory_exhausted();
    work.looker = looker_open();
    enum status status = demuxer_open(&work.film, path);
    if (status == STATUS_OK)
        status = look_through(&work);
    out->darkest = looker_darkest(work.looker);
    avcodec_free_context(&work.decoder);
    av_frame_free(&work.picture);
    looker_close(&work.looker);
    demuxer_close(&work.film);
    free(work.shots);
    return status;
}
