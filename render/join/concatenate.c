#include "render/join/concatenate.h"

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/queue.h"
#include "render/video/codecs.h"
#include "render/video/libav.h"
#include "render/video/muxer.h"
#include "render/video/sound.h"

#include <errno.h>
#include <inttypes.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/pixdesc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- packets ---- */

static enum status join_stopped(const struct join_params *params)
{
    return stop_asked(params->stop) ? STATUS_STOPPED : STATUS_OK;
}

/* Checks the number of streams. Captions of a segment do not count, because they are made anew. */
static enum status check_streams(struct demuxer *film, const char *path, unsigned count,
                                 bool segment)
{
    unsigned others = 0; /* timecodes have no packets, and are made anew */
    for (unsigned i = 0; i < film->film->nb_streams; i++) {
        const AVCodecParameters *codec = film->film->streams[i]->codecpar;
        others += codec->codec_tag == MKTAG('t', 'm', 'c', 'd') ||
                  (segment && codec->codec_type == AVMEDIA_TYPE_SUBTITLE);
    }
    if (film->film->nb_streams == count + others)
        return STATUS_OK;
    enum status status =
        status_fail(STATUS_USAGE,
                    "'%s' has %u streams, but only one of pictures can be joined; give films "
                    "as they were rendered",
                    path, film->film->nb_streams);
    demuxer_close(film);
    return status;
}

/* Opens a film that has this many streams, one of them of pictures. On failure nothing stays open;
 * otherwise close it with demuxer_close. */
static enum status packets_open(struct demuxer *film, const char *path, size_t streams,
                                bool segment)
{
    enum status status = demuxer_open(film, path);
    return status == STATUS_OK ? check_streams(film, path, (unsigned)streams, segment) : status;
}

static enum status packets_open_told(struct demuxer *segment, const char *path)
{
    enum status status = demuxer_open_packets(segment, path);
    return status == STATUS_OK ? check_streams(segment, path, 1, true) : status;
}

/* *packet, in decoding order, is valid until the next call; NULL at the end. STATUS_USAGE for a
 * packet that is truncated or has no time. */
static enum status packets_next(struct demuxer *film, struct AVPacket **packet)
{
    const AVPacket *next = film->packet;
    int error = demuxer_next(film);
    *packet = NULL;
    if (error == AVERROR_EOF)
        return STATUS_OK;
    if (error < 0 && error != AVERROR_INVALIDDATA)
        return demuxer_failed(film, error);
    if (error < 0 || (next->flags & AV_PKT_FLAG_CORRUPT) || next->pts == AV_NOPTS_VALUE ||
        next->size == 0)
        return status_fail(STATUS_USAGE,
                           "'%s' is damaged or cut short after %llu frames; render it again",
                           film->path, (unsigned long long)film->packets - (error >= 0));
    *packet = film->packet;
    return STATUS_OK;
}

struct shown {
    int64_t time;
    uint64_t index;
};

static int by_time(const void *a, const void *b)
{
    const struct shown *x = a, *y = b;
    return (x->time > y->time) - (x->time < y->time);
}

/* Replaces times, given in decoding order, by positions in presentation order: times[i] becomes the
 * position of packet i, counted from 0. `sorted`, unless NULL, receives the times by position.
 * STATUS_USAGE when two are equal; the message begins with the path. */
static enum status packets_order(const char *path, int64_t *times, uint64_t count, int64_t *sorted)
{
    struct shown *order = memory_new(count, sizeof *order);
    for (uint64_t i = 0; i < count; i++)
        order[i] = (struct shown){times[i], i};
    qsort(order, count, sizeof *order, by_time);
    enum status status = STATUS_OK;
    for (uint64_t place = 0; place < count; place++) {
        times[order[place].index] = (int64_t)place;
        if (sorted)
            sorted[place] = order[place].time;
        if (place > 0 && order[place].time == order[place - 1].time)
            status = status_fail(
                STATUS_USAGE, "'%s' shows frames %llu and %llu at the same time; render it again",
                path, (unsigned long long)place - 1, (unsigned long long)place);
    }
    free(order);
    return status;
}

/* ---- match ---- */

struct join_format {
    AVCodecParameters *codec;
    const struct projection *projection;
};

