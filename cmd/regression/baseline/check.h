/* Checks one baseline: renders its scene again and judges the film stage by stage. Where an earlier
 * stage differs, later ones are judged by substitution. Never writes to the baseline. */
#pragma once

#include "cmd/regression/judge/rules.h"
#include "cmd/regression/judge/report.h"

#include <signal.h>
#include <stdbool.h>

struct check_params {
    const char *path;    /* of the baseline's text */
    const char *output;  /* folder for pictures and the candidate; NULL: none are kept */
    const char *backend; /* as for simulation_open */
    int device;
    const struct limits *limits;
    const char *commit; /* commit of the program, see record.h */
    volatile sig_atomic_t *stop;
};

/* Adds a concluded case to the report unless the status is STATUS_STOPPED. Returns STATUS_OK when
 * the case was judged, whatever the verdict. Other statuses say why it was not judged, as does the
 * case: STATUS_USAGE for a baseline in a newer format, STATUS_IO for one that cannot be read, was
 * edited or is damaged. STATUS_IO is also returned where the scene cannot be opened any more; all
 * stages but the scene are judged even then.
 *
 * Collective on ranks, which share the forces: rank 0 has the files, and alone has a report that
 * means anything. `path`, `output` and `limits` are rank 0's. */
enum status check_baseline(const struct check_params *params, struct report *report);
