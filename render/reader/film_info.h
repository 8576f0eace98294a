/* What a film made by gravreel says about itself. */
#pragma once

#include "base/status.h"
#include "base/tag.h"
#include "render/reader/encoder_name.h"
#include "render/video/container.h"

#include <stdbool.h>
#include <stdint.h>

struct film_info {
    const struct container *container;
    const char *codec; /* libav's name: "h264" */
    uint32_t width, height;
    uint32_t fps_num, fps_den; /* 0/0 if unknown */
    uint64_t frames;           /* counted, not taken from a header */
    double duration;           /* seconds from the first frame's start to the last one's end */
    uint64_t bytes;            /* of the file */
    char encoder[ENCODER_NAME_MAX]; /* from the stream, written by x264 or x265 */
    struct tags tags;          /* unpacked; includes the container's own */
    bool packed;               /* whether they were packed, see base/packed_tags.h */
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