/* The MP4 demuxer drops the chroma siting of VP9; the encoder's pictures are sited to the left. */
static bool tells_siting_poorly(const AVCodecParameters *codec)
{
    const AVPixFmtDescriptor *pixels = av_pix_fmt_desc_get(codec->format);
    return codec->codec_id == AV_CODEC_ID_VP9 &&
           codec->chroma_location == AVCHROMA_LOC_UNSPECIFIED && pixels &&
           pixels->log2_chroma_w == 1 && pixels->log2_chroma_h == 1;
}

static struct join_format *join_format_copy(const struct AVStream *stream)
{
    struct join_format *format = memory_new(1, sizeof *format);
    format->codec = avcodec_parameters_alloc();
    if (!format->codec || avcodec_parameters_copy(format->codec, stream->codecpar) < 0)
        memory_exhausted();
    format->codec->bit_rate = 0; /* it is this segment's; the muxer computes the film's */
    /* Use the container's value: decoders of VP9 have none. */
    if (stream->sample_aspect_ratio.num > 0)
        format->codec->sample_aspect_ratio = stream->sample_aspect_ratio;
    if (tells_siting_poorly(format->codec))
        format->codec->chroma_location = AVCHROMA_LOC_LEFT;
    format->projection = container_projection(stream);
    return format;
}

/* accepts a pointer to NULL */
static void join_format_free(struct join_format **format)
{
    if (!*format)
        return;
    avcodec_parameters_free(&(*format)->codec);
    free(*format);
    *format = NULL;
}

static const struct AVCodecParameters *join_format_codec(const struct join_format *format)
{
    return format->codec;
}

static const struct projection *join_format_projection(const struct join_format *format)
{
    return format->projection;
}

static void say_codec(int value, char *text, size_t size)
{
    snprintf(text, size, "%s", avcodec_get_name(value));
}

static void say_pixels(int value, char *text, size_t size)
{
    const char *name = av_get_pix_fmt_name(value);
    snprintf(text, size, "%s", name ? name : "none");
}

static void say_number(int value, char *text, size_t size)
{
    snprintf(text, size, "%d", value);
}

#define FIELD(member) offsetof(AVCodecParameters, member)

static const struct field {
    const char *name;
    size_t offset; /* of an int or an enumeration */
    void (*say)(int value, char *text, size_t size);
} fields[] = {
    {"codec", FIELD(codec_id), say_codec},
    {"width", FIELD(width), say_number},
    {"height", FIELD(height), say_number},
    {"pixel format", FIELD(format), say_pixels},
    {"codec profile", FIELD(profile), say_number},
    {"codec level", FIELD(level), say_number},
    {"colour primaries", FIELD(color_primaries), say_number},
    {"transfer curve", FIELD(color_trc), say_number},
    {"colour matrix", FIELD(color_space), say_number},
    {"colour range", FIELD(color_range), say_number},
    {"place of the chroma samples", FIELD(chroma_location), say_number},
    {"order of fields", FIELD(field_order), say_number},
    {"pixels' width", FIELD(sample_aspect_ratio.num), say_number},
    {"pixels' height", FIELD(sample_aspect_ratio.den), say_number},
};

static int value_of(const AVCodecParameters *codec, const struct field *field)
{
    int value;
    memcpy(&value, (const char *)codec + field->offset, sizeof value);
    return value;
}

static bool same_sets(const AVCodecParameters *a, const AVCodecParameters *b)
{
    return a->extradata_size == b->extradata_size &&
           (a->extradata_size == 0 ||
            memcmp(a->extradata, b->extradata, (size_t)a->extradata_size) == 0);
}

/* Whether their containers describe both in the same way, including the parameter sets, which
 * contain everything that a decoder needs. */
static bool join_format_told_alike(const struct join_format *a, const struct join_format *b)
{
    bool alike = a->codec->extradata_size > 0 && same_sets(a->codec, b->codec) &&
                 a->projection == b->projection;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0] && alike; i++)
        alike = value_of(a->codec, &fields[i]) == value_of(b->codec, &fields[i]);
    return alike;
}

/* STATUS_USAGE says how the file `b` differs from the preceding file `a`. */
static enum status join_format_match(const struct join_format *a, const char *a_path,
                                     const struct join_format *b, const char *b_path)
{
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        int x = value_of(a->codec, &fields[i]), y = value_of(b->codec, &fields[i]);
        if (x == y)
            continue;
        char says[2][64];
        fields[i].say(x, says[0], sizeof says[0]);
        fields[i].say(y, says[1], sizeof says[1]);
        return status_fail(
            STATUS_USAGE,
            "the %s differs: %s in '%s', %s in '%s'; render both with the same settings",
            fields[i].name, says[0], a_path, says[1], b_path);
    }
    const char *differs = a->projection != b->projection   ? "projection"
                          : !same_sets(a->codec, b->codec) ? "encoder's parameter set"
                                                           : NULL;
    if (!differs)
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "the %s differs between '%s' and '%s'; render both with the same encoder, "
                       "options and version",
                       differs, a_path, b_path);
}

