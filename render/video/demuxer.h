/* One film file read back: packets of its pictures in decoding order, and a decoder for them.
 * libav's own types stay opaque here.
 *
 * Only the containers that this program writes are opened: a playlist, for one, could make libav
 * open further files. Used by one thread. */
#ifndef RENDER_VIDEO_DEMUXER_H
#define RENDER_VIDEO_DEMUXER_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct AVCodecContext;
struct AVFormatContext;
struct AVPacket;
struct AVStream;
struct container;

/* How libav numbers them, as ITU-T H.273 does; what is not told is "unspecified". */
struct colour_tags {
    int range, matrix, transfer, primaries, chroma_site;
};

/* The fields one by one: "range", "matrix", "transfer", "primaries", "chroma site". */
enum { COLOUR_WORDS = 5 };
const char *colour_field(int field);

/* A field in ffprobe's words: "tv", "bt709", "left"; "" where nothing is said. */
const char *colour_word(const struct colour_tags *tags, int field);

struct demuxer {
    const char *path; /* the caller's */
    struct AVFormatContext *film;
    struct AVStream *stream; /* of the pictures */
    struct AVPacket *packet; /* the latest */
    uint64_t packets;        /* of the stream, read so far */
    /* By the container itself; the stream may say otherwise. */
    struct colour_tags told;
    int told_width, told_height; /* 0: not said */
};

/* Whether a file's first bytes, a dozen at least, are those of such a container. */
bool demuxer_recognizes(const unsigned char *head, size_t size);

/* STATUS_IO when the file cannot be read, STATUS_USAGE when it is not a whole film of such a
 * container; then everything is closed again. */
enum status demuxer_open(struct demuxer *demuxer, const char *path);
/* The same for packets alone: the stream itself is not looked into, which takes a decoder, so that
 * only what the container tells of it is known, and times may lack. */
enum status demuxer_open_packets(struct demuxer *demuxer, const char *path);
void demuxer_close(struct demuxer *demuxer); /* accepts {0} */

const struct container *demuxer_container(const struct demuxer *demuxer);

/* Reads the stream's next packet into demuxer->packet, a key frame where the index of an MP4 or MOV
 * file says so. Returns 0 or libav's error number,
 * AVERROR_EOF past the last packet. */
int demuxer_next(struct demuxer *demuxer);

/* STATUS_IO with the sentence for an error of demuxer_next. */
enum status demuxer_failed(const struct demuxer *demuxer, int error);

/* Opens a decoder of the stream, the caller's to free; what is decoded does not depend on the
 * number of its threads, which is `threads`, 0: the machine's. `strict`: damage is an error and not
 * hidden. STATUS_DEVICE: there is no such decoder. */
enum status demuxer_open_decoder(const struct demuxer *demuxer, int threads, bool strict,
                                 struct AVCodecContext **out);

#endif
