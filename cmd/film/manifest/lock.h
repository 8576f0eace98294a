/* A work folder, the lock on it, and which of its files may be removed. Knows names, not contents.
 */
#ifndef CMD_FILM_MANIFEST_LOCK_H
#define CMD_FILM_MANIFEST_LOCK_H

#include "base/status.h"

#include <stdbool.h>

/* STATUS_USAGE for a link, which is never followed, and for what is no folder. A missing one may be
 * made. */
enum status folder_check(const char *folder);

/* Takes the folder's lock for this process; closing *descriptor gives it back, -1 where there is
 * none. `make`: creates a missing folder. STATUS_USAGE, naming the process, when another run holds
 * it, and when its name or that of its lock is taken by what this program did not make. */
enum status folder_lock(const char *folder, bool make, int *descriptor);

/* Whether the folder is still the one whose lock this is: not renamed, removed or made again. */
bool folder_is_held(const char *folder, int descriptor);

/* Removes what the program has written there, by its exact names, and with `all` also the lock and
 * the folder, which is kept with a warning if it holds other files. The caller holds the lock. */
enum status folder_clear(const char *folder, bool all);

#endif
