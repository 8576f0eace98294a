/* Makes the names of cases and findings that all views share. */
#pragma once

#include "cmd/regression/judge/report.h"

/* Returns the id of a case: the first 80 characters of its name, with '-' for everything except
 * letters, digits, '.', '_' and '-', and "~2" and so on appended for later cases of the same name.
 * Safe in a URL, a file name and an attribute. The caller frees it. */
char *names_case(const struct report *report, uint32_t index);

/* Returns the id of a finding: case, rule and frame, "default/picture.counted@17". The caller frees
 * it. */
char *names_finding(const char *of_case, const struct finding *finding);
