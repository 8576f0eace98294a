/* The metadata of a film made by gravreel. */
#pragma once

#include "base/hash.h"
#include "base/status.h"
#include "base/tag.h"
#include "render/video/codecs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The name that an encoder of H.264 or H.265 writes into a film. */

enum { ENCODER_NAME_MAX = 128 };

/* "x264 - core 164 r3095 baee400" from a packet or from the stream's extra data. A name that is
 * already there is kept; it stays empty where nothing is found. `data` may be NULL. Pure. */
void encoder_name_find(const uint8_t *data, size_t size, char name[ENCODER_NAME_MAX]);

struct film_info {
    const struct container *container;
    const char *codec; /* libav's name: "h264" */
    uint32_t width, height;
    uint32_t fps_num, fps_den;      /* 0/0 if unknown */
    uint64_t frames;                /* counted, not taken from a header */
    double duration;                /* seconds from the first frame's start to the last one's end */
    uint64_t bytes;                 /* of the file */
    char encoder[ENCODER_NAME_MAX]; /* from the stream, written by x264 or x265 */
    struct tags tags;               /* unpacked; includes the container's own */
    bool packed;                    /* whether they were packed, see base/tag.h */
};

/* Reads headers and counts video packets without decoding. STATUS_IO when the file cannot be read;
 * STATUS_USAGE when it is not a film in a container that this program writes, or is truncated
 * before its first frame. Thread-safe. */
enum status film_info_read(const char *path, struct film_info *info);
void film_info_free(struct film_info *info); /* accepts all zero */

/* Reads only the tags, from the film's headers. Statuses as above. Free with tags_free in every
 * case. */
enum status film_info_read_tags(const char *path, struct tags *out);

/* Whether the file begins like such a container; false, without an error, when it cannot be
 * read. */
bool film_info_is_film(const char *path);

/* The packets of a film's file, without decoding. */

struct stream_packet {
    int64_t shown; /* in units of the time base */
    uint64_t bytes;
    uint64_t decoded; /* position in decoding order, from 0 */
    bool key;
    bool plain;           /* no side data changes the decoder's setup */
    char hash[HASH_TEXT]; /* of its data */
};

/* Texts as ffprobe prints them; "" if unknown. If container and stream disagree on colours:
 * "smpte170m in the container and bt709 in the stream". */
struct stream {
    char format[64], codec[32], profile[48], pixel_format[32];
    char range[96], matrix[96], transfer[96], primaries[96], chroma_site[96];
    char time_base[32];
    char aspect[32];                /* of a pixel, "4:3"; "": square or unknown */
    char encoder[ENCODER_NAME_MAX]; /* written into the film by x264 or x265 */
    uint32_t width, height;         /* from the container, or else from the stream */
    uint32_t fps_num, fps_den;      /* 0/0: unknown */
    char setup[HASH_TEXT];          /* of everything that the container tells a decoder */
    uint64_t bytes;                 /* of the file */
    double duration;                /* seconds from the first frame's start to the last one's end */
    uint64_t hidden;                /* packets that the container marks as not shown */
    size_t count;
    struct stream_packet *packets; /* [count], in presentation order */
};

/* STATUS_IO when the file cannot be read to its end; STATUS_USAGE when it is not a film in a
 * container that this program writes, has no frames, or does not give their presentation times.
 * Thread-safe. */
enum status stream_read(const char *path, struct stream *out);
void stream_free(struct stream *stream); /* accepts all zero */

/* Finds, without decoding anything, the frames of two films that are the same because the same
 * packets are decoded. */

/* For the frames 0 .. count - 1 that both films have, sets same[i] to 1 if the decoders have the
 * same setup and all packets from a key frame that is shown no later up to this frame's packet are
 * equal and in the same places; otherwise to 0. Returns the number of 1s. */
uint64_t shared_find(const struct stream *a, const struct stream *b, uint64_t count, uint8_t *same);
