#include "render/reader/film_info.h"

#include "base/file.h"
#include "base/tag.h"
#include "render/video/demuxer.h"
#include "render/video/libav_calls.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <string.h>
#include <sys/stat.h>

/* ---- encoder name ---- */

void encoder_name_find(const uint8_t *data, size_t size, char name[ENCODER_NAME_MAX])
{
    static const char *const marks[] = {"x264 - core ", "x265 (build "};
    for (size_t m = 0; m < sizeof marks / sizeof marks[0] && data && !*name; m++) {
        const uint8_t *at = memmem(data, size, marks[m], strlen(marks[m]));
        size_t length = 0;
        const size_t room = at ? size - (size_t)(at - data) : 0;
        while (length < room && length < ENCODER_NAME_MAX - 1 && at[length] >= ' ' &&
               at[length] < 127 && !(length > 2 && memcmp(at + length - 2, " - H", 4) == 0))
            length++;
        while (length > 0 && strchr(" -", at[length - 1]))
            length--;
        if (at) {
            memcpy(name, at, length);
            name[length] = '\0';
        }
    }
}

/* ---- film info ---- */

bool film_info_is_film(const char *path)
{
    unsigned char head[64];
    size_t size;
    return file_read_head(path, head, sizeof head, &size) == STATUS_OK &&
           demuxer_recognizes(head, size);
}

static enum status count_frames(struct film_info *info, struct demuxer *film)
{
    AVRational base = film->stream->time_base, rate = film->stream->avg_frame_rate;
    int64_t frame = rate.num > 0 ? av_rescale_q(1, av_inv_q(rate), base) : 0;
    int64_t first = INT64_MAX, last = INT64_MIN;
    int error;
    while ((error = demuxer_next(film)) >= 0) {
        const AVPacket *packet = film->packet;
        if (film->packets == 1)
            encoder_name_find(packet->data, (size_t)packet->size, info->encoder);
        if (packet->pts == AV_NOPTS_VALUE)
            continue;
        int64_t end = packet->pts + (packet->duration > 0 ? packet->duration : frame);
        first = packet->pts < first ? packet->pts : first;
        last = end > last ? end : last;
    }
    info->frames = film->packets;
    if (error != AVERROR_EOF)
        return demuxer_failed(film, error);
    if (info->frames == 0)
        return status_fail(STATUS_USAGE, "'%s' has no frames", film->path);
    if (last > first)
        info->duration = (double)(last - first) * av_q2d(base);
    return STATUS_OK;
}

static void take_tags(const struct demuxer *film, struct tags *out)
{
    const AVDictionaryEntry *tag = NULL;
    while ((tag = av_dict_get(film->film->metadata, "", tag, AV_DICT_IGNORE_SUFFIX)))
        tags_add(out, tag->key, tag->value);
    tags_unpack(out);
}

static enum status fill(struct film_info *info, struct demuxer *film)
{
    const AVCodecParameters *codec = film->stream->codecpar;
    AVRational rate = film->stream->avg_frame_rate;
    info->container = demuxer_container(film);
    info->codec = avcodec_get_name(codec->codec_id);
    info->width = (uint32_t)codec->width;
    info->height = (uint32_t)codec->height;
    info->fps_num = rate.num > 0 ? (uint32_t)rate.num : 0;
    info->fps_den = rate.num > 0 ? (uint32_t)rate.den : 0;
    info->packed = av_dict_get(film->film->metadata, PACKED_TAG, NULL, 0) != NULL;
    take_tags(film, &info->tags);
    encoder_name_find(codec->extradata, (size_t)codec->extradata_size, info->encoder);
    return count_frames(info, film);
}

enum status film_info_read(const char *path, struct film_info *info)
{
    *info = (struct film_info){0};
    struct stat found;
    struct demuxer film;
    enum status status = demuxer_open(&film, path);
    if (status == STATUS_OK && stat(path, &found) == 0 && S_ISREG(found.st_mode))
        info->bytes = (uint64_t)found.st_size;
    if (status == STATUS_OK)
        status = fill(info, &film);
    demuxer_close(&film);
    if (status != STATUS_OK)
        film_info_free(info);
    return status;
}

enum status film_info_read_tags(const char *path, struct tags *out)
{
    struct demuxer film;
    *out = (struct tags){0};
    enum status status = demuxer_open_packets(&film, path);
    if (status == STATUS_OK)
        take_tags(&film, out);
    demuxer_close(&film);
    return status;
}

void film_info_free(struct film_info *info)
{
    tags_free(&info->tags);
    *info = (struct film_info){0};
}
