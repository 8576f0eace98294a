/* Compares two films or PNG sequences: first their metadata, then the alignment of their frames,
 * then the pixels of the aligned pairs; or two manifests by the stages of judge.h. */
#pragma once

#include "base/status.h"
#include "base/text.h"
#include "cmd/regression/judge/report.h"
#include "cmd/regression/judge/rules.h"

#include <signal.h>
#include <stdbool.h>

struct compare_params {
    const char *a, *b; /* paths, see render/reader */
    const struct limits *limits;
    struct text_range frames;          /* range in both films; zeroed: all frames */
    const char *difference;            /* path for a film of A | B | difference; NULL: none */
    double gain;                       /* gain of the difference */
    const char *pictures;              /* folder for the pictures in reports; NULL: no pictures */
    bool lossy;                        /* B is a lossy copy: tags of one film only are no
                                        * difference */
    bool quality;                      /* also PSNR and SSIM, see render/compare/quality.h */
    const volatile sig_atomic_t *stop; /* may be NULL */
};

/* Adds a case to the report. A difference is not a failure: the report has it. Returns STATUS_IO or
 * STATUS_USAGE when a film cannot be read or the difference cannot be written, STATUS_STOPPED after
 * *stop. */
enum status compare_films(const struct compare_params *params, struct report *report);

/* ---- manifests ---- */

/* Returns whether a file may be a manifest: its name ends in .json, or its first bytes are those of
 * JSON, which no film or picture begins with. A file that cannot be read is not an error. */
bool manifest_possible(const char *path);

/* Adds a case to the report; A is the earlier film, B the later one. A difference is not a failure.
 * Fails as record_read does. */
enum status compare_manifests(const char *a, const char *b, const struct limits *limits,
                              struct report *report);
