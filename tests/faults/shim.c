/* Preloaded into the program under test: faults at a chosen moment. $GRAVREEL_TEST_FAULT is
 * "KIND N". Moments are counted from 1: for the first kinds calls by which the program changes
 * files that it names by relative paths, for the last two pictures that go to the encoder.
 *
 *   count 0    only prints "steps=N" at the end
 *   kill N     SIGKILL before the N-th change
 *   stop N     SIGINT before the N-th change
 *   leave N    SIGINT twice before the N-th change
 *   full N     from the N-th change on the disk is full
 *   frozen N   from the N-th change on nothing can be changed
 *   encoder N  the N-th picture cannot be encoded
 *   context N  from the N-th picture on the GL context is lost */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DESCRIPTORS = 4096, GL_CONTEXT_LOST = 0x507, AVERROR_EXTERNAL_ = -0x20545845 };

static const char *kind = "";
static long moment;
static atomic_long steps, pictures;
static atomic_bool ours[DESCRIPTORS];

__attribute__((constructor)) static void begin(void)
{
    const char *fault = getenv("GRAVREEL_TEST_FAULT");
    const char *space = fault ? strchr(fault, ' ') : NULL;
    if (!space)
        return;
    kind = strndup(fault, (size_t)(space - fault));
    moment = atol(space);
}

__attribute__((destructor)) static void end(void)
{
    if (strcmp(kind, "count") == 0)
        fprintf(stderr, "steps=%ld\n", (long)steps);
}

static bool is(const char *name)
{
    return strcmp(kind, name) == 0;
}

/* Whether the change is refused; `needs_room`: on a full disk. */
static bool refused(bool needs_room)
{
    const long step = atomic_fetch_add(&steps, 1) + 1;
    if (step == moment && is("kill"))
        raise(SIGKILL);
    if (step == moment && (is("stop") || is("leave"))) {
        kill(getpid(), SIGINT);
        usleep(20000);
        if (is("leave"))
            kill(getpid(), SIGINT);
    }
    if (step < moment || moment == 0)
        return false;
    if (is("frozen"))
        errno = EROFS;
    else if (is("full") && needs_room)
        errno = ENOSPC;
    else
        return false;
    return true;
}

static bool is_ours(int descriptor)
{
    return descriptor >= 0 && descriptor < DESCRIPTORS && ours[descriptor];
}

static void note(int descriptor, bool mine)
{
    if (descriptor >= 0 && descriptor < DESCRIPTORS)
        ours[descriptor] = mine;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    const bool writes = (flags & (O_WRONLY | O_RDWR)) && *path != '/';
    if (writes && refused(flags & O_CREAT))
        return -1;
    const int descriptor = NEXT(open)(path, flags, mode);
    note(descriptor, writes);
    return descriptor;
}

FILE *fopen(const char *path, const char *mode)
{
    const bool writes = strpbrk(mode, "wa") && *path != '/';
    if (writes && refused(true))
        return NULL;
    FILE *file = NEXT(fopen)(path, mode);
    if (file)
        note(fileno(file), writes);
    return file;
}

ssize_t write(int descriptor, const void *data, size_t size)
{
    return is_ours(descriptor) && refused(true) ? -1 : NEXT(write)(descriptor, data, size);
}

int fsync(int descriptor)
{
    return is_ours(descriptor) && refused(true) ? -1 : NEXT(fsync)(descriptor);
}

int rename(const char *from, const char *to)
{
    return *to != '/' && refused(false) ? -1 : NEXT(rename)(from, to);
}

int link(const char *from, const char *to)
{
    return *to != '/' && refused(true) ? -1 : NEXT(link)(from, to);
}

int unlink(const char *path)
{
    return *path != '/' && refused(false) ? -1 : NEXT(unlink)(path);
}

int mkdir(const char *path, mode_t mode)
{
    return *path != '/' && refused(true) ? -1 : NEXT(mkdir)(path, mode);
}

int rmdir(const char *path)
{
    return *path != '/' && refused(false) ? -1 : NEXT(rmdir)(path);
}

static unsigned lost(void)
{
    return GL_CONTEXT_LOST;
}

int avcodec_send_frame(void *context, const void *frame);
int avcodec_send_frame(void *context, const void *frame)
{
    if (frame && atomic_fetch_add(&pictures, 1) + 1 >= moment) {
        unsigned (**error)(void) = dlsym(RTLD_DEFAULT, "epoxy_glGetError");
        if (is("encoder"))
            return AVERROR_EXTERNAL_;
        if (is("context") && error)
            *error = lost;
    }
    return NEXT(avcodec_send_frame)(context, frame);
}
