/* Judges pairs of pictures, as measured by render/compare, by the rules picture.* and sequence.*,
 * each of which gets one finding with the worst of all frames; and light, colour, detail and layout
 * of the lit pixels of all frames (render/compare/lit.h), also of a film against its scene. Used by
 * one thread at a time. */
#pragma once

#include "cmd/regression/judge/rules.h"
#include "cmd/regression/judge/report.h"
#include "render/compare/measure.h"

/* ---- lit pixels ---- */

enum lit_rules {
    LIT_OF_PICTURES, /* picture.lit_light, picture.brightness, ... */
    LIT_OF_FILM,     /* film.lit_light, film.brightness, ...: A is drawn again, B is the film */
};

/* Zeroed: no frames yet. */
struct lit_judge {
    struct lit film;
    uint64_t frames;
    bool apart; /* set by the caller: B was not encoded from A, so that each has its own noise */
};

/* Adds a frame. Equal pictures add nothing, so a film is judged by its other frames. */
void lit_judge_add(struct lit_judge *judge, const struct measure *measure);

/* The changes that are not functions of render/compare/lit.h: of the worst of red, green and blue,
 * and of the saturation, if it is lost or gained, in %. */
double lit_worst_channel(const struct lit *lit);
double lit_paler(const struct lit *lit);
double lit_richer(const struct lit *lit);

/* Adds a finding for each rule that has a limit and that the frames can tell. */
void lit_judge_end(const struct lit_judge *judge, enum lit_rules which, const struct limits *limits,
                   struct stage_report *stage);

/* Returns what could not be judged by these frames, and why: "hue and saturation (colours are too
 * pale, or too few)"; NULL: nothing is missing. The caller frees it. */
char *lit_judge_missing(const struct lit_judge *judge, enum lit_rules which,
                        const struct limits *limits);

/* ---- pairs of pictures ---- */

/* Returns the parameters set by rules that are settings: which differences are free, which are
 * counted, and what is a star. */
struct measure_params picture_params(const struct limits *limits);

struct picture_judge;
/* Keeps a pointer to the limits, which must outlive it. `frames` is the number of frames of the
 * case, for its series. */
void picture_judge_open(struct picture_judge **out, const struct limits *limits, uint64_t frames);
void picture_judge_close(struct picture_judge **judge); /* accepts a pointer to NULL */

/* Judges one pair and returns the verdict on the frame. `index` counts the case's frames from 0;
 * `frame` is the number shown to people. Pairs come in ascending order. */
enum verdict picture_judge_add(struct picture_judge *judge, uint64_t index, int64_t frame,
                               const struct measure *measure);

/* A frame chosen for viewing. */
struct picture_choice {
    int64_t frame;
    double worst; /* as in struct shown_frame */
    char why[64]; /* "the first that fails", "worst by picture.bias"; "": only for `worst` */
};
enum { PICTURE_CHOICES_MAX = 8 };

/* Chooses among the frames beyond a limit or, if there are none, among all that differ: the worst,
 * the first, the last, and the worst by each rule that fails, as far as there is room, in ascending
 * order. Returns how many. */
size_t picture_judge_choose(const struct picture_judge *judge, struct picture_choice *out,
                            size_t most);

/* Appends the findings, sets what was compared and the first frame that differs, and moves the
 * series to the case. Does not conclude the stage. */
void picture_judge_end(struct picture_judge *judge, struct case_report *one,
                       struct stage_report *stage);

/* Returns what could not be compared, as lit_judge_missing does; NULL: nothing, or no limit asks
 * for it. The caller frees it. */
char *picture_judge_missing(const struct picture_judge *judge);

/* Returns marks for a frame to view: stars, the worst tiles, the worst pixel. The caller frees
 * them. */
struct mark *picture_marks(const struct measure *measure, const struct limits *limits,
                           uint32_t *count);
