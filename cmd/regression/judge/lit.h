/* Judges light, colour, detail and layout of the lit pixels of a film's frames
 * (render/compare/lit.h), by rules for two films or for a film against its scene. Used by one
 * thread at a time. */
#pragma once

#include "cmd/regression/judge/report.h"
#include "render/compare/measure.h"

enum lit_rules {
    LIT_OF_PICTURES, /* picture.lit_light, picture.brightness, ... */
    LIT_OF_FILM,     /* film.lit_light, film.brightness, ...: B is the film, A what it should be */
};

/* Zeroed: no frames yet. */
struct lit_judge {
    struct lit film;
    uint64_t frames;
    bool apart; /* set by the caller: B was not encoded from A, so that each has its own noise */
};

/* Adds a frame. Equal pictures add nothing, so a film is judged by its other frames. */
void lit_judge_add(struct lit_judge *judge, const struct measure *measure);

/* Adds a finding for each rule that has a limit and that the frames can tell. */
void lit_judge_end(const struct lit_judge *judge, enum lit_rules which, const struct limits *limits,
                   struct stage_report *stage);

/* Returns what the frames cannot tell, and why: "hue and saturation (colours are too pale, or too
 * few)"; NULL: nothing is missing. The caller frees it. */
char *lit_judge_missing(const struct lit_judge *judge, enum lit_rules which,
                        const struct limits *limits);
