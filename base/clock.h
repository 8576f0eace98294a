/* Time for measurements and dates; never an input of the simulation. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <time.h>

/* Monotonic seconds since an arbitrary fixed moment. Thread-safe. */
double clock_seconds(void);

/* The moment in the environment variable SOURCE_DATE_EPOCH, for reproducible films and texts.
 * *given is false where it is not set. STATUS_USAGE when it is not a number of seconds since
 * 1970. */
enum status clock_source_date(struct tm *utc, bool *given);

/* The date in UTC, "2026-11-22": of SOURCE_DATE_EPOCH if set, otherwise today's. */
void clock_today(char out[16]);

/* A moment of the film, as a scene names it; scenes/value.h has the syntax. */

enum moment_kind {
    MOMENT_SECONDS,
    MOMENT_FRAME,
    MOMENT_TIME,
    MOMENT_REDSHIFT,
    MOMENT_START,
    MOMENT_END,
    MOMENT_PERICENTRE, /* from here on: events */
    MOMENT_APOCENTRE,
    MOMENT_MERGER,
};

struct moment {
    enum moment_kind kind;
    double value; /* seconds, frame, time or redshift; for a pericentre or apocentre its number,
                     from 1 */
    double shift; /* seconds */
    char *text;   /* as written in the scene, which owns it; NULL elsewhere */
};
