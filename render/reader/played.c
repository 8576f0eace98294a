#include "render/reader/played.h"

#include "base/functions/fn.h"
#include "base/memory.h"
#include "base/tag.h"
#include "base/text.h"
#include "render/video/demuxer.h"
#include "render/video/libav.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DROPPED_MAX = 2, TURN = 9 };

/* Tells that no container did say, but the coded pictures do. */
static const char CODED[] = "in the stream";

static void add(struct played *out, enum played_kind kind, char *name, char *value)
{
    *MEMORY_ADD(out->fields, out->field_count) = (struct played_field){kind, name, value};
}

/* ---- how the pictures are shown ---- */

/* Describes a display matrix (ISO/IEC 14496-12, 8.2.2; the last column in 2.30 fixed point). */
static char *say_turn(const int32_t m[TURN])
{
    const double a = m[0], b = m[1], c = m[3], d = m[4], size = fn_hypot(a, b),
                 other = fn_hypot(c, d);
    const bool mirrored = a * d - b * c < 0, plain = m[2] == 0 && m[5] == 0 && size > 0 &&
                                                     fabs(size - other) <= 1e-4 * size &&
                                                     fabs(a * c + b * d) <= 1e-4 * size * size;
    if (!plain || fabs(size / 65536 - 1) > 1e-3)
        return text_format("by the matrix %d %d %d %d %d %d", m[0], m[1], m[3], m[4], m[6], m[7]);
    /* Mirroring is told before turning: the picture is first flipped from left to right. */
    double degrees = (mirrored ? fn_atan2(-b, -a) : fn_atan2(b, a)) * 180 / M_PI;
    degrees = degrees < -0.05 ? degrees + 360 : fabs(degrees);
    if (mirrored && degrees < 0.05)
        return memory_text("mirrored");
    return text_format("%s%.4g degrees clockwise", mirrored ? "mirrored, then " : "", degrees);
}

static bool is_identity(const int32_t m[TURN])
{
    return m[0] == 65536 && m[4] == 65536 && !m[1] && !m[2] && !m[3] && !m[5];
}

static char *say_sphere(const AVSphericalMapping *sphere)
{
    char turned[96] = "", bounds[96] = "";
    if (sphere->yaw || sphere->pitch || sphere->roll)
        snprintf(turned, sizeof turned, ", yaw %.4g, pitch %.4g, roll %.4g degrees",
                 sphere->yaw / 65536.0, sphere->pitch / 65536.0, sphere->roll / 65536.0);
    if (sphere->bound_left || sphere->bound_top || sphere->bound_right || sphere->bound_bottom)
        snprintf(bounds, sizeof bounds, ", bounds %u %u %u %u", sphere->bound_left,
                 sphere->bound_top, sphere->bound_right, sphere->bound_bottom);
    const char *name = sphere->projection == AV_SPHERICAL_EQUIRECTANGULAR ? "equirectangular"
                       : sphere->projection == AV_SPHERICAL_CUBEMAP       ? "cube map"
                                                                          : "part of a sphere";
    return text_format("%s%s%s", name, turned, bounds);
}

static char *say_stereo(const AVStereo3D *stereo)
{
    static const char *const names[] = {
        [AV_STEREO3D_SIDEBYSIDE] = "side by side", [AV_STEREO3D_TOPBOTTOM] = "top and bottom"};
    const unsigned type = stereo->type;
    const char *name = type < sizeof names / sizeof *names ? names[type] : NULL,
               *swapped = stereo->flags & AV_STEREO3D_FLAG_INVERT ? ", the right eye first" : "";
    return name ? text_format("%s%s", name, swapped) : text_format("type %u%s", type, swapped);
}

static char *say_bytes(const void *data, size_t size)
{
    char hash[HASH_TEXT];
    hash_parts(&(struct hash_part){data, size}, 1, hash);
    return text_format("%zu bytes, hash %.8s", size, hash);
}

static double ratio(AVRational value)
{
    return value.den ? (double)value.num / value.den : 0;
}

