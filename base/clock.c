#include "base/clock.h"

#include <stdlib.h>

double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

enum status clock_source_date(struct tm *utc, bool *given)
{
    static const long long LATEST = 253402300799; /* the last second of year 9999 */
    const char *text = getenv("SOURCE_DATE_EPOCH");
    char *end;
    *given = text && *text;
    if (!*given)
        return STATUS_OK;
    const long long seconds = strtoll(text, &end, 10);
    const time_t moment = (time_t)seconds;
    if (*end || seconds < 0 || seconds > LATEST || !gmtime_r(&moment, utc))
        return status_fail(
            STATUS_USAGE,
            "SOURCE_DATE_EPOCH is '%s', which is not a number of seconds since 1970; "
            "correct or unset it",
            text);
    return STATUS_OK;
}

void clock_today(char out[16])
{
    struct tm utc;
    bool given;
    if (clock_source_date(&utc, &given) != STATUS_OK || !given) {
        const time_t now = time(NULL);
        gmtime_r(&now, &utc);
    }
    strftime(out, 16, "%Y-%m-%d", &utc);
}
