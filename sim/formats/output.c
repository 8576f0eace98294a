#include "sim/formats/output.h"

#include "base/memory.h"
#include "base/output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER = 1 << 18, LINE_BYTES = 512 };

struct body_output {
    struct output file;
    size_t used;
    char buffer[BUFFER];
};

enum status body_output_open(struct body_output **out, const char *path)
{
    struct body_output *output = *out = memory_new(1, sizeof *output);
    enum status status = output_open(&output->file, path);
    if (status == STATUS_OK)
        return status;
    output_release(&output->file);
    free(output);
    *out = NULL;
    return status;
}

void body_output_put(struct body_output *output, const void *data, size_t size)
{
    if (output->used + size > BUFFER) {
        output_write(&output->file, output->buffer, output->used);
        output->used = 0;
    }
    if (size > BUFFER) {
        output_write(&output->file, data, size);
        return;
    }
    memcpy(output->buffer + output->used, data, size);
    output->used += size;
}

void body_output_print(struct body_output *output, const char *format, ...)
{
    char text[LINE_BYTES];
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (length >= 0 && length < LINE_BYTES)
        body_output_put(output, text, (size_t)length);
    else if (output->file.error == 0)
        output->file.error = EOVERFLOW;
}

enum status body_output_close(struct body_output **out, enum status status)
{
    struct body_output *output = *out;
    if (!output)
        return status;
    *out = NULL;
    if (status == STATUS_OK)
        output_write(&output->file, output->buffer, output->used);
    if (!output_close(&output->file, status == STATUS_OK, true) && status == STATUS_OK)
        status = status_fail(STATUS_IO, "cannot write '%s': %s", output->file.name,
                             strerror(output->file.error));
    output_release(&output->file);
    free(output);
    return status;
}
