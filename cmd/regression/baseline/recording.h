/* A baseline recorded: the scene rendered, twice, and what is kept of it. */
#ifndef CMD_REGRESSION_BASELINE_RECORDING_H
#define CMD_REGRESSION_BASELINE_RECORDING_H

#include "cmd/regression/baseline/contents.h"
#include "cmd/film/scene/request.h"

#include <signal.h>

struct recording {
    const struct scene_request *request;
    const char *backend, *format; /* as in run.h */
    int device;
    bool has_range, overwrite;    /* frames A..B are asked for; replace a baseline */
    const char *folder;           /* of baselines; made where it is missing */
    const char *name;             /* NULL: the scene's */
    const char *author, *because; /* because NULL: none is given */
    bool in_ci;                   /* replace a baseline also where CI is set */
    const char *commit;           /* of the program, see record.h */
    uint32_t members;             /* of the ensemble; 0: none */
    bool selftest;                /* see selftest.h */
    volatile sig_atomic_t *stop;
};

/* Writes NAME.json and NAME.objects/; *out is what was written, for baseline_free in every case.
 *
 * STATUS_USAGE when there is such a baseline, unless overwrite and a reason are given, and
 * CI is not set or in_ci is: then history and anchor are kept, and the reason becomes part of the
 * history. STATUS_MISMATCH, naming stage and frame, when the film has infinite light or other bits
 * with another number of threads, and when a change of the self-test passes. After a failure all is
 * as it was. */
enum status recording_make(const struct recording *recording, struct baseline *out);

#endif
