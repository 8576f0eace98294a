/* Reads a film's file: packets of its video stream in decoding order, and a decoder for them.
 * libav's own types stay opaque here.
 *
 * Only the containers that this program writes are opened, because others, such as playlists, could
 * make libav open further files. Used by one thread. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct AVCodecContext;
struct AVFormatContext;
struct AVPacket;
struct AVStream;
struct container;

/* In libav's numbers, which are those of ITU-T H.273; unknown is "unspecified". */
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
    struct AVStream *stream; /* the video stream */
    struct AVPacket *packet; /* the latest */
    uint64_t packets;        /* number of packets of the stream read so far */
    /* The container's own tags and size; the stream may disagree. */
    struct colour_tags told;
    int told_width, told_height; /* 0: unknown */
};

/* Whether a file's first bytes (at least a dozen) are those of such a container. */
bool demuxer_recognizes(const unsigned char *head, size_t size);

/* STATUS_IO when the file cannot be read, STATUS_USAGE when it is not a complete film in such a
 * container; then everything is closed again. */
enum status demuxer_open(struct demuxer *demuxer, const char *path);
/* The same for reading packets only: the stream is not probed, which would need a decoder, so only
 * the container's values are known, and times may be missing. */
enum status demuxer_open_packets(struct demuxer *demuxer, const char *path);
void demuxer_close(struct demuxer *demuxer); /* accepts {0} */

const struct container *demuxer_container(const struct demuxer *demuxer);

/* Reads the stream's next packet into demuxer->packet; in an MP4 or MOV file the index decides
 * whether it is a key frame. Returns 0 or libav's error number, AVERROR_EOF after the last
 * packet. */
int demuxer_next(struct demuxer *demuxer);

/* STATUS_IO with the message for an error of demuxer_next. */
enum status demuxer_failed(const struct demuxer *demuxer, int error);

/* Opens a decoder for the stream, which the caller frees. Its output does not depend on `threads`,
 * 0: as many as the machine has. `strict`: damage is an error instead of being concealed.
 * STATUS_DEVICE: there is no such decoder. */
enum status demuxer_open_decoder(const struct demuxer *demuxer, int threads, bool strict,
                                 struct AVCodecContext **out);
