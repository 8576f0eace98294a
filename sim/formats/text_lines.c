#include "sim/formats/text_lines.h"

#include "base/memory.h"
#include "sim/formats/bytes.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER = 1 << 16, RAW = 1 << 14 };

enum code { UTF8, UTF16_LE, UTF16_BE, UTF32 };

struct table_lines {
    const char *path;
    struct body_input *input;
    size_t number;
    size_t begin, end; /* range that was read and not yet returned */
    bool begun, ended;
    bool only_cr;  /* the last line ended with CR alone */
    unsigned high; /* the first half of a pair of surrogates; 0: none */
    enum code code;
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

/* Whether every second byte, from `zero` on, is zero and the others are ASCII. */
static bool alternates(const unsigned char *bytes, size_t size, size_t zero)
{
    enum { ENOUGH = 64 };
    const size_t looked = size < ENOUGH ? size / 2 * 2 : ENOUGH;
    for (size_t i = 0; i < looked; i += 2) {
        const unsigned char letter = bytes[i + 1 - zero];
        if (bytes[i + zero] != 0 || letter < '\t' || letter > '~')
            return false;
    }
    return looked >= 4;
}

/* The text's code, and the length of its byte order mark. */
static enum code code_of(const unsigned char *bytes, size_t size, size_t *mark)
{
    static const struct {
        enum code code;
        size_t size;
        unsigned char mark[4];
    } marks[] = {{UTF8, 3, {0xef, 0xbb, 0xbf}},
                 {UTF32, 4, {0xff, 0xfe, 0, 0}},
                 {UTF32, 4, {0, 0, 0xfe, 0xff}},
                 {UTF16_LE, 2, {0xff, 0xfe}},
                 {UTF16_BE, 2, {0xfe, 0xff}}};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (size >= marks[i].size && memcmp(bytes, marks[i].mark, marks[i].size) == 0) {
            *mark = marks[i].size;
            return marks[i].code;
        }
    *mark = 0;
    return alternates(bytes, size, 1) ? UTF16_LE : alternates(bytes, size, 0) ? UTF16_BE : UTF8;
}

static size_t put_character(uint32_t c, char *out)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    const size_t more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
    out[0] = (char)(first[more] | c >> 6 * more);
    for (size_t i = 1; i <= more; i++)
        out[i] = (char)(0x80 | (c >> 6 * (more - i) & 0x3f));
    return more + 1;
}

/* Converts UTF-16 to UTF-8, at most 3 bytes for each 2. The first half of a pair of surrogates
 * waits in *high for the second, also until the next call; a second half alone becomes U+FFFD. */
static size_t from_utf16(enum code code, const unsigned char *bytes, size_t size, unsigned *high,
                         char *out)
{
    enum { HIGH = 0xd800, LOW = 0xdc00, AFTER = 0xe000, UNKNOWN = 0xfffd };
    size_t used = 0;
    for (size_t i = 0; i + 1 < size; i += 2) {
        const unsigned unit = code == UTF16_LE ? bytes[i] | (unsigned)bytes[i + 1] << 8
                                               : bytes[i + 1] | (unsigned)bytes[i] << 8;
        const bool low = unit >= LOW && unit < AFTER;
        uint32_t c = unit;
        if (low)
            c = *high ? 0x10000 + ((uint32_t)(*high - HIGH) << 10) + (unit - LOW) : UNKNOWN;
        *high = unit >= HIGH && unit < LOW ? unit : 0;
        if (!*high)
            used += put_character(c, out + used);
    }
    return used;
}

/* Appends the next bytes, which `raw` holds unless the text is UTF-8. */
static enum status append(struct table_lines *lines, const unsigned char *raw, size_t got)
{
    if (lines->code == UTF32)
        return status_fail(STATUS_USAGE, "%s is UTF-32 text, which is not read; save it as UTF-8",
                           lines->path);
    if (lines->code == UTF8) {
        memcpy(lines->buffer + lines->end, raw, got);
        lines->end += got;
        return STATUS_OK;
    }
    lines->end += from_utf16(lines->code, raw, got, &lines->high, lines->buffer + lines->end);
    if (got % 2 == 1)
        return status_fail(STATUS_USAGE,
                           "%s is UTF-16 text and ends within a character; copy or save it again",
                           lines->path);
    return STATUS_OK;
}

