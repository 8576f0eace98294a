#include "render/video/sound.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "render/video/codecs.h"
#include "render/video/libav.h"
#include "render/video/muxer.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <stdbool.h>
#include <stdlib.h>

#define FORMATS "wav,w64,aiff,mp3,flac,ogg,aac,ac3,eac3,mov,matroska"

struct sound {
    const struct container *container;
    char *path;
    AVFormatContext *file;
    AVStream *stream;
    AVPacket *packet;
    bool waits, ended; /* waits: the packet is to be written next; ended: there are no more */
    double end;
};

static enum status open_file(struct sound *sound)
{
    char *url = text_format("file:%s", sound->path);
    AVDictionary *options = NULL;
    av_dict_set(&options, "format_whitelist", FORMATS, 0);
    av_dict_set(&options, "protocol_whitelist", "file", 0);
    libav_forget();
    int error = avformat_open_input(&sound->file, url, NULL, &options);
    free(url);
    av_dict_free(&options);
    if (error >= 0)
        error = avformat_find_stream_info(sound->file, NULL);
    if (error < 0)
        return status_fail(STATUS_USAGE,
                           "'%s' cannot be read as sound: %s; WAV, FLAC, MP3, AAC, Ogg, and films "
                           "with sound can",
                           sound->path, libav_reason(error));
    const int index = av_find_best_stream(sound->file, AVMEDIA_TYPE_AUDIO, -1, -1, NULL, 0);
    if (index < 0)
        return status_fail(STATUS_USAGE, "'%s' has no sound", sound->path);
    sound->stream = sound->file->streams[index];
    for (unsigned i = 0; i < sound->file->nb_streams; i++)
        if ((int)i != index)
            sound->file->streams[i]->discard = AVDISCARD_ALL;
    return STATUS_OK;
}

/* Begins a file with only the sound in memory, because muxers refuse more than their tables say. */
static bool trial(const struct sound *sound)
{
    AVFormatContext *context = NULL;
    uint8_t *written = NULL;
    libav_forget();
    if (avformat_alloc_output_context2(&context, NULL, sound->container->muxer, NULL) < 0 ||
        avio_open_dyn_buf(&context->pb) < 0)
        memory_exhausted();
    AVStream *stream = avformat_new_stream(context, NULL);
    if (!stream || avcodec_parameters_copy(stream->codecpar, sound->stream->codecpar) < 0)
        memory_exhausted();
    stream->codecpar->codec_tag = 0;
    stream->time_base = sound->stream->time_base;
    muxer_allow(context, stream->codecpar);
    const bool taken = avformat_write_header(context, NULL) >= 0;
    avio_close_dyn_buf(context->pb, &written);
    av_free(written);
    context->pb = NULL;
    avformat_free_context(context);
    return taken;
}

static enum status check_codec(const struct sound *sound)
{
    const enum AVCodecID codec = sound->stream->codecpar->codec_id;
    const AVOutputFormat *muxer = av_guess_format(sound->container->muxer, NULL, NULL);
    const bool open =
        muxer && avformat_query_codec(muxer, AV_CODEC_ID_AAC, FF_COMPLIANCE_NORMAL) != 1;
    if (trial(sound))
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "the sound of '%s' is %s, which does not go into %s; convert it first, for "
                       "example: ffmpeg -i FILE -c:a %s, or choose another format",
                       sound->path, avcodec_get_name(codec), sound->container->name,
                       open ? "libopus sound.opus" : "aac sound.m4a");
}

enum status sound_open(struct sound **out, const char *path, const struct container *container)
{
    unsigned char first;
    size_t size;
    libav_prepare();
    *out = NULL;
    enum status status = file_read_head(path, &first, 1, &size);
    if (status != STATUS_OK)
        return status;
    struct sound *sound = memory_new(1, sizeof *sound);
    sound->container = container;
    sound->path = memory_text(path);
    sound->packet = av_packet_alloc();
    if (!sound->packet)
        memory_exhausted();
    status = open_file(sound);
    if (status == STATUS_OK)
        status = check_codec(sound);
    if (status != STATUS_OK)
        sound_close(&sound);
    *out = sound;
    return status;
}

void sound_close(struct sound **sound)
{
    if (!*sound)
        return;
    av_packet_free(&(*sound)->packet);
    avformat_close_input(&(*sound)->file);
    free((*sound)->path);
    free(*sound);
    *sound = NULL;
}

enum status sound_check(const char *path, const struct container *container)
{
    struct sound *sound;
    enum status status = sound_open(&sound, path, container);
    sound_close(&sound);
    return status;
}

void sound_begin(const struct sound *sound, struct muxer *muxer)
{
    muxer_add_sound(muxer, sound->stream);
}

/* In the file's time base, whose first audible sample is not always at 0. */
static void set_times(const struct sound *sound)
{
    const int64_t start = sound->file->start_time;
    const int64_t offset = start != AV_NOPTS_VALUE && start > 0
                               ? av_rescale_q(start, AV_TIME_BASE_Q, sound->stream->time_base)
                               : 0;
    sound->packet->pts -= offset;
    sound->packet->dts =
        sound->packet->dts == AV_NOPTS_VALUE ? sound->packet->pts : sound->packet->dts - offset;
}

/* Reads the stream's next packet that the container can hold. */
static enum status fetch(struct sound *sound)
{
    while (!sound->waits && !sound->ended) {
        av_packet_unref(sound->packet);
        libav_forget();
        const int error = av_read_frame(sound->file, sound->packet);
        sound->ended = error == AVERROR_EOF;
        if (error < 0 && !sound->ended)
            return status_fail(STATUS_IO, "cannot read the sound of '%s': %s", sound->path,
                               libav_reason(error));
        if (sound->ended || sound->packet->stream_index != sound->stream->index)
            continue;
        if (sound->packet->pts == AV_NOPTS_VALUE)
            return status_fail(STATUS_USAGE, "'%s' has sound without presentation times",
                               sound->path);
        set_times(sound);
        sound->waits = sound->container->boxes || sound->packet->pts >= 0;
    }
    return STATUS_OK;
}

enum status sound_write(struct sound *sound, struct muxer *muxer, double until, double length)
{
    for (;;) {
        enum status status = fetch(sound);
        if (status != STATUS_OK || sound->ended)
            return status;
        const AVPacket *packet = sound->packet;
        const double unit = av_q2d(sound->stream->time_base);
        const double end = (double)(packet->pts + packet->duration) * unit;
        if (end > length) {
            sound->ended = true;
            return STATUS_OK;
        }
        if ((double)packet->pts * unit > until)
            return STATUS_OK;
        sound->end = end;
        sound->waits = false;
        status = muxer_write_sound(muxer, sound->packet, sound->stream);
        if (status != STATUS_OK)
            return status;
    }
}

double sound_end(const struct sound *sound)
{
    return sound->end;
}
