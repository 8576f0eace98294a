#include "render/video/codecs.h"

#include "base/log.h"
#include "base/text.h"
#include "render/video/libav.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/spherical.h>
#include <libavutil/stereo3d.h>
#include <stdio.h>
#include <string.h>

#define X26X_PRESETS  "ultrafast superfast veryfast faster fast medium slow slower veryslow placebo"
#define NVENC_PRESETS "p1 p2 p3 p4 p5 p6 p7"

/* 4:2:0 with 8 bits goes to x264 and NVENC as NV12, the renderer's fastest format. */
#define OFFERS(...)                                                                                \
    .formats = {__VA_ARGS__},                                                                      \
    .format_count = sizeof((enum picture_format[]){__VA_ARGS__}) / sizeof(enum picture_format)

/* Spends more bytes on dark, smooth areas, where eight bits show bands: at crf 18, x264's own
 * settings leave eight to sixteen times as many (docs/formats.md). One reference picture suffices:
 * light moves on and does not return, so more would take a quarter of the time and save 1 % of the
 * bytes. */
#define DARK "mbtree=0:aq-mode=3:aq-strength=1.5:refs=1"

static const struct codec h264 = {
    .name = "h264",
    .doc = "H.264, plays everywhere",
    .use = "to share",
    .encoder = "libx264",
    .containers = "mp4 mkv mov",
    OFFERS(PICTURE_NV12, PICTURE_YUV420P10, PICTURE_YUV444P, PICTURE_YUV444P10),
    .crf = 23,
    .preset = "medium",
    .presets = X26X_PRESETS,
    .options = DARK,
};

static const struct codec h264_lossless = {
    .name = "h264-lossless",
    .doc = "H.264, lossless",
    .use = "to archive",
    .encoder = "libx264",
    .containers = "mp4 mkv mov",
    OFFERS(PICTURE_NV12, PICTURE_YUV420P10, PICTURE_YUV444P, PICTURE_YUV444P10),
    .crf = -1,
    .preset = "medium",
    .presets = X26X_PRESETS,
    .options = "qp=0",
};

static const struct codec h264_nvenc = {
    .name = "h264_nvenc",
    .doc = "H.264 by an NVIDIA GPU's encoder; preset p1 is the fastest",
    .use = "to share",
    .encoder = "h264_nvenc",
    .containers = "mp4 mkv mov",
    OFFERS(PICTURE_NV12, PICTURE_YUV444P),
    .crf = 20,
    .preset = "p5",
    .presets = NVENC_PRESETS,
    .stands_in = &h264,
};

static const struct codec hevc = {
    .name = "hevc",
    .doc = "HEVC, 10 bits by default",
    .use = "to share",
    .encoder = "libx265",
    .containers = "mp4 mkv mov",
    OFFERS(PICTURE_YUV420P10, PICTURE_YUV420P, PICTURE_YUV444P10, PICTURE_YUV444P),
    .hdr = true,
    .crf = 20,
    .preset = "medium",
    .presets = X26X_PRESETS,
};

static const struct codec hevc_nvenc = {
    .name = "hevc_nvenc",
    .doc = "HEVC by an NVIDIA GPU's encoder, 10 bits by default",
    .use = "to share",
    .encoder = "hevc_nvenc",
    .containers = "mp4 mkv mov",
    OFFERS(PICTURE_YUV420P10, PICTURE_NV12, PICTURE_YUV444P10, PICTURE_YUV444P),
    .hdr = true,
    .crf = 22,
    .preset = "p5",
    .presets = NVENC_PRESETS,
    .stands_in = &hevc,
};

static const struct codec vp9 = {
    .name = "vp9",
    .doc = "VP9, with alpha in webm; a preset is libvpx's cpu-used, 0 the slowest",
    .use = "for the web",
    .encoder = "libvpx-vp9",
    .containers = "webm mkv mp4",
    OFFERS(PICTURE_YUV420P, PICTURE_YUV420P10, PICTURE_YUV444P, PICTURE_YUV444P10),
    .hdr = true,
    .alpha_bits = 8,
    .alpha_containers = "webm",
    .crf = 24,
    .preset = "4",
    .presets = "0 1 2 3 4 5 6 7 8",
};

static const struct codec av1 = {
    .name = "av1",
    .doc = "AV1, 10 bits by default, the smallest files; preset 0 is the slowest",
    .use = "for the web",
    .encoder = "libsvtav1",
    .containers = "webm mkv mp4",
    OFFERS(PICTURE_YUV420P10, PICTURE_YUV420P),
    .hdr = true,
    .crf = 26,
    .preset = "8",
    .presets = "0 1 2 3 4 5 6 7 8 9 10 11 12 13",
};

