#include "render/video/muxer.h"

#include "base/memory.h"
#include "base/output.h"
#include "base/text.h"
#include "render/picture/picture.h"
#include "render/video/libav.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/pixdesc.h>
#include <stdlib.h>
#include <string.h>

/* ---- mastering ---- */

static AVMasteringDisplayMetadata *new_display(void)
{
    AVMasteringDisplayMetadata *display = av_mastering_display_metadata_alloc();
    static const int primaries[3][2] = {{32000, 16500}, {15000, 30000}, {7500, 3000}};
    static const int white[2] = {15635, 16450};
    if (!display)
        return NULL;
    for (int i = 0; i < 2; i++) {
        for (int c = 0; c < 3; c++)
            display->display_primaries[c][i] = (AVRational){primaries[c][i], 50000};
        display->white_point[i] = (AVRational){white[i], 50000};
    }
    display->min_luminance = (AVRational){1, 10000};
    display->max_luminance = (AVRational){HDR_PEAK * 10000, 10000};
    display->has_primaries = display->has_luminance = 1;
    return display;
}

static int add(AVStream *stream, enum AVPacketSideDataType kind, void *data, size_t size)
{
    const int error = data ? av_stream_add_side_data(stream, kind, data, size) : AVERROR(ENOMEM);
    if (error < 0)
        av_free(data);
    return error;
}

/* Adds it to an output stream if the codec's transfer curve is PQ. Returns libav's error. */
static int mastering_tell(struct AVStream *stream, const struct AVCodecParameters *codec)
{
    if (codec->color_trc != AVCOL_TRC_SMPTE2084)
        return 0;
    size_t size;
    AVContentLightMetadata *level = av_content_light_metadata_alloc(&size);
    if (level)
        *level = (AVContentLightMetadata){.MaxCLL = HDR_PEAK, .MaxFALL = 0};
    int error = add(stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, level, size);
    if (error >= 0)
        error = add(stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, new_display(),
                    sizeof(AVMasteringDisplayMetadata));
    return error;
}

/* ---- muxer ---- */

enum { IO_BUFFER = 1 << 18 };

struct muxer {
    const struct container *container;
    struct output output;
    AVFormatContext *context;
    AVStream *stream, *sound; /* sound: NULL if there is none */
    AVStream *captions[CAPTION_STREAMS_MOST];
    size_t caption_count;
    AVRational frame; /* seconds */
    uint64_t packets;
};

#if LIBAVFORMAT_VERSION_MAJOR >= 61
typedef const uint8_t io_bytes;
#else
typedef uint8_t io_bytes;
#endif

static int io_write(void *opaque, io_bytes *data, int size)
{
    struct output *output = opaque;
    return output_write(output, data, (size_t)size) ? size : AVERROR(output->error);
}

static int64_t io_seek(void *opaque, int64_t offset, int whence)
{
    struct output *output = opaque;
    whence &= ~AVSEEK_FORCE;
    if (whence == AVSEEK_SIZE)
        return (int64_t)output->bytes;
    if (whence == SEEK_CUR)
        offset += (int64_t)output->position;
    else if (whence == SEEK_END)
        offset += (int64_t)output->bytes;
    else if (whence != SEEK_SET)
        return AVERROR(EINVAL);
    if (offset < 0)
        return AVERROR(EINVAL);
    return output_seek(output, (uint64_t)offset) ? offset : AVERROR(output->error);
}

