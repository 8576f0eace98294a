/* Judges a single film, without another one to compare it with. */
#pragma once

#include "base/status.h"
#include "cmd/regression/judge/report.h"
#include "cmd/regression/verify/subject.h"

/* Adds the film's case to the report and concludes it. A film that cannot be examined is a case
 * without frames that is not judged, with the reason: STATUS_IO when the file does not exist or
 * cannot be read, STATUS_USAGE when it is neither a film nor PNG files, STATUS_DEVICE when there is
 * no decoder. Returns STATUS_STOPPED once *stop is nonzero; the report is then useless. */
enum status verify_film(const struct verify_params *params, struct report *report);
