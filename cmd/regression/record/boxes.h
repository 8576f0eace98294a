/* Contents of a film's file besides its packets, box by box (ISO/IEC 14496-12), as hashes: with
 * them a bit of the container that is another is found, and named. */
#ifndef CMD_REGRESSION_RECORD_BOXES_H
#define CMD_REGRESSION_RECORD_BOXES_H

#include "cmd/regression/record/record.h"

/* Fills in record->boxes from a finished film, in the place of what is there: of MP4 and MOV every
 * box with all of its bytes, as "moov.trak.mdia.minf.stbl.stss" and from the second of a name on
 * "moov.trak#2"; a box that holds others stands for its own header. Of other containers, and after
 * what is no box, the "file". STATUS_IO when it cannot be read. */
enum status boxes_read(const char *path, struct record *record);

/* Names the first difference, "box moov.trak.mdia.minf.stbl.stss", the caller's to free; *count:
 * how many boxes do. NULL where none does. Without `packets` only what holds none of the film's
 * packets counts. */
char *boxes_difference(const struct record *before, const struct record *now, bool packets,
                       uint32_t *count);

void boxes_free(struct record *record);

#endif
