/* Other results that were accepted beside the baseline's own, of the same platform. */
#ifndef CMD_REGRESSION_BASELINE_VARIANTS_H
#define CMD_REGRESSION_BASELINE_VARIANTS_H

#include "cmd/regression/baseline/contents.h"
#include "cmd/regression/judge/report.h"

/* Variants of the record's platform, expired ones left out. */
enum status variants_of_platform(const struct baseline *baseline, const struct record *record,
                                 uint32_t *count);

/* For a case that does not pass: makes it pass, and says why, when its record has the bits of a
 * variant that holds today; says that it is unstable when there are as many as there may be. */
enum status variants_apply(const struct baseline *baseline, const struct record *now,
                           struct case_report *one);

#endif
