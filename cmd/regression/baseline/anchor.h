/* Measures how far a baseline has drifted from the first one through accepted changes, each of them
 * small. */
#pragma once

#include "cmd/regression/baseline/contents.h"

/* Returns one sentence; NULL while the baseline is itself the first one. The caller frees it. */
char *anchor_distance(const struct baseline *baseline);