static const struct codec av1_nvenc = {
    .name = "av1_nvenc",
    .doc = "AV1 by an NVIDIA GPU's encoder, 10 bits by default",
    .use = "for the web",
    .encoder = "av1_nvenc",
    .containers = "webm mkv mp4",
    OFFERS(PICTURE_YUV420P10, PICTURE_NV12),
    .hdr = true,
    .crf = 28,
    .preset = "p5",
    .presets = NVENC_PRESETS,
    .stands_in = &av1,
};

static const struct codec prores = {
    .name = "prores",
    .doc = "ProRes 4444, with alpha",
    .use = "to edit and grade",
    .encoder = "prores_ks",
    .containers = "mov mkv",
    OFFERS(PICTURE_YUV444P10),
    .alpha_bits = 10,
    .alpha_containers = "mov mkv",
    .hdr = true,
    .crf = -1,
    .preset = "4444",
    .presets = "4444 4444xq",
};

/* A profile of an encoder for editors, with one pixel format. */
#define EDITING(title, text, library, files, profile, format, deep)                                \
    {                                                                                              \
        .name = title, .doc = text, .use = "to edit and grade", .encoder = library,                \
        .containers = files, OFFERS(format), .hdr = deep, .crf = -1, .preset = profile,            \
        .presets = profile                                                                         \
    }
#define PRORES(title, text, profile)                                                               \
    EDITING(title, text, "prores_ks", "mov mkv", profile, PICTURE_YUV422P10, true)
#define DNXHR(title, text, profile, format, deep)                                                  \
    EDITING(title, text, "dnxhd", "mov", profile, format, deep)

static const struct codec editing[] = {
    PRORES("prores-hq", "ProRes 422 HQ", "hq"),
    PRORES("prores-422", "ProRes 422", "standard"),
    PRORES("prores-lt", "ProRes 422 LT", "lt"),
    PRORES("prores-proxy", "ProRes 422 Proxy, for cutting", "proxy"),
    DNXHR("dnxhr-444", "DNxHR 444, 10 bits", "dnxhr_444", PICTURE_YUV444P10, true),
    DNXHR("dnxhr-hqx", "DNxHR HQX, 10 bits", "dnxhr_hqx", PICTURE_YUV422P10, true),
    DNXHR("dnxhr-hq", "DNxHR HQ, 8 bits", "dnxhr_hq", PICTURE_YUV422P, false),
    DNXHR("dnxhr-sq", "DNxHR SQ, 8 bits, for cutting", "dnxhr_sq", PICTURE_YUV422P, false),
};

static const struct codec ffv1 = {
    .name = "ffv1",
    .doc = "FFV1, lossless, 10 bits and full-size colour by default, with alpha",
    .use = "to archive",
    .encoder = "ffv1",
    .containers = "mkv",
    OFFERS(PICTURE_YUV444P10, PICTURE_YUV444P, PICTURE_YUV420P10, PICTURE_YUV420P),
    .alpha_bits = 10,
    .alpha_containers = "mkv",
    .hdr = true,
    .crf = -1,
    .preset = "",
    .presets = "",
};

static const struct codec rawvideo = {
    .name = "rawvideo",
    .doc = "uncompressed pictures",
    .use = "for other programs",
    .encoder = "wrapped_avframe",
    .containers = "y4m",
    OFFERS(PICTURE_YUV420P, PICTURE_YUV444P, PICTURE_YUV420P10, PICTURE_YUV444P10),
    .crf = -1,
    .preset = "",
    .presets = "",
};

static const struct codec *const codecs[] = {
    &h264,       &h264_lossless, &h264_nvenc, &hevc,       &hevc_nvenc, &vp9,        &av1,
    &av1_nvenc,  &prores,        &editing[0], &editing[1], &editing[2], &editing[3], &editing[4],
    &editing[5], &editing[6],    &editing[7], &ffv1,       &rawvideo,
};

static const struct choice retired[] = {
    {"h264-444", "is now h264 with output.chroma 444"}, {"prores-4444", "is prores"}, {0}};

const struct registry codec_registry = {
    "codec", sizeof codecs / sizeof codecs[0], codecs, 0, retired, true};

static const struct chroma chromas[] = {
    {"420", "colour at half the width and height, as every player expects", CHROMA_420},
    {"422", "colour at half the width, as ProRes 422 and DNxHR have it", CHROMA_422},
    {"444", "colour at full size", CHROMA_444},
};

