#include "render/reader/stream.h"

#include "base/file.h"
#include "base/memory.h"
#include "render/video/demuxer.h"
#include "render/video/libav.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/pixdesc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- encoder name ---- */

/* "x264 - core 164 r3095 baee400" from a packet or from the stream's extra data. A name that is
 * already there is kept; it stays empty where nothing is found. `data` may be NULL. Pure. */
static void encoder_name_find(const uint8_t *data, size_t size, char name[ENCODER_NAME_MAX])
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

/* ---- stream ---- */

static void set(char *to, size_t size, const char *text)
{
    snprintf(to, size, "%s",
             text && strcmp(text, "unknown") != 0 && strcmp(text, "unspecified") != 0 ? text : "");
}

enum { COLOUR = sizeof((struct stream *)0)->range };

/* The stream's value, or both values if the container disagrees. */
static void set_colour(char to[COLOUR], const char *coded, const char *told)
{
    char container[COLOUR / 2 - 20], stream[COLOUR / 2 - 20];
    set(container, sizeof container, told);
    set(stream, sizeof stream, coded);
    if (container[0] && stream[0] && strcmp(container, stream) != 0)
        snprintf(to, COLOUR, "%s in the container and %s in the stream", container, stream);
    else
        set(to, COLOUR, coded);
}

static void describe_colours(struct stream *out, const AVCodecParameters *codec,
                             const struct colour_tags *told)
{
    set_colour(out->range, av_color_range_name(codec->color_range),
               av_color_range_name(told->range));
    set_colour(out->matrix, av_color_space_name(codec->color_space),
               av_color_space_name(told->matrix));
    set_colour(out->transfer, av_color_transfer_name(codec->color_trc),
               av_color_transfer_name(told->transfer));
    set_colour(out->primaries, av_color_primaries_name(codec->color_primaries),
               av_color_primaries_name(told->primaries));
    set_colour(out->chroma_site, av_chroma_location_name(codec->chroma_location),
               av_chroma_location_name(told->chroma_site));
}

static void describe(struct stream *out, const struct demuxer *film)
{
    const AVCodecParameters *codec = film->stream->codecpar;
    const AVRational pixel = av_guess_sample_aspect_ratio(film->film, film->stream, NULL);
    const AVRational rate = film->stream->avg_frame_rate, base = film->stream->time_base;
    set(out->format, sizeof out->format, film->film->iformat->name);
    set(out->codec, sizeof out->codec, avcodec_get_name(codec->codec_id));
    set(out->profile, sizeof out->profile, avcodec_profile_name(codec->codec_id, codec->profile));
    set(out->pixel_format, sizeof out->pixel_format, av_get_pix_fmt_name(codec->format));
    describe_colours(out, codec, &film->told);
    if (pixel.num > 0 && pixel.num != pixel.den)
        snprintf(out->aspect, sizeof out->aspect, "%d:%d", pixel.num, pixel.den);
    snprintf(out->time_base, sizeof out->time_base, "%d/%d", base.num, base.den);
    out->width = (uint32_t)(film->told_width > 0 ? film->told_width : codec->width);
    out->height = (uint32_t)(film->told_height > 0 ? film->told_height : codec->height);
    out->fps_num = rate.num > 0 && rate.den > 0 ? (uint32_t)rate.num : 0;
    out->fps_den = rate.num > 0 && rate.den > 0 ? (uint32_t)rate.den : 0;
}

static bool sets_up(const AVPacket *packet)
{
    static const enum AVPacketSideDataType kinds[] = {
        AV_PKT_DATA_NEW_EXTRADATA, AV_PKT_DATA_PARAM_CHANGE, AV_PKT_DATA_PALETTE};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (av_packet_get_side_data(packet, kinds[i], NULL))
            return true;
    return false;
}

/* Hashes the decoder and its setup; the container's colours are left out, because the frames have
 * them. */
static void hash_setup(struct stream *out, const AVCodecParameters *codec)
{
    const int told[] = {codec->codec_id,        codec->format,      codec->width,
                        codec->height,          codec->color_range, codec->color_space,
                        codec->chroma_location, codec->profile};
    const size_t size = codec->extradata ? (size_t)codec->extradata_size : 0;
    hash_parts((struct hash_part[]){{told, sizeof told},
                                    {size > 0 ? (const void *)codec->extradata : "", size}},
               2, out->setup);
}

static enum status add_packet(struct stream *out, const struct demuxer *film)
{
    const AVPacket *packet = film->packet;
    if (packet->pts == AV_NOPTS_VALUE)
        return status_fail(STATUS_USAGE, "'%s' does not say when its frames are shown", film->path);
    struct stream_packet *one = MEMORY_ADD(out->packets, out->count);
    *one = (struct stream_packet){.shown = packet->pts,
                                  .bytes = (uint64_t)packet->size,
                                  .decoded = out->count - 1,
                                  .key = (packet->flags & AV_PKT_FLAG_KEY) != 0,
                                  .plain = !sets_up(packet)};
    hash_parts(&(struct hash_part){packet->data, (size_t)packet->size}, 1, one->hash);
    if (out->count == 1)
        encoder_name_find(packet->data, (size_t)packet->size, out->encoder);
    return STATUS_OK;
}

