/* The parts of comparing two films: each film with its metadata, their pairs of frames, what
 * headers, scenes and players say, and what is shown of a difference. */
#pragma once

#include "base/status.h"
#include "base/text.h"
#include "cmd/regression/judge/picture_judge.h"
#include "cmd/regression/judge/report.h"
#include "render/compare/measure.h"
#include "render/compare/sketch.h"
#include "render/reader/played.h"
#include "render/reader/reader.h"
#include "render/reader/stream.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- a film ---- */

struct side {
    const char *path; /* belongs to the caller */
    struct reader *reader;
    const struct reader_info *info;
    struct stream stream;   /* of a film; empty for PNG files */
    struct played played;   /* the same */
    uint64_t first, frames; /* the range to compare: frames first .. first + frames - 1 */
};

/* Opens a film with `threads` decoding threads. Fails as reader_open does. */
enum status side_open(struct side *side, const char *path, int threads);
void side_close(struct side *side); /* accepts a zeroed one */

/* Selects a range of frames; a zeroed range selects all. Returns STATUS_USAGE if the film does not
 * have all of them. */
enum status side_choose(struct side *side, const struct text_range *frames);

/* Returns whether both sides are the same file or the same sequence. */
bool side_same(const struct side *a, const struct side *b);

/* ---- pairs of frames ---- */

struct reader_frame;

struct pair_result {
    struct frame_pair pair; /* by the numbers of the readers */
    bool measured;          /* both frames exist */
    struct measure measure; /* valid if measured */
    bool has_quality;       /* measured, requested, and luma bytes of both films mean the same */
    struct quality quality;
    struct sketch sketch[2];       /* of the frames that exist, if sketches are requested */
    struct reader_frame *frame[2]; /* valid during the call; or NULL */
};

struct pairs_params {
    const struct side *a, *b;
    const struct frame_pair *pairs;
    uint64_t count;
    const uint8_t *same; /* [count]: 1 if B's frame is known to equal A's and is not decoded; or
                          * NULL */
    struct measure_params measure;
    bool sketches, quality;
    /* Called in the order of the pairs, by one thread at a time. */
    enum status (*take)(void *user, uint64_t index, const struct pair_result *result);
    void *user;
    const volatile sig_atomic_t *stop; /* may be NULL */
};

/* Returns the first failure; STATUS_STOPPED after *stop. */
enum status pairs_run(const struct pairs_params *params);

/* ---- metadata ---- */

/* With `lossy`, a colour tag that only one film has is not a difference.
 *
 * Judges the stage container and the films' properties as sequences; codec, profile and container
 * become changes of the environment. Returns what was not compared (see played.h). */
char *headers_compare(const struct side *a, const struct side *b, const struct limits *limits,
                      bool lossy, struct case_report *one);

/* Returns whether the pictures can be compared. If not, the stage picture says why. */
bool headers_match(const struct side *a, const struct side *b, const struct limits *limits,
                   struct stage_report *picture);

/* Adds findings to the stage container. With `lossy`, sound may be encoded again, and what only one
 * film says about screens, languages and titles is not a difference. Appends what was not compared
 * to the list *missing, "sound (B is pictures)", which the caller frees. */
void played_compare(const struct side *a, const struct side *b, const struct limits *limits,
                    bool lossy, struct case_report *one, char **missing);

/* Judges only whether the tags are damaged, because films are compared by what they show. The
 * differences go to the stage scene, which is not applicable, and to the environment, with one line
 * per key. Also returns them as a phrase, "the scenes differ in simulation.dt (0.01 against 0.02)",
 * which the caller frees; NULL if there are none, or if a film has no scene. */
char *scenes_compare(const struct side *a, const struct side *b, const struct limits *limits,
                     struct case_report *one);
