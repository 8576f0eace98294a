/* The packets of a segment, and the order in which its frames are shown. libav's own types stay
 * opaque here. */
#pragma once

#include "render/video/demuxer.h"

/* Opens a film that has only a picture stream or, with `sound`, a sound stream too. On failure
 * nothing stays open; otherwise close it with demuxer_close. */
enum status packets_open(struct demuxer *film, const char *path, bool sound);
/* The same for a segment, using only what its container says: demuxer_open_packets. */
enum status packets_open_told(struct demuxer *segment, const char *path);

/* *packet, in decoding order, is valid until the next call; NULL at the end. STATUS_USAGE for a
 * packet that is truncated or has no time. */
enum status packets_next(struct demuxer *film, struct AVPacket **packet);

/* Replaces times, given in decoding order, by positions in presentation order: times[i] becomes the
 * position of packet i, counted from 0. `sorted`, unless NULL, receives the times by position.
 * STATUS_USAGE when two are equal; the message begins with the path. */
enum status packets_order(const char *path, int64_t *times, uint64_t count, int64_t *sorted);
