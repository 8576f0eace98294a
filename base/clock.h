/* Time for measuring and for dates; never an input of the simulation. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include "base/status.h"

#include <stdbool.h>
#include <time.h>

/* Monotonic seconds since some fixed moment. Thread-safe. */
double clock_seconds(void);

/* The moment that the environment gives in SOURCE_DATE_EPOCH, for films and texts that are the same
 * whenever they are made. *given is false where it is not set. STATUS_USAGE when it is no number of
 * seconds since 1970. */
enum status clock_source_date(struct tm *utc, bool *given);

/* Today, "2026-11-22", in UTC; that moment's day where it is given. */
void clock_today(char out[16]);

#endif
