#include "render/sink_libav.h"

#include "base/log.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/error.h>
#include <libavutil/log.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_MAX = 400 };

static _Thread_local char last_error[MESSAGE_MAX], first_warning[MESSAGE_MAX];

static void take_log(void *object, int level, const char *format, va_list args)
{
    if (level > AV_LOG_WARNING && (level > AV_LOG_VERBOSE || log_get_level() < LOG_DEBUG))
        return;
    char line[MESSAGE_MAX];
    vsnprintf(line, sizeof line, format, args);
    line[strcspn(line, "\n")] = '\0';
    if (!line[0])
        return;
    if (level <= AV_LOG_ERROR)
        memcpy(last_error, line, sizeof line);
    else if (level <= AV_LOG_WARNING && !first_warning[0])
        memcpy(first_warning, line, sizeof line);
    const AVClass *class = object ? *(AVClass **)object : NULL;
    log_debug("%s: %s", class ? class->item_name(object) : "libav", line);
}

static void install(void)
{
    av_log_set_callback(take_log);
}

void libav_prepare(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
}

void libav_forget(void)
{
    last_error[0] = first_warning[0] = '\0';
}

const char *libav_warning(void)
{
    return first_warning[0] ? first_warning : NULL;
}

void libav_versions(char *out, size_t size)
{
    unsigned codec = avcodec_version(), format = avformat_version();
    snprintf(out, size, "libavcodec %u.%u.%u, libavformat %u.%u.%u", AV_VERSION_MAJOR(codec),
             AV_VERSION_MINOR(codec), AV_VERSION_MICRO(codec), AV_VERSION_MAJOR(format),
             AV_VERSION_MINOR(format), AV_VERSION_MICRO(format));
}

const char *libav_reason(int error)
{
    static _Thread_local char text[MESSAGE_MAX + AV_ERROR_MAX_STRING_SIZE];
    if (last_error[0])
        snprintf(text, sizeof text, "%s", last_error);
    else
        av_strerror(error, text, sizeof text);
    return text;
}
