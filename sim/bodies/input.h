/* Where bodies are read from: a file, plain or gzip, or standard input. */
#ifndef SIM_BODIES_INPUT_H
#define SIM_BODIES_INPUT_H

#include "base/status.h"

#include <stddef.h>

/* What is to be opened for `path`: itself, or for "-" standard input, which is first copied into a
 * file without a name if it is a pipe, and takes its place there, so that it can be read again.
 * STATUS_USAGE where it is a terminal, STATUS_IO where it cannot be copied. Not thread-safe. */
enum status body_input_path(const char *path, const char **out);

/* A regular file's first bytes, uncompressed; *got is their number, 0 of what is not a regular
 * file. STATUS_IO. */
enum status body_input_head(const char *path, void *head, size_t size, size_t *got);

#endif