static int by_time(const void *a, const void *b)
{
    const int64_t x = ((const struct stream_packet *)a)->shown,
                  y = ((const struct stream_packet *)b)->shown;
    return (x > y) - (x < y);
}

static enum status read_packets(struct stream *out, struct demuxer *film)
{
    const AVRational base = film->stream->time_base, rate = film->stream->avg_frame_rate;
    const int64_t frame = rate.num > 0 ? av_rescale_q(1, av_inv_q(rate), base) : 0;
    int64_t end = INT64_MIN;
    bool discarded = false;
    enum status status = STATUS_OK;
    int error = 0;
    while (status == STATUS_OK && (error = demuxer_next(film)) >= 0) {
        const AVPacket *packet = film->packet;
        if (packet->flags & AV_PKT_FLAG_DISCARD) {
            discarded = true;
            out->hidden++;
            continue;
        }
        const int64_t length = packet->duration > 0 ? packet->duration : frame;
        status = add_packet(out, film);
        if (status == STATUS_OK && discarded) /* what was decoded before this packet is unknown */
            out->packets[out->count - 1].plain = discarded = false;
        if (status == STATUS_OK && packet->pts < INT64_MAX - length && packet->pts + length > end)
            end = packet->pts + length;
    }
    if (status != STATUS_OK)
        return status;
    if (error != AVERROR_EOF)
        return demuxer_failed(film, error);
    if (out->count == 0)
        return status_fail(STATUS_USAGE, "'%s' has no frames", film->path);
    qsort(out->packets, out->count, sizeof *out->packets, by_time);
    out->duration = ((double)end - (double)out->packets[0].shown) * av_q2d(base);
    return STATUS_OK;
}

enum status stream_read(const char *path, struct stream *out)
{
    struct stat found;
    struct demuxer film;
    *out = (struct stream){0};
    enum status status = demuxer_open(&film, path);
    if (status != STATUS_OK)
        return status;
    if (stat(path, &found) == 0 && S_ISREG(found.st_mode))
        out->bytes = (uint64_t)found.st_size;
    describe(out, &film);
    hash_setup(out, film.stream->codecpar);
    encoder_name_find(film.stream->codecpar->extradata,
                      (size_t)film.stream->codecpar->extradata_size, out->encoder);
    status = read_packets(out, &film);
    demuxer_close(&film);
    if (status != STATUS_OK)
        stream_free(out);
    return status;
}

void stream_free(struct stream *stream)
{
    free(stream->packets);
    *stream = (struct stream){0};
}

/* ---- shared ---- */

/* order[d]: the frame whose packet is decoded at position d. */
static size_t *decoding_order(const struct stream *stream)
{
    size_t *order = memory_new(stream->count, sizeof *order);
    for (size_t i = 0; i < stream->count; i++)
        order[stream->packets[i].decoded] = i;
    return order;
}

static bool is_equal(const struct stream_packet *a, const struct stream_packet *b)
{
    return a->plain && b->plain && a->key == b->key && a->bytes == b->bytes &&
           strcmp(a->hash, b->hash) == 0;
}

struct walk {
    size_t equal_since; /* the first packet of the current run of equal packets */
    size_t key[2];      /* packets of the last two key frames, SIZE_MAX: none */
    size_t key_frame[2];
};

/* Frames that are shown before the last key frame but decoded after it may need the key frame
 * before that. */
static bool follows_key(const struct walk *walk, size_t frame)
{
    for (int i = 0; i < 2; i++)
        if (walk->key[i] != SIZE_MAX && walk->key_frame[i] <= frame)
            return walk->key[i] >= walk->equal_since;
    return false;
}

static void pass_key(struct walk *walk, size_t packet, size_t frame)
{
    walk->key[1] = walk->key[0];
    walk->key_frame[1] = walk->key_frame[0];
    walk->key[0] = packet;
    walk->key_frame[0] = frame;
}

uint64_t shared_find(const struct stream *a, const struct stream *b, uint64_t count, uint8_t *same)
{
    memset(same, 0, count);
    if (a->count == 0 || b->count == 0 || strcmp(a->setup, b->setup) != 0)
        return 0;
    size_t *of_a = decoding_order(a), *of_b = decoding_order(b);
    struct walk walk = {.key = {SIZE_MAX, SIZE_MAX}};
    uint64_t found = 0;
    for (size_t d = 0; d < a->count && d < b->count; d++) {
        const struct stream_packet *packet = &a->packets[of_a[d]];
        if (of_a[d] != of_b[d] || !is_equal(packet, &b->packets[of_b[d]]))
            walk.equal_since = d + 1;
        if (packet->key)
            pass_key(&walk, d, of_a[d]);
        if (walk.equal_since <= d && of_a[d] < count && follows_key(&walk, of_a[d])) {
            same[of_a[d]] = 1;
            found++;
        }
    }
    free(of_a);
    free(of_b);
    return found;
}
