/* Where bodies are written to, in small pieces: a temporary file that takes the place of `path`
 * when it is whole, a pipe or a device (base/output.h). Used by one thread. */
#ifndef SIM_FORMATS_OUTPUT_H
#define SIM_FORMATS_OUTPUT_H

#include "base/status.h"

#include <stddef.h>

struct body_output;

/* STATUS_IO or, for what is in the way, STATUS_USAGE. "-" is the standard output. */
enum status body_output_open(struct body_output **out, const char *path);

/* A failure is kept, and reported when the output is closed. */
void body_output_put(struct body_output *output, const void *data, size_t size);
void body_output_print(struct body_output *output, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Gives the file its name if `status` is STATUS_OK and nothing has failed, and else removes it;
 * returns what went wrong first. Accepts a pointer to NULL. */
enum status body_output_close(struct body_output **output, enum status status);

#endif