/* ---- check ---- */

struct check {
    const struct join_params *params;
    struct demuxer film;
    AVRational frame; /* seconds */
    uint64_t frames;  /* expected number */
    int64_t *times;   /* of the packets */
    AVCodecContext *decoder;
    AVFrame *picture;
    uint64_t decoded;
};

__attribute__((format(printf, 2, 3))) static enum status wrong(const struct check *check,
                                                               const char *format, ...)
{
    char found[128];
    va_list args;
    va_start(args, format);
    vsnprintf(found, sizeof found, format, args);
    va_end(args);
    return status_fail(STATUS_RUNTIME,
                       "'%s' was joined, but its check failed: %s; the segments are kept, so join "
                       "them again",
                       check->params->path, found);
}

static int64_t time_of(const struct check *check, uint64_t frame)
{
    return av_rescale_q((int64_t)frame, check->frame, check->film.stream->time_base);
}

static enum status undecodable(const struct check *check, int error)
{
    return status_fail(STATUS_RUNTIME,
                       "'%s' was joined, but its check failed: frame %llu or one soon after cannot "
                       "be decoded (%s); render the segment that holds it again",
                       check->params->path, (unsigned long long)check->decoded,
                       libav_reason(error));
}

/* NULL: there are no more packets. */
static enum status decode(struct check *check, const AVPacket *packet)
{
    libav_forget();
    int error = avcodec_send_packet(check->decoder, packet);
    while (error >= 0 && !libav_complaint()) {
        error = avcodec_receive_frame(check->decoder, check->picture);
        if (error < 0 || libav_complaint())
            break;
        if (check->picture->best_effort_timestamp != time_of(check, check->decoded))
            return wrong(check, "the decoder gives frame %" PRIu64 " another time", check->decoded);
        check->decoded++;
        av_frame_unref(check->picture);
    }
    bool done = error == AVERROR(EAGAIN) || error == AVERROR_EOF;
    return done && !libav_complaint() ? STATUS_OK : undecodable(check, error);
}

static enum status check_packet(struct check *check, const AVPacket *packet, uint64_t index,
                                bool first)
{
    if (index >= check->frames)
        return wrong(check, "it has more than %" PRIu64 " frames", check->frames);
    if (first && !(packet->flags & AV_PKT_FLAG_KEY))
        return wrong(check, "a segment begins at frame %" PRIu64 ", which is not a keyframe",
                     index);
    if (packet->dts != AV_NOPTS_VALUE && packet->dts > packet->pts)
        return wrong(check, "packet %" PRIu64 " is decoded after it is shown", index);
    check->times[index] = packet->pts;
    return STATUS_OK;
}

static enum status read_all(struct check *check)
{
    size_t segment = 0;
    uint64_t begins = 0;
    AVPacket *packet;
    for (uint64_t index = 0;; index++) {
        enum status status = join_stopped(check->params);
        if (status == STATUS_OK)
            status = packets_next(&check->film, &packet);
        if (status == STATUS_OK && !packet)
            return index == check->frames ? STATUS_OK
                                          : wrong(check, "it ends before frame %" PRIu64, index);
        bool first = index == begins;
        if (first && segment < check->params->count)
            begins += check->params->segments[segment++].frames;
        if (status == STATUS_OK)
            status = check_packet(check, packet, index, first);
        if (status == STATUS_OK && check->decoder)
            status = decode(check, packet);
        if (status != STATUS_OK)
            return status;
    }
}

/* Readers derive a packet's duration from the time of the next one, so only the film's total length
 * shows the last frame's. A time base in which frames do not fall on ticks rounds by up to a
 * tick. */
static enum status check_length(const struct check *check)
{
    int64_t length = check->film.film->duration;
    int64_t want = av_rescale_q((int64_t)check->frames, check->frame, AV_TIME_BASE_Q);
    int64_t tick = av_rescale_q_rnd(1, check->film.stream->time_base, AV_TIME_BASE_Q, AV_ROUND_UP);
    return length != AV_NOPTS_VALUE && llabs(length - want) <= tick + 1
               ? STATUS_OK
               : wrong(check, "it is not as long as %" PRIu64 " frames", check->frames);
}

