/* Hashes the contents of a film's file other than its packets, box by box (ISO/IEC 14496-12), so
 * that a bit that changes in the container is found and its box named. */
#pragma once

#include "cmd/regression/record/record.h"

/* Fills in record->boxes from a finished film and replaces what is there. MP4 and MOV get an entry
 * for every box with all of its bytes, "moov.trak.mdia.minf.stbl.stss"; the second box of a name is
 * "moov.trak#2". A box with children has an entry for its own header only. Any other container, and
 * everything after bytes that are not a box, is one entry, "file". Returns STATUS_IO when the file
 * cannot be read. */
enum status boxes_read(const char *path, struct record *record);

/* Names the first difference, "box moov.trak.mdia.minf.stbl.stss"; the caller frees it. *count:
 * number of boxes that differ. Returns NULL if none does. If `packets` is false, boxes that hold
 * the film's packets are ignored. */
char *boxes_difference(const struct record *before, const struct record *now, bool packets,
                       uint32_t *count);

void boxes_free(struct record *record);
