/* What a film or a still carries of itself: the scene, with what and by what it was made. */
#ifndef CMD_JOB_TAGS_H
#define CMD_JOB_TAGS_H

#include "base/hash.h"
#include "base/tag.h"
#include "cmd/film/film.h"
#include "render/sink/sink.h"

#include <stdbool.h>
#include <stdint.h>

enum { FILM_TAGS_MAX = 16 };

/* The tag of the state at frame 0, whatever frames the film holds. */
#define FILM_TAG_FIRST_STATE "gravreel_first_state"

/* The tag of the last frame's state, which is known only at the end: see sink_add_tag. */
#define FILM_TAG_LAST_STATE "gravreel_last_state"

/* The frames that a film holds of its scene's: "100..149 of 600". */
#define FILM_TAG_FRAMES "gravreel_frames"
enum { FILM_FRAMES_TEXT = 80 };
void film_frames_print(uint64_t first, uint64_t last, uint64_t of, char out[FILM_FRAMES_TEXT]);
bool film_frames_read(const char *text, uint64_t *first, uint64_t *last, uint64_t *of);

struct film_tags {
    struct tag list[FILM_TAGS_MAX];
    size_t count;
    char *scene, *device, seed[32], state[HASH_TEXT], created[32], hash[17],
        frames[FILM_FRAMES_TEXT];
};

/* Points into the film, its scene and `plan`; to be called at frame 0, whose state is hashed. A
 * still has no plan (NULL) and no state. With SOURCE_DATE_EPOCH in the environment that is the time
 * of creation (STATUS_USAGE when it is no number of seconds), without it none is given. Free in
 * every case. */
enum status film_tags_make(struct film_tags *tags, const struct film *film,
                           const struct sink_plan *plan);

/* Says which frames the film holds, both included; in the place of what was said before. */
void film_tags_frames(struct film_tags *tags, uint64_t first, uint64_t last, uint64_t of);
void film_tags_free(struct film_tags *tags);

/* Of the present masses, positions and velocities of every simulation, in double precision. */
enum status film_state_hash(const struct film *film, char out[HASH_TEXT]);

#endif