static char *say_mastering(const AVMasteringDisplayMetadata *screen)
{
    char colours[160] = "", light[64] = "";
    const AVRational(*at)[2] = screen->display_primaries;
    if (screen->has_primaries)
        snprintf(colours, sizeof colours,
                 "red %.3g %.3g, green %.3g %.3g, blue %.3g %.3g, white %.4g %.4g", ratio(at[0][0]),
                 ratio(at[0][1]), ratio(at[1][0]), ratio(at[1][1]), ratio(at[2][0]),
                 ratio(at[2][1]), ratio(screen->white_point[0]), ratio(screen->white_point[1]));
    if (screen->has_luminance)
        snprintf(light, sizeof light, "%s%.4g to %.6g cd/m2", *colours ? ", " : "",
                 ratio(screen->min_luminance), ratio(screen->max_luminance));
    return text_format("%s%s", colours, light);
}

/* Adds a stream's side data, except what only muxers and decoders use. */
static void add_side(struct played *out, const AVPacketSideData *side)
{
    const AVContentLightMetadata *light = (const void *)side->data;
    switch (side->type) {
    case AV_PKT_DATA_CPB_PROPERTIES:
    case AV_PKT_DATA_NEW_EXTRADATA:
    case AV_PKT_DATA_PARAM_CHANGE:
    case AV_PKT_DATA_FALLBACK_TRACK:
    case AV_PKT_DATA_SKIP_SAMPLES:
    case AV_PKT_DATA_PRFT:
        return;
    case AV_PKT_DATA_DISPLAYMATRIX:
        if (!is_identity((const void *)side->data))
            add(out, PLAYED_VIEW, memory_text("rotation"), say_turn((const void *)side->data));
        return;
    case AV_PKT_DATA_STEREO3D:
        if (((const AVStereo3D *)(const void *)side->data)->type != AV_STEREO3D_2D)
            add(out, PLAYED_VIEW, memory_text("stereo"), say_stereo((const void *)side->data));
        return;
    case AV_PKT_DATA_SPHERICAL:
        add(out, PLAYED_VIEW, memory_text("sphere"), say_sphere((const void *)side->data));
        return;
    case AV_PKT_DATA_MASTERING_DISPLAY_METADATA:
        add(out, PLAYED_SCREEN, memory_text("mastering display"),
            say_mastering((const void *)side->data));
        return;
    case AV_PKT_DATA_CONTENT_LIGHT_LEVEL:
        add(out, PLAYED_SCREEN, memory_text("content light"),
            text_format("%u and %u cd/m2", light->MaxCLL, light->MaxFALL));
        return;
    default:
        add(out, PLAYED_SCREEN,
            text_format("%s", av_packet_side_data_name(side->type)
                                  ? av_packet_side_data_name(side->type)
                                  : "further data"),
            say_bytes(side->data, side->size));
    }
}

static void add_view(struct played *out, const AVStream *stream)
{
#if LIBAVFORMAT_VERSION_MAJOR >= 61
    for (int i = 0; i < stream->codecpar->nb_coded_side_data; i++)
        add_side(out, &stream->codecpar->coded_side_data[i]);
#else
    for (int i = 0; i < stream->nb_side_data; i++)
        add_side(out, &stream->side_data[i]);
#endif
}

/* ---- chapters and tags ---- */

static const char *text_of(const AVDictionary *tags, const char *name)
{
    const AVDictionaryEntry *entry = av_dict_get(tags, name, NULL, 0);
    return entry ? entry->value : "";
}

static void add_chapters(struct played *out, const AVFormatContext *film)
{
    char *list = NULL;
    for (unsigned i = 0; i < film->nb_chapters; i++) {
        const AVChapter *chapter = film->chapters[i];
        text_append(&list, ", ", "%.2f s%s%s", (double)chapter->start * av_q2d(chapter->time_base),
                    *text_of(chapter->metadata, "title") ? " " : "",
                    text_of(chapter->metadata, "title"));
    }
    if (list)
        add(out, PLAYED_MORE, memory_text("chapters"), list);
}