/* Reads more bytes. The first read is a piece by which the code is recognized. */
static enum status refill(struct table_lines *lines)
{
    unsigned char raw[RAW];
    size_t got, mark = 0;
    memmove(lines->buffer, lines->buffer + lines->begin, lines->end - lines->begin);
    lines->end -= lines->begin;
    lines->begin = 0;
    const size_t room = BUFFER - lines->end;
    const bool direct = lines->begun && lines->code == UTF8;
    const size_t asked = direct ? room : room / 3 * 2 < RAW ? room / 3 * 2 : RAW;
    enum status status = body_input_read(
        lines->input, direct ? lines->buffer + lines->end : (char *)raw, asked, &got);
    lines->ended = status != STATUS_OK || got < asked;
    if (direct)
        lines->end += got;
    if (!lines->begun)
        lines->code = code_of(raw, got, &mark);
    lines->begun = true;
    return direct || status != STATUS_OK ? status : append(lines, raw + mark, got - mark);
}

/* The line's end in the bytes read so far: its CR or LF; NULL if more bytes are needed. */
static char *find_end(const struct table_lines *lines, char *start, size_t length)
{
    /* searches first for the end that the line probably has, so that the other search is short */
    char *first = memchr(start, lines->only_cr ? '\r' : '\n', length);
    const size_t before = first ? (size_t)(first - start) : length;
    char *other = memchr(start, lines->only_cr ? '\n' : '\r', before);
    char *end = other ? other : first;
    return end && *end == '\r' && end + 1 == start + length && !lines->ended ? NULL : end;
}

enum status table_lines_next(struct table_lines *lines, char **line)
{
    *line = NULL;
    for (;;) {
        const size_t length = lines->end - lines->begin;
        char *start = lines->buffer + lines->begin, *end = find_end(lines, start, length);
        const size_t have = end ? (size_t)(end - start) : length;
        if (have > TABLE_LINE_MAX)
            return status_fail(STATUS_USAGE,
                               "%s:%zu: the line is longer than %d bytes, so this is not a bodies "
                               "table; give a text file of mass x y z vx vy vz",
                               lines->path, lines->number + 1, TABLE_LINE_MAX);
        if (!end && !lines->ended) {
            enum status status = refill(lines);
            if (status)
                return status;
            continue;
        }
        if (!end && length == 0)
            return STATUS_OK;
        lines->number++;
        if (memchr(start, '\0', have))
            return status_fail(STATUS_USAGE,
                               "%s:%zu: the line holds a zero byte, so this is no bodies table; "
                               "give a text file of mass x y z vx vy vz",
                               lines->path, lines->number);
        const bool pair = end && *end == '\r' && have + 1 < length && end[1] == '\n';
        lines->only_cr = end && *end == '\r' && !pair;
        lines->begin += have + (end != NULL) + pair;
        start[have] = '\0';
        *line = start;
        return STATUS_OK;
    }
}

size_t table_lines_plain(const unsigned char *bytes, size_t size, char *out)
{
    size_t mark, used = size, kept = 0;
    unsigned high = 0;
    const enum code code = code_of(bytes, size, &mark);
    if (code == UTF16_LE || code == UTF16_BE)
        used = from_utf16(code, bytes + mark, size - mark, &high, out);
    else
        memcpy(out, bytes + mark, used -= mark);
    for (size_t i = 0; i < used; i++) {
        const bool pair = out[i] == '\r' && i + 1 < used && out[i + 1] == '\n';
        out[kept++] = out[i] == '\r' ? '\n' : out[i];
        i += pair;
    }
    return kept;
}

/* ---- fields ---- */

/* The length of the blank at `at`: white space other than a line's end, or a no-break space. */
static inline size_t blank(const char *at)
{
    if (*at == ' ' || (*at >= '\t' && *at <= '\r'))
        return 1;
    return at[0] == '\xc2' && at[1] == '\xa0' ? 2 : 0;
}

