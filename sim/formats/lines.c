#include "sim/formats/lines.h"

#include "base/memory.h"
#include "sim/formats/input.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER = 1 << 16 };

struct table_lines {
    const char *path;
    struct body_input *input;
    size_t number;
    size_t begin, end; /* range that was read and not yet returned */
    bool ended;
    char buffer[BUFFER + 1];
};

enum status table_lines_open(struct table_lines **out, const char *path)
{
    struct body_input *input;
    *out = NULL;
    enum status status = body_input_open(&input, path);
    if (status != STATUS_OK)
        return status;
    struct table_lines *lines = *out = memory_new(1, sizeof *lines);
    lines->path = path;
    lines->input = input;
    return STATUS_OK;
}

void table_lines_close(struct table_lines **lines)
{
    if (!*lines)
        return;
    body_input_close(&(*lines)->input);
    free(*lines);
    *lines = NULL;
}

size_t table_lines_number(const struct table_lines *lines)
{
    return lines->number;
}

static enum status refill(struct table_lines *lines)
{
    size_t got;
    memmove(lines->buffer, lines->buffer + lines->begin, lines->end - lines->begin);
    lines->end -= lines->begin;
    lines->begin = 0;
    enum status status =
        body_input_read(lines->input, lines->buffer + lines->end, BUFFER - lines->end, &got);
    lines->ended = status != STATUS_OK || lines->end + got < BUFFER;
    lines->end += got;
    return status;
}

size_t table_lines_mark(const char *text, size_t size)
{
    static const char mark[] = {'\xef', '\xbb', '\xbf'};
    return size >= sizeof mark && memcmp(text, mark, sizeof mark) == 0 ? sizeof mark : 0;
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
        const size_t mark = lines->number++ == 0 ? table_lines_mark(start, have) : 0;
        start += mark;
        have -= mark;
        lines->begin += mark;
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
