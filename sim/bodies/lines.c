#include "sim/bodies/lines.h"

#include "base/memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { BUFFER = 1 << 16 };

struct table_lines {
    const char *path;
    gzFile file;
    size_t number;
    size_t begin, end; /* of what is read and not yet handed out */
    bool ended;
    char buffer[BUFFER + 1];
};

enum status table_lines_open(struct table_lines **out, const char *path)
{
    *out = NULL;
    struct table_lines *lines = memory_new(1, sizeof *lines);
    errno = 0;
    lines->path = path;
    lines->file = gzopen(path, "rb");
    if (!lines->file) {
        int reason = errno ? errno : ENOMEM; /* zlib's own failure is one of memory */
        free(lines);
        return status_fail(STATUS_IO, "cannot open the bodies file %s: %s", path, strerror(reason));
    }
    *out = lines;
    return STATUS_OK;
}

void table_lines_close(struct table_lines **lines)
{
    if (!*lines)
        return;
    gzclose_r((*lines)->file); /* only read: what it could report, reading has reported */
    free(*lines);
    *lines = NULL;
}

size_t table_lines_number(const struct table_lines *lines)
{
    return lines->number;
}

/* zlib tells a file cut short from its true end only through gzerror. */
static enum status check_stream(struct table_lines *lines)
{
    int code;
    const char *text = gzerror(lines->file, &code);
    if (code == Z_OK || code == Z_STREAM_END)
        return STATUS_OK;
    if (code == Z_ERRNO)
        return status_fail(STATUS_IO, "cannot read the bodies file %s: %s", lines->path,
                           strerror(errno));
    if (code == Z_BUF_ERROR)
        return status_fail(STATUS_IO,
                           "%s ends in the middle of its gzip data after line %zu; copy or "
                           "download it again",
                           lines->path, lines->number);
    return status_fail(STATUS_IO,
                       "%s holds damaged gzip data after line %zu (%s); copy or "
                       "download it again",
                       lines->path, lines->number, text);
}

static enum status refill(struct table_lines *lines)
{
    memmove(lines->buffer, lines->buffer + lines->begin, lines->end - lines->begin);
    lines->end -= lines->begin;
    lines->begin = 0;
    errno = 0;
    int got = gzread(lines->file, lines->buffer + lines->end, (unsigned)(BUFFER - lines->end));
    if (got > 0) {
        lines->end += (size_t)got;
        return STATUS_OK;
    }
    lines->ended = true;
    return check_stream(lines);
}

enum status table_lines_next(struct table_lines *lines, char **line)
{
    *line = NULL;
    for (;;) {
        size_t length = lines->end - lines->begin;
        char *start = lines->buffer + lines->begin, *newline = memchr(start, '\n', length);
        size_t have = newline ? (size_t)(newline - start) : length;
        if (have > TABLE_LINE_MAX)
            return status_fail(STATUS_USAGE,
                               "%s:%zu: the line is longer than %d bytes, so this is not a bodies "
                               "table; give a text file of mass x y z vx vy vz",
                               lines->path, lines->number + 1, TABLE_LINE_MAX);
        if (!newline && !lines->ended) {
            enum status status = refill(lines);
            if (status)
                return status;
            continue;
        }
        if (!newline && length == 0)
            return STATUS_OK;
        lines->number++;
        if (memchr(start, '\0', have))
            return status_fail(STATUS_USAGE,
                               "%s:%zu: the line holds a zero byte, so this is no bodies table; "
                               "give a text file of mass x y z vx vy vz",
                               lines->path, lines->number);
        lines->begin += have + (newline != NULL);
        if (have && start[have - 1] == '\r')
            have--;
        start[have] = '\0';
        *line = start;
        return STATUS_OK;
    }
}
