/* Variants: results on the same platform that were accepted in addition to the baseline's own. */
#pragma once

#include "cmd/regression/baseline/contents.h"
#include "cmd/regression/judge/report.h"

/* Counts the variants of the record's platform that have not expired. */
enum status variants_of_platform(const struct baseline *baseline, const struct record *record,
                                 uint32_t *count);

/* Makes a case that does not pass pass, and says why, if its record has the same bits as a variant
 * that is valid today. Says that the case is unstable if it already has the maximum number of
 * variants. */
enum status variants_apply(const struct baseline *baseline, const struct record *now,
                           struct case_report *one);
