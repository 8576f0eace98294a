#include "cmd/film/manifest/lock.h"

#include "base/file.h"
#include "base/log.h"
#include "base/part.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char lock_name[] = "lock", signature[] = "process ";

/* The process that holds the lock has written its name into it. */
static enum status in_use(const char *folder, int descriptor)
{
    char owner[256];
    ssize_t got = pread(descriptor, owner, sizeof owner - 1, 0);
    owner[got > 0 ? got : 0] = '\0';
    owner[strcspn(owner, "\n")] = '\0';
    return status_fail(STATUS_USAGE,
                       "another run is writing '%s' (%s); wait until it ends, or choose another "
                       "output with -o",
                       folder, *owner ? owner : "an unknown process");
}

static void sign(int descriptor)
{
    char host[128] = "", owner[256];
    (void)gethostname(host, sizeof host - 1);
    int length = snprintf(owner, sizeof owner, "%s%ld on %s\n", signature, (long)getpid(), host);
    /* only for messages */
    if (ftruncate(descriptor, 0) != 0 || pwrite(descriptor, owner, (size_t)length, 0) != length)
        log_debug("the lock could not be signed: %s", strerror(errno));
}

/* A lock is worthless if its holder has removed the file meanwhile. */
static bool still_there(const char *path, int descriptor)
{
    struct stat open_one, named;
    return fstat(descriptor, &open_one) == 0 && stat(path, &named) == 0 &&
           open_one.st_ino == named.st_ino && open_one.st_dev == named.st_dev;
}

/* The user may have an unrelated file with that name. */
static enum status check_lock(const char *path, int descriptor)
{
    char text[sizeof signature] = "";
    struct stat found;
    const bool plain =
        fstat(descriptor, &found) == 0 && S_ISREG(found.st_mode) && found.st_nlink <= 1;
    const ssize_t got = plain ? pread(descriptor, text, sizeof text - 1, 0) : -1;
    if (got == 0 || (got > 0 && strcmp(text, signature) == 0))
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "'%s' is not a lock of this program, which needs that name; move it away",
                       path);
}

static enum status take(const char *folder, const char *path, int descriptor)
{
    const int reason = part_hold(descriptor, false);
    if (reason == 0)
        return STATUS_OK;
    if (reason == EWOULDBLOCK)
        return in_use(folder, descriptor);
    if (reason != ENOLCK && reason != ENOTSUP && reason != ENOSYS)
        return status_fail(STATUS_IO, "cannot lock '%s': %s", path, strerror(reason));
    log_warning("'%s' cannot be locked (%s); make sure that no other run writes there", folder,
                strerror(reason));
    return STATUS_OK;
}

static enum status lock_file(const char *folder, const char *path, int *descriptor)
{
    *descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (*descriptor < 0 && errno == ELOOP)
        return status_fail(STATUS_USAGE, "'%s' is a link, which is not followed; move it away",
                           path);
    if (*descriptor < 0)
        return status_cannot_write(path, errno);
    enum status status = check_lock(path, *descriptor);
    return status == STATUS_OK ? take(folder, path, *descriptor) : status;
}

enum status folder_check(const char *folder)
{
    struct stat found;
    if (lstat(folder, &found) != 0 || S_ISDIR(found.st_mode))
        return STATUS_OK;
    return status_fail(
        STATUS_USAGE,
        "'%s', where the film is made, is %s; move it away, or choose another output with -o",
        folder, S_ISLNK(found.st_mode) ? "a link, which is not followed" : "not a folder");
}

enum status folder_lock(const char *folder, bool make, int *descriptor)
{
    char *path = text_format("%s/%s", folder, lock_name);
    enum status status = folder_check(folder);
    *descriptor = -1;
    for (bool held = false; status == STATUS_OK && !held;) {
        if (make)
            status = file_make_folder(folder);
        if (status == STATUS_OK)
            status = lock_file(folder, path, descriptor);
        held = status == STATUS_OK && still_there(path, *descriptor);
        if (!held && *descriptor >= 0) {
            close(*descriptor);
            *descriptor = -1;
        }
    }
    if (status == STATUS_OK)
        sign(*descriptor);
    else if (make)
        (void)rmdir(folder); /* unless it has files */
    free(path);
    return status;
}

