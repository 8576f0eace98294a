/* A temporary folder in $TMPDIR or /tmp, removed with its contents when it is closed.
 *
 * A killed run leaves its folder behind. The folder is locked while in use, also by programs that
 * this one has started, so that a later run can tell whether it is still in use. */
#pragma once

#include "base/status.h"

struct temporary {
    char folder[256]; /* "": none */
    int lock;
};

/* Removes what killed runs have left, and creates a new folder. STATUS_IO when that fails; then
 * there is none. */
enum status temporary_open(struct temporary *out);

/* Accepts a zeroed struct, and leaves it zeroed. */
void temporary_close(struct temporary *temporary);

/* Removes and reports the folders of this user's killed runs. */
void temporary_sweep(void);
