/* Pictures of another sequence with the same file names, which a player would mix in. They are
 * recognized by the scene in them, so that stills and pictures of other programs are left alone. */
#pragma once

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

struct stale {
    char **paths; /* owned */
    size_t count;
};

/* Finds pictures of the sequence at `pattern` (f/%06d.png), outside frames first to last, that were
 * made from another resolved scene. Free with stale_free in every case. */
void stale_find(struct stale *stale, const char *pattern, uint64_t first, uint64_t last,
                const char *scene);
void stale_free(struct stale *stale);

/* Removes them, and reports it. */
enum status stale_remove(const struct stale *stale);
