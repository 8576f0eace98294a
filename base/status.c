#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char sentence[STATUS_TEXT_MAX];

enum status status_fail(enum status status, const char *format, ...)
{
    char text[STATUS_TEXT_MAX]; /* the arguments may point into the old sentence */
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    memcpy(sentence, text, sizeof text);
    return status;
}

enum status status_prefix(enum status status, const char *format, ...)
{
    char text[STATUS_TEXT_MAX];
    va_list args;
    va_start(args, format);
    int used = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (used >= 0 && (size_t)used < sizeof text)
        snprintf(text + used, sizeof text - (size_t)used, ": %s", sentence);
    memcpy(sentence, text, sizeof text);
    return status;
}

const char *status_text(void)
{
    return sentence;
}
