/* Shows two films that differ, and writes a film of their differences. */
#pragma once

#include "cmd/regression/compare/pairs.h"
#include "cmd/regression/judge/picture.h"

struct show_params {
    const struct side *a, *b; /* both of the same size */
    const struct pair *pairs; /* the pairs that were judged */
    uint64_t count;
    const struct picture_judge *judge;
    const struct limits *limits;
    const volatile sig_atomic_t *stop; /* may be NULL */
};

/* Writes frames chosen by their verdicts, and a clip, to the folder and adds them to the case.
 * Reads the frames again. The case must have its alignment; the first step that is out of order is
 * shown too, even if no frame differs. Returns the failures of readers and sinks. */
enum status show_films(const struct show_params *params, const char *folder,
                       struct case_report *one);

/* Writes A, B and their difference, `gain` times as large, side by side as a film or a PNG
 * sequence. Pairs that lack a frame are left out. Returns STATUS_IO and STATUS_USAGE as sink_open
 * and the readers do, STATUS_STOPPED after *stop. An unfinished film is removed. */
enum status show_difference(const struct show_params *params, const char *path, double gain);
