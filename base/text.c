#include "base/text.h"

#include "base/memory.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DIGITS_MAX = 18 };

char *text_format_list(const char *format, va_list args)
{
    char *text = NULL;
    if (vasprintf(&text, format, args) < 0)
        memory_exhausted();
    return text;
}

char *text_format(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = text_format_list(format, args);
    va_end(args);
    return text;
}

void text_append(char **text, const char *between, const char *format, ...)
{
    char *before = *text;
    va_list args;
    va_start(args, format);
    char *more = text_format_list(format, args);
    va_end(args);
    *text = before && *before ? text_format("%s%s%s", before, between, more) : memory_text(more);
    free(before);
    free(more);
}

FILE *text_begin(char **text, size_t *size)
{
    FILE *file = open_memstream(text, size);
    if (!file)
        memory_exhausted();
    return file;
}

void text_end(FILE *file)
{
    if (ferror(file) || fclose(file) != 0)
        memory_exhausted();
}

void text_list(char *list, size_t size, const char *name)
{
    size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s", used ? ", " : "", name);
}

bool text_ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

void text_thousands(char *digits)
{
    const int first = isdigit((unsigned char)digits[0]) ? 0 : 1;
    for (int at = (int)strlen(digits) - 3; at > first; at -= 3) {
        memmove(digits + at + 1, digits + at, strlen(digits + at) + 1);
        digits[at] = ',';
    }
}

void text_whole(char *text, size_t size, double value)
{
    char digits[512];
    snprintf(digits, sizeof digits, "%.0f", value);
    text_thousands(digits);
    snprintf(text, size, "%s", digits);
}

size_t text_end_lines(char *text, size_t size)
{
    size_t left = 0;
    for (size_t i = 0; i < size; i++)
        if (text[i] != '\r' || text[i + 1] != '\n')
            text[left++] = text[i];
    text[left] = '\0';
    return left;
}

char *text_quoted(const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./=:,+%";
    if (*text && strspn(text, plain) == strlen(text))
        return memory_text(text);
    char *out = memory_new(4 * strlen(text) + 3, 1), *to = out;
    *to++ = '\'';
    for (; *text; text++) {
        if (*text == '\'') {
            memcpy(to, "'\\''", 4);
            to += 4;
        } else {
            *to++ = *text;
        }
    }
    *to = '\'';
    return out;
}

/* U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069: direction marks and line separators. */
static bool is_format_mark(const unsigned char *at)
{
    if (at[0] != 0xE2 || (at[1] != 0x80 && at[1] != 0x81))
        return false;
    return at[1] == 0x80 ? at[2] == 0x8E || at[2] == 0x8F || (at[2] >= 0xA8 && at[2] <= 0xAE)
                         : at[2] >= 0xA6 && at[2] <= 0xA9;
}

uint32_t text_character(const char **text)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *at = (const unsigned char *)*text;
    const int length = at[0] < 0x80                    ? 1
                       : at[0] >= 0xc2 && at[0] < 0xe0 ? 2
                       : at[0] >= 0xe0 && at[0] < 0xf0 ? 3
                       : at[0] >= 0xf0 && at[0] < 0xf5 ? 4
                                                       : 0;
    uint32_t value = length == 1 ? at[0] : at[0] & (0x7fU >> (length ? length : 1));
    for (int i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80) {
            ++*text;
            return TEXT_NO_CHARACTER;
        }
        value = value << 6 | (at[i] & 0x3fU);
    }
    if (length == 0 || value < least[length] || value > 0x10ffff ||
        (value >= 0xd800 && value < 0xe000)) {
        ++*text;
        return TEXT_NO_CHARACTER;
    }
    *text += value ? length : 0;
    return value;
}

int text_control(const char *at)
{
    const unsigned char *bytes = (const unsigned char *)at;
    if (bytes[0] == 0xC2)
        return bytes[1] >= 0x80 && bytes[1] <= 0x9F ? 2 : 0;
    if (bytes[0] == 0xD8 && bytes[1] == 0x9C) /* U+061C */
        return 2;
    if (is_format_mark(bytes))
        return 3;
    return (bytes[0] > 0 && bytes[0] < 0x20) || bytes[0] == 0x7F;
}

