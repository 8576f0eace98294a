/* Judges one film without another to compare it with. */
#ifndef CMD_REGRESSION_VERIFY_VERIFY_H
#define CMD_REGRESSION_VERIFY_VERIFY_H

#include "base/status.h"
#include "cmd/regression/judge/report.h"
#include "cmd/regression/verify/params.h"

/* Adds the film's case to the report and concludes it. A film that cannot be looked at is a case
 * that is not judged, of no frames, with the reason: STATUS_IO when there is no such file or it
 * cannot be read, STATUS_USAGE when it is neither a film nor PNG files, STATUS_DEVICE when there is
 * no decoder. STATUS_STOPPED once *stop is nonzero: then the report is of no use. */
enum status verify_film(const struct verify_params *params, struct report *report);

#endif
