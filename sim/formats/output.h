/* Output of bodies, in small pieces: a temporary file that replaces `path` when complete, a pipe or
 * a device (base/output.h). Used by one thread. */
#pragma once

#include "base/status.h"

#include <stddef.h>

struct body_output;

/* STATUS_IO; STATUS_USAGE if something is in the way. "-" is standard output. */
enum status body_output_open(struct body_output **out, const char *path);

/* A failure is remembered and reported on closing. */
void body_output_put(struct body_output *output, const void *data, size_t size);
void body_output_print(struct body_output *output, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Renames the file to `path` if `status` is STATUS_OK and nothing has failed, otherwise removes it.
 * Returns the first failure. Accepts a pointer to NULL. */
enum status body_output_close(struct body_output **output, enum status status);
