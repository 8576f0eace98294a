#include "render/video/libav.h"

#include "base/machine.h"
#include "base/log.h"

#include <ctype.h>
#include <libavutil/error.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define FILE_OF(name, version) "lib" name ".so." AV_STRINGIFY(version)
static const char *const files[] = {
    FILE_OF("avutil", LIBAVUTIL_VERSION_MAJOR),
    FILE_OF("avcodec", LIBAVCODEC_VERSION_MAJOR),
    FILE_OF("avformat", LIBAVFORMAT_VERSION_MAJOR),
};

#define NAME(call) #call,
static const char *const names[] = {LIBAV_CALLS(NAME)};

static struct libav_calls calls;
_Static_assert(sizeof calls == sizeof names, "one function for every name, in the same order");

static void load(void)
{
    const struct library libav = {"films", files, sizeof files / sizeof *files, names,
                                  sizeof names / sizeof *names};
    library_load(&libav, &calls);
}

const struct libav_calls *libav(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return &calls;
}

/* ---- libav ---- */

enum { MESSAGE_MAX = 400, WARNINGS_MAX = 2048 };

static _Thread_local char last_error[MESSAGE_MAX];
static _Thread_local char warnings[WARNINGS_MAX]; /* joined by line feeds */

static void keep_warning(const char *line)
{
    size_t used = strlen(warnings);
    if (used + strlen(line) + 2 <= sizeof warnings)
        snprintf(warnings + used, sizeof warnings - used, "%s\n", line);
}

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
    if (level <= AV_LOG_WARNING)
        keep_warning(line);
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
    last_error[0] = warnings[0] = '\0';
}

const char *libav_complaint(void)
{
    return last_error[0] ? last_error : NULL;
}

const char *libav_warning(void)
{
    static _Thread_local char line[MESSAGE_MAX];
    if (!warnings[0])
        return NULL;
    snprintf(line, sizeof line, "%.*s", (int)strcspn(warnings, "\n"), warnings);
    return line;
}

static bool is_part_of_word(char c)
{
    return isalnum((unsigned char)c) || c == '-' || c == '_';
}

static bool holds_word(const char *line, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = line; (at = strstr(at, word)) != NULL; at++)
        if ((at == line || !is_part_of_word(at[-1])) && !is_part_of_word(at[length]))
            return true;
    return false;
}

const char *libav_warning_about(const char *word)
{
    static _Thread_local char line[MESSAGE_MAX];
    for (const char *at = warnings; *at;) {
        size_t length = strcspn(at, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, at);
        if (holds_word(line, word))
            return line;
        at += length + 1;
    }
    return NULL;
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

enum AVPixelFormat libav_pixel_format(enum picture_format format)
{
    switch (format) {
    case PICTURE_NV12:
        return AV_PIX_FMT_NV12;
    case PICTURE_YUV420P:
        return AV_PIX_FMT_YUV420P;
    case PICTURE_YUV420P10:
    case PICTURE_YUV420P10_PQ:
    case PICTURE_YUV420P10_HLG:
        return AV_PIX_FMT_YUV420P10LE;
    case PICTURE_YUV444P:
        return AV_PIX_FMT_YUV444P;
    case PICTURE_YUV444P10:
    case PICTURE_YUV444P10_PQ:
    case PICTURE_YUV444P10_HLG:
        return AV_PIX_FMT_YUV444P10LE;
    case PICTURE_RGBA8:
    case PICTURE_RGBA8_STRAIGHT:
    case PICTURE_RGBA8_PREMULTIPLIED:
        return AV_PIX_FMT_RGBA;
    case PICTURE_RGBA16:
    case PICTURE_RGBA16_STRAIGHT:
    case PICTURE_RGBA16_PREMULTIPLIED:
        return AV_PIX_FMT_RGBA64;
    case PICTURE_YUVA444P10_STRAIGHT:
    case PICTURE_YUVA444P10_PREMULTIPLIED:
        return AV_PIX_FMT_YUVA444P10LE;
    case PICTURE_YUV422P:
        return AV_PIX_FMT_YUV422P;
    case PICTURE_YUV422P10:
    case PICTURE_YUV422P10_PQ:
    case PICTURE_YUV422P10_HLG:
        return AV_PIX_FMT_YUV422P10LE;
    case PICTURE_YUVA420P_STRAIGHT:
    case PICTURE_YUVA420P_PREMULTIPLIED:
        return AV_PIX_FMT_YUVA420P;
    case PICTURE_RGBAF32: /* exr.c separates its planes */
    case PICTURE_FORMATS:
        break;
    }
    return AV_PIX_FMT_NONE;
}
