#include "cmd/bench/load.h"

#include <stdio.h>

static const double much = 0.1; /* of the processors */

bool bench_load_note(struct load *since, char *note, size_t size)
{
    const struct load_parts parts = load_since(*since);
    *since = load_now();
    if (!(parts.others > much))
        return false;
    snprintf(note, size,
             "The machine was busy: others used %.0f %% of its processors meanwhile, so that these "
             "figures are too low; measure again when nothing else runs.",
             100 * parts.others);
    return true;
}
