/* Pictures of another sequence under the same names, which a player would show in between. They are
 * known by the scene in them, so that stills and pictures of other programs are never meant. */
#ifndef CMD_FILM_JOB_STALE_H
#define CMD_FILM_JOB_STALE_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

struct stale {
    char **paths; /* owned */
    size_t count;
};

/* Those beside frames first to last of the sequence at `pattern` (f/%06d.png) that were made of
 * another scene than this one, resolved. Free with stale_free in every case. */
void stale_find(struct stale *stale, const char *pattern, uint64_t first, uint64_t last,
                const char *scene);
void stale_free(struct stale *stale);

/* Removes them, and says so. */
enum status stale_remove(const struct stale *stale);

#endif
