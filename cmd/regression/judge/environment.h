/* What two films were made with and on, part by part: "Mesa", "22.3.6", "25.0.7". */
#ifndef CMD_REGRESSION_JUDGE_ENVIRONMENT_H
#define CMD_REGRESSION_JUDGE_ENVIRONMENT_H

#include "cmd/regression/judge/comparison.h"

/* Appends what differs between the two records' program, device, libraries and platforms to the
 * case, each once. */
void environment_compare(const struct comparison *comparison, struct case_report *one);

/* The same of one text of parts, "llvmpipe (LLVM 15.0.6, 256 bits), Mesa 22.3.6". Where the parts
 * are not those of before, the whole text under the name `what`. */
void environment_compare_text(const char *what, const char *before, const char *now,
                              struct case_report *one);

#endif