/* Whether a tag is of this program, or written by muxers about themselves. */
static bool is_technical(const char *name, const char *value)
{
    static const char *const names[] = {"major_brand", "minor_version", "compatible_brands",
                                        "encoder",     "creation_time", "DURATION",
                                        PACKED_TAG};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(name, names[i]) == 0)
            return true;
    return strncasecmp(name, "gravreel_", 9) == 0 || strncmp(value, "made with gravreel", 18) == 0;
}

static void add_tags(struct played *out, const AVDictionary *tags)
{
    const AVDictionaryEntry *tag = NULL;
    while ((tag = av_dict_get(tags, "", tag, AV_DICT_IGNORE_SUFFIX))) {
        if (is_technical(tag->key, tag->value))
            continue;
        char *name = memory_text(tag->key); /* Matroska writes capitals */
        for (char *at = name; *at; at++)
            *at = *at >= 'A' && *at <= 'Z' ? (char)(*at - 'A' + 'a') : *at;
        add(out, PLAYED_TEXT, name, memory_text(tag->value));
    }
}

/* ---- further streams ---- */

static bool is_timecode(const AVStream *stream)
{
    return stream->codecpar->codec_tag == MKTAG('t', 'm', 'c', 'd');
}

static const char *kind_of(const AVStream *stream)
{
    if (is_timecode(stream))
        return "timecode";
    if (stream->disposition & AV_DISPOSITION_ATTACHED_PIC)
        return "cover picture";
    switch (stream->codecpar->codec_type) {
    case AVMEDIA_TYPE_VIDEO:
        return "video";
    case AVMEDIA_TYPE_AUDIO:
        return "sound";
    case AVMEDIA_TYPE_SUBTITLE:
        return "subtitles";
    case AVMEDIA_TYPE_ATTACHMENT:
        return "attachment";
    default:
        return "data";
    }
}

static int channels_of(const AVCodecParameters *codec)
{
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(59, 24, 100)
    return codec->ch_layout.nb_channels;
#else
    return codec->channels;
#endif
}

static char *say_form(const AVStream *stream)
{
    const AVCodecParameters *codec = stream->codecpar;
    if (codec->codec_type == AVMEDIA_TYPE_VIDEO)
        return text_format("%dx%d", codec->width, codec->height);
    if (is_timecode(stream))
        return memory_text(text_of(stream->metadata, "timecode"));
    if (codec->codec_type == AVMEDIA_TYPE_ATTACHMENT)
        return memory_text(text_of(stream->metadata, "filename"));
    if (codec->codec_type == AVMEDIA_TYPE_SUBTITLE && codec->extradata_size > 0) /* styles */
        return say_bytes(codec->extradata, (size_t)codec->extradata_size);
    return memory_text("");
}

static char *say_told(const AVStream *stream, bool alone)
{
    static const struct {
        int flag;
        const char *name;
    } flags[] = {{AV_DISPOSITION_DEFAULT, "default"},
                 {AV_DISPOSITION_FORCED, "forced"},
                 {AV_DISPOSITION_HEARING_IMPAIRED, "for hard of hearing"},
                 {AV_DISPOSITION_VISUAL_IMPAIRED, "for visually impaired"},
                 {AV_DISPOSITION_COMMENT, "commentary"},
                 {AV_DISPOSITION_DUB, "dubbed"},
                 {AV_DISPOSITION_ORIGINAL, "original"},
                 {AV_DISPOSITION_LYRICS, "lyrics"},
                 {AV_DISPOSITION_KARAOKE, "karaoke"},
                 {AV_DISPOSITION_CAPTIONS, "captions"},
                 {AV_DISPOSITION_DESCRIPTIONS, "descriptions"}};
    const char *language = text_of(stream->metadata, "language"),
               *title = text_of(stream->metadata, "title");
    char *told = NULL;
    if (*language && strcmp(language, "und") != 0)
        text_append(&told, ", ", "%s", language);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if ((stream->disposition & flags[i].flag) && !(alone && i == 0))
            text_append(&told, ", ", "%s", flags[i].name);
    if (*title)
        text_append(&told, ", ", "'%s'", title);
    return told ? told : memory_text("");
}

