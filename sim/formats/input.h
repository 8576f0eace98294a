/* Where bodies are read from: a file, plain or packed (gzip, xz, zstd), or standard input. */
#ifndef SIM_FORMATS_INPUT_H
#define SIM_FORMATS_INPUT_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* What is to be opened for `path`: itself, or for "-" standard input, which is first copied into a
 * file without a name if it is a pipe, and takes its place there, so that it can be read again.
 * STATUS_USAGE where it is a terminal, STATUS_IO where it cannot be copied. Not thread-safe. */
enum status body_input_path(const char *path, const char **out);

/* A regular file's first bytes, unpacked; *got is their number, 0 of what is not a regular file,
 * and *whole that of the file's bytes, UINT64_MAX where that is not known. STATUS_IO. */
enum status body_input_head(const char *path, void *head, size_t size, size_t *got,
                            uint64_t *whole);

/* Reads from the beginning to the end, in bounded memory. */
struct body_input;

/* STATUS_IO when it cannot be opened. Keeps `path`, which must outlive it. */
enum status body_input_open(struct body_input **out, const char *path);
void body_input_close(struct body_input **input); /* accepts a pointer to NULL */

/* So many bytes, fewer only at the end. STATUS_IO when the file cannot be read or what it is packed
 * with is damaged, cut short or followed by anything else. */
enum status body_input_read(struct body_input *input, void *to, size_t size, size_t *got);

/* All of them; STATUS_USAGE says that the file ends within `what`. */
enum status body_input_take(struct body_input *input, void *to, size_t size, const char *what);
enum status body_input_skip(struct body_input *input, uint64_t size, const char *what);

/* How many bytes are left, UINT64_MAX where that is not known. */
uint64_t body_input_left(const struct body_input *input);

/* STATUS_USAGE, as body_input_take, where it is known that fewer than count * size bytes are left:
 * before there is room for what they hold. */
enum status body_input_promise(const struct body_input *input, uint64_t count, uint64_t size,
                               const char *what);

/* STATUS_USAGE unless this is the end. */
enum status body_input_end(struct body_input *input);

#endif