static enum status make_context(struct muxer *muxer, const struct muxer_params *params)
{
    /* The mp4 muxer needs the name to read the file back when it moves the index to the front. */
    char *url = NULL;
    if (muxer->output.temporary)
        url = text_format("file:%s", muxer->output.temporary);
    int error = avformat_alloc_output_context2(&muxer->context, NULL, muxer->container->muxer, url);
    free(url);
    if (error < 0)
        return status_fail(STATUS_DEVICE,
                           "the installed libavformat cannot write %s: %s; choose another "
                           "format",
                           muxer->container->name, libav_reason(error));
    AVFormatContext *context = muxer->context;
    unsigned char *buffer = av_malloc(IO_BUFFER);
    if (buffer)
        context->pb = avio_alloc_context(buffer, IO_BUFFER, 1, &muxer->output, NULL, io_write,
                                         muxer->output.seekable ? io_seek : NULL);
    if (!context->pb)
        av_free(buffer);
    muxer->stream = avformat_new_stream(context, NULL);
    if (!context->pb || !muxer->stream ||
        (params->timecode &&
         av_dict_set(&muxer->stream->metadata, "timecode", params->timecode, 0) < 0))
        memory_exhausted();
    context->flags |= AVFMT_FLAG_BITEXACT | AVFMT_FLAG_CUSTOM_IO;
    if (!muxer->output.seekable)
        context->flags |= AVFMT_FLAG_FLUSH_PACKETS;
    for (size_t i = 0; i < params->tags.count; i++)
        if (av_dict_set(&context->metadata, params->tags.list[i].name, params->tags.list[i].value,
                        0) < 0)
            memory_exhausted();
    return STATUS_OK;
}

enum status muxer_open(const struct muxer_params *params, struct muxer **out)
{
    *out = NULL;
    libav_prepare();
    struct muxer *muxer = memory_new(1, sizeof *muxer);
    muxer->container = params->container;
    av_reduce(&muxer->frame.num, &muxer->frame.den, params->fps_den, params->fps_num, INT32_MAX);
    enum status status = output_open(&muxer->output, params->path);
    if (status != STATUS_OK) {
        free(muxer);
        return status;
    }
    if (muxer->container->needs_seek && !muxer->output.seekable)
        status = status_fail(STATUS_USAGE,
                             "%s cannot be written to %s, which cannot seek; use mkv or "
                             "y4m",
                             muxer->container->name, muxer->output.name);
    if (status == STATUS_OK)
        status = make_context(muxer, params);
    if (status != STATUS_OK)
        muxer_close(&muxer, false);
    *out = muxer;
    return status;
}

/* A time base that suits the movie and the track and hits every frame, so that no duration is
 * rounded. */
static int clock_rate(int fps_num)
{
    int rate = fps_num;
    while (rate < 10000)
        rate *= 2;
    return rate;
}

/* Features that muxers write only on request: boxes of stereo and spherical films in MP4, Y4M with
 * more than 8 bits. */
static bool is_unofficial(const AVCodecParameters *codec, const struct projection *projection)
{
    const AVPixFmtDescriptor *pixels = av_pix_fmt_desc_get(codec->format);
    return (projection && !projection->flat) || (pixels && pixels->comp[0].depth > 8);
}

static int write_header(struct muxer *muxer, const AVCodecParameters *codec,
                        const struct projection *projection)
{
    AVStream *stream = muxer->stream;
    stream->time_base = muxer->frame;
    stream->avg_frame_rate = stream->r_frame_rate = av_inv_q(muxer->frame);
    stream->sample_aspect_ratio = codec->sample_aspect_ratio;
    if (is_unofficial(codec, projection))
        muxer->context->strict_std_compliance = FF_COMPLIANCE_UNOFFICIAL;
    int error = avcodec_parameters_copy(stream->codecpar, codec);
    if (error < 0)
        return error;
    if (!muxer->container->boxes)
        stream->codecpar->codec_tag = 0;
    error = mastering_tell(stream, codec);
    if (error >= 0)
        error = container_project(muxer->container, stream, projection);
    if (error < 0)
        return error;
    AVDictionary *options = NULL;
    if (muxer->container->boxes) {
        int rate = clock_rate(muxer->frame.den);
        av_dict_set(&options, "movflags", "+faststart+use_metadata_tags+write_colr", 0);
        av_dict_set_int(&options, "movie_timescale", rate, 0);
        av_dict_set_int(&options, "video_track_timescale", rate, 0);
    }
    if (muxer->container->loops)
        av_dict_set(&options, "loop", "0", 0); /* forever */
    error = avformat_write_header(muxer->context, &options);
    av_dict_free(&options);
    return error;
}

