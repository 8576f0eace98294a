#include "sim/bodies/lines.h"

#include "base/file.h"
#include "base/memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { BUFFER = 1 << 16, GZIP = 16 + MAX_WBITS };

struct table_lines {
    const char *path;
    int file;
    bool zipped, inside; /* inside: a member of the gzip data has begun and not ended */
    z_stream stream;
    size_t number;
    size_t begin, end; /* of what is read and not yet handed out */
    bool ended;
    char buffer[BUFFER + 1];
    unsigned char raw[BUFFER]; /* as it is in the file */
};

/* More of the file where all of it has been used; nothing at its end. */
static enum status fetch(struct table_lines *lines)
{
    size_t size = 0;
    ssize_t got = 1;
    while (size < sizeof lines->raw && got != 0) {
        got = read(lines->file, lines->raw + size, sizeof lines->raw - size);
        if (got < 0 && errno != EINTR)
            break;
        size += got > 0 ? (size_t)got : 0;
    }
    lines->stream.next_in = lines->raw;
    lines->stream.avail_in = (uInt)size;
    if (got >= 0)
        return STATUS_OK;
    return status_fail(STATUS_IO, "cannot read the bodies file %s: %s", lines->path,
                       strerror(errno));
}

enum status table_lines_open(struct table_lines **out, const char *path)
{
    *out = NULL;
    const int file = file_open_to_read(path);
    if (file < 0)
        return status_fail(STATUS_IO, "cannot open the bodies file %s: %s", path, strerror(errno));
    struct table_lines *lines = memory_new(1, sizeof *lines);
    lines->path = path;
    lines->file = file;
    enum status status = fetch(lines);
    const unsigned char *head = lines->raw;
    lines->zipped = lines->stream.avail_in >= 2 && head[0] == 0x1f && head[1] == 0x8b;
    if (lines->zipped && inflateInit2(&lines->stream, GZIP) != Z_OK)
        memory_exhausted();
    if (status != STATUS_OK)
        table_lines_close(&lines);
    *out = lines;
    return status;
}

void table_lines_close(struct table_lines **lines)
{
    if (!*lines)
        return;
    if ((*lines)->zipped)
        inflateEnd(&(*lines)->stream);
    close((*lines)->file);
    free(*lines);
    *lines = NULL;
}

size_t table_lines_number(const struct table_lines *lines)
{
    return lines->number;
}

/* Bytes of plain text that are copied, 0 at the end. */
static size_t copy(struct table_lines *lines, char *to, size_t room)
{
    const size_t size = lines->stream.avail_in < room ? lines->stream.avail_in : room;
    memcpy(to, lines->stream.next_in, size);
    lines->stream.next_in += size;
    lines->stream.avail_in -= (uInt)size;
    return size;
}

static enum status damaged(const struct table_lines *lines, const char *why)
{
    return status_fail(STATUS_IO,
                       "%s holds damaged gzip data after line %zu (%s); copy or "
                       "download it again",
                       lines->path, lines->number, why);
}

/* Behind a member another one may begin, or zeros that fill a block of a tape. */
static enum status check_padding(struct table_lines *lines)
{
    enum status status = STATUS_OK;
    while (status == STATUS_OK && lines->stream.avail_in > 0) {
        for (; lines->stream.avail_in > 0; lines->stream.avail_in--)
            if (*lines->stream.next_in++ != 0)
                return damaged(lines, "what follows its first part is no gzip data");
        status = fetch(lines);
    }
    return status;
}

static enum status unzip(struct table_lines *lines, char *to, size_t room, size_t *got)
{
    z_stream *stream = &lines->stream;
    if (!lines->inside && *stream->next_in == 0) {
        *got = 0;
        return check_padding(lines);
    }
    stream->next_out = (unsigned char *)to;
    stream->avail_out = (uInt)room;
    lines->inside = true;
    const int code = inflate(stream, Z_NO_FLUSH);
    *got = room - stream->avail_out;
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
        return damaged(lines, stream->msg ? stream->msg : "it cannot be unpacked");
    if (code == Z_STREAM_END) {
        lines->inside = false;
        if (inflateReset(stream) != Z_OK)
            return damaged(lines, "it cannot be unpacked");
    }
    return STATUS_OK;
}

static enum status refill(struct table_lines *lines)
{
    memmove(lines->buffer, lines->buffer + lines->begin, lines->end - lines->begin);
    lines->end -= lines->begin;
    lines->begin = 0;
    enum status status = STATUS_OK;
    for (size_t got = 0; status == STATUS_OK && got == 0; lines->end += got) {
        if (lines->stream.avail_in == 0)
            status = fetch(lines);
        lines->ended = status != STATUS_OK || lines->stream.avail_in == 0;
        if (lines->ended)
            break;
        char *to = lines->buffer + lines->end;
        const size_t room = BUFFER - lines->end;
        if (lines->zipped)
            status = unzip(lines, to, room, &got);
        else
            got = copy(lines, to, room);
    }
    if (status != STATUS_OK || !lines->ended || !lines->inside)
        return status;
    return status_fail(STATUS_IO,
                       "%s ends in the middle of its gzip data after line %zu; copy or "
                       "download it again",
                       lines->path, lines->number);
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
