#include "render/join/join.h"

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "render/join/check.h"
#include "render/join/match.h"
#include "render/join/packets.h"
#include "render/video/libav_calls.h"
#include "render/video/muxer.h"
#include "render/video/sound.h"

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct join {
    const struct join_params *params;
    struct join_format *format; /* of the first segment */
    struct join_format *told;   /* the same according to its container */
    uint64_t frames;
    int64_t *shown;      /* frame numbers by the packet's position in the film */
    struct sound *sound; /* NULL: none */
    int64_t delay;       /* frames by which decoding must run ahead of presentation */
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
    status = packets_open(reader, segment->path, false);
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

/* Writes sound up to a frame, so that sound and pictures are interleaved in the file. */
static enum status write_sound(struct join *join, struct muxer *muxer, int64_t frame)
{
    const double rate = (double)join->params->fps_num / join->params->fps_den;
    return join->sound
               ? sound_write(join->sound, muxer, (double)frame / rate, (double)join->frames / rate)
               : STATUS_OK;
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
        status = write_sound(join, muxer, packet->dts);
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
    enum status status =
        muxer_begin(muxer, join_format_codec(join->format), join_format_projection(join->format));
    for (size_t s = 0; status == STATUS_OK && s < join->params->count; s++) {
        status = copy(join, &join->params->segments[s], begins, muxer);
        begins += join->params->segments[s].frames;
    }
    if (status == STATUS_OK)
        status = write_sound(join, muxer, (int64_t)join->frames);
    return status == STATUS_OK ? muxer_finish(muxer) : status;
}

static enum status write_film(struct join *join, uint64_t *bytes)
{
    const struct join_params *params = join->params;
    const struct muxer_params film = {.path = params->path,
                                      .container = join->params->container,
                                      .fps_num = params->fps_num,
                                      .fps_den = params->fps_den,
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
