/* A temporary folder in $TMPDIR or /tmp, removed with all that is in it when it is closed.
 *
 * A run that is killed leaves its folder behind. The folder is locked while it is used, also by
 * programs that this one has started, so that a later run can tell that nobody uses it any more. */
#ifndef BASE_TEMPORARY_H
#define BASE_TEMPORARY_H

#include "base/status.h"

struct temporary {
    char folder[256]; /* "": none */
    int lock;
};

/* Removes what killed runs have left, and makes a new folder. STATUS_IO when it cannot; then there
 * is none. */
enum status temporary_open(struct temporary *out);

/* Accepts a zeroed one, which is also what it leaves. */
void temporary_close(struct temporary *temporary);

/* Removes the folders of this user's runs that were killed, and says so. */
void temporary_sweep(void);

#endif
