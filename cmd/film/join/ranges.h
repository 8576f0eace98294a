/* The segments given to `gravreel join`: films that each contain a range of one scene's frames.
 * Checks whether they make one film, and in which order, and derives its tags. */
#pragma once

#include "render/reader/stream.h"

struct input {
    const char *path; /* the caller's */
    struct film_info info;
    const char *scene;    /* its text, in `info` */
    uint64_t first, last; /* frames of the scene, inclusive */
};

struct inputs {
    struct input *list; /* in the film's order */
    size_t count;
    uint64_t of; /* frames of the scene */
    uint32_t fps_num, fps_den;
    char *audio;    /* file of the scene's sound, NULL: none */
    char *timecode; /* of the scene's frame 0, NULL: none */
};

/* Reads the segments, given in any order. STATUS_USAGE: a PNG sequence, a film without information
 * about its frames, films whose bodies move otherwise, different containers or bodies, a gap, an
 * overlap. Films that only look different are joined, with a warning that names a key.
 * STATUS_IO: a file cannot be read. Free in every case. */
enum status inputs_read(struct inputs *inputs, char *const *paths, size_t count);
void inputs_free(struct inputs *inputs); /* accepts {0} */

/* Fills `tags`, which is empty, with those of a film of the whole range rendered in one run. What
 * segments may differ in, such as the device that they were simulated on, is listed, with a warning
 * where pictures depend on it. */
void join_tags(const struct inputs *inputs, struct tags *tags);
