#include "render/reader/reader.h"

#include "base/file.h"
#include "base/memory.h"
#include "render/picture/png_pdf.h"
#include "render/reader/frame.h"
#include "render/reader/pixels.h"
#include "render/reader/stream.h"
#include "render/video/demuxer.h"
#include "render/video/libav.h"
#include "render/video/picture_file.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/frame.h>
#include <libavutil/pixdesc.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* One picture file (render/video/picture_file.h), and a sequence of them by its pattern. */

static enum picture_alpha told_alpha(const struct picture_file *file, const char *name)
{
    struct tags tags;
    enum picture_alpha alpha = ALPHA_STRAIGHT;
    if (file->tags(name, &tags) == STATUS_OK)
        alpha = alpha_told(tags_find(&tags, ALPHA_TAG));
    tags_free(&tags);
    return alpha;
}

/* Reads the format of the first file, which all must have. */
static enum status read_info(struct reader *reader, const char *name)
{
    AVFrame *frame;
    const struct picture_file *file = reader->info.file;
    enum status status = file->read(name, &frame, &reader->info.bits);
    if (status != STATUS_OK)
        return status;
    reader->info.width = (uint32_t)frame->width;
    reader->info.height = (uint32_t)frame->height;
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    if (format->flags & AV_PIX_FMT_FLAG_ALPHA && frame->format != AV_PIX_FMT_PAL8)
        reader->info.alpha = told_alpha(file, name);
    reader->info.pixel_format = format->name;
    av_frame_free(&frame);
    return STATUS_OK;
}

static enum status decode_file(struct reader *reader, const char *name, AVFrame **frame)
{
    uint32_t bits;
    enum status status = reader->info.file->read(name, frame, &bits);
    if (status != STATUS_OK)
        return status;
    const int width = (*frame)->width, height = (*frame)->height;
    if ((uint32_t)width == reader->info.width && (uint32_t)height == reader->info.height)
        return STATUS_OK;
    av_frame_free(frame);
    return status_fail(STATUS_USAGE, "'%s' has %dx%d pixels, but the sequence began with %ux%u",
                       name, width, height, reader->info.width, reader->info.height);
}

static bool still_probe(const char *path, const unsigned char *head, size_t size)
{
    (void)path;
    return head && picture_file_of_head(head, size);
}

static enum status still_open(struct reader *reader)
{
    reader->info.file = picture_file_of(reader->path);
    if (!reader->info.file)
        return status_fail(STATUS_IO, "'%s' changed while it was opened; try again", reader->path);
    reader->info.frames = 1;
    return read_info(reader, reader->path);
}

static enum status still_decode(struct reader *reader, uint64_t frame, AVFrame **out)
{
    (void)frame;
    return decode_file(reader, reader->path, out);
}

/* Whether a file of the folder belongs to the sequence: some run of digits in its name is a number
 * for which the pattern gives this name. */
static bool find_number(const char *path, const char *file, uint64_t *number)
{
    for (const char *at = file; *at; at++) {
        if (!isdigit((unsigned char)*at) || (at > file && isdigit((unsigned char)at[-1])))
            continue;
        char name[PATH_MAX];
        errno = 0;
        *number = strtoull(at, NULL, 10);
        if (errno != 0 || png_name(path, *number, name, sizeof name) != STATUS_OK)
            continue;
        if (strcmp(file_base(name), file) == 0)
            return true;
    }
    return false;
}

static enum status find_files(struct reader *reader, const char *folder)
{
    DIR *files = opendir(folder);
    if (!files)
        return status_fail(STATUS_IO, "cannot read the folder '%s': %s", folder, strerror(errno));
    uint64_t number, first = UINT64_MAX, last = 0;
    for (struct dirent *file; (file = readdir(files));)
        if (find_number(reader->path, file->d_name, &number)) {
            first = number < first ? number : first;
            last = number > last ? number : last;
        }
    closedir(files);
    if (first > last || last == UINT64_MAX)
        return status_fail(STATUS_IO, "there is no file of the sequence '%s'; check its pattern",
                           reader->path);
    reader->info.first = first;
    reader->info.frames = last - first + 1;
    return STATUS_OK;
}

static bool sequence_probe(const char *path, const unsigned char *head, size_t size)
{
    char name[PATH_MAX];
    (void)size;
    return !head && picture_file_named(path) && png_name(path, 0, name, sizeof name) == STATUS_OK;
}

