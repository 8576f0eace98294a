#include "base/status.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static _Thread_local char sentence[STATUS_TEXT_MAX];

enum status status_fail(enum status status, const char *format, ...)
{
    char text[STATUS_TEXT_MAX]; /* the arguments may point into the old message */
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    memcpy(sentence, text, sizeof text);
    return status;
}

/* Truncates what does not fit. */
static size_t append(char *text, size_t at, const char *tail)
{
    while (*tail && at < STATUS_TEXT_MAX - 1)
        text[at++] = *tail++;
    text[at] = '\0';
    return at;
}

enum status status_prefix(enum status status, const char *format, ...)
{
    char text[STATUS_TEXT_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    append(text, append(text, strlen(text), ": "), sentence);
    memcpy(sentence, text, sizeof text);
    return status;
}

const char *status_reason(const char *path, int reason)
{
    char here[PATH_MAX];
    return *path != '/' && !getcwd(here, sizeof here) && errno == ENOENT
               ? "the current folder has been removed; change to another one"
               : strerror(reason);
}

enum status status_cannot_write(const char *path, int reason)
{
    return status_fail(STATUS_IO, "cannot write '%s': %s", path, status_reason(path, reason));
}

const char *status_text(void)
{
    return sentence;
}

bool failure_keep(struct failure *failure, enum status status)
{
    const bool first = failure->status == STATUS_OK ||
                       (failure->status == STATUS_STOPPED && status != STATUS_STOPPED);
    if (status == STATUS_OK || !first)
        return false;
    failure->status = status;
    memcpy(failure->sentence, sentence, sizeof sentence);
    return true;
}

enum status failure_report(const struct failure *failure)
{
    if (failure->status == STATUS_OK)
        return STATUS_OK;
    memcpy(sentence, failure->sentence, sizeof sentence);
    return failure->status;
}
