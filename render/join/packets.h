/* The packets of a segment, and the order in which its frames are shown. libav's own types stay
 * opaque here. */
#ifndef RENDER_JOIN_PACKETS_H
#define RENDER_JOIN_PACKETS_H

#include "render/video/demuxer.h"

/* Opens a film with one stream. On failure everything is closed again; else demuxer_close it. */
enum status packets_open(struct demuxer *film, const char *path, bool sound);
/* The same of a segment, of which only what its container tells is known: demuxer_open_packets. */
enum status packets_open_told(struct demuxer *segment, const char *path);

/* *packet, in decoding order, is valid until the next call and NULL at the end. A packet that is
 * cut short or has no time is STATUS_USAGE. */
enum status packets_next(struct demuxer *film, struct AVPacket **packet);

/* Puts `count` packets' times, given in decoding order, into the order of showing: times[i] becomes
 * the place of the i-th packet, counted from 0. If `sorted` is not NULL, it takes the times by
 * place. STATUS_USAGE when two are the same; the sentence begins with the path. */
enum status packets_order(const char *path, int64_t *times, uint64_t count, int64_t *sorted);

#endif
