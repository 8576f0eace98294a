#include "scenes/quote.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

/* The next code point of UTF-8 and its length; an invalid byte counts as itself. */
static size_t decode(const unsigned char *text, uint32_t *code)
{
    const size_t length = text[0] < 0xc0 ? 1 : text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : 4;
    *code = text[0] & (length == 1 ? 0xff : 0x7f >> length);
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80) {
            *code = text[0];
            return 1;
        }
        *code = *code << 6 | (text[i] & 0x3f);
    }
    return length;
}

/* These marks change the displayed order of the text after them; see also text_control in
 * base/text.h. */
static bool is_mark_of_direction(uint32_t code)
{
    return code == 0x061c || code == 0x200e || code == 0x200f ||
           (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

static bool is_printable(uint32_t code)
{
    if (is_mark_of_direction(code))
        return false;
    return (code >= 0x20 && code < 0x7f) ||
           (code >= 0xa0 && code < 0xd800 && code != 0x2028 && code != 0x2029) ||
           (code >= 0xe000 && code <= 0xfffd && code != 0xfeff) ||
           (code >= 0x10000 && code <= 0x10ffff);
}

static bool is_plain_word(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    return text[0] != '\0' && strchr(letters, text[0]) &&
           strspn(text, "-./abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
               strlen(text) &&
           strcasecmp(text, "null") != 0;
}

void quote_print(FILE *file, const char *text)
{
    if (is_plain_word(text)) {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        uint32_t code;
        size_t length = decode(at, &code);
        if (*at == '"' || *at == '\\')
            fprintf(file, "\\%c", *at);
        else if (is_printable(code))
            fwrite(at, 1, length, file);
        else if (code <= 0xffff)
            fprintf(file, "\\u%04X", (unsigned)code);
        else
            fprintf(file, "\\U%08X", (unsigned)code);
        at += length;
    }
    fputc('"', file);
}

char *quote_text(const char *text)
{
    char *quoted = memory_new(2 * strlen(text) + 3, 1), *at = quoted;
    *at++ = '"';
    for (; *text; text++) {
        if (*text == '"' || *text == '\\' || *text == '\n')
            *at++ = '\\';
        *at++ = *text == '\n' ? 'n' : *text;
    }
    *at++ = '"';
    return quoted;
}
