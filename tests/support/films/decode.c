#include "tests/support/films/decode.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/pixdesc.h>
#include <libavutil/spherical.h>
#include <libavutil/stereo3d.h>
#include <stdio.h>
#include <stdlib.h>

struct decode_state {
    AVFormatContext *container;
    AVStream *stream;
    AVCodecContext *codec;
    AVPacket *packet;
    AVFrame *frame;
    const AVPixFmtDescriptor *pixels;
    int skip, group; /* first group of pictures that is decoded; the present one */
};

static const void *side_data(const AVStream *stream, enum AVPacketSideDataType type)
{
#if LIBAVFORMAT_VERSION_MAJOR >= 61
    const AVPacketSideData *found = av_packet_side_data_get(
        stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, type);
    return found ? found->data : NULL;
#else
    return av_stream_get_side_data(stream, type, NULL);
#endif
}

static enum decode_projection find_projection(const AVStream *stream)
{
    const AVSphericalMapping *sphere = side_data(stream, AV_PKT_DATA_SPHERICAL);
    const AVStereo3D *stereo = side_data(stream, AV_PKT_DATA_STEREO3D);
    if (sphere && sphere->projection != AV_SPHERICAL_EQUIRECTANGULAR)
        return DECODE_OTHER;
    if (sphere)
        return stereo && stereo->type != AV_STEREO3D_2D ? DECODE_OTHER : DECODE_EQUIRECT;
    if (!stereo || stereo->type == AV_STEREO3D_2D)
        return DECODE_FLAT;
    if (stereo->flags & AV_STEREO3D_FLAG_INVERT)
        return DECODE_OTHER;
    return stereo->type == AV_STEREO3D_SIDEBYSIDE  ? DECODE_SIDE_BY_SIDE
           : stereo->type == AV_STEREO3D_TOPBOTTOM ? DECODE_TOP_BOTTOM
                                                   : DECODE_OTHER;
}

static bool give_up(struct decoded *film, const char *path, const char *what, int error)
{
    char reason[AV_ERROR_MAX_STRING_SIZE] = "";
    av_strerror(error, reason, sizeof reason);
    fprintf(stderr, "%s: %s: %s\n", path, what, reason);
    decode_close(film);
    return false;
}

bool decode_open(struct decoded *film, const char *path)
{
    *film = (struct decoded){.state = calloc(1, sizeof *film->state)};
    struct decode_state *state = film->state;
    int error = avformat_open_input(&state->container, path, NULL, NULL);
    if (error >= 0)
        error = avformat_find_stream_info(state->container, NULL);
    if (error < 0)
        return give_up(film, path, "cannot be opened", error);
    const AVCodec *decoder = NULL;
    int index = av_find_best_stream(state->container, AVMEDIA_TYPE_VIDEO, -1, -1, &decoder, 0);
    if (index < 0 || !decoder)
        return give_up(film, path, "has no stream that can be decoded", index);
    state->stream = state->container->streams[index];
    state->codec = avcodec_alloc_context3(decoder);
    state->packet = av_packet_alloc();
    state->frame = av_frame_alloc();
    state->codec->thread_count = 1;
    avcodec_parameters_to_context(state->codec, state->stream->codecpar);
    error = avcodec_open2(state->codec, decoder, NULL);
    if (error < 0)
        return give_up(film, path, "decoder does not open", error);

    const AVCodecParameters *parameters = state->stream->codecpar;
    film->width = parameters->width;
    film->height = parameters->height;
    film->rate_num = state->stream->avg_frame_rate.num;
    film->rate_den = state->stream->avg_frame_rate.den;
    if (state->container->duration != AV_NOPTS_VALUE)
        film->duration = (double)state->container->duration / AV_TIME_BASE;
    film->primaries = parameters->color_primaries;
    film->transfer = parameters->color_trc;
    film->matrix = parameters->color_space;
    film->limited_range = parameters->color_range == AVCOL_RANGE_MPEG;
    const char *profile = avcodec_profile_name(parameters->codec_id, state->codec->profile);
    snprintf(film->profile, sizeof film->profile, "%s", profile ? profile : "");
    film->projection = find_projection(state->stream);
    state->group = -1;
    snprintf(film->codec, sizeof film->codec, "%s", avcodec_get_name(parameters->codec_id));
    return true;
}

static void take_frame(struct decoded *film)
{
    struct decode_state *state = film->state;
    state->pixels = av_pix_fmt_desc_get(state->frame->format);
    film->frames++;
    film->time = (double)state->frame->best_effort_timestamp * av_q2d(state->stream->time_base);
    film->frame_primaries = state->frame->color_primaries;
    film->frame_transfer = state->frame->color_trc;
    film->frame_matrix = state->frame->colorspace;
    film->frame_limited_range = state->frame->color_range == AVCOL_RANGE_MPEG;
    film->depth = state->pixels->comp[0].depth;
    film->chroma_shift_x = state->pixels->log2_chroma_w;
    film->chroma_shift_y = state->pixels->log2_chroma_h;
}

bool decode_next(struct decoded *film)
{
    struct decode_state *state = film->state;
    for (;;) {
        int error = avcodec_receive_frame(state->codec, state->frame);
        if (error >= 0) {
            take_frame(film);
            return true;
        }
        if (error != AVERROR(EAGAIN))
            return false;
        error = av_read_frame(state->container, state->packet);
        bool ours = error >= 0 && state->packet->stream_index == state->stream->index;
        state->group += ours && (state->packet->flags & AV_PKT_FLAG_KEY);
        if (error < 0)
            avcodec_send_packet(state->codec, NULL);
        else if (ours && state->group >= state->skip)
            avcodec_send_packet(state->codec, state->packet);
        av_packet_unref(state->packet);
    }
}

void decode_begin_at(struct decoded *film, int group)
{
    film->state->skip = group;
}

int decode_sample(const struct decoded *film, int plane, int x, int y)
{
    const struct decode_state *state = film->state;
    const AVComponentDescriptor *component = &state->pixels->comp[plane];
    const uint8_t *at = state->frame->data[component->plane] +
                        (ptrdiff_t)y * state->frame->linesize[component->plane] +
                        x * component->step + component->offset;
    int value = component->depth > 8 ? at[0] | at[1] << 8 : at[0];
    return value >> component->shift;
}

void decode_rgb(const struct decoded *film, int x, int y, double rgb[3])
{
    double scale = (double)(1 << (film->depth - 8));
    int cx = x >> film->chroma_shift_x, cy = y >> film->chroma_shift_y;
    double luma = (decode_sample(film, 0, x, y) / scale - 16.0) / 219.0;
    double cb = (decode_sample(film, 1, cx, cy) / scale - 128.0) / 224.0;
    double cr = (decode_sample(film, 2, cx, cy) / scale - 128.0) / 224.0;
    rgb[0] = luma + 1.5748 * cr;
    rgb[2] = luma + 1.8556 * cb;
    rgb[1] = (luma - 0.2126 * rgb[0] - 0.0722 * rgb[2]) / 0.7152;
}

const char *decode_tag(const struct decoded *film, const char *key)
{
    const AVDictionaryEntry *entry = av_dict_get(film->state->container->metadata, key, NULL, 0);
    return entry ? entry->value : NULL;
}

void decode_close(struct decoded *film)
{
    struct decode_state *state = film->state;
    if (!state)
        return;
    av_frame_free(&state->frame);
    av_packet_free(&state->packet);
    avcodec_free_context(&state->codec);
    avformat_close_input(&state->container);
    free(state);
    film->state = NULL;
}