/* Where libav's stream is in the list, or the pictures; -1: not wanted. */
static void add_streams(struct played *out, const struct demuxer *film, int *place)
{
    const AVFormatContext *file = film->film;
    for (unsigned i = 0; i < file->nb_streams; i++) {
        const AVStream *stream = file->streams[i];
        const char *kind = kind_of(stream);
        unsigned earlier = strcmp(kind, "video") == 0 && stream != film->stream, alike = 0;
        place[i] = -1;
        for (unsigned k = 0; k < file->nb_streams; k++) {
            const bool same =
                file->streams[k] != film->stream && strcmp(kind_of(file->streams[k]), kind) == 0;
            earlier += same && k < i;
            alike += same;
        }
        if (stream == film->stream)
            continue;
        place[i] = (int)out->stream_count;
        *MEMORY_ADD(out->streams, out->stream_count) = (struct played_stream){
            .name = earlier ? text_format("%s %u", kind, earlier + 1) : memory_text(kind),
            .codec = memory_text(avcodec_get_name(stream->codecpar->codec_id)),
            .rate = stream->codecpar->sample_rate,
            .channels = channels_of(stream->codecpar),
            .form = say_form(stream),
            .told = say_told(stream, alike == 1 && strcmp(kind, "subtitles") != 0),
            .begins = NAN,
            .lasts = NAN,
        };
    }
}

static void add_packet(struct played_stream *stream, const AVPacket *packet, AVRational unit)
{
    const double at = packet->pts == AV_NOPTS_VALUE ? NAN : (double)packet->pts * av_q2d(unit),
                 length = (double)packet->duration * av_q2d(unit);
    hash_parts(
        &(struct hash_part){packet->size ? (const void *)packet->data : "", (size_t)packet->size},
        1, *MEMORY_ADD(stream->hash, stream->count));
    if (packet->flags & AV_PKT_FLAG_DISCARD)
        return;
    stream->begins = isnan(stream->begins) ? at : fmin(stream->begins, at);
    stream->lasts = isnan(stream->lasts) ? at + length : fmax(stream->lasts, at + length);
    stream->packet = fmax(stream->packet, length);
}

/* Attached files have no packets. */
static void add_attachments(struct played *out, const AVFormatContext *file, const int *place)
{
    for (unsigned i = 0; i < file->nb_streams; i++) {
        const AVCodecParameters *codec = file->streams[i]->codecpar;
        const AVPacket bytes = {
            .data = codec->extradata, .size = codec->extradata_size, .pts = AV_NOPTS_VALUE};
        if (place[i] >= 0 && codec->codec_type == AVMEDIA_TYPE_ATTACHMENT)
            add_packet(&out->streams[place[i]], &bytes, (AVRational){1, 1});
    }
}

/* ---- what the coded pictures say ---- */

static AVRational pixel_of(const struct demuxer *film)
{
    const AVRational pixel = av_guess_sample_aspect_ratio(film->film, film->stream, NULL);
    return pixel.num > 0 && pixel.den > 0 ? pixel : (AVRational){1, 1};
}