const struct registry chroma_registry = {
    "chroma", sizeof chromas / sizeof chromas[0], chromas, sizeof chromas[0], NULL, true};

static const char *chroma_name(enum picture_format format)
{
    size_t i = 0;
    while (chromas[i].kind != picture_format_chroma(format))
        i++;
    return chromas[i].name;
}

static enum status transparent_format(const struct codec *codec,
                                      const struct codec_request *request,
                                      enum picture_format *format)
{
    if (!codec->alpha_bits)
        return status_fail(
            STATUS_USAGE,
            "codec %s cannot carry transparency (alpha); use prores in mov or mkv, ffv1 "
            "in mkv, vp9 in webm, webp or PNG pictures, or leave out output.alpha",
            codec->name);
    *format = picture_format_yuva(codec->alpha_bits, request->alpha);
    if ((request->bits && request->bits != codec->alpha_bits) ||
        (request->chroma && request->chroma->kind != picture_format_chroma(*format)))
        return status_fail(STATUS_USAGE,
                           "codec %s carries alpha with bits %u and chroma %s only; leave out "
                           "output.bits and output.chroma",
                           codec->name, codec->alpha_bits, chroma_name(*format));
    return STATUS_OK;
}

static enum status hdr_format(const struct codec *codec, const struct codec_request *request,
                              enum picture_format *format)
{
    const enum picture_chroma chroma =
        request->chroma ? request->chroma->kind : picture_format_chroma(codec->formats[0]);
    bool offers = false;
    for (int i = 0; i < codec->format_count; i++)
        offers |= picture_format_bits(codec->formats[i]) == 10 &&
                  picture_format_chroma(codec->formats[i]) == chroma;
    if (!codec->hdr)
        return status_fail(STATUS_USAGE,
                           "codec %s does not support high dynamic range; use hevc, av1, vp9, "
                           "prores or dnxhr-hqx, or leave out output.hdr",
                           codec->name);
    if (request->alpha != ALPHA_NONE)
        return status_fail(STATUS_USAGE, "pictures of high dynamic range have no alpha; leave out "
                                         "output.hdr or output.alpha");
    if ((request->bits && request->bits != 10) || !offers)
        return status_fail(STATUS_USAGE,
                           "high dynamic range needs 10 bits, with chroma that codec %s offers; "
                           "leave out output.bits and output.chroma",
                           codec->name);
    *format = picture_format_with_hdr(request->hdr, chroma);
    return STATUS_OK;
}

enum status codec_format(const struct codec *codec, const struct codec_request *request,
                         enum picture_format *format)
{
    const uint32_t bits = request->bits;
    const struct chroma *chroma = request->chroma;
    if (request->hdr != HDR_NONE)
        return hdr_format(codec, request, format);
    if (request->alpha != ALPHA_NONE)
        return transparent_format(codec, request, format);
    char offers[128] = "", asked[64] = "", text[40];
    for (int i = 0; i < codec->format_count; i++) {
        *format = codec->formats[i];
        const uint32_t has_bits = picture_format_bits(*format);
        if ((bits == 0 || bits == has_bits) &&
            (!chroma || chroma->kind == picture_format_chroma(*format)))
            return STATUS_OK;
        snprintf(text, sizeof text, "bits %u with chroma %s", has_bits, chroma_name(*format));
        text_list(offers, sizeof offers, text);
    }
    snprintf(text, sizeof text, "bits %u", bits);
    if (bits)
        text_list(asked, sizeof asked, text);
    snprintf(text, sizeof text, "chroma %s", chroma ? chroma->name : "");
    if (chroma)
        text_list(asked, sizeof asked, text);
    return status_fail(STATUS_USAGE,
                       "codec %s does not offer %s; it offers %s; choose one of these or another "
                       "--codec",
                       codec->name, asked, offers);
}

/* ---- container ---- */

/* clang-format off */
static const struct container containers[] = {
    {.name = "mp4", .doc = "MP4, plays everywhere", .muxer = "mp4",
     .timecodes = true, .joins = true, .needs_seek = true, .boxes = true, .tells_projection = true},
    {.name = "mkv", .doc = "Matroska, for any codec and for pipes", .muxer = "matroska",
     .joins = true, .tells_projection = true},
    {.name = "mov", .doc = "QuickTime, for editing", .muxer = "mov",
     .timecodes = true, .joins = true, .needs_seek = true, .boxes = true},
    {.name = "webm", .doc = "WebM, for the web", .muxer = "webm",
     .joins = true, .tells_projection = true},
    {.name = "y4m", .doc = "uncompressed pictures for other programs", .muxer = "yuv4mpegpipe"},
};
/* clang-format on */

