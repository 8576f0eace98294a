/* The tracks of captions of films that follow each other, as the film of one run has them.
 * Thread-safe. */
#pragma once

#include "render/join/concatenate.h"

/* Reads the tracks of all segments, whose times count from the first frame of each. A caption that
 * one segment ends with and the next one begins with is one caption. None: *out is NULL.
 * caption_tracks_free frees them. STATUS_IO: a segment cannot be read; STATUS_USAGE: it is damaged,
 * or its tracks are not those of the first. */
enum status joined_captions(struct caption_track **out, size_t *count,
                            const struct join_segment *segments, size_t segment_count,
                            uint32_t fps_num, uint32_t fps_den);
