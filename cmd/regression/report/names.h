/* Names by which all views call a case and a finding, the same in each. */
#ifndef CMD_REGRESSION_REPORT_NAMES_H
#define CMD_REGRESSION_REPORT_NAMES_H

#include "cmd/regression/judge/report.h"

/* Of a case: the first 80 characters of its name with '-' for all but letters, digits, '.', '_' and
 * '-', and "~2" and so on behind those of the same name. Safe in an address, a file name and an
 * attribute. The caller frees it. */
char *names_case(const struct report *report, uint32_t index);

/* Of a finding: case, rule and frame, "default/picture.counted@17". The caller frees it. */
char *names_finding(const char *of_case, const struct finding *finding);

#endif
