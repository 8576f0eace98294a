/* Measures how far a baseline has drifted from the first one through accepted changes, each of them
 * small. */
#ifndef CMD_REGRESSION_BASELINE_ANCHOR_H
#define CMD_REGRESSION_BASELINE_ANCHOR_H

#include "cmd/regression/baseline/contents.h"

/* Returns one sentence; NULL while the baseline is itself the first one. The caller frees it. */
char *anchor_distance(const struct baseline *baseline);

#endif