static enum status check_times(struct check *check)
{
    int64_t *sorted = memory_new(check->frames, sizeof *sorted);
    enum status status = packets_order(check->film.path, check->times, check->frames, sorted);
    for (uint64_t n = 0; status == STATUS_OK && n < check->frames; n++)
        if (sorted[n] != time_of(check, n))
            status = wrong(check, "frame %" PRIu64 " is shown at a wrong time", n);
    free(sorted);
    return status == STATUS_OK ? check_length(check) : status;
}

static enum status run(struct check *check)
{
    enum status status = STATUS_OK;
    if (check->params->decode)
        status = demuxer_open_decoder(&check->film, 1, true, &check->decoder);
    if (status == STATUS_OK)
        status = read_all(check);
    if (status == STATUS_OK && check->decoder)
        status = decode(check, NULL);
    if (status == STATUS_OK && check->decoder && check->decoded != check->frames)
        status = wrong(check, "decoding ends before frame %" PRIu64, check->decoded);
    return status == STATUS_OK ? check_times(check) : status;
}

enum status join_check(const struct join_params *params, const char *file)
{
    struct check check = {.params = params};
    av_reduce(&check.frame.num, &check.frame.den, params->fps_den, params->fps_num, INT32_MAX);
    for (size_t s = 0; s < params->count; s++)
        check.frames += params->segments[s].frames;
    check.times = memory_new(check.frames, sizeof *check.times);
    check.picture = av_frame_alloc();
    if (!check.picture)
        memory_exhausted();
    enum status status =
        packets_open(&check.film, file, 1 + (params->sound != NULL) + params->caption_count, false);
    if (status == STATUS_OK)
        status = run(&check);
    avcodec_free_context(&check.decoder);
    av_frame_free(&check.picture);
    demuxer_close(&check.film);
    free(check.times);
    /* A fault in a file that has just been written is not the user's. */
    return status == STATUS_USAGE ? STATUS_RUNTIME : status;
}

/* ---- join ---- */

struct join {
    const struct join_params *params;
    struct join_format *format; /* of the first segment */
    struct join_format *told;   /* the same according to its container */
    uint64_t frames;
    int64_t *shown;                    /* frame numbers by the packet's position in the film */
    struct sound *sound;               /* NULL: none */
    size_t next[CAPTION_STREAMS_MOST]; /* the next caption of each track */
    int64_t delay;                     /* frames by which decoding must run ahead of presentation */
};

/* Numbers the packets of a segment whose first packet is `begins`. */
static enum status order(struct join *join, const struct join_segment *segment, uint64_t begins)
{
    int64_t *shown = join->shown + begins;
    enum status status = packets_order(segment->path, shown, segment->frames, NULL);
    if (status != STATUS_OK)
        return status;
    if (shown[0] != 0)
        return status_fail(STATUS_USAGE,
                           "'%s' shows %lld frames before its first keyframe, which need pictures "
                           "of another file; render it again",
                           segment->path, (long long)shown[0]);
    for (uint64_t i = 0; i < segment->frames; i++) {
        join->delay = (int64_t)i - shown[i] > join->delay ? (int64_t)i - shown[i] : join->delay;
        shown[i] += (int64_t)begins;
    }
    return STATUS_OK;
}

static enum status count(struct join *join, const struct join_segment *segment,
                         struct demuxer *reader, uint64_t begins)
{
    AVPacket *packet;
    for (;;) {
        enum status status = join_stopped(join->params);
        if (status == STATUS_OK)
            status = packets_next(reader, &packet);
        if (status != STATUS_OK)
            return status;
        if (!packet)
            break;
        if (reader->packets > segment->frames)
            continue;
        if (reader->packets == 1 && !(packet->flags & AV_PKT_FLAG_KEY))
            return status_fail(STATUS_USAGE,
                               "'%s' does not begin with a keyframe, so it cannot be joined; give "
                               "films as they were rendered",
                               segment->path);
        join->shown[begins + reader->packets - 1] = packet->pts;
    }
    if (reader->packets == segment->frames)
        return STATUS_OK;
    return status_fail(
        STATUS_USAGE, "'%s' holds %llu frames, but should hold %llu; render it again",
        segment->path, (unsigned long long)reader->packets, (unsigned long long)segment->frames);
}