enum status muxer_begin(struct muxer *muxer, const struct AVCodecParameters *codec,
                        const struct projection *projection)
{
    libav_forget();
    int error = write_header(muxer, codec, projection);
    if (muxer->output.error)
        return output_failed(&muxer->output, 0);
    if (error < 0)
        return status_fail(STATUS_RUNTIME, "cannot begin '%s': %s", muxer->output.name,
                           libav_reason(error));
    return STATUS_OK;
}

void muxer_tag(struct muxer *muxer, const struct tag *tag)
{
    if (muxer->container->boxes &&
        av_dict_set(&muxer->context->metadata, tag->name, tag->value, 0) < 0)
        memory_exhausted();
}

enum status muxer_write(struct muxer *muxer, struct AVPacket *packet)
{
    packet->stream_index = muxer->stream->index;
    /* Demuxers do not return this flag, so a joined film would lack it. */
    packet->flags &= ~AV_PKT_FLAG_DISPOSABLE;
    av_packet_rescale_ts(packet, muxer->frame, muxer->stream->time_base);
    libav_forget();
    int error = av_write_frame(muxer->context, packet);
    if (muxer->output.error)
        return output_failed(&muxer->output, muxer->packets);
    if (error < 0)
        return status_fail(STATUS_RUNTIME, "cannot write '%s' after %llu frames: %s",
                           muxer->output.name, (unsigned long long)muxer->packets,
                           libav_reason(error));
    muxer->packets++;
    return STATUS_OK;
}

void muxer_allow(struct AVFormatContext *context, const struct AVCodecParameters *sound)
{
    if (sound->codec_id == AV_CODEC_ID_FLAC)
        context->strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL;
}

void muxer_add_sound(struct muxer *muxer, const struct AVStream *from)
{
    muxer->sound = avformat_new_stream(muxer->context, NULL);
    if (!muxer->sound || avcodec_parameters_copy(muxer->sound->codecpar, from->codecpar) < 0)
        memory_exhausted();
    muxer->sound->codecpar->codec_tag = 0;
    muxer->sound->time_base = from->time_base;
    muxer_allow(muxer->context, from->codecpar);
}

enum status muxer_write_sound(struct muxer *muxer, struct AVPacket *packet,
                              const struct AVStream *from)
{
    packet->stream_index = muxer->sound->index;
    packet->pos = -1;
    av_packet_rescale_ts(packet, from->time_base, muxer->sound->time_base);
    libav_forget();
    int error = av_write_frame(muxer->context, packet);
    if (muxer->output.error)
        return output_failed(&muxer->output, muxer->packets);
    if (error < 0)
        return status_fail(STATUS_RUNTIME, "cannot write sound to '%s': %s", muxer->output.name,
                           libav_reason(error));
    return STATUS_OK;
}

/* The description of a text track in MP4 (3GPP TS 26.245, 5.16): at the lower edge, centred, white
 * on transparent, in a plain font of usual size. */
static const uint8_t text_description[] = {
    0, 0,    0, 0,                    /* no flags */
    1, 0xff, 0, 0,  0,   0,           /* centred, at the bottom; no background */
    0, 0,    0, 0,  0,   0,   0,   0, /* the box is the whole track */
    0, 0,    0, 0,  0,   1,   0,   16,  0xff, 0xff, 0xff, 0xff, /* style: font 1, size, white */
    0, 0,    0, 18, 'f', 't', 'a', 'b', 0,    1,    0,    1,    5, 'A', 'r', 'i', 'a', 'l'};

/* The code of a language in a list of QuickTime's, which has older ones. */
static const char *quicktime_language(const char *language)
{
    static const char *const codes[][2] = {
        {"deu", "ger"}, {"ell", "gre"}, {"nld", "dut"}, {"zho", "chi"}};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (strcmp(codes[i][0], language) == 0)
            return codes[i][1];
    return language;
}

