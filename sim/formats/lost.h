/* Names the data that are lost when bodies are written in a format. */
#pragma once

#include "sim/formats/format.h"

/* "rho, the ids, the time 0.5" if the snapshot is written in the format; NULL: nothing is lost. The
 * caller frees it. */
char *snapshot_lost(const struct snapshot *snapshot, const struct format *to);