static enum status match(struct join *join, const struct join_segment *segment,
                         const struct demuxer *reader)
{
    const AVCodecParameters *codec = reader->stream->codecpar;
    /* Encoders state their delay; the packets of a short segment need less. */
    join->delay = codec->video_delay > join->delay ? codec->video_delay : join->delay;
    struct join_format *format = join_format_copy(reader->stream);
    if (join->format) {
        enum status status =
            join_format_match(join->format, join->params->segments[0].path, format, segment->path);
        join_format_free(&format);
        return status;
    }
    join->format = format;
    const AVOutputFormat *muxer = av_guess_format(join->params->container->muxer, NULL, NULL);
    if (muxer && avformat_query_codec(muxer, codec->codec_id, FF_COMPLIANCE_NORMAL) == 1)
        return STATUS_OK;
    return status_fail(
        STATUS_USAGE, "the codec %s of '%s' does not go into %s; choose another format",
        avcodec_get_name(codec->codec_id), segment->path, join->params->container->name);
}

/* Opens a segment. The stream is examined, which takes a decoder, only if its container describes
 * it differently from the first segment's. */
static enum status open_examined(struct join *join, const struct join_segment *segment,
                                 struct demuxer *reader)
{
    enum status status = packets_open_told(reader, segment->path);
    if (status != STATUS_OK)
        return status;
    struct join_format *told = join_format_copy(reader->stream);
    const bool known = join->told && join_format_told_alike(join->told, told);
    if (join->told)
        join_format_free(&told);
    else
        join->told = told;
    if (known)
        return STATUS_OK;
    demuxer_close(reader);
    status = packets_open(reader, segment->path, 1, true);
    return status == STATUS_OK ? match(join, segment, reader) : status;
}

static enum status examine(struct join *join)
{
    uint64_t begins = 0;
    for (size_t s = 0; s < join->params->count; s++) {
        const struct join_segment *segment = &join->params->segments[s];
        struct demuxer reader = {0};
        enum status status = open_examined(join, segment, &reader);
        if (status == STATUS_OK)
            status = count(join, segment, &reader, begins);
        if (status == STATUS_OK)
            status = order(join, segment, begins);
        demuxer_close(&reader);
        if (status != STATUS_OK)
            return status;
        begins += segment->frames;
    }
    return STATUS_OK;
}

/* Writes sound and captions up to a frame, so that they are interleaved with the pictures. */
static enum status write_others(struct join *join, struct muxer *muxer, int64_t frame)
{
    const struct join_params *params = join->params;
    const double rate = (double)params->fps_num / params->fps_den, until = (double)frame / rate;
    enum status status = join->sound
                             ? sound_write(join->sound, muxer, until, (double)join->frames / rate)
                             : STATUS_OK;
    for (size_t t = 0; t < params->caption_count && status == STATUS_OK; t++)
        status = caption_track_write(&params->captions[t], muxer, t, &join->next[t], until);
    return status;
}

static enum status copy(struct join *join, const struct join_segment *segment, uint64_t begins,
                        struct muxer *muxer)
{
    struct demuxer reader;
    enum status status = packets_open_told(&reader, segment->path); /* already examined */
    while (status == STATUS_OK) {
        AVPacket *packet;
        status = join_stopped(join->params);
        if (status == STATUS_OK)
            status = packets_next(&reader, &packet);
        if (status != STATUS_OK || !packet)
            break;
        if (reader.packets > segment->frames)
            continue;
        uint64_t place = begins + reader.packets - 1;
        packet->pts = join->shown[place];
        packet->dts = (int64_t)place - join->delay;
        packet->duration = 1;
        packet->pos = -1;
        status = write_others(join, muxer, packet->dts);
        if (status == STATUS_OK)
            status = muxer_write(muxer, packet);
    }
    if (status == STATUS_OK && reader.packets != segment->frames)
        status =
            status_fail(STATUS_IO, "'%s' changed while it was read; join again", segment->path);
    demuxer_close(&reader);
    return status;
}

static enum status copy_all(struct join *join, struct muxer *muxer)
{
    uint64_t begins = 0;
    if (join->sound)
        sound_begin(join->sound, muxer);
    for (size_t t = 0; t < join->params->caption_count; t++)
        (void)muxer_add_captions(muxer, join->params->captions[t].language);
    enum status status =
        muxer_begin(muxer, join_format_codec(join->format), join_format_projection(join->format));
    for (size_t s = 0; status == STATUS_OK && s < join->params->count; s++) {
        status = copy(join, &join->params->segments[s], begins, muxer);
        begins += join->params->segments[s].frames;
    }
    if (status == STATUS_OK)
        status = write_others(join, muxer, (int64_t)join->frames);
    return status == STATUS_OK ? muxer_finish(muxer) : status;
}

