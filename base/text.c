#include "base/text.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

char *text_format(const char *format, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0)
        memory_exhausted();
    va_end(args);
    return text;
}

void text_list(char *list, size_t size, const char *name)
{
    size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s", used ? ", " : "", name);
}

void text_whole(char *text, size_t size, double value)
{
    char digits[512];
    int length = snprintf(digits, sizeof digits, "%.0f", value);
    for (int at = length - 3; isdigit((unsigned char)digits[0]) ? at > 0 : at > 1; at -= 3) {
        memmove(digits + at + 1, digits + at, strlen(digits + at) + 1);
        digits[at] = ',';
    }
    snprintf(text, size, "%s", digits);
}
