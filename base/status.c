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
    size_t room = used >= 0 && (size_t)used < sizeof text ? sizeof text - (size_t)used : 0;
    if (room > 0 && snprintf(text + used, room, ": %s", sentence) < 0)
        text[used] = '\0';
    memcpy(sentence, text, sizeof text);
    return status;
}

const char *status_text(void)
{
    return sentence;
}
