/* Reads a finished film back into its record. The n-th frame shown is the n-th of the record; if
 * the film and the record have different numbers of frames, those that both have are filled in. */
#pragma once

#include "cmd/regression/record/hooks.h"
#include "cmd/regression/record/order.h"
#include "cmd/regression/record/record.h"

/* Reads packets and container fields; platform.encoder gets the encoder's own description of
 * itself. */
enum status readback_film(const char *path, struct record *record);
/* Does the same for a PNG sequence, whose files have `bytes` bytes in total. */
enum status readback_sequence(const char *path, uint64_t bytes, struct record *record);

/* Decodes all frames, finds out which picture each of them shows, and measures the loss relative to
 * that picture. *compared: frames whose loss could be measured. If frames are out of order, `hooks`
 * (may be NULL) gets some of them. */
enum status readback_pictures(const char *path, const struct kept_pictures *kept,
                              const struct record_hooks *hooks, struct record *record,
                              uint64_t *compared);
