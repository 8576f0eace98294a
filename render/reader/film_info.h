/* What a film made by gravreel says about itself. */
#pragma once

#include "base/status.h"
#include "base/tag.h"
#include "render/video/container.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The name that an encoder of H.264 or H.265 writes into a film. */

enum { ENCODER_NAME_MAX = 128 };

/* "x264 - core 164 r3095 baee400" from a packet or from the stream's extra data. A name that is
 * already there is kept; it stays empty where nothing is found. `data` may be NULL. Pure. */
void encoder_name_find(const uint8_t *data, size_t size, char name[ENCODER_NAME_MAX]);

struct film_info {
    const struct container *container;
    const char *codec; /* libav's name: "h264" */
    uint32_t width, height;
    uint32_t fps_num, fps_den;      /* 0/0 if unknown */
    uint64_t frames;                /* counted, not taken from a header */
    double duration;                /* seconds from the first frame's start to the last one's end */
    uint64_t bytes;                 /* of the file */
    char encoder[ENCODER_NAME_MAX]; /* from the stream, written by x264 or x265 */
    struct tags tags;               /* unpacked; includes the container's own */
    bool packed;                    /* whether they were packed, see base/tag.h */
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