static inline bool separates(char c, char separator)
{
    return c == separator || (separator == ' ' && c >= '\t' && c <= '\r');
}

static char *skip_blanks(char *at, char separator)
{
    for (size_t length; *at && *at != separator && (length = blank(at)) > 0;)
        at += length;
    return at;
}

/* Ends the text at `end` after removing blanks there. */
static void cut(char *start, char *end)
{
    for (;;) {
        if (end > start && blank(end - 1) == 1)
            end--;
        else if (end > start + 1 && blank(end - 2) == 2)
            end -= 2;
        else
            break;
    }
    *end = '\0';
}

/* Reads quotes that begin at `at`; returns what follows them, with the text in place, or NULL
 * unless a separator follows. */
static char *read_quotes(char *at, char separator)
{
    const char quote = *at;
    char *to = at, *from = at + 1;
    for (; *from && (*from != quote || from[1] == quote); from++)
        from += *from == quote;
    char *after = *from ? skip_blanks(from + 1, separator == ' ' ? '\0' : separator) : from;
    const bool closed = *from == quote && (!*after || separates(*after, separator) ||
                                           (separator == ' ' && after > from + 1));
    if (!closed)
        return NULL;
    for (char *copied = at + 1; copied < from; copied++) {
        copied += *copied == quote;
        *to++ = *copied;
    }
    *to = '\0';
    return after;
}

/* Skips a bracket that is closed before another one is opened. */
static char *skip_bracket(char *at)
{
    const char close = *at == '[' ? ']' : *at == '(' ? ')' : '\0';
    char *end = close ? strchr(at, close) : NULL;
    return end && !memchr(at + 1, *at, (size_t)(end - at)) ? end : at;
}

/* Where a name ends whose words so far are at start .. end: a unit may follow after white space. */
static char *find_unit(const char *start, char *end, char separator)
{
    char *next = separator == ' ' ? skip_blanks(end, '\0') : end;
    const bool opens = *next == '[' || *next == '(';
    const size_t digits = opens ? strspn(next + 1, "0123456789") : 0;
    const bool numbers = digits > 0 && strchr("])", next[1 + digits]); /* the next name: (2) y */
    const bool bracket = opens && !numbers;
    if (next == end || next == start)
        return NULL;
    if (bracket && !memchr(start, *next, (size_t)(end - start)))
        return next;
    if (*next != '/' && end[-1] != '/')
        return NULL;
    return next;
}

/* The separator after the field, or the line's end. */
static char *fields_find_end(char *at, char separator, bool names)
{
    const char *const start = at;
    for (;;) {
        for (; *at && !separates(*at, separator); at++)
            if (names)
                at = skip_bracket(at);
        char *unit = *at && names ? find_unit(start, at, separator) : NULL;
        if (!unit || !*unit)
            return at;
        at = unit;
    }
}

void fields_split(char *line, char separator, bool names, struct fields *out)
{
    char *at = line;
    out->count = out->open = 0;
    for (bool more = true; more; out->count++) {
        at = skip_blanks(at, separator == ' ' ? '\0' : separator);
        if (separator == ' ' && !*at)
            break;
        char *field = at;
        char *end = *at == '"' || *at == '\'' ? read_quotes(at, separator) : NULL;
        if (!end) {
            if (*at == '"' && !out->open)
                out->open = out->count + 1;
            end = fields_find_end(at, separator, names);
            more = *end != '\0';
            cut(field, end);
            at = end + 1;
        } else {
            more = *end != '\0';
            at = end + (separator != ' ');
        }
        if (out->count < FIELDS_MAX)
            out->at[out->count] = field;
    }
}

void fields_drop_empty(struct fields *fields, int least)
{
    while (fields->count > least && fields->count <= FIELDS_MAX && !*fields->at[fields->count - 1])
        fields->count--;
}

bool fields_are_empty(const struct fields *fields)
{
    int i = 0;
    while (i < fields->count && i < FIELDS_MAX && !*fields->at[i])
        i++;
    return i == fields->count;
}
