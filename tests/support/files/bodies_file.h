/* Files of bodies for tests, in the group's folder (folder.h): bodies to write, and malicious
 * files. */
#pragma once

#include "sim/formats/formats.h"

/* Writes the bytes to a file; returns its path. */
const char *bodies_file_write(const char *name, const void *data, size_t size);

/* Reads a whole file; the caller frees it. */
unsigned char *bodies_file_read(const char *path, size_t *size);

/* Bodies in three components, gas, halo and stars, with ids that are not in
 * order, a time, and numbers that a float32 holds exactly. */
void bodies_file_make(struct snapshot *out, size_t count);

/* Limits memory, so that a reader that trusts an invalid header runs out of it; not with
 * sanitizers, which need more themselves. */
void bodies_file_limit_memory(size_t bytes);
void bodies_file_lift_limit(void);

/* The file is cut at every `step` bytes: STATUS_USAGE each time or, where `text`, also STATUS_OK,
 * because a cut line may be a shorter number. Memory is limited meanwhile. */
void bodies_file_check_cuts(const struct format *format, const unsigned char *data, size_t size,
                            size_t step, bool text);

/* Reads the file as a whole and in slices, by several numbers of these: together they are the
 * whole, with everything that its columns hold, or fail with the same sentence. */
void bodies_file_check_slices(const char *path, const struct format *format);

/* Reads the bytes as a file of the format, which must fail with STATUS_USAGE and `part`. */
void bodies_file_check_refusal(const struct format *format, const void *data, size_t size,
                               const char *words);
