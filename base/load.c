#include "base/load.h"

#include "base/clock.h"
#include "base/machine.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

static const double much = 0.1, long_enough = 0.5; /* of the processors; seconds: ticks are 10 ms */

struct load load_now(void)
{
    struct load now = {.clock = clock_seconds()};
    return machine_usage(&now.all, &now.own) ? now : (struct load){0};
}

/* Clamped to 0 .. 1, because the process and the machine are counted by different clocks. */
static double part(double seconds, double whole)
{
    return fmin(fmax(seconds / whole, 0), 1);
}

struct load_parts load_between(struct load before, struct load now, unsigned processors)
{
    const double wall = now.clock - before.clock, used = now.all - before.all;
    if (!(before.all > 0) || !(wall >= long_enough) || processors == 0)
        return (struct load_parts){.idle = 1};
    return (struct load_parts){
        .others = part(used - (now.own - before.own), wall * processors),
        .idle = 1 - part(used, wall * processors),
    };
}

struct load_parts load_since(struct load before)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return load_between(before, load_now(), online > 0 ? (unsigned)online : 1);
}

bool load_is_busy(struct load_parts parts)
{
    return parts.others >= much && parts.idle < much;
}

void load_describe(struct load_parts parts, char *text, size_t size)
{
    if (load_is_busy(parts))
        snprintf(text, size, "the machine is busy: others use %.0f %% of its processors",
                 100 * parts.others);
    else if (size > 0)
        *text = '\0';
}
