#include "render/join/match.h"

#include "base/memory.h"
#include "render/video/container.h"
#include "render/video/libav_calls.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/pixdesc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

struct join_format *join_format_copy(const struct AVStream *stream)
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

void join_format_free(struct join_format **format)
{
    if (!*format)
        return;
    avcodec_parameters_free(&(*format)->codec);
    free(*format);
    *format = NULL;
}

const struct AVCodecParameters *join_format_codec(const struct join_format *format)
{
    return format->codec;
}

const struct projection *join_format_projection(const struct join_format *format)
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

bool join_format_told_alike(const struct join_format *a, const struct join_format *b)
{
    bool alike = a->codec->extradata_size > 0 && same_sets(a->codec, b->codec) &&
                 a->projection == b->projection;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0] && alike; i++)
        alike = value_of(a->codec, &fields[i]) == value_of(b->codec, &fields[i]);
    return alike;
}

enum status join_format_match(const struct join_format *a, const char *a_path,
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
