/* Two films or PNG sequences compared: what they say of themselves, then which frame of one is
 * which of the other, then the pixels of those pairs. */
#ifndef CMD_REGRESSION_COMPARE_COMPARE_H
#define CMD_REGRESSION_COMPARE_COMPARE_H

#include "base/status.h"
#include "base/text.h"
#include "cmd/regression/judge/limits.h"
#include "cmd/regression/judge/report.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct compare_params {
    const char *a, *b; /* paths, see render/reader */
    const struct limits *limits;
    struct text_range frames;          /* of both; zeroed: all */
    const char *difference;            /* film of A | B | difference to be made; NULL: none */
    double gain;                       /* of the difference shown */
    const char *pictures;              /* folder for what reports show; NULL: nothing is shown */
    bool lossy;                        /* B is a lossy copy: tags that one film lacks are nothing */
    bool quality;                      /* PSNR and SSIM as well, see render/compare/quality.h */
    const volatile sig_atomic_t *stop; /* or NULL */
};

/* Adds a case to the report. A difference is no failure: the report says so. STATUS_IO and
 * STATUS_USAGE when a film cannot be read or the difference cannot be written, STATUS_STOPPED after
 * *stop. */
enum status compare_films(const struct compare_params *params, struct report *report);

#endif
