/* A finished film read back into its record. The n-th frame shown is the record's n-th; where the
 * film has other frames than the record, those that both have are filled in. */
#ifndef CMD_REGRESSION_RECORD_READBACK_H
#define CMD_REGRESSION_RECORD_READBACK_H

#include "cmd/regression/record/hooks.h"
#include "cmd/regression/record/order.h"
#include "cmd/regression/record/record.h"

/* Packets and what the container says; platform.encoder gets what the encoder says of itself. */
enum status readback_film(const char *path, struct record *record);
/* Of a PNG sequence with files of `bytes` bytes in all. */
enum status readback_sequence(const char *path, uint64_t bytes, struct record *record);

/* Decodes all, finds out which picture each frame shows and measures what it lost of that picture.
 * *compared: frames whose loss could be measured. Where frames are out of their order, `hooks` (may
 * be NULL) sees some of them. */
enum status readback_pictures(const char *path, const struct kept_pictures *kept,
                              const struct record_hooks *hooks, struct record *record,
                              uint64_t *compared);

#endif
