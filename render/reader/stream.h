/* What a film's file holds, packet by packet, without decoding it. */
#ifndef RENDER_READER_STREAM_H
#define RENDER_READER_STREAM_H

#include "base/hash.h"
#include "base/status.h"
#include "render/reader/encoder_name.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stream_packet {
    int64_t shown; /* in units of the time base */
    uint64_t bytes;
    uint64_t decoded; /* number in the order in which they are decoded, from 0 */
    bool key;
    bool plain;           /* nothing beside it sets the decoder up anew */
    char hash[HASH_TEXT]; /* of its data */
};

/* Texts as ffprobe prints them; "" where the film says nothing. Where container and stream name
 * different colours: "smpte170m in the container and bt709 in the stream". */
struct stream {
    char format[64], codec[32], profile[48], pixel_format[32];
    char range[96], matrix[96], transfer[96], primaries[96], chroma_site[96];
    char time_base[32];
    char aspect[32];                /* of a pixel, "4:3"; "": square, or not said */
    char encoder[ENCODER_NAME_MAX]; /* that x264 or x265 has written into the film */
    uint32_t width, height;         /* by the container; by the stream, where it says nothing */
    uint32_t fps_num, fps_den;      /* 0/0: not said */
    char setup[HASH_TEXT];          /* of all that the container tells a decoder */
    uint64_t bytes;                 /* of the file */
    double duration;                /* seconds from the first frame's start to the last one's end */
    uint64_t hidden;                /* packets that the container says are not shown */
    size_t count;
    struct stream_packet *packets; /* [count], in the order in which they are shown */
};

/* STATUS_IO when the file cannot be read to its end; STATUS_USAGE when it is not a film of a
 * container that this program writes, holds no frame, or does not say when its frames are shown.
 * Thread-safe. */
enum status stream_read(const char *path, struct stream *out);
void stream_free(struct stream *stream); /* accepts one that read has not filled */

#endif
