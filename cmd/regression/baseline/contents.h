/* The contents of a baseline. Plain values; used by one thread at a time. */
#pragma once

#include "cmd/regression/baseline/source.h"
#include "cmd/regression/judge/report.h"
#include "cmd/regression/record/record.h"
#include "render/renderer.h"

enum {
    /* Format 1 has the renderer's state in the objects of states. Formats 1 and 2 have ensembles,
     * variants and what a self-test saw, which are no longer read. */
    BASELINE_FORMAT = 3,
    BASELINE_STATES_MAX = 5,
    BASELINE_PICTURES_MAX = 16,
    /* Upper bounds in bytes: a text that a reviewer can still read a diff of, and objects that a
     * repository can keep. */
    BASELINE_TEXT_MOST = 200000,
    BASELINE_OBJECTS_MOST = 2000000
};

struct stored {
    uint64_t frame;
    char object[HASH_TEXT];
    /* Only for a state: the renderer's state before that frame. It is not part of the object, so
     * that the object stays the same with another camera, whose metered exposure differs. */
    bool has_renderer;
    uint32_t renderer_count; /* as written; the remaining numbers are 0 */
    double renderer[RENDERER_STATE];
};

/* One acceptance; the first entry is the recording. */
struct accepted {
    char *date, *author, *because; /* date: 2026-11-22 */
    char *stages;                  /* "picture, packets"; "" for the recording */
};

struct baseline {
    char *path, *name, *folder; /* of the text; "default"; of the objects */
    char hash[HASH_TEXT];       /* of the text as it was read */
    struct record record;       /* its scene names a bodies file relative to the text's folder */
    struct source source;
    uint32_t state_count, picture_count;
    struct stored states[BASELINE_STATES_MAX], pictures[BASELINE_PICTURES_MAX];
    char encoding[HASH_TEXT]; /* record of the stored pictures as a film; "": none */
    char anchor[HASH_TEXT];   /* record of the first baseline; "": this is the first */
    struct accepted *history;
    uint32_t history_count;
};

/* The members of a baseline's text other than the record: json.h writes and reads the text by this
 * table, and baseline_free frees by it. */
extern const struct json_member baseline_members[];

/* Makes an empty baseline. Its text will be at `path`, which ends in .json. */
void baseline_start(struct baseline *out, const char *path);
void baseline_free(struct baseline *baseline); /* accepts a zeroed one */

/* Copies the texts. */
void baseline_add_history(struct baseline *baseline, const char *date, const char *author,
                          const char *because, const char *stages);

/* Returns whether the baseline names the object. */
bool baseline_names(const struct baseline *baseline, const char *object);
