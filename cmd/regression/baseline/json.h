/* The part of a baseline's text that is not its film's record. */
#ifndef CMD_REGRESSION_BASELINE_JSON_H
#define CMD_REGRESSION_BASELINE_JSON_H

#include "cmd/regression/baseline/contents.h"

/* The section "baseline"; the caller frees it. NULL when a text is not UTF-8. */
char *baseline_to_json(const struct baseline *baseline);

/* Fills in what baseline_free frees, all but record, path, name, folder and hash. STATUS_USAGE for
 * a newer format; STATUS_IO when it is not what baseline_to_json makes. */
enum status baseline_from_json(struct baseline *baseline, const char *text);

#endif