static enum status sequence_open(struct reader *reader)
{
    char name[PATH_MAX];
    char *folder = file_folder(reader->path);
    reader->info.file = picture_file_named(reader->path);
    enum status status = find_files(reader, folder);
    free(folder);
    if (status == STATUS_OK)
        status = png_name(reader->path, reader->info.first, name, sizeof name);
    return status == STATUS_OK ? read_info(reader, name) : status;
}

static enum status sequence_decode(struct reader *reader, uint64_t frame, AVFrame **out)
{
    char name[PATH_MAX];
    enum status status = png_name(reader->path, frame, name, sizeof name);
    return status == STATUS_OK ? decode_file(reader, name, out) : status;
}

const struct reader_kind reader_still = {
    .size = sizeof(struct reader),
    .probe = still_probe,
    .open = still_open,
    .decode = still_decode,
};

const struct reader_kind reader_sequence = {
    .size = sizeof(struct reader),
    .probe = sequence_probe,
    .open = sequence_open,
    .decode = sequence_decode,
};

/* ---- video ---- */

/* Films, read frame by frame: packets are scanned once, then decoded from the key frame before. */

/* A packet found by the scan of the film. */
struct mark {
    int64_t shown, decoded; /* in units of the stream's time base */
    bool key;
};

struct video {
    struct reader base;
    struct demuxer film;
    AVCodecContext *decoder;
    AVFrame *frame;
    struct mark *marks; /* in presentation order */
    size_t count;
    uint64_t *starts; /* frame -> the frame from which decoding must start */
    int64_t position; /* the frame decoded last, -1: none since the last seek */
};

static int by_time(const void *a, const void *b)
{
    int64_t x = ((const struct mark *)a)->shown, y = ((const struct mark *)b)->shown;
    return (x > y) - (x < y);
}

static enum status add_mark(struct video *video)
{
    const AVPacket *packet = video->film.packet;
    if (packet->flags & AV_PKT_FLAG_DISCARD)
        return STATUS_OK;
    if (packet->pts == AV_NOPTS_VALUE)
        return status_fail(STATUS_USAGE, "'%s' does not say when its frames are shown",
                           video->base.path);
    int64_t decoded = packet->dts == AV_NOPTS_VALUE ? packet->pts : packet->dts;
    *MEMORY_ADD(video->marks, video->count) =
        (struct mark){packet->pts, decoded, (packet->flags & AV_PKT_FLAG_KEY) != 0};
    return STATUS_OK;
}

static enum status scan(struct video *video)
{
    enum status status = STATUS_OK;
    int error = 0;
    while (status == STATUS_OK && (error = demuxer_next(&video->film)) >= 0)
        status = add_mark(video);
    if (status != STATUS_OK)
        return status;
    if (error != AVERROR_EOF)
        return demuxer_failed(&video->film, error);
    if (video->count == 0)
        return status_fail(STATUS_USAGE, "'%s' has no frames", video->base.path);
    qsort(video->marks, video->count, sizeof *video->marks, by_time);
    video->starts = memory_new(video->count, sizeof *video->starts);
    for (size_t i = 0; i < video->count; i++)
        video->starts[i] = video->marks[i].key ? i : i > 0 ? video->starts[i - 1] : 0;
    return STATUS_OK;
}

static bool film_probe(const char *path, const unsigned char *head, size_t size)
{
    (void)path;
    return head && demuxer_recognizes(head, size);
}

static enum picture_alpha video_told_alpha(const struct video *video)
{
    struct tags tags;
    enum picture_alpha alpha = ALPHA_STRAIGHT;
    if (film_info_read_tags(video->base.path, &tags) == STATUS_OK)
        alpha = alpha_told(tags_find(&tags, ALPHA_TAG));
    tags_free(&tags);
    return alpha;
}

static enum status video_open(struct reader *reader)
{
    struct video *video = (struct video *)reader;
    video->position = -1;
    video->frame = av_frame_alloc();
    if (!video->frame)
        memory_exhausted();
    enum status status = demuxer_open(&video->film, reader->path);
    if (status == STATUS_OK)
        status = demuxer_open_decoder(&video->film, reader->threads, false, &video->decoder);
    if (status == STATUS_OK)
        status = scan(video);
    if (status != STATUS_OK)
        return status;
    const AVCodecParameters *parameters = video->film.stream->codecpar;
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(parameters->format);
    AVRational rate = video->film.stream->avg_frame_rate;
    /* A GIF decoder gives black for transparent pixels. */
    const bool has_alpha =
        format && format->flags & AV_PIX_FMT_FLAG_ALPHA && parameters->codec_id != AV_CODEC_ID_GIF;
    reader->info = (struct reader_info){
        .width = (uint32_t)parameters->width,
        .height = (uint32_t)parameters->height,
        .fps_num = rate.num > 0 && rate.den > 0 ? (uint32_t)rate.num : 0,
        .fps_den = rate.num > 0 && rate.den > 0 ? (uint32_t)rate.den : 0,
        .frames = video->count,
        .bits = format ? (uint32_t)format->comp[0].depth : 8,
        .is_video = true,
        .alpha = has_alpha ? video_told_alpha(video) : ALPHA_NONE,
        .pixel_format = format ? format->name : "",
    };
    return STATUS_OK;
}