enum status text_parse_bytes(const char *option, const char *text, uint64_t *bytes)
{
    static const char units[] = "KMGT";
    char *end;
    errno = 0;
    double value = isdigit((unsigned char)text[0]) ? strtod(text, &end) : NAN;
    if (!isnan(value)) {
        const char *unit = *end ? strchr(units, toupper((unsigned char)*end)) : NULL;
        if (unit) {
            value = ldexp(value, 10 * (int)(unit - units + 1));
            end++;
        }
        if (strcasecmp(end, "B") == 0 || (unit && strcasecmp(end, "iB") == 0))
            end += strlen(end);
    }
    if (isnan(value) || *end || errno || value < 1 || value > 0x1p60)
        return status_fail(STATUS_USAGE,
                           "%s: expected a number of bytes such as 2G or 512M, found '%.64s'",
                           option, text);
    *bytes = (uint64_t)value;
    return STATUS_OK;
}

char *text_base64(const void *bytes, size_t size, size_t *length)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *at = bytes;
    char *text = memory_new((size + 2) / 3 * 4 + 1, 1), *to = text;
    for (size_t i = 0; i < size; i += 3) {
        const size_t left = size - i;
        const uint32_t three = (uint32_t)at[i] << 16 | (left > 1 ? (uint32_t)at[i + 1] << 8 : 0) |
                               (left > 2 ? at[i + 2] : 0);
        *to++ = digits[three >> 18];
        *to++ = digits[three >> 12 & 63];
        *to++ = left > 1 ? digits[three >> 6 & 63] : '=';
        *to++ = left > 2 ? digits[three & 63] : '=';
    }
    *length = (size_t)(to - text);
    return text;
}

