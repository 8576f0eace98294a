/* Preloaded into the program under test: faults at a chosen moment. $GRAVREEL_TEST_FAULT is
 * "KIND N". Moments are counted from 1: for most kinds calls by which the program changes
 * files that it names by relative paths, for the last five pictures.
 *
 *   order 0    says what is renamed without having been synchronized, and how much was
 *   count 0    only prints "steps=N" at the end
 *   kill N     SIGKILL before the N-th change
 *   stop N     SIGINT before the N-th change
 *   join N     SIGINT before the N-th write into a film's own file, outside the work folder
 *   leave N    SIGINT twice before the N-th change
 *   full N     from the N-th change on the disk is full
 *   frozen N   from the N-th change on nothing can be changed
 *   hash N     whoever reads segment N, counted from 0, first waits for the manifest to name
 *              segment N + 2
 *   load N     every library takes N ms to load; says when a process is forked meanwhile, which
 *              would wait for the loader's locks for ever, and at the end how many were loaded
 *   halt N     SIGSTOP before the N-th picture is encoded
 *   naps N     the same before each N-th picture
 *   encoder N  the N-th picture cannot be encoded
 *   context N  the GL context is lost before the N-th picture is read back
 *   drawn N    SIGINT at the same moment, so that hardly more than N pictures are drawn */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DESCRIPTORS = 4096, GL_CONTEXT_LOST = 0x507, AVERROR_EXTERNAL_ = -0x20545845 };

static const char *kind = "";
static long moment;
static atomic_long renamed, loaded;
static void soil(int descriptor);
static atomic_long steps, pictures;
static atomic_bool ours[DESCRIPTORS], films[DESCRIPTORS];

static void watch_reading(void);

__attribute__((constructor)) static void begin(void)
{
    const char *fault = getenv("GRAVREEL_TEST_FAULT");
    const char *space = fault ? strchr(fault, ' ') : NULL;
    if (!space)
        return;
    kind = strndup(fault, (size_t)(space - fault));
    moment = atol(space);
    if (strcmp(kind, "context") == 0 || strcmp(kind, "drawn") == 0)
        watch_reading();
}

__attribute__((destructor)) static void end(void)
{
    if (strcmp(kind, "count") == 0)
        fprintf(stderr, "steps=%ld\n", (long)steps);
    if (strcmp(kind, "load") == 0)
        fprintf(stderr, "loaded=%ld\n", (long)loaded);
    if (strcmp(kind, "order") == 0)
        fprintf(stderr, "renamed=%ld\n", (long)renamed);
}

static bool is(const char *name)
{
    return strcmp(kind, name) == 0;
}

/* Whether the change fails; `needs_room`: on a full disk. */
static bool refused(bool needs_room)
{
    const long step = atomic_fetch_add(&steps, 1) + 1;
    if (step == moment && is("kill"))
        raise(SIGKILL);
    /* Sent to this thread, so that the first is handled when the second is sent. */
    if (step == moment && (is("stop") || is("leave")))
        raise(SIGINT);
    if (step == moment && is("leave"))
        raise(SIGINT);
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

static bool names_segment(const char *manifest, long segment)
{
    char text[1 << 16], name[64];
    const int file = NEXT(open)(manifest, O_RDONLY);
    const ssize_t size = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    text[size > 0 ? size : 0] = '\0';
    snprintf(name, sizeof name, "segment-%06ld.", segment);
    return strstr(text, name) != NULL;
}

static void hold_hash(const char *path)
{
    static atomic_bool held;
    char name[64], manifest[4096];
    snprintf(name, sizeof name, "/segment-%06ld.", moment);
    const char *found = strstr(path, name);
    if (!found || strstr(found, ".part") || atomic_exchange(&held, true))
        return;
    snprintf(manifest, sizeof manifest, "%.*s/manifest.json", (int)(found - path), path);
    while (!names_segment(manifest, moment + 2))
        usleep(1000);
    fprintf(stderr, "held: others went on\n");
}

/* NAME.part, the joined film, but nothing in NAME.parts. */
static bool is_film(const char *path)
{
    const char *end = strstr(path, ".part");
    return end && strcmp(end, ".part") == 0;
}

int open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    const bool writes = (flags & (O_WRONLY | O_RDWR)) && *path != '/';
    if (is("hash") && !writes)
        hold_hash(path);
    if (writes && refused(flags & O_CREAT))
        return -1;
    const int descriptor = NEXT(open)(path, flags, mode);
    note(descriptor, writes);
    if (descriptor >= 0 && descriptor < DESCRIPTORS)
        films[descriptor] = writes && is_film(path);
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
    if (file && writes)
        soil(fileno(file));
    return file;
}

