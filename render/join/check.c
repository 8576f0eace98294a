#include "render/join/check.h"

#include "base/memory.h"
#include "base/stop.h"
#include "render/join/packets.h"
#include "render/video/libav.h"
#include "render/video/libav_calls.h"

#include <inttypes.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

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

enum status join_stopped(const struct join_params *params)
{
    return stop_asked(params->stop) ? STATUS_STOPPED : STATUS_OK;
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
    enum status status = packets_open(&check.film, file, params->sound != NULL);
    if (status == STATUS_OK)
        status = run(&check);
    avcodec_free_context(&check.decoder);
    av_frame_free(&check.picture);
    demuxer_close(&check.film);
    free(check.times);
    /* A fault in a file that has just been written is not the user's. */
    return status == STATUS_USAGE ? STATUS_RUNTIME : status;
}
