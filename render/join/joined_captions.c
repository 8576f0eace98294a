#include "render/join/joined_captions.h"

#include "base/memory.h"
#include "base/text.h"
#include "render/video/libav.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Captions are kept in frames of the joined film until all are read. */
struct reading {
    const char *path;
    double fps;
    uint64_t first; /* of the segment */
    struct caption_track *tracks;
    size_t count;
};

/* Copies the text of a packet, which in MP4 and MOV follows its length; the caller frees it. "" is
 * a gap between captions. */
static char *text_of(const AVStream *stream, const AVPacket *packet)
{
    const bool boxed = stream->codecpar->codec_id == AV_CODEC_ID_MOV_TEXT;
    const size_t head = boxed && packet->size >= 2 ? 2 : 0;
    size_t length = (size_t)packet->size - head;
    if (head > 0 && (size_t)(packet->data[0] << 8 | packet->data[1]) < length)
        length = (size_t)(packet->data[0] << 8 | packet->data[1]);
    return text_format("%.*s", (int)length, packet->data ? (const char *)packet->data + head : "");
}

/* Adds a caption that lasts from one frame of the segment to another, or continues the last caption
 * of the segment before. */
static void add(struct reading *reading, struct caption_track *track, double from, double to,
                char *text)
{
    struct caption_cue *last = track->count > 0 ? &track->cues[track->count - 1] : NULL;
    const double first = (double)reading->first;
    if (last && from == 0 && last->to == first && strcmp(last->text, text) == 0) {
        last->to = first + to;
        free(text);
        return;
    }
    *MEMORY_ADD(track->cues, track->count) = (struct caption_cue){first + from, first + to, text};
}

static enum status take(struct reading *reading, const AVStream *stream, size_t track,
                        const AVPacket *packet)
{
    const double frames = av_q2d(stream->time_base) * reading->fps;
    const double from = round((double)packet->pts * frames);
    const double to = round((double)(packet->pts + packet->duration) * frames);
    const bool timed = packet->pts != AV_NOPTS_VALUE && from >= 0 && to > from && to < 1e9;
    char *text = text_of(stream, packet);
    if (timed && *text) {
        add(reading, &reading->tracks[track], from, to, text);
        return STATUS_OK;
    }
    const enum status status =
        *text ? status_fail(STATUS_USAGE, "'%s' has a caption without a time; render it again",
                            reading->path)
              : STATUS_OK;
    free(text);
    return status;
}

static const char *language_of(const AVStream *stream)
{
    const AVDictionaryEntry *entry = av_dict_get(stream->metadata, "language", NULL, 0);
    return entry ? entry->value : "und";
}

/* Finds the track of each stream. Streams of the first segment begin the tracks. */
static enum status match_film(struct reading *reading, const AVFormatContext *film, bool first,
                              size_t *track)
{
    size_t count = 0;
    bool same = true;
    for (unsigned i = 0; i < film->nb_streams; i++) {
        const AVStream *stream = film->streams[i];
        if (stream->codecpar->codec_type != AVMEDIA_TYPE_SUBTITLE)
            continue;
        char language[4];
        snprintf(language, sizeof language, "%s", language_of(stream));
        if (first) {
            struct caption_track *added = MEMORY_ADD(reading->tracks, reading->count);
            *added = (struct caption_track){.cues = NULL};
            memcpy(added->language, language, sizeof language);
        }
        same = same && count < reading->count &&
               strcmp(reading->tracks[count].language, language) == 0;
        track[i] = count++;
    }
    if (same && count == reading->count)
        return STATUS_OK;
    return status_fail(
        STATUS_USAGE,
        "the caption tracks of '%s' differ from those of the first segment; render both "
        "with the same --captions",
        reading->path);
}

static enum status read_segment(struct reading *reading, bool first)
{
    struct demuxer reader;
    enum status status = demuxer_open_packets(&reader, reading->path);
    if (status != STATUS_OK)
        return status;
    AVFormatContext *film = reader.film;
    size_t *track = memory_new(film->nb_streams, sizeof *track);
    status = match_film(reading, film, first, track);
    while (status == STATUS_OK && reading->count > 0 && av_read_frame(film, reader.packet) == 0) {
        const unsigned index = (unsigned)reader.packet->stream_index;
        const AVStream *stream = film->streams[index];
        if (stream->codecpar->codec_type == AVMEDIA_TYPE_SUBTITLE)
            status = take(reading, stream, track[index], reader.packet);
        av_packet_unref(reader.packet);
    }
    free(track);
    demuxer_close(&reader);
    return status;
}

enum status joined_captions(struct caption_track **out, size_t *count,
                            const struct join_segment *segments, size_t segment_count,
                            uint32_t fps_num, uint32_t fps_den)
{
    struct reading reading = {.fps = (double)fps_num / fps_den};
    enum status status = STATUS_OK;
    for (size_t s = 0; s < segment_count && status == STATUS_OK; s++) {
        reading.path = segments[s].path;
        status = read_segment(&reading, s == 0);
        reading.first += segments[s].frames;
    }
    for (size_t t = 0; t < reading.count; t++)
        for (size_t i = 0; i < reading.tracks[t].count; i++) {
            reading.tracks[t].cues[i].from /= reading.fps;
            reading.tracks[t].cues[i].to /= reading.fps;
        }
    *out = reading.tracks;
    *count = reading.count;
    return status;
}