void text_wrap(FILE *file, int column, int indent, const char *text)
{
    enum { WIDTH = 79 };
    fprintf(file, "%*s", indent - column, "");
    column = indent;
    while (*text) {
        const int length = (int)strcspn(text, " ");
        if (column > indent && column + 1 + length > WIDTH) {
            fprintf(file, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            fputc(' ', file);
            column++;
        }
        fprintf(file, "%.*s", length, text);
        column += length;
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', file);
}

bool text_parse_digits(const char *text, size_t length, uint64_t *out)
{
    if (length == 0 || length > DIGITS_MAX)
        return false;
    *out = 0;
    for (size_t i = 0; i < length; i++) {
        if (!isdigit((unsigned char)text[i]))
            return false;
        *out = *out * 10 + (uint64_t)(text[i] - '0');
    }
    return true;
}

enum status text_parse_range(const char *option, const char *text, struct text_range *out)
{
    const char *dots = strstr(text, "..");
    *out = (struct text_range){.last = UINT64_MAX};
    bool good;
    if (dots) {
        out->has_first = dots > text;
        out->has_last = dots[2] != '\0';
        good = (out->has_first || out->has_last) &&
               (!out->has_first || text_parse_digits(text, (size_t)(dots - text), &out->first)) &&
               (!out->has_last || text_parse_digits(dots + 2, strlen(dots + 2), &out->last)) &&
               out->first <= out->last;
    } else {
        good = out->has_count = text_parse_digits(text, strlen(text), &out->count);
    }
    if (good)
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "%s needs A..B with A <= B, A.., ..B or a number of frames, found '%s'; "
                       "for example %s 0..99",
                       option, text, option);
}

const char *text_of_count(const char *plural, double count, char room[TEXT_WORD])
{
    const size_t length = strlen(plural);
    if (count != 1 || length < 4 || length >= TEXT_WORD || plural[length - 1] != 's')
        return plural;
    const bool on_y = strcmp(plural + length - 3, "ies") == 0;
    snprintf(room, TEXT_WORD, "%.*s%s", (int)(length - (on_y ? 3 : 1)), plural, on_y ? "y" : "");
    return room;
}

void text_put(FILE *file, const char *text, bool lines)
{
    for (int size; *text; text += size > 0 ? size : 1) {
        size = *text == '\n' && lines ? 0 : text_control(text);
        if (size == 0)
            fputc(*text, file);
        for (int i = 0; i < size; i++)
            fprintf(file, "\\x%02x", (unsigned char)text[i]);
    }
}

void text_print(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = text_format_list(format, args);
    va_end(args);
    text_put(stdout, text, true);
    free(text);
}

/* Escapes `length` bytes. A backquote toggles `*bold`, unless that is NULL. */
static void put(FILE *file, const char *text, size_t length, bool *bold)
{
    if (length > 0 && (*text == '.' || *text == '\''))
        fputs("\\&", file);
    for (size_t i = 0; i < length; i++) {
        switch (text[i]) {
        case '\\':
            fputs("\\e", file);
            break;
        case '-':
            fputs("\\-", file);
            break;
        case '\'':
            fputs("\\(aq", file);
            break;
        case '^':
            fputs("\\(ha", file);
            break;
        case '~':
            fputs("\\(ti", file);
            break;
        case '`':
            if (bold) {
                *bold = !*bold;
                fputs(*bold ? "\\fB" : "\\fR", file);
                break;
            }
            fputs("\\(ga", file);
            break;
        default:
            fputc(text[i], file);
        }
    }
}

static void put_line(FILE *file, const char *text, size_t length)
{
    bool bold = false;
    put(file, text, length, &bold);
    fputs(bold ? "\\fR\n" : "\n", file);
}

void roff_title(FILE *file, const char *name, int section, const char *doc)
{
    fputs(".TH ", file);
    for (const char *at = name; *at; at++)
        fputc(toupper((unsigned char)*at), file);
    fprintf(file, " %d \"\" \"gravreel %s\" \"gravreel\"\n.SH NAME\n", section, GRAVREEL_VERSION);
    put(file, name, strlen(name), NULL);
    fputs(" \\- ", file);
    put_line(file, doc, strlen(doc));
}

void roff_section(FILE *file, const char *title)
{
    fputs(".SH ", file);
    for (const char *at = title; *at; at++)
        fputc(toupper((unsigned char)*at), file);
    fputc('\n', file);
}

void roff_term(FILE *file, const char *term)
{
    fputs(".TP\n\\fB", file);
    put(file, term, strlen(term), NULL);
    fputs("\\fR\n", file);
}

void roff_text(FILE *file, const char *text)
{
    if (*text)
        put_line(file, text, strlen(text));
}

void roff_literal(FILE *file, const char *line)
{
    put(file, line, strlen(line), NULL);
    fputc('\n', file);
}

/* Prints a row "| `term` | meaning |"; skips the row of dashes and the headings before it. */
static void put_row(FILE *file, const char *line, size_t length)
{
    const char *second = memchr(line + 1, '|', length - 1);
    if (!second || line[2] != '`')
        return;
    fputs(".TP\n", file);
    put_line(file, line + 2, (size_t)(second - line) - 3);
    put_line(file, second + 2, length - (size_t)(second - line) - 4);
}

void roff_markdown(FILE *file, const char *text)
{
    bool code = false, fresh = false;
    while (*text) {
        const size_t length = strcspn(text, "\n");
        if (strncmp(text, "```", 3) == 0) {
            code = !code;
            fputs(code ? ".PP\n.nf\n" : ".fi\n", file);
        } else if (code) {
            put(file, text, length, NULL);
            fputc('\n', file);
        } else if (strncmp(text, "# ", 2) == 0) {
            fputs(".SH DESCRIPTION\n", file);
            fresh = true;
        } else if (strncmp(text, "## ", 3) == 0) {
            fprintf(file, ".SH %.*s\n", (int)length - 3, text + 3);
            fresh = true;
        } else if (text[0] == '|') {
            put_row(file, text, length);
            fresh = false;
        } else if (length == 0) {
            if (!fresh && text[1] && !strchr("#`|", text[1]))
                fputs(".PP\n", file);
        } else {
            put_line(file, text, length);
            fresh = false;
        }
        text += length + (text[length] == '\n');
    }
}
