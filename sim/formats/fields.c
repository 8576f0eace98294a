#include "sim/formats/fields.h"

#include <string.h>

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
static char *find_end(char *at, char separator, bool names)
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
            end = find_end(at, separator, names);
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