/* Adds side data that the container does not have; players may follow either. */
static void add_coded_side(struct played *out, const AVFrameSideData *side)
{
    static const struct {
        enum AVFrameSideDataType coded;
        enum AVPacketSideDataType type;
    } types[] = {{AV_FRAME_DATA_DISPLAYMATRIX, AV_PKT_DATA_DISPLAYMATRIX},
                 {AV_FRAME_DATA_STEREO3D, AV_PKT_DATA_STEREO3D},
                 {AV_FRAME_DATA_SPHERICAL, AV_PKT_DATA_SPHERICAL},
                 {AV_FRAME_DATA_MASTERING_DISPLAY_METADATA, AV_PKT_DATA_MASTERING_DISPLAY_METADATA},
                 {AV_FRAME_DATA_CONTENT_LIGHT_LEVEL, AV_PKT_DATA_CONTENT_LIGHT_LEVEL}};
    if (side->type == AV_FRAME_DATA_A53_CC)
        add(out, PLAYED_MORE, memory_text("closed captions"), memory_text(CODED));
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const size_t before = out->field_count;
        if (side->type != types[i].coded)
            continue;
        add_side(out, &(AVPacketSideData){side->data, side->size, types[i].type});
        if (out->field_count == before)
            continue;
        const struct played_field added = out->fields[--out->field_count];
        if (!played_field(out, added.name))
            add(out, added.kind, memory_text(added.name),
                text_format("%s, %s", added.value, CODED));
        free(added.name);
        free(added.value);
    }
}

static bool is_interlaced(const AVFrame *frame)
{
#ifdef AV_FRAME_FLAG_INTERLACED
    return frame->flags & AV_FRAME_FLAG_INTERLACED;
#else
    return frame->interlaced_frame;
#endif
}

static void add_coded(struct played *out, const struct demuxer *film, const AVFrame *frame)
{
    const AVRational told = pixel_of(film), coded = frame->sample_aspect_ratio;
    for (int i = 0; i < frame->nb_side_data; i++)
        add_coded_side(out, frame->side_data[i]);
    if (is_interlaced(frame))
        add(out, PLAYED_VIEW, memory_text("interlaced"), memory_text(CODED));
    if (coded.num > 0 && (int64_t)told.num * coded.den != (int64_t)coded.num * told.den)
        add(out, PLAYED_VIEW, text_format("%s %s", PLAYED_ASPECT, CODED),
            text_format("%d:%d", coded.num, coded.den));
}

/* Reads on until the first picture is decoded. Whether all can be is judged elsewhere. */
static void decode_first(struct played *out, struct demuxer *film)
{
    AVCodecContext *decoder;
    AVFrame *frame = av_frame_alloc();
    if (!frame)
        memory_exhausted();
    if (demuxer_open_decoder(film, 1, false, &decoder) == STATUS_OK) {
        int error = AVERROR(EAGAIN);
        while (error == AVERROR(EAGAIN)) {
            const int end = demuxer_next(film);
            error = end < 0 && end != AVERROR_EOF
                        ? end
                        : avcodec_send_packet(decoder, end < 0 ? NULL : film->packet);
            av_packet_unref(film->packet);
            if (error >= 0)
                error = avcodec_receive_frame(decoder, frame);
        }
        if (error >= 0)
            add_coded(out, film, frame);
        avcodec_free_context(&decoder);
    }
    av_frame_free(&frame);
}

static enum status read_packets(struct played *out, struct demuxer *film, const int *place)
{
    int error = 0;
    out->begins = NAN;
    libav_forget();
    while ((error = av_read_frame(film->film, film->packet)) >= 0) {
        const AVPacket *packet = film->packet;
        const AVStream *stream = film->film->streams[packet->stream_index];
        const double at =
            packet->pts == AV_NOPTS_VALUE ? NAN : (double)packet->pts * av_q2d(stream->time_base);
        if (stream == film->stream && !(packet->flags & AV_PKT_FLAG_DISCARD))
            out->begins = fmin(out->begins, at);
        else if (place[packet->stream_index] >= 0)
            add_packet(&out->streams[place[packet->stream_index]], packet, stream->time_base);
        av_packet_unref(film->packet);
    }
    if (error != AVERROR_EOF)
        return demuxer_failed(film, error);
    out->begins = isnan(out->begins) ? 0 : out->begins;
    for (size_t i = 0; i < out->stream_count; i++) {
        struct played_stream *stream = &out->streams[i];
        stream->lasts -= stream->begins;
        stream->begins -= out->begins;
    }
    return STATUS_OK;
}

