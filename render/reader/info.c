#include "render/reader/info.h"

#include "render/reader/container.h"
#include "render/video/libav.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

bool film_info_is_film(const char *path)
{
    struct stat found;
    unsigned char head[12] = {0};
    if (stat(path, &found) != 0 || !S_ISREG(found.st_mode))
        return false;
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    size_t size = fread(head, 1, sizeof head, file);
    fclose(file);
    return size == sizeof head &&
           (memcmp(head + 4, "ftyp", 4) == 0 || memcmp(head, "\x1a\x45\xdf\xa3", 4) == 0 ||
            memcmp(head, "YUV4MPEG2 ", 10) == 0);
}

static const char *container_name(AVFormatContext *film)
{
    const AVDictionaryEntry *brand = av_dict_get(film->metadata, "major_brand", NULL, 0);
    if (strstr(film->iformat->name, "yuv4mpegpipe"))
        return "y4m";
    if (strstr(film->iformat->name, "mov"))
        return brand && strncmp(brand->value, "qt", 2) == 0 ? "mov" : "mp4";
    return "mkv";
}

static bool is_webm(const char *path)
{
    unsigned char head[64] = {0};
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(head, 1, sizeof head, file) : 0;
    if (file)
        fclose(file);
    return memmem(head, size, "webm", 4) != NULL;
}

static enum status count_frames(struct film_info *info, AVFormatContext *film, int stream,
                                const char *path)
{
    AVRational base = film->streams[stream]->time_base;
    AVRational rate = film->streams[stream]->avg_frame_rate;
    int64_t frame = rate.num > 0 ? av_rescale_q(1, av_inv_q(rate), base) : 0;
    int64_t first = INT64_MAX, last = INT64_MIN;
    AVPacket *packet = av_packet_alloc();
    if (!packet)
        return status_fail(STATUS_RUNTIME, "no memory left to read '%s'", path);
    int error;
    while ((error = av_read_frame(film, packet)) >= 0) {
        if (packet->stream_index == stream) {
            info->frames++;
            if (packet->pts != AV_NOPTS_VALUE) {
                int64_t end = packet->pts + (packet->duration > 0 ? packet->duration : frame);
                first = packet->pts < first ? packet->pts : first;
                last = end > last ? end : last;
            }
        }
        av_packet_unref(packet);
    }
    av_packet_free(&packet);
    if (error != AVERROR_EOF)
        return status_fail(STATUS_IO, "cannot read '%s' after %llu frames: %s", path,
                           (unsigned long long)info->frames, libav_reason(error));
    if (info->frames == 0)
        return status_fail(STATUS_USAGE, "'%s' holds no frame", path);
    if (last > first)
        info->duration = (double)(last - first) * av_q2d(base);
    return STATUS_OK;
}

static enum status fill(struct film_info *info, AVFormatContext *film, const char *path)
{
    int stream = av_find_best_stream(film, AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
    if (stream < 0)
        return status_fail(STATUS_USAGE, "'%s' holds no pictures", path);
    const AVCodecParameters *codec = film->streams[stream]->codecpar;
    AVRational rate = film->streams[stream]->avg_frame_rate;
    const char *container = container_name(film);
    if (strcmp(container, "mkv") == 0 && is_webm(path))
        container = "webm";
    info->container = strdup(container);
    info->codec = strdup(avcodec_get_name(codec->codec_id));
    info->width = (uint32_t)codec->width;
    info->height = (uint32_t)codec->height;
    info->fps_num = rate.num > 0 ? (uint32_t)rate.num : 0;
    info->fps_den = rate.num > 0 ? (uint32_t)rate.den : 0;
    if (!info->container || !info->codec)
        return status_fail(STATUS_RUNTIME, "no memory left to read '%s'", path);
    const AVDictionaryEntry *tag = NULL;
    while ((tag = av_dict_get(film->metadata, "", tag, AV_DICT_IGNORE_SUFFIX)))
        tags_add(&info->tags, tag->key, tag->value);
    return count_frames(info, film, stream, path);
}

enum status film_info_read(const char *path, struct film_info *info)
{
    *info = (struct film_info){0};
    struct stat found;
    AVFormatContext *film;
    enum status status = film_container_open(path, &film);
    if (status == STATUS_OK && stat(path, &found) == 0 && S_ISREG(found.st_mode))
        info->bytes = (uint64_t)found.st_size;
    if (status == STATUS_OK)
        status = fill(info, film, path);
    avformat_close_input(&film);
    if (status != STATUS_OK)
        film_info_free(info);
    return status;
}

void film_info_free(struct film_info *info)
{
    tags_free(&info->tags);
    free(info->container);
    free(info->codec);
    *info = (struct film_info){0};
}
