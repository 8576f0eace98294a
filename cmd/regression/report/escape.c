#include "cmd/regression/report/escape.h"

#include "base/text.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>

enum { REPLACEMENT = 0xfffd };

/* Decodes UTF-8 by RFC 3629: no overlong forms, surrogates or numbers above U+10FFFF. */
static uint32_t decode(const char **text)
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
            return REPLACEMENT;
        }
        value = value << 6 | (at[i] & 0x3fU);
    }
    if (length == 0 || value < least[length] || value > 0x10ffff ||
        (value >= 0xd800 && value < 0xe000)) {
        ++*text;
        return REPLACEMENT;
    }
    *text += value ? length : 0;
    return value;
}

/* Returns whether a display would obey the character instead of showing it: C0, C1, direction
 * marks, and noncharacters. */
static bool is_control(uint32_t character)
{
    static const uint32_t ranges[][2] = {{0x01, 0x1f},     {0x7f, 0x9f},      {0x200b, 0x200f},
                                         {0x2028, 0x202e}, {0x2060, 0x206f},  {0xfeff, 0xfeff},
                                         {0xfff9, 0xfffb}, {0xe0000, 0xe007f}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (character >= ranges[i][0] && character <= ranges[i][1])
            return true;
    return (character & 0xfffe) == 0xfffe || (character >= 0xfdd0 && character <= 0xfdef);
}

uint32_t escape_next(const char **text)
{
    if (!*text)
        return 0;
    uint32_t character = decode(text);
    if (character == '\n' || character == '\r' || character == '\t')
        return ' ';
    return is_control(character) ? REPLACEMENT : character;
}

void escape_put(FILE *out, uint32_t character)
{
    if (character < 0x80) {
        putc((int)character, out);
        return;
    }
    int more = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
    putc((int)((0xff00U >> (more + 1) & 0xffU) | character >> 6 * more), out);
    while (more-- > 0)
        putc((int)(0x80 | (character >> 6 * more & 0x3f)), out);
}

static int columns(const char *text)
{
    int count = 0;
    while (escape_next(&text) && count < INT_MAX)
        count++;
    return count;
}

int escape_terminal(FILE *out, const char *text, int room)
{
    const int all = columns(text);
    const bool cut = all > room;
    const int shown = cut ? (room > 3 ? room - 3 : 0) : all;
    for (int i = 0; i < shown; i++) {
        uint32_t character = escape_next(&text);
        escape_put(out, character == REPLACEMENT ? '?' : character);
    }
    int dots = 0;
    while (cut && shown + dots < room && dots < 3) {
        putc('.', out);
        dots++;
    }
    return shown + dots;
}

void escape_markup(FILE *out, const char *text)
{
    for (uint32_t character; (character = escape_next(&text));)
        if (character < 0x80 && strchr("&<>\"'`", (int)character))
            fprintf(out, "&#%u;", (unsigned)character);
        else
            escape_put(out, character);
}

void escape_markdown(FILE *out, const char *text)
{
    for (uint32_t character; (character = escape_next(&text));) {
        if (character < 0x80 && strchr("\\`*_[]<>&#|~!@$", (int)character))
            fprintf(out, "&#%u;", (unsigned)character);
        else
            escape_put(out, character);
        if (character == '@' || character == '#' || (character == ':' && text[0] == '/'))
            escape_put(out, 0x2060); /* mentions are recognized after entities are decoded */
    }
}

char *escape_utf8(const char *text)
{
    size_t size;
    char *copy = NULL;
    FILE *memory = text_begin(&copy, &size);
    for (uint32_t character; (character = decode(&text));)
        escape_put(memory, character);
    text_end(memory);
    return copy;
}
