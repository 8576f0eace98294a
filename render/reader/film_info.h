/* What a film made here says about itself. */
#ifndef RENDER_READER_FILM_INFO_H
#define RENDER_READER_FILM_INFO_H

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
    uint32_t fps_num, fps_den; /* 0/0 when the film does not say */
    uint64_t frames;           /* counted, not read from a header */
    double duration;           /* seconds from the first frame's start to the last one's end */
    uint64_t bytes;            /* of the file */
    char encoder[ENCODER_NAME_MAX]; /* what x264 or x265 says of itself in the stream */
    struct tags tags;          /* the container's own among them, unpacked */
    bool packed;               /* they were, see base/packed_tags.h */
};

/* Reads headers and counts the pictures' packets without decoding them. STATUS_IO when the file
 * cannot be read; STATUS_USAGE when it is not a film of a container that this program writes, or is
 * cut short of every frame. Thread-safe. */
enum status film_info_read(const char *path, struct film_info *info);
void film_info_free(struct film_info *info); /* accepts one that read has not filled */

/* The tags alone, from the film's headers. Statuses as above. Free with tags_free in every case. */
enum status film_info_read_tags(const char *path, struct tags *out);

/* Whether the file's first bytes are those of such a container; no error when it cannot be read. */
bool film_info_is_film(const char *path);

#endif