static enum status failed(const struct video *video, uint64_t frame, int error)
{
    return status_fail(STATUS_IO, "frame %llu of '%s' cannot be decoded: %s",
                       (unsigned long long)frame, video->base.path, libav_reason(error));
}

/* Containers seek by one of the two times, so use the earlier one. */
static enum status seek(struct video *video, uint64_t start, uint64_t frame)
{
    const struct mark *mark = &video->marks[start];
    int64_t to = mark->decoded < mark->shown ? mark->decoded : mark->shown;
    libav_forget();
    int error =
        av_seek_frame(video->film.film, video->film.stream->index, to, AVSEEK_FLAG_BACKWARD);
    avcodec_flush_buffers(video->decoder);
    video->position = -1;
    return error >= 0 ? STATUS_OK : failed(video, frame, error);
}

/* Decodes the next picture. AVERROR_EOF after the last one. */
static int step(struct video *video)
{
    for (;;) {
        int error = avcodec_receive_frame(video->decoder, video->frame);
        if (error != AVERROR(EAGAIN))
            return error;
        error = demuxer_next(&video->film);
        if (error == AVERROR_EOF)
            error = avcodec_send_packet(video->decoder, NULL);
        else if (error >= 0)
            error = avcodec_send_packet(video->decoder, video->film.packet);
        if (error < 0)
            return error;
    }
}

/* The number of the picture just decoded; -1 if no frame has its time. */
static int64_t number_of(const struct video *video)
{
    const AVFrame *frame = video->frame;
    struct mark sought = {.shown = frame->pts != AV_NOPTS_VALUE ? frame->pts
                                                                : frame->best_effort_timestamp};
    const struct mark *found = bsearch(&sought, video->marks, video->count, sizeof sought, by_time);
    return found ? found - video->marks : -1;
}

/* Decoders output pictures in the stream's own order. If the container's order differs, a picture
 * may come this many pictures after those that are shown after it. */
enum { LATE_MAX = 16 };

/* Decodes up to the frame, past at most `beyond` pictures that are shown later. *missed: the stream
 * does not have the frame. */
static enum status decode_to(struct video *video, uint64_t frame, int beyond, bool *missed)
{
    *missed = false;
    while (video->position < (int64_t)frame || (video->position > (int64_t)frame && beyond-- > 0)) {
        libav_forget();
        int error = step(video);
        if (error < 0 && error != AVERROR_EOF)
            return failed(video, frame, error);
        *missed = error == AVERROR_EOF;
        if (*missed)
            return STATUS_OK;
        int64_t number = number_of(video);
        video->position = number >= 0 ? number : video->position;
    }
    *missed = video->position != (int64_t)frame;
    return STATUS_OK;
}

/* Up to this many frames, decoding on is faster than seeking: a seek drops the pictures that the
 * decoder holds back, and may end at an earlier key frame than the wanted one. */
enum { NEAR = 8 };

static bool must_seek(const struct video *video, uint64_t frame)
{
    const int64_t position = video->position, start = (int64_t)video->starts[frame];
    return position < 0 || (int64_t)frame <= position || start > position + NEAR;
}

static enum status video_decode(struct reader *reader, uint64_t frame, AVFrame **out)
{
    struct video *video = (struct video *)reader;
    enum status status = STATUS_OK;
    bool missed = false;
    if (must_seek(video, frame))
        status = seek(video, video->starts[frame], frame);
    if (status == STATUS_OK)
        status = decode_to(video, frame, 0, &missed);
    if (status == STATUS_OK && missed) { /* some key frames cannot start decoding */
        status = seek(video, 0, frame);
        if (status == STATUS_OK)
            status = decode_to(video, frame, LATE_MAX, &missed);
    }
    if (status != STATUS_OK || missed) {
        video->position = -1;
        return status != STATUS_OK ? status : failed(video, frame, AVERROR_INVALIDDATA);
    }
    if ((uint32_t)video->frame->width != reader->info.width ||
        (uint32_t)video->frame->height != reader->info.height)
        return status_fail(STATUS_USAGE,
                           "frame %llu of '%s' has %dx%d pixels, but the first one has %ux%u",
                           (unsigned long long)frame, reader->path, video->frame->width,
                           video->frame->height, reader->info.width, reader->info.height);
    *out = av_frame_clone(video->frame);
    if (!*out)
        memory_exhausted();
    return STATUS_OK;
}

