#include "sim/formats/output.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/part.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER = 1 << 18, LINE_MAX_ = 512 };

struct body_output {
    const char *path;
    struct part part;
    bool special; /* a pipe or a device: no temporary file */
    int reason;   /* errno of the first failure, 0: none */
    size_t used;
    char buffer[BUFFER];
};

static enum status cannot_write(const char *path, int reason)
{
    return status_fail(STATUS_IO, "cannot write '%s': %s", path, strerror(reason));
}

static enum status open_special(struct body_output *output)
{
    const int file =
        file_is_standard(output->path) ? dup(STDOUT_FILENO) : file_open_to_write(output->path);
    output->special = true;
    output->part.descriptor = file;
    return file < 0 ? cannot_write(output->path, errno) : STATUS_OK;
}

enum status body_output_open(struct body_output **out, const char *path)
{
    struct body_output *output = memory_new(1, sizeof *output);
    output->path = path;
    enum status status =
        file_is_special(path) ? open_special(output) : part_open(&output->part, path, false);
    if (status != STATUS_OK)
        free(output);
    *out = status == STATUS_OK ? output : NULL;
    return status;
}

static void write_out(struct body_output *output, const char *data, size_t size)
{
    while (size > 0 && output->reason == 0) {
        const ssize_t put = write(output->part.descriptor, data, size);
        if (put < 0 && errno != EINTR)
            output->reason = errno;
        data += put > 0 ? put : 0;
        size -= put > 0 ? (size_t)put : 0;
    }
}

void body_output_put(struct body_output *output, const void *data, size_t size)
{
    if (output->used + size > BUFFER) {
        write_out(output, output->buffer, output->used);
        output->used = 0;
    }
    if (size > BUFFER) {
        write_out(output, data, size);
        return;
    }
    memcpy(output->buffer + output->used, data, size);
    output->used += size;
}

void body_output_print(struct body_output *output, const char *format, ...)
{
    char text[LINE_MAX_];
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (length < 0 || length >= LINE_MAX_)
        output->reason = output->reason ? output->reason : EOVERFLOW;
    else
        body_output_put(output, text, (size_t)length);
}

enum status body_output_close(struct body_output **out, enum status status)
{
    struct body_output *output = *out;
    if (!output)
        return status;
    *out = NULL;
    if (status == STATUS_OK)
        write_out(output, output->buffer, output->used);
    const bool good = status == STATUS_OK && output->reason == 0;
    int closed = 0;
    if (output->special)
        closed = close(output->part.descriptor) == 0 ? 0 : errno;
    else
        closed = part_close(&output->part, good ? output->path : NULL, true);
    if (good)
        output->reason = closed;
    if (status == STATUS_OK && output->reason != 0)
        status = cannot_write(output->path, output->reason);
    free(output);
    return status;
}