const struct registry container_registry = REGISTRY_OF("film format", containers);

/* clang-format off */
static const struct container loops[] = {
    {.name = "gif", .doc = "GIF, 255 colours, plays everywhere", .muxer = "gif",
     .rate_most = 50, .hundredths = true, .loops = true},
    {.name = "webp", .doc = "animated WebP, small, for web pages", .muxer = "webp",
     .needs_seek = true, .loops = true},
};
/* clang-format on */

const struct registry loop_registry = REGISTRY_OF("loop format", loops);

const struct container *container_find(const char *name)
{
    const struct container *found = (const void *)choice_find(&container_registry, name);
    return found ? found : (const void *)choice_find(&loop_registry, name);
}

/* No container's name is a substring of another's. */
bool container_takes(const struct container *container, const struct codec *codec)
{
    return strstr(codec->containers, container->name) != NULL;
}

bool container_takes_alpha(const struct container *container, const struct codec *codec)
{
    return codec->alpha_bits && strstr(codec->alpha_containers, container->name) != NULL;
}

/* Takes over `data`, which libav allocated. */
static int add_side_data(AVStream *stream, enum AVPacketSideDataType type, void *data, size_t size)
{
    if (!data)
        return AVERROR(ENOMEM);
#if LIBAVFORMAT_VERSION_MAJOR >= 61
    AVCodecParameters *codec = stream->codecpar;
    bool added = av_packet_side_data_add(&codec->coded_side_data, &codec->nb_coded_side_data, type,
                                         data, size, 0) != NULL;
#else
    bool added = av_stream_add_side_data(stream, type, data, size) >= 0;
#endif
    if (!added)
        av_free(data);
    return added ? 0 : AVERROR(ENOMEM);
}

int container_project(const struct container *container, struct AVStream *stream,
                      const struct projection *projection)
{
    if (!projection || projection->flat || projection->eye ||
        (projection->dome && projection->columns == 1))
        return 0; /* no container tells of a dome or of a single eye */
    if (!container->tells_projection) {
        log_warning("%s cannot mark a film as stereo or 360 degrees; set the player by hand, or "
                    "choose mp4, mkv or webm",
                    container->name);
        return 0;
    }
    if (projection->whole_sphere && !projection->dome) {
        size_t size;
        AVSphericalMapping *mapping = av_spherical_alloc(&size);
        if (mapping)
            mapping->projection = AV_SPHERICAL_EQUIRECTANGULAR;
        return add_side_data(stream, AV_PKT_DATA_SPHERICAL, mapping, size);
    }
    bool beside = projection->columns > 1;
    AVStereo3D *stereo = av_stereo3d_alloc();
    if (stereo)
        stereo->type = beside ? AV_STEREO3D_SIDEBYSIDE : AV_STEREO3D_TOPBOTTOM;
    int error = add_side_data(stream, AV_PKT_DATA_STEREO3D, stereo, sizeof *stereo);
    /* Older Matroska muxers read this instead. */
    return error < 0 ? error
                     : av_dict_set(&stream->metadata, "stereo_mode",
                                   beside ? "left_right" : "top_bottom", 0);
}

static const void *side_data(const AVStream *stream, enum AVPacketSideDataType type)
{
#if LIBAVFORMAT_VERSION_MAJOR >= 61
    const AVCodecParameters *codec = stream->codecpar;
    const AVPacketSideData *side =
        av_packet_side_data_get(codec->coded_side_data, codec->nb_coded_side_data, type);
    return side ? side->data : NULL;
#else
    return av_stream_get_side_data(stream, type, NULL);
#endif
}

static const struct projection *find_projection(bool whole_sphere, int columns, int rows)
{
    const struct projection *found;
    for (size_t i = 0; (found = choice_at(&projection_registry, i)); i++)
        if (!found->dome && found->whole_sphere == whole_sphere && found->columns == columns &&
            found->rows == rows)
            break;
    return found;
}

const struct projection *container_projection(const struct AVStream *stream)
{
    if (side_data(stream, AV_PKT_DATA_SPHERICAL))
        return find_projection(true, 1, 1);
    const AVStereo3D *stereo = side_data(stream, AV_PKT_DATA_STEREO3D);
    if (!stereo || stereo->type == AV_STEREO3D_2D)
        return &projection_flat;
    const bool beside = stereo->type == AV_STEREO3D_SIDEBYSIDE;
    return find_projection(false, beside ? 2 : 1, beside ? 1 : 2);
}
