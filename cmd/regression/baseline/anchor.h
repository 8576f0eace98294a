/* How far a baseline has crept from the first one, by changes that were small enough to accept. */
#ifndef CMD_REGRESSION_BASELINE_ANCHOR_H
#define CMD_REGRESSION_BASELINE_ANCHOR_H

#include "cmd/regression/baseline/contents.h"

/* One sentence; NULL while the baseline is its own first one. The caller frees it. */
char *anchor_distance(const struct baseline *baseline);

#endif
