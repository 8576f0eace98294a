/* What a format cannot hold of what another did. */
#pragma once

#include "sim/formats/format.h"

/* "rho, the ids, the time 0.5" when the snapshot is written in the format; NULL: nothing is lost.
 * The caller frees it. */
char *snapshot_lost(const struct snapshot *snapshot, const struct format *to);
