/* The segments that `gravreel join` is given: films that each hold a range of one scene's frames;
 * whether and in which order they make one film. */
#ifndef CMD_FILM_JOIN_INPUTS_H
#define CMD_FILM_JOIN_INPUTS_H

#include "render/reader/film_info.h"

struct input {
    const char *path; /* the caller's */
    struct film_info info;
    const char *scene;    /* its text, in info */
    uint64_t first, last; /* frames of the scene, both included */
};

struct inputs {
    struct input *list; /* in the film's order */
    size_t count;
    uint64_t of; /* frames of the scene */
    uint32_t fps_num, fps_den;
    char *audio; /* file of the scene's sound, NULL: none */
};

/* Reads the segments, given in any order. STATUS_USAGE: a PNG sequence, a film that does not say
 * which frames of what it holds, films of different scenes, containers or bodies, a gap, an
 * overlap. STATUS_IO: a file cannot be read. Free in every case. */
enum status inputs_read(struct inputs *inputs, char *const *paths, size_t count);
void inputs_free(struct inputs *inputs); /* accepts {0} */

#endif
