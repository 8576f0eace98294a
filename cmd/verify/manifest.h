/* A film's packets against those that its manifest names. */
#ifndef CMD_VERIFY_MANIFEST_H
#define CMD_VERIFY_MANIFEST_H

#include "cmd/record/record.h"
#include "cmd/verify/subject.h"

/* Adds to the stage of packets, which has been judged, whether each is the one that the manifest
 * has at its place, by hash: every bit of them. Fails, and the stage is not judged, where one of
 * both has no packets. */
enum status verify_manifest(const struct subject *subject, const struct record *manifest,
                            struct stage_report *stage);

#endif
