/* One baseline checked: its scene rendered again and judged stage by stage, later stages by
 * substitution where an earlier one differs. Nothing of the baseline is ever written. */
#ifndef CMD_REGRESSION_BASELINE_CHECK_H
#define CMD_REGRESSION_BASELINE_CHECK_H

#include "cmd/regression/judge/limits.h"
#include "cmd/regression/judge/report.h"

#include <signal.h>
#include <stdbool.h>

struct check_params {
    const char *path;    /* of the baseline's text */
    const char *output;  /* folder for pictures and the candidate; NULL: none are kept */
    const char *backend; /* as for simulation_open */
    int device;
    const struct limits *limits;
    const char *commit; /* of the program, see record.h */
    bool selftest;      /* also make the changes that must not pass, see selftest.h */
    volatile sig_atomic_t *stop;
};

/* Adds a concluded case to the report, in every case but STATUS_STOPPED. STATUS_OK when it was
 * judged, whatever came of it; otherwise why not, which the case says too: STATUS_USAGE for a
 * baseline of a newer format, STATUS_IO for one that cannot be read or was edited or damaged, and
 * where its scene cannot be opened any more, although all stages but that one are judged then. */
enum status check_baseline(const struct check_params *params, struct report *report);

#endif