bool folder_is_held(const char *folder, int descriptor)
{
    char *path = text_format("%s/%s", folder, lock_name);
    const bool held = still_there(path, descriptor);
    free(path);
    return held;
}

/* Length of "segment-000012" and the like; 0: no match. */
static size_t numbered(const char *name, const char *before)
{
    enum { DIGITS = 6 };
    const size_t start = strlen(before);
    const size_t digits =
        strncmp(name, before, start) == 0 ? strspn(name + start, "0123456789") : 0;
    return digits >= DIGITS ? start + digits : 0;
}

/* Extensions of containers look like this. */
static bool is_extension(const char *text, size_t length)
{
    enum { LONGEST = 5 };
    return length >= 2 && length <= LONGEST && text[0] == '.' &&
           strspn(text + 1, "abcdefghijklmnopqrstuvwxyz0123456789") >= length - 1;
}

static bool is_film(const char *name, size_t length, const char *before)
{
    const size_t at = numbered(name, before);
    return at > 0 && is_extension(name + at, length - at);
}

static bool is_numbered(const char *name, size_t length, const char *before, const char *extension)
{
    const size_t at = numbered(name, before);
    return at > 0 && length - at == strlen(extension) &&
           memcmp(name + at, extension, length - at) == 0;
}

/* Matches exactly the names in manifest.h and their temporary files. In format 1, segments began
 * with "piece-" and temporary files ended in ".part". */
static bool is_ours(const char *name)
{
    static const char *const ends[] = {".gravreel.part", ".part", ""};
    static const char *const manifests[] = {"manifest.json", "manifest.previous.json", "plan.json"};
    size_t length = strlen(name);
    for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) {
        const size_t end = strlen(ends[e]);
        if (length > end && strcmp(name + length - end, ends[e]) == 0) {
            length -= end;
            break;
        }
    }
    for (size_t m = 0; m < sizeof manifests / sizeof *manifests; m++)
        if (length == strlen(manifests[m]) && memcmp(name, manifests[m], length) == 0)
            return true;
    return is_numbered(name, length, "checkpoint-", ".h5") ||
           is_numbered(name, length, "pictures-", ".raw") || is_film(name, length, "segment-") ||
           is_film(name, length, "piece-");
}

static enum status remove_one(const char *folder, const char *name)
{
    char *path = text_format("%s/%s", folder, name);
    enum status status = STATUS_OK;
    if (unlink(path) != 0 && errno != ENOENT)
        status = status_fail(STATUS_IO, "cannot remove '%s': %s", path, strerror(errno));
    free(path);
    return status;
}

enum status folder_clear(const char *folder, bool all)
{
    DIR *entries = opendir(folder);
    if (!entries)
        return status_fail(STATUS_IO, "cannot read the folder '%s': %s", folder, strerror(errno));
    /* The manifests are removed first, so that after an interruption the rest cannot be resumed. */
    enum status status = remove_one(folder, "manifest.previous.json");
    if (status == STATUS_OK)
        status = remove_one(folder, "manifest.json");
    for (struct dirent *entry; status == STATUS_OK && (entry = readdir(entries));)
        if (is_ours(entry->d_name))
            status = remove_one(folder, entry->d_name);
    closedir(entries);
    if (status == STATUS_OK && all)
        status = remove_one(folder, lock_name);
    if (status == STATUS_OK && all && rmdir(folder) != 0) {
        if (errno == ENOTEMPTY || errno == EEXIST)
            log_warning("'%s' is kept, because it holds files that are not the film's", folder);
        else
            status = status_fail(STATUS_IO, "cannot remove the folder '%s': %s", folder,
                                 strerror(errno));
    }
    return status;
}
