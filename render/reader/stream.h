/* The packets of a film's file, without decoding. */
#pragma once

#include "base/hash.h"
#include "base/status.h"
#include "render/reader/film_info.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