/* ---- the whole ---- */

static void add_aspect(struct played *out, const struct demuxer *film)
{
    const AVRational pixel = pixel_of(film);
    add(out, PLAYED_VIEW, memory_text(PLAYED_ASPECT), text_format("%d:%d", pixel.num, pixel.den));
}

/* Adds what the pictures' own track is called; a player lists it. */
static void add_told(struct played *out, const AVStream *stream)
{
    char *told = say_told(stream, true);
    if (*told)
        add(out, PLAYED_TEXT, memory_text(PLAYED_TRACK), told);
    else
        free(told);
}

static void add_boxed(struct played *out, const char *path)
{
    struct boxed boxed;
    boxed_read(path, &boxed);
    const struct {
        const char *name, *value;
    } fields[] = {{"crop", boxed.crop},      {"size to show", boxed.shown},
                  {PLAYED_LOOP, boxed.loop}, {"playback speed", boxed.speed},
                  {"volume", boxed.volume},  {"tracks that are switched off", boxed.off}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (*fields[i].value)
            add(out, PLAYED_VIEW, memory_text(fields[i].name), memory_text(fields[i].value));
}

static enum status read_film(struct played *out, struct demuxer *film)
{
    int *place = memory_new(film->film->nb_streams, sizeof *place);
    add_view(out, film->stream);
    add_aspect(out, film);
    add_boxed(out, film->path);
    add_chapters(out, film->film);
    add_tags(out, film->film->metadata);
    add_told(out, film->stream);
    add_streams(out, film, place);
    add_attachments(out, film->film, place);
    const enum status status = read_packets(out, film, place);
    free(place);
    return status;
}

enum status played_read(const char *path, struct played *out)
{
    struct demuxer film;
    *out = (struct played){0};
    enum status status = demuxer_open(&film, path);
    if (status != STATUS_OK)
        return status;
    status = read_film(out, &film);
    demuxer_close(&film);
    if (status == STATUS_OK && demuxer_open(&film, path) == STATUS_OK) {
        decode_first(out, &film);
        demuxer_close(&film);
    }
    return status;
}

void played_free(struct played *played)
{
    for (size_t i = 0; i < played->field_count; i++) {
        free(played->fields[i].name);
        free(played->fields[i].value);
    }
    for (size_t i = 0; i < played->stream_count; i++) {
        struct played_stream *stream = &played->streams[i];
        free(stream->name);
        free(stream->codec);
        free(stream->form);
        free(stream->told);
        free(stream->hash);
    }
    free(played->fields);
    free(played->streams);
    *played = (struct played){0};
}

const char *played_field(const struct played *played, const char *name)
{
    for (size_t i = 0; i < played->field_count; i++)
        if (strcmp(played->fields[i].name, name) == 0)
            return played->fields[i].value;
    return NULL;
}

const struct played_stream *played_stream(const struct played *played, const char *name)
{
    for (size_t i = 0; i < played->stream_count; i++)
        if (strcmp(played->streams[i].name, name) == 0)
            return &played->streams[i];
    return NULL;
}

static bool same_from(const struct played_stream *a, const struct played_stream *b, uint64_t from_a,
                      uint64_t from_b)
{
    if (a->count < from_a || b->count < from_b)
        return false;
    const uint64_t in_a = a->count - from_a, in_b = b->count - from_b,
                   both = in_a < in_b ? in_a : in_b;
    if (in_a + in_b - 2 * both > DROPPED_MAX || (both == 0 && a->count + b->count > 0))
        return false;
    for (uint64_t i = 0; i < both; i++)
        if (strcmp(a->hash[from_a + i], b->hash[from_b + i]) != 0)
            return false;
    return true;
}

bool played_same_packets(const struct played_stream *a, const struct played_stream *b)
{
    for (uint64_t more = 0; more <= DROPPED_MAX; more++)
        if (same_from(a, b, more, 0) || same_from(a, b, 0, more))
            return true;
    return false;
}
