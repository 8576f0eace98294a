#include "render/video/demuxer.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "render/video/codecs.h"
#include "render/video/libav.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/pixdesc.h>
#include <stdlib.h>
#include <string.h>

#define DEMUXERS "mov,matroska,yuv4mpegpipe,gif"

static bool is_webp(const unsigned char *head, size_t size)
{
    return size >= 12 && memcmp(head, "RIFF", 4) == 0 && memcmp(head + 8, "WEBP", 4) == 0;
}

bool demuxer_recognizes(const unsigned char *head, size_t size)
{
    return size >= 12 &&
           (memcmp(head + 4, "ftyp", 4) == 0 || memcmp(head, "\x1a\x45\xdf\xa3", 4) == 0 ||
            memcmp(head, "YUV4MPEG2 ", 10) == 0 || memcmp(head, "GIF8", 4) == 0 ||
            is_webp(head, size));
}

/* Keeps the container's values before libav probes the stream, whose values replace them. */
static void keep_told(struct demuxer *demuxer)
{
    const int index = av_find_best_stream(demuxer->film, AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
    demuxer->told =
        (struct colour_tags){AVCOL_RANGE_UNSPECIFIED, AVCOL_SPC_UNSPECIFIED, AVCOL_TRC_UNSPECIFIED,
                             AVCOL_PRI_UNSPECIFIED, AVCHROMA_LOC_UNSPECIFIED};
    if (index < 0)
        return;
    const AVCodecParameters *codec = demuxer->film->streams[index]->codecpar;
    demuxer->told = (struct colour_tags){codec->color_range, codec->color_space, codec->color_trc,
                                         codec->color_primaries, codec->chroma_location};
    demuxer->told_width = codec->width;
    demuxer->told_height = codec->height;
}

/* VP9's alpha is beside the data of each packet, where libav's probe does not look. */
static void take_alpha(AVStream *stream)
{
    const AVDictionaryEntry *alpha = av_dict_get(stream->metadata, "alpha_mode", NULL, 0);
    if (stream->codecpar->codec_id == AV_CODEC_ID_VP9 && alpha && strcmp(alpha->value, "1") == 0)
        stream->codecpar->format = AV_PIX_FMT_YUVA420P;
}

static enum status open_film(struct demuxer *demuxer, const char *path, bool look)
{
    char *url = text_format("file:%s", path);
    AVDictionary *options = NULL;
    av_dict_set(&options, "format_whitelist", DEMUXERS, 0);
    av_dict_set(&options, "protocol_whitelist", "file", 0);
    libav_forget();
    int error = avformat_open_input(&demuxer->film, url, NULL, &options);
    free(url);
    av_dict_free(&options);
    const bool readable =
        error == AVERROR_INVALIDDATA || error == AVERROR(EINVAL) || error == AVERROR_EOF;
    if (error < 0 && !readable)
        return status_fail(STATUS_IO, "cannot read '%s': %s", path, libav_reason(error));
    if (error >= 0) {
        keep_told(demuxer);
        if (look)
            error = avformat_find_stream_info(demuxer->film, NULL);
    }
    if (error < 0)
        return status_fail(STATUS_USAGE,
                           "'%s' is not a whole film in mp4, mov, mkv, webm, y4m or gif: %s", path,
                           libav_reason(error));
    int index = av_find_best_stream(demuxer->film, AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
    if (index < 0)
        return status_fail(STATUS_USAGE, "'%s' has no video", path);
    demuxer->stream = demuxer->film->streams[index];
    take_alpha(demuxer->stream);
    return STATUS_OK;
}

static enum status open(struct demuxer *demuxer, const char *path, bool look)
{
    *demuxer = (struct demuxer){.path = path};
    unsigned char head[12];
    size_t size;
    libav_prepare();
    enum status status = file_read_head(path, head, sizeof head, &size);
    if (status == STATUS_OK && is_webp(head, size))
        status = status_fail(STATUS_USAGE,
                             "'%s' is a WebP, which gravreel writes but cannot read; use the scene "
                             "beside it, or render a gif or a film to look at",
                             path);
    if (status == STATUS_OK)
        status = open_film(demuxer, path, look);
    demuxer->packet = av_packet_alloc();
    if (!demuxer->packet)
        memory_exhausted();
    if (status != STATUS_OK)
        demuxer_close(demuxer);
    return status;
}

enum status demuxer_open(struct demuxer *demuxer, const char *path)
{
    return open(demuxer, path, true);
}

enum status demuxer_open_packets(struct demuxer *demuxer, const char *path)
{
    return open(demuxer, path, false);
}

void demuxer_close(struct demuxer *demuxer)
{
    av_packet_free(&demuxer->packet);
    avformat_close_input(&demuxer->film);
    demuxer->stream = NULL;
}

static bool begins_with(const char *path, const char *brand)
{
    unsigned char head[64];
    size_t size;
    return file_read_head(path, head, sizeof head, &size) == STATUS_OK &&
           memmem(head, size, brand, strlen(brand)) != NULL;
}

const struct container *demuxer_container(const struct demuxer *demuxer)
{
    const char *demuxers = demuxer->film->iformat->name, *name = "mkv";
    if (strstr(demuxers, "yuv4mpegpipe"))
        name = "y4m";
    else if (strstr(demuxers, "mov"))
        /* libav's "major_brand" is that of the film's tags, which may be copied from another */
        name = begins_with(demuxer->path, "ftypqt  ") ? "mov" : "mp4";
    else if (strcmp(demuxers, "gif") == 0)
        name = "gif";
    else if (begins_with(demuxer->path, "webm"))
        name = "webm";
    return container_find(name);
}

/* Whether the file's own index marks a key frame; libav would use the stream. */
static void take_key(const struct demuxer *demuxer)
{
    AVPacket *packet = demuxer->packet;
    if (!strstr(demuxer->film->iformat->name, "mov") || packet->dts == AV_NOPTS_VALUE)
        return;
    const AVIndexEntry *entry =
        avformat_index_get_entry_from_timestamp(demuxer->stream, packet->dts, AVSEEK_FLAG_ANY);
    if (!entry || entry->pos != packet->pos)
        return;
    packet->flags &= ~AV_PKT_FLAG_KEY;
    packet->flags |= entry->flags & AVINDEX_KEYFRAME ? AV_PKT_FLAG_KEY : 0;
}

int demuxer_next(struct demuxer *demuxer)
{
    int error;
    libav_forget();
    do {
        av_packet_unref(demuxer->packet);
        error = av_read_frame(demuxer->film, demuxer->packet);
    } while (error >= 0 && demuxer->packet->stream_index != demuxer->stream->index);
    if (error >= 0) {
        demuxer->packets++;
        take_key(demuxer);
    } else if (error == AVERROR_EOF && demuxer->film->pb && demuxer->film->pb->error < 0) {
        error = demuxer->film->pb->error;
    }
    return error;
}

enum status demuxer_failed(const struct demuxer *demuxer, int error)
{
    return status_fail(STATUS_IO, "cannot read '%s' after %llu frames: %s", demuxer->path,
                       (unsigned long long)demuxer->packets, libav_reason(error));
}

/* libavcodec's own decoder of VP9 ignores alpha. */
static const AVCodec *find_decoder(const AVCodecParameters *codec)
{
    if (codec->codec_id == AV_CODEC_ID_VP9 && codec->format == AV_PIX_FMT_YUVA420P)
        return avcodec_find_decoder_by_name("libvpx-vp9");
    return avcodec_find_decoder(codec->codec_id);
}

enum status demuxer_open_decoder(const struct demuxer *demuxer, int threads, bool strict,
                                 struct AVCodecContext **out)
{
    const AVCodecParameters *codec = demuxer->stream->codecpar;
    const AVCodec *found = find_decoder(codec);
    *out = NULL;
    if (!found)
        return status_fail(STATUS_DEVICE,
                           "'%s' is encoded as %s, which the installed libavcodec cannot decode; "
                           "install a full libavcodec",
                           demuxer->path, avcodec_get_name(codec->codec_id));
    AVCodecContext *decoder = avcodec_alloc_context3(found);
    if (!decoder)
        memory_exhausted();
    libav_forget();
    int error = avcodec_parameters_to_context(decoder, codec);
    decoder->pkt_timebase = demuxer->stream->time_base;
    decoder->thread_count = threads;
    if (strict)
        decoder->err_recognition = AV_EF_EXPLODE | AV_EF_CRCCHECK;
    if (error >= 0)
        error = avcodec_open2(decoder, found, NULL);
    *out = decoder;
    if (error >= 0)
        return STATUS_OK;
    avcodec_free_context(out);
    return status_fail(STATUS_USAGE, "'%s' cannot be decoded: %s", demuxer->path,
                       libav_reason(error));
}

const char *colour_field(int field)
{
    static const char *const names[COLOUR_WORDS] = {"range", "matrix", "transfer", "primaries",
                                                    "chroma site"};
    return names[field];
}

static const char *name_of(const struct colour_tags *tags, int field)
{
    switch (field) {
    case 0:
        return av_color_range_name((enum AVColorRange)tags->range);
    case 1:
        return av_color_space_name((enum AVColorSpace)tags->matrix);
    case 2:
        return av_color_transfer_name((enum AVColorTransferCharacteristic)tags->transfer);
    case 3:
        return av_color_primaries_name((enum AVColorPrimaries)tags->primaries);
    default:
        return av_chroma_location_name((enum AVChromaLocation)tags->chroma_site);
    }
}

const char *colour_word(const struct colour_tags *tags, int field)
{
    const char *name = name_of(tags, field);
    const bool nothing = !name || strcmp(name, "unknown") == 0 || strcmp(name, "unspecified") == 0;
    return nothing ? "" : name;
}
