/* Input of bodies: a file, plain or packed (gzip, xz, zstd), or standard input. */
#pragma once

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* The path to open for `path`: itself, or for "-" standard input. A pipe is first copied to an
 * unnamed file, which replaces it, so that it can be read again. STATUS_USAGE if it is a terminal,
 * STATUS_IO if it cannot be copied. Not thread-safe. */
enum status body_input_path(const char *path, const char **out);

/* A regular file's first bytes, unpacked; *got is their number, 0 if the file is not regular, and
 * *whole the file's size, UINT64_MAX if unknown. STATUS_IO. */
enum status body_input_head(const char *path, void *head, size_t size, size_t *got,
                            uint64_t *whole);

/* Reads from the beginning to the end, in bounded memory. */
struct body_input;

/* STATUS_IO when it cannot be opened. Keeps `path`, which must outlive it. */
enum status body_input_open(struct body_input **out, const char *path);
void body_input_close(struct body_input **input); /* accepts a pointer to NULL */

/* Reads this many bytes, fewer only at the end. STATUS_IO when the file cannot be read, or when
 * packed data is damaged, truncated or followed by anything else. */
enum status body_input_read(struct body_input *input, void *to, size_t size, size_t *got);

/* The same, but all bytes are required; STATUS_USAGE says that the file ends within `what`. */
enum status body_input_take(struct body_input *input, void *to, size_t size, const char *what);
enum status body_input_skip(struct body_input *input, uint64_t size, const char *what);

/* Number of bytes left, UINT64_MAX if unknown. */
uint64_t body_input_left(const struct body_input *input);

/* STATUS_USAGE, like body_input_take, if it is known that fewer than count * size bytes are left;
 * call before allocating memory for them. */
enum status body_input_promise(const struct body_input *input, uint64_t count, uint64_t size,
                               const char *what);

/* STATUS_USAGE unless this is the end. */
enum status body_input_end(struct body_input *input);