static bool video_samples(struct reader *reader, int component, uint16_t *samples, uint32_t *width,
                          uint32_t *height)
{
    const struct video *video = (const struct video *)reader;
    return video->position >= 0 && pixels_samples(video->frame, component, samples, width, height);
}

static double video_time(const struct reader *reader, uint64_t frame)
{
    const struct video *video = (const struct video *)reader;
    if (frame >= video->count)
        return -1;
    return (double)(video->marks[frame].shown - video->marks[0].shown) *
           av_q2d(video->film.stream->time_base);
}

static void video_close(struct reader *reader)
{
    struct video *video = (struct video *)reader;
    avcodec_free_context(&video->decoder);
    demuxer_close(&video->film);
    av_frame_free(&video->frame);
    free(video->marks);
    free(video->starts);
}

const struct reader_kind reader_video = {
    .size = sizeof(struct video),
    .probe = film_probe,
    .open = video_open,
    .decode = video_decode,
    .samples = video_samples,
    .time = video_time,
    .close = video_close,
};

/* ---- reader ---- */

enum { HEAD = 64 };

static const struct reader_kind *const kinds[] = {&reader_video, &reader_still, &reader_sequence};

static enum status choose(const char *path, const struct reader_kind **kind)
{
    unsigned char head[HEAD];
    size_t size;
    struct failure failure = {0};
    const bool readable = !failure_keep(&failure, file_read_head(path, head, sizeof head, &size));
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        *kind = kinds[i];
        if (kinds[i]->probe(path, readable ? head : NULL, size))
            return STATUS_OK;
    }
    if (!readable)
        return failure_report(&failure);
    return status_fail(
        STATUS_USAGE,
        "'%s' is neither a film in mp4, mov, mkv, webm, y4m or gif nor a PNG; name a "
        "sequence by its pattern, as in frames/%%06d.png",
        path);
}

enum status reader_open(struct reader **out, const char *path)
{
    return reader_open_threads(out, path, 0);
}

enum status reader_open_threads(struct reader **out, const char *path, int threads)
{
    *out = NULL;
    const struct reader_kind *kind;
    enum status status = choose(path, &kind);
    if (status != STATUS_OK)
        return status;
    struct reader *reader = memory_new(1, kind->size);
    reader->path = memory_text(path);
    reader->kind = kind;
    reader->threads = threads;
    status = kind->open(reader);
    if (status == STATUS_OK)
        *out = reader;
    else
        reader_close(&reader);
    return status;
}

void reader_close(struct reader **reader)
{
    struct reader *self = *reader;
    if (!self)
        return;
    if (self->kind->close)
        self->kind->close(self);
    free(self->path);
    free(self);
    *reader = NULL;
}

const struct reader_info *reader_info(const struct reader *reader)
{
    return &reader->info;
}

double reader_time(const struct reader *reader, uint64_t frame)
{
    return reader->kind->time ? reader->kind->time(reader, frame) : -1;
}

static enum status decode(struct reader *reader, uint64_t frame, struct AVFrame **out)
{
    const struct reader_info *info = &reader->info;
    if (frame < info->first || frame - info->first >= info->frames)
        return status_fail(STATUS_USAGE,
                           "there is no frame %llu, because '%s' has frames %llu to %llu",
                           (unsigned long long)frame, reader->path, (unsigned long long)info->first,
                           (unsigned long long)(info->first + info->frames - 1));
    return reader->kind->decode(reader, frame, out);
}

enum status reader_take(struct reader *reader, uint64_t frame, struct reader_frame **out)
{
    struct AVFrame *decoded;
    enum status status = decode(reader, frame, &decoded);
    *out = status == STATUS_OK ? frame_keep(decoded, reader->info.alpha, reader->path) : NULL;
    return status;
}

enum status reader_read(struct reader *reader, uint64_t frame, uint16_t *rgb)
{
    struct reader_frame *taken;
    enum status status = reader_take(reader, frame, &taken);
    if (status == STATUS_OK)
        status = frame_to_rgb(taken, rgb);
    frame_release(&taken);
    return status;
}

bool reader_samples(struct reader *reader, int component, uint16_t *samples, uint32_t *width,
                    uint32_t *height)
{
    const struct reader_kind *kind = reader->kind;
    return kind->samples && kind->samples(reader, component, samples, width, height);
}
