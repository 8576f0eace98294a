/* What a film or a still carries of itself: the scene, with what and by what it was made. */
#ifndef CMD_FILM_TAGS_H
#define CMD_FILM_TAGS_H

#include "cmd/film.h"

enum { FILM_TAGS = 7 };

struct film_tags {
    struct sink_tag list[FILM_TAGS];
    char *scene, *device, seed[32];
};

/* Points into the film and its scene. Free in every case. */
enum status film_tags_make(struct film_tags *tags, const struct film *film);
void film_tags_free(struct film_tags *tags);

#endif
