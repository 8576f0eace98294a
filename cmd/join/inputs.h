/* Films that each hold a range of one scene's frames: whether and in which order they make one. */
#ifndef CMD_JOIN_INPUTS_H
#define CMD_JOIN_INPUTS_H

#include "render/reader/info.h"
#include "render/join/join.h"

struct join_part {
    const char *path; /* the caller's */
    struct film_info info;
    const char *scene;    /* its text, in info */
    uint64_t first, last; /* frames of the scene, both included */
};

struct join_parts {
    struct join_part *list; /* in the film's order */
    size_t count;
    uint64_t of; /* frames of the scene */
    uint32_t fps_num, fps_den;
    struct sink_tag *tags; /* of the whole */
    int tag_count;
};

/* Reads the parts, given in any order. STATUS_USAGE: a PNG sequence, a film that does not say which
 * frames of what it holds, films of different scenes, containers or bodies, a gap, an overlap.
 * STATUS_IO: a file cannot be read. Free in every case. */
enum status join_parts_read(struct join_parts *parts, char *const *paths, size_t count);

/* Makes the tags: those of a film of the whole range made in one go. What parts may differ in, such
 * as the device that they were simulated on, is listed, and warned of where pictures depend on it.
 */
enum status join_parts_tag(struct join_parts *parts);
void join_parts_free(struct join_parts *parts);

#endif