ssize_t write(int descriptor, const void *data, size_t size)
{
    static atomic_long joined;
    if (is_ours(descriptor))
        soil(descriptor);
    if (is("join") && is_ours(descriptor) && films[descriptor] && ++joined == moment)
        raise(SIGINT);
    return is_ours(descriptor) && refused(true) ? -1 : NEXT(write)(descriptor, data, size);
}

/* The files that were written to and not synchronized since, by inode. */
static atomic_ulong unsynchronized[DESCRIPTORS];

static atomic_ulong *slot(const struct stat *found)
{
    return &unsynchronized[found->st_ino % DESCRIPTORS];
}

static void soil(int descriptor)
{
    struct stat found;
    if (is("order") && fstat(descriptor, &found) == 0)
        *slot(&found) = found.st_ino;
}

static void check_order(const char *path)
{
    struct stat found;
    if (!is("order") || *path == '/' || stat(path, &found) != 0 || !S_ISREG(found.st_mode))
        return;
    renamed++;
    if (*slot(&found) == found.st_ino)
        fprintf(stderr, "not synchronized: %s\n", path);
}

int fsync(int descriptor)
{
    struct stat found;
    if (is("order") && fstat(descriptor, &found) == 0)
        *slot(&found) = 0;
    return is_ours(descriptor) && refused(true) ? -1 : NEXT(fsync)(descriptor);
}

int rename(const char *from, const char *to)
{
    check_order(from);
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

static atomic_int loading;

void *dlopen(const char *file, int mode)
{
    loading++;
    if (is("load"))
        usleep((useconds_t)moment * 1000);
    void *library = NEXT(dlopen)(file, mode);
    loading--;
    loaded++;
    return library;
}

pid_t fork(void)
{
    if (is("load") && loading)
        fprintf(stderr, "forked while a library is loaded\n");
    return NEXT(fork)();
}

/* Functions of GL are variables of libepoxy, which hold what finds them until the first call. */
static unsigned lost(void)
{
    return GL_CONTEXT_LOST;
}

typedef void *map_function(unsigned target, ptrdiff_t offset, ptrdiff_t size, unsigned access);
static map_function **map, *real_map;

static void *map_picture(unsigned target, ptrdiff_t offset, ptrdiff_t size, unsigned access)
{
    unsigned (**error)(void) = dlsym(RTLD_DEFAULT, "epoxy_glGetError");
    const bool now = atomic_fetch_add(&pictures, 1) + 1 == moment;
    if (now && is("drawn"))
        raise(SIGINT);
    else if (now && error)
        *error = lost;
    *map = real_map;
    void *mapped = real_map(target, offset, size, access);
    real_map = *map;
    *map = map_picture;
    return mapped;
}

static void watch_reading(void)
{
    map = dlsym(RTLD_DEFAULT, "epoxy_glMapBufferRange");
    if (!map)
        return;
    real_map = *map;
    *map = map_picture;
}

int avcodec_send_frame(void *context, const void *frame);
int avcodec_send_frame(void *context, const void *frame)
{
    const bool mapped = is("context") || is("drawn");
    const long picture = frame && !mapped ? atomic_fetch_add(&pictures, 1) + 1 : 0;
    if (picture > 0 && ((is("halt") && picture == moment) || (is("naps") && picture % moment == 0)))
        raise(SIGSTOP);
    if (picture > 0 && picture >= moment && is("encoder"))
        return AVERROR_EXTERNAL_;
    return NEXT(avcodec_send_frame)(context, frame);
}
