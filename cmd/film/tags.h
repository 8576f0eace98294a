/* The metadata of a film or a still: its scene, and what it was made with. */
#pragma once

#include "base/choice.h"
#include "base/hash.h"
#include "base/tag.h"
#include "cmd/film/film.h"
#include "render/sink/sink.h"

#include <stdbool.h>
#include <stdint.h>

/* The tag with the resolved scene's text. */
#define FILM_TAG_SCENE "gravreel_scene"

/* The tags of the hash of that text, of its seed, and of the encoding. */
#define FILM_TAG_SCENE_HASH "gravreel_scene_hash"
#define FILM_TAG_SEED       "gravreel_seed"
#define FILM_TAG_ENCODER    "gravreel_encoder"

/* The tag of the state at frame 0, whichever frames the film contains. */
#define FILM_TAG_FIRST_STATE "gravreel_first_state"

/* The tag of the state at the last frame, which is known only at the end: see sink_add_tag. */
#define FILM_TAG_LAST_STATE "gravreel_last_state"

/* The tag of the film's frames within its scene: "100..149 of 600", inclusive. */
#define FILM_TAG_FRAMES "gravreel_frames"
enum { FILM_FRAMES_TEXT = 80 };
void film_frames_print(uint64_t first, uint64_t last, uint64_t of, char out[FILM_FRAMES_TEXT]);
bool film_frames_read(const char *text, uint64_t *first, uint64_t *last, uint64_t *of);

/* Makes all tags except those of the frames and of the last state. The film must be at frame 0,
 * whose state is hashed. A still has no plan (NULL) and no state. SOURCE_DATE_EPOCH in the
 * environment gives the time of creation (STATUS_USAGE when it is not a number of seconds); without
 * it there is none. Free with tags_free in every case. */
enum status film_tags_make(struct tags *tags, const struct film *film,
                           const struct sink_plan *plan);

/* How much metadata a file contains. */
struct film_metadata {
    const char *name, *doc;
    const char *const *kept; /* names of tags, ended by NULL; NULL: all */
    bool packed;             /* see base/tag.h */
};
extern const struct registry film_metadata_registry; /* default first */

/* Reduces and packs the tags as requested (NULL: the default). Call again after adding tags. */
void film_tags_keep(struct tags *tags, const struct film_metadata *metadata);

/* Hashes the current masses, positions and velocities of every simulation, in double precision. */
enum status film_state_hash(const struct film *film, char out[HASH_TEXT]);
/* The same of simulation i alone. */
enum status film_state_hash_one(const struct film *film, int i, char out[HASH_TEXT]);
