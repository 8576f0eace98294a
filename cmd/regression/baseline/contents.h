/* What a baseline holds. Plain values; used by one thread at a time. */
#ifndef CMD_REGRESSION_BASELINE_CONTENTS_H
#define CMD_REGRESSION_BASELINE_CONTENTS_H

#include "cmd/regression/baseline/ensemble.h"
#include "cmd/regression/baseline/source.h"
#include "cmd/regression/judge/report.h"
#include "cmd/regression/record/record.h"
#include "render/renderer.h"

enum {
    BASELINE_FORMAT = 2, /* 1: the renderer's state is in the objects of states */
    BASELINE_STATES_MAX = 5,
    BASELINE_PICTURES_MAX = 16,
    BASELINE_VARIANTS_MAX = 3, /* per platform */
    /* What a reviewer reads a difference of, and what a repository keeps. */
    BASELINE_TEXT_MOST = 200000,
    BASELINE_OBJECTS_MOST = 2000000
};

struct stored {
    uint64_t frame;
    char object[HASH_TEXT];
    /* For a state: the renderer's, before that frame. Not in the object, so that another camera,
     * which meters another exposure, leaves that as it is. */
    bool has_renderer;
    uint32_t renderer_count; /* as it is written: the numbers after these are 0 */
    double renderer[RENDERER_STATE];
};

/* One acceptance; the first is the recording. */
struct accepted {
    char *date, *author, *because; /* date: 2026-11-22 */
    char *stages;                  /* "picture, packets"; "" of the recording */
};

/* Another record that is right too, on its platform. */
struct variant {
    char *date, *author, *because, *expires; /* through that day */
    char object[HASH_TEXT];                  /* the record's text */
};

struct baseline {
    char *path, *name, *folder; /* of the text; "default"; of the objects */
    char hash[HASH_TEXT];       /* of the text as it was read */
    struct record record;       /* its scene names a bodies file as seen from the text's folder */
    struct source source;
    uint32_t state_count, picture_count;
    struct stored states[BASELINE_STATES_MAX], pictures[BASELINE_PICTURES_MAX];
    char encoding[HASH_TEXT]; /* record of the stored pictures' own film; "": none */
    char anchor[HASH_TEXT];   /* record of the first baseline; "": this is the first */
    struct ensemble ensemble; /* no members: none was made */
    struct sensitivity *sees; /* the smallest changes that the self-test saw */
    uint32_t sees_count;
    struct accepted *history;
    uint32_t history_count;
    struct variant *variants;
    uint32_t variant_count;
};

/* What a baseline's text holds besides the record, by which it is written (json.h), read and freed.
 */
extern const struct json_member baseline_members[];

/* An empty baseline whose text is to be at `path`, which ends in .json. */
void baseline_start(struct baseline *out, const char *path);
void baseline_free(struct baseline *baseline); /* accepts a zeroed one */

/* Texts are copied. */
void baseline_add_history(struct baseline *baseline, const char *date, const char *author,
                          const char *because, const char *stages);
void baseline_add_variant(struct baseline *baseline, const struct variant *variant);
void baseline_add_sensitivity(struct baseline *baseline, const char *what, const char *smallest,
                              enum judged stage);

/* Whether the baseline names the object. */
bool baseline_names(const struct baseline *baseline, const char *object);

#endif