static enum status write_film(struct join *join, uint64_t *bytes)
{
    const struct join_params *params = join->params;
    const struct muxer_params film = {.path = params->path,
                                      .container = join->params->container,
                                      .fps_num = params->fps_num,
                                      .fps_den = params->fps_den,
                                      .timecode = params->timecode,
                                      .tags = params->tags};
    struct muxer *muxer;
    enum status status = muxer_open(&film, &muxer);
    if (status != STATUS_OK)
        return status;
    const char *temporary = muxer_temporary(muxer);
    if (!temporary)
        status = status_fail(
            STATUS_USAGE, "a joined film must be a file, because it is read again, but '%s' is not",
            params->path);
    if (status == STATUS_OK)
        status = copy_all(join, muxer);
    if (status == STATUS_OK)
        status = join_check(params, temporary);
    if (bytes)
        *bytes = status == STATUS_OK ? muxer_bytes(muxer) : 0;
    bool keep = status == STATUS_OK;
    enum status closed = muxer_close(&muxer, keep);
    if (!keep)
        return status;
    return closed == STATUS_OK ? file_sync_folder(params->path) : closed;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Also finds missing files before anything long is read. */
static enum status check_files(const struct join_params *params)
{
    struct stat *files = memory_new(params->count, sizeof *files);
    enum status status = STATUS_OK;
    struct stat film;
    bool replaces = stat(params->path, &film) == 0;
    for (size_t s = 0; s < params->count && status == STATUS_OK; s++) {
        const char *path = params->segments[s].path;
        if (stat(path, &files[s]) != 0)
            status = status_fail(STATUS_IO, "cannot read '%s': %s", path, strerror(errno));
        else if (params->segments[s].frames == 0)
            status = status_fail(STATUS_USAGE, "'%s' should hold no frame; leave it out", path);
        else if (replaces && same_file(&film, &files[s]))
            status = status_fail(
                STATUS_USAGE,
                "'%s' is both a segment and the joined film; give the film another name", path);
        for (size_t t = 0; t < s && status == STATUS_OK; t++)
            if (same_file(&files[t], &files[s]))
                status =
                    status_fail(STATUS_USAGE, "'%s' and '%s' are one file; name each segment once",
                                params->segments[t].path, path);
    }
    free(files);
    return status;
}

/* Warns of sound that ends long before the film. */
static void tell_silence(const struct join *join, enum status status)
{
    const double rate = (double)join->params->fps_num / join->params->fps_den;
    const double length = (double)join->frames / rate;
    if (status == STATUS_OK && join->sound && sound_end(join->sound) < length - 0.5)
        log_info("the sound ends after %.1f of the film's %.1f seconds", sound_end(join->sound),
                 length);
}

enum status join_segments(const struct join_params *params, uint64_t *bytes)
{
    struct join join = {.params = params};
    if (bytes)
        *bytes = 0;
    if (!params->container->joins || params->count == 0)
        return status_fail(STATUS_USAGE, "films are joined into mp4, mov, mkv or webm, not %s",
                           params->container->name);
    enum status status = check_files(params);
    if (status != STATUS_OK)
        return status;
    for (size_t s = 0; s < params->count; s++)
        join.frames += params->segments[s].frames;
    join.shown = memory_new(join.frames, sizeof *join.shown);
    status = examine(&join);
    if (status == STATUS_OK && params->sound)
        status = sound_open(&join.sound, params->sound, params->container);
    if (status == STATUS_OK)
        status = write_film(&join, bytes);
    tell_silence(&join, status);
    sound_close(&join.sound);
    join_format_free(&join.format);
    join_format_free(&join.told);
    free(join.shown);
    return status;
}

enum status join_count(const char *path, uint64_t *frames)
{
    struct demuxer reader;
    AVPacket *packet = NULL;
    *frames = 0;
    enum status status = packets_open_told(&reader, path);
    if (status != STATUS_OK)
        return status;
    do
        status = packets_next(&reader, &packet);
    while (status == STATUS_OK && packet);
    *frames = reader.packets;
    demuxer_close(&reader);
    return status;
}
