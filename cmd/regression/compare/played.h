/* Compares what players show and play of two films besides their pictures. */
#pragma once

#include "cmd/regression/compare/side.h"
#include "cmd/regression/judge/report.h"

/* Adds findings to the stage container. With `lossy`, sound may be encoded again, and what only one
 * film says about screens, languages and titles is not a difference. Appends what was not compared
 * to the list *missing, "sound (B is pictures)", which the caller frees. */
void played_compare(const struct side *a, const struct side *b, const struct limits *limits,
                    bool lossy, struct case_report *one, char **missing);
