#include "tests/support/films/tone.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RATE = 48000 };

static double heard(double time, double at)
{
    return time >= at && time < at + 0.05 ? 0.8 * sin(2 * M_PI * 1000 * (time - at) + 1) : 0;
}

static void fill(AVFrame *frame, int64_t first, double at)
{
    for (int i = 0; i < frame->nb_samples; i++) {
        const double value = heard((double)(first + i) / RATE, at);
        if (frame->format == AV_SAMPLE_FMT_FLTP)
            ((float *)(void *)frame->data[0])[i] = (float)value;
        else
            ((int16_t *)(void *)frame->data[0])[i] = (int16_t)(value * 32767);
    }
}

static void drain(AVCodecContext *codec, AVFormatContext *file, AVPacket *packet)
{
    while (avcodec_receive_packet(codec, packet) >= 0) {
        packet->stream_index = 0;
        av_packet_rescale_ts(packet, codec->time_base, file->streams[0]->time_base);
        av_write_frame(file, packet);
        av_packet_unref(packet);
    }
}

bool tone_write(const char *path, double seconds, double at)
{
    AVFormatContext *file = NULL;
    if (avformat_alloc_output_context2(&file, NULL, NULL, path) < 0)
        return false;
    const bool aac = strstr(path, ".m4a") != NULL, flac = strstr(path, ".flac") != NULL;
    const AVCodec *encoder = avcodec_find_encoder(aac    ? AV_CODEC_ID_AAC
                                                  : flac ? AV_CODEC_ID_FLAC
                                                         : AV_CODEC_ID_PCM_S16LE);
    AVCodecContext *codec = encoder ? avcodec_alloc_context3(encoder) : NULL;
    if (!codec)
        return false;
    codec->sample_fmt = aac ? AV_SAMPLE_FMT_FLTP : AV_SAMPLE_FMT_S16;
    codec->sample_rate = RATE;
    av_channel_layout_default(&codec->ch_layout, 1);
    codec->time_base = (AVRational){1, RATE};
    codec->flags |= AV_CODEC_FLAG_BITEXACT;
    if (file->oformat->flags & AVFMT_GLOBALHEADER)
        codec->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    AVStream *stream = avformat_new_stream(file, NULL);
    AVFrame *frame = av_frame_alloc();
    AVPacket *packet = av_packet_alloc();
    bool good = stream && frame && packet && avcodec_open2(codec, encoder, NULL) >= 0 &&
                avcodec_parameters_from_context(stream->codecpar, codec) >= 0 &&
                avio_open(&file->pb, path, AVIO_FLAG_WRITE) >= 0;
    if (good) {
        stream->time_base = codec->time_base;
        av_dict_set(&file->metadata, "title", "Song", 0);
        av_dict_set(&stream->metadata, "language", "eng", 0);
        good = avformat_write_header(file, NULL) >= 0;
    }
    const int block = good && codec->frame_size > 0 ? codec->frame_size : 1024;
    for (int64_t n = 0; good && n < (int64_t)(seconds * RATE); n += block) {
        frame->nb_samples = block;
        frame->format = codec->sample_fmt;
        av_channel_layout_copy(&frame->ch_layout, &codec->ch_layout);
        frame->sample_rate = RATE;
        frame->pts = n;
        good = av_frame_get_buffer(frame, 0) >= 0;
        if (!good)
            break;
        fill(frame, n, at);
        good = avcodec_send_frame(codec, frame) >= 0;
        av_frame_unref(frame);
        drain(codec, file, packet);
    }
    if (good) {
        avcodec_send_frame(codec, NULL);
        drain(codec, file, packet);
        good = av_write_trailer(file) >= 0;
    }
    avio_closep(&file->pb);
    av_frame_free(&frame);
    av_packet_free(&packet);
    avcodec_free_context(&codec);
    avformat_free_context(file);
    return good;
}

static double sample(const AVFrame *frame, int i)
{
    switch (frame->format) {
    case AV_SAMPLE_FMT_FLTP:
        return (double)((const float *)(const void *)frame->data[0])[i];
    case AV_SAMPLE_FMT_S16:
        return ((const int16_t *)(const void *)frame->data[0])[i] / 32768.0;
    default:
        return 0;
    }
}

static void listen(struct tone *tone, const AVFrame *frame, double unit)
{
    const double begins = (double)frame->pts * unit;
    for (int i = 0; i < frame->nb_samples && tone->at < 0; i++)
        if (fabs(sample(frame, i)) > 0.3)
            tone->at = begins + (double)i / frame->sample_rate;
    tone->end = begins + (double)frame->nb_samples / frame->sample_rate;
}

struct tone tone_find(const char *path)
{
    struct tone tone = {.at = -1};
    AVFormatContext *file = NULL;
    if (avformat_open_input(&file, path, NULL, NULL) < 0 ||
        avformat_find_stream_info(file, NULL) < 0)
        return tone;
    const AVCodec *found;
    const int index = av_find_best_stream(file, AVMEDIA_TYPE_AUDIO, -1, -1, &found, 0);
    AVCodecContext *codec = index >= 0 ? avcodec_alloc_context3(found) : NULL;
    AVFrame *frame = av_frame_alloc();
    AVPacket *packet = av_packet_alloc();
    if (codec && avcodec_parameters_to_context(codec, file->streams[index]->codecpar) >= 0) {
        codec->pkt_timebase = file->streams[index]->time_base;
        tone.found = avcodec_open2(codec, found, NULL) >= 0;
        snprintf(tone.codec, sizeof tone.codec, "%s", avcodec_get_name(codec->codec_id));
    }
    bool more = tone.found;
    while (more) {
        more = av_read_frame(file, packet) >= 0;
        if (more && packet->stream_index != index) {
            av_packet_unref(packet);
            continue;
        }
        avcodec_send_packet(codec, more ? packet : NULL);
        av_packet_unref(packet);
        while (avcodec_receive_frame(codec, frame) >= 0)
            listen(&tone, frame, av_q2d(file->streams[index]->time_base));
    }
    av_frame_free(&frame);
    av_packet_free(&packet);
    avcodec_free_context(&codec);
    avformat_close_input(&file);
    return tone;
}
