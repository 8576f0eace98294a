#include "render/video/libav_calls.h"

#include "base/machine.h"

#include <pthread.h>

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
