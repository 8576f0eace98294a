/* Packets of a film with one video stream, in decoding order. libav's own types stay opaque here.
 */
#ifndef RENDER_JOIN_READER_H
#define RENDER_JOIN_READER_H

#include "base/status.h"

#include <stdint.h>

struct AVFormatContext;
struct AVPacket;
struct AVStream;

struct join_reader {
    const char *path; /* the caller's */
    struct AVFormatContext *film;
    struct AVStream *stream;
    struct AVPacket *packet;
    uint64_t packets; /* read so far */
};

/* On failure everything is closed again. */
enum status join_reader_open(struct join_reader *reader, const char *path);

/* *packet is valid until the next call and NULL at the end. A packet that is cut short or has no
 * time is STATUS_USAGE. */
enum status join_reader_next(struct join_reader *reader, struct AVPacket **packet);
void join_reader_close(struct join_reader *reader);

/* Puts `count` packets' times, given in decoding order, into the order of showing: times[i] becomes
 * the place of the i-th packet, counted from 0. If `sorted` is not NULL, it takes the times by
 * place. STATUS_USAGE when two are the same; the sentence begins with the path. */
enum status join_order(const char *path, int64_t *times, uint64_t count, int64_t *sorted);

#endif
