/* Joins the caption tracks of consecutive segments into those of the whole film. Thread-safe. */
#pragma once

#include "render/join/concatenate.h"

/* Reads the tracks of all segments. Times of a segment count from its first frame. A caption at the
 * end of a segment continues in the next one if that begins with the same text. *out is NULL if
 * there are no tracks; caption_tracks_free frees them. STATUS_IO: a segment cannot be read;
 * STATUS_USAGE: a segment is damaged, or its tracks differ from those of the first. */
enum status joined_captions(struct caption_track **out, size_t *count,
                            const struct join_segment *segments, size_t segment_count,
                            uint32_t fps_num, uint32_t fps_den);
