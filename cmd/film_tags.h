/* What a film or a still carries of itself: the scene, with what and by what it was made. */
#ifndef CMD_FILM_TAGS_H
#define CMD_FILM_TAGS_H

#include "base/hash.h"
#include "cmd/film.h"

enum { FILM_TAGS_MAX = 11 };

/* The tag of the last frame's state, which is known only at the end: see sink_add_tag. */
#define FILM_TAG_LAST_STATE "gravreel_last_state"

struct film_tags {
    struct sink_tag list[FILM_TAGS_MAX];
    int count;
    char *scene, *device, seed[32], state[HASH_TEXT], created[32];
};

/* Points into the film, its scene and `plan`; to be called at frame 0, whose state is hashed. A
 * still has no plan (NULL) and no state. With SOURCE_DATE_EPOCH in the environment that is the time
 * of creation (STATUS_USAGE when it is no number of seconds), without it none is given. Free in
 * every case. */
enum status film_tags_make(struct film_tags *tags, const struct film *film,
                           const struct sink_plan *plan);
void film_tags_free(struct film_tags *tags);

/* Of the present masses, positions and velocities, in double precision. */
enum status film_state_hash(const struct film *film, char out[HASH_TEXT]);

#endif
