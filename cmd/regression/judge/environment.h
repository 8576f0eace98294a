/* Compares what two films were made with and on, component by component: "Mesa", "22.3.6",
 * "25.0.7". */
#pragma once

#include "cmd/regression/judge/comparison.h"

/* Appends to the case what differs between the programs, devices, libraries and platforms of the
 * two records, each difference once. */
void environment_compare(const struct comparison *comparison, struct case_report *one);

/* Does the same for one text made of parts, "llvmpipe (LLVM 15.0.6, 256 bits), Mesa 22.3.6". If the
 * names of the parts differ, appends the whole text under the name `what`. */
void environment_compare_text(const char *what, const char *before, const char *now,
                              struct case_report *one);
