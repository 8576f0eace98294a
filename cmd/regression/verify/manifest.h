/* A film's packets, and all else in its file, against what its manifest names. */
#ifndef CMD_REGRESSION_VERIFY_MANIFEST_H
#define CMD_REGRESSION_VERIFY_MANIFEST_H

#include "cmd/regression/record/record.h"
#include "cmd/regression/verify/subject.h"

/* Adds to the stages of packets and container, which have been judged, whether each packet is the
 * one that the manifest has at its place, and each box of the file, by hash: every bit of the film.
 * What a manifest of an older program does not hold is a warning. Fails, and the packets are not
 * judged, where one of both has none. */
enum status verify_manifest(const struct subject *subject, const struct record *manifest,
                            struct case_report *one);

#endif
