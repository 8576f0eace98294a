/* Records a baseline: renders the scene twice and stores what a baseline keeps. */
#pragma once

#include "cmd/regression/baseline/baseline.h"
#include "cmd/film/scene/request.h"

#include <signal.h>

struct recording {
    const struct scene_request *request;
    const char *backend, *format; /* see sources.h */
    int device;
    bool has_range, overwrite;    /* frames A..B are asked for; replace a baseline */
    const char *folder;           /* folder of baselines; made if it is missing */
    const char *name;             /* NULL: the name of the scene */
    const char *author, *because; /* because may be NULL */
    bool in_ci;                   /* replace a baseline even where CI is set */
    const char *commit;           /* commit of the program, see record.h */
    volatile sig_atomic_t *stop;
};

/* Writes NAME.json and NAME.objects/; *out is what was written. baseline_free frees it in every
 * case. Returns STATUS_USAGE when the baseline exists, unless overwrite is set, a reason is given,
 * and CI is not set or in_ci is. A replaced baseline keeps its history and anchor, and the reason
 * is added to the history. Returns STATUS_MISMATCH, naming stage and frame, when the film has
 * infinite light, and when its bits depend on the number of threads. A failure leaves everything as
 * it was.
 *
 * Collective on ranks, which share the forces of both runs; rank 0 has the files. */
enum status recording_make(const struct recording *recording, struct baseline *out);