size_t muxer_add_captions(struct muxer *muxer, const char *language)
{
    if (strcmp(muxer->container->muxer, "mov") == 0)
        language = quicktime_language(language);
    AVStream *stream = muxer->captions[muxer->caption_count] =
        avformat_new_stream(muxer->context, NULL);
    if (!stream || av_dict_set(&stream->metadata, "language", language, 0) < 0)
        memory_exhausted();
    AVCodecParameters *codec = stream->codecpar;
    codec->codec_type = AVMEDIA_TYPE_SUBTITLE;
    codec->codec_id = muxer->container->boxes                        ? AV_CODEC_ID_MOV_TEXT
                      : strcmp(muxer->container->muxer, "webm") == 0 ? AV_CODEC_ID_WEBVTT
                                                                     : AV_CODEC_ID_SUBRIP;
    stream->time_base = muxer->frame;
    if (muxer->caption_count == 0)
        stream->disposition = AV_DISPOSITION_DEFAULT;
    if (muxer->container->boxes) {
        const size_t size = sizeof text_description + AV_INPUT_BUFFER_PADDING_SIZE;
        codec->extradata = av_malloc(size);
        if (!codec->extradata)
            memory_exhausted();
        memset(codec->extradata, 0, size);
        memcpy(codec->extradata, text_description, sizeof text_description);
        codec->extradata_size = sizeof text_description;
    }
    return muxer->caption_count++;
}

enum status muxer_write_caption(struct muxer *muxer, size_t stream, double from, double to,
                                const char *text)
{
    const AVStream *to_stream = muxer->captions[stream];
    const size_t length = strlen(text), head = muxer->container->boxes ? 2 : 0;
    AVPacket *packet = av_packet_alloc();
    if (!packet || av_new_packet(packet, (int)(head + length)) < 0)
        memory_exhausted();
    if (head > 0) {
        packet->data[0] = (uint8_t)(length >> 8);
        packet->data[1] = (uint8_t)length;
    }
    memcpy(packet->data + head, text, length);
    packet->stream_index = to_stream->index;
    packet->flags = AV_PKT_FLAG_KEY;
    packet->pts = packet->dts = llround(from / av_q2d(muxer->frame));
    packet->duration = llround(to / av_q2d(muxer->frame)) - packet->pts;
    av_packet_rescale_ts(packet, muxer->frame, to_stream->time_base);
    libav_forget();
    int error = av_write_frame(muxer->context, packet);
    av_packet_free(&packet);
    if (muxer->output.error)
        return output_failed(&muxer->output, muxer->packets);
    if (error < 0)
        return status_fail(STATUS_RUNTIME, "cannot write captions to '%s': %s", muxer->output.name,
                           libav_reason(error));
    return STATUS_OK;
}

enum status muxer_finish(struct muxer *muxer)
{
    libav_forget();
    int error = av_write_trailer(muxer->context);
    avio_flush(muxer->context->pb);
    if (muxer->output.error)
        return output_failed(&muxer->output, muxer->packets);
    if (error >= 0)
        error = muxer->context->pb->error;
    if (error < 0)
        return status_fail(STATUS_IO, "cannot finish '%s' after %llu frames: %s",
                           muxer->output.name, (unsigned long long)muxer->packets,
                           libav_reason(error));
    return STATUS_OK;
}

bool muxer_broken(const struct muxer *muxer)
{
    return muxer->output.error != 0;
}

uint64_t muxer_packets(const struct muxer *muxer)
{
    return muxer->packets;
}

uint64_t muxer_bytes(const struct muxer *muxer)
{
    return muxer->output.bytes;
}

const char *muxer_temporary(const struct muxer *muxer)
{
    return muxer->output.temporary;
}

enum status muxer_close(struct muxer **muxer, bool keep)
{
    struct muxer *closed = *muxer;
    if (!closed)
        return STATUS_OK;
    bool there = output_close(&closed->output, keep, true);
    enum status status =
        keep && !there ? output_failed(&closed->output, closed->packets) : STATUS_OK;
    if (closed->context && closed->context->pb) {
        av_freep(&closed->context->pb->buffer);
        avio_context_free(&closed->context->pb);
    }
    avformat_free_context(closed->context);
    output_release(&closed->output);
    free(closed);
    *muxer = NULL;
    return status;
}
