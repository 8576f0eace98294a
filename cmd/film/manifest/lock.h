/* A work folder, its lock, and which of its files may be removed. Handles names, not contents. */
#pragma once

#include "base/status.h"

#include <stdbool.h>

/* STATUS_USAGE for a link, which is never followed, and for anything that is not a folder. A
 * missing folder is accepted. */
enum status folder_check(const char *folder);

/* Takes the folder's lock for this process; closing *descriptor releases it; -1 if there is none.
 * `make`: creates a missing folder. STATUS_USAGE, naming the process, when another run holds it,
 * and when something else has its name or that of its lock. */
enum status folder_lock(const char *folder, bool make, int *descriptor);

/* Whether the folder is still the locked one: not renamed, removed or recreated. */
bool folder_is_held(const char *folder, int descriptor);

/* Removes the files that the program has written there, by their exact names, and with `all` also
 * the lock and the folder; a folder with other files is kept with a warning. The caller holds the
 * lock. */
enum status folder_clear(const char *folder, bool all);
