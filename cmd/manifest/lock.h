/* Inside the manifest only: the work folder, its lock and what may be removed from it. */
#ifndef CMD_MANIFEST_LOCK_H
#define CMD_MANIFEST_LOCK_H

#include "base/status.h"

#include <stdbool.h>

/* Takes the folder's lock for this process; *descriptor is to be closed. `make`: creates the folder
 * where there is none. STATUS_USAGE, naming the process, when another run holds it. */
enum status folder_lock(const char *folder, bool make, int *descriptor);

/* Whether the folder is still the one whose lock this is: not renamed, removed or made anew. */
bool folder_is_held(const char *folder, int descriptor);

/* Removes what the program has put there, and with `all` the lock and the folder itself, unless
 * other files lie in it, which is a warning. The lock is held. */
enum status folder_clear(const char *folder, bool all);

#endif
