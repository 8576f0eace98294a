#include "cmd/bench/load.h"

#include "base/clock.h"
#include "base/machine.h"

#include <stdio.h>
#include <unistd.h>

static const double much = 0.1, long_enough = 0.5; /* of the processors; seconds: ticks are 10 ms */

double bench_load_of_others(const struct bench_load *before, const struct bench_load *now,
                            unsigned processors)
{
    const double wall = now->clock - before->clock;
    const double others = (now->all - before->all) - (now->own - before->own);
    if (!(wall >= long_enough) || !(others > 0) || processors == 0)
        return 0;
    const double part = others / (wall * processors);
    return part < 1 ? part : 1;
}

bool bench_load_note(struct bench_load *load, char *note, size_t size)
{
    struct bench_load now = {.clock = clock_seconds()};
    if (!machine_usage(&now.all, &now.own))
        return false;
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    const double part =
        load->all > 0 ? bench_load_of_others(load, &now, online > 0 ? (unsigned)online : 1) : 0;
    *load = now;
    if (!(part > much))
        return false;
    snprintf(note, size,
             "The machine was busy: others used %.0f %% of its processors meanwhile, so that these "
             "figures are too low; measure again when nothing else runs.",
             100 * part);
    return true;
}
