#include "cmd/manifest/lock.h"

#include "base/file.h"
#include "base/log.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char lock_name[] = "lock";

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
    int length = snprintf(owner, sizeof owner, "process %ld on %s\n", (long)getpid(), host);
    /* only for a sentence */
    if (ftruncate(descriptor, 0) != 0 || pwrite(descriptor, owner, (size_t)length, 0) != length)
        log_debug("the lock could not be signed: %s", strerror(errno));
}

/* A lock on a file that its holder has removed meanwhile locks nothing. */
static bool still_there(const char *path, int descriptor)
{
    struct stat open_one, named;
    return fstat(descriptor, &open_one) == 0 && stat(path, &named) == 0 &&
           open_one.st_ino == named.st_ino && open_one.st_dev == named.st_dev;
}

static enum status lock_file(const char *folder, const char *path, int *descriptor)
{
    *descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (*descriptor < 0)
        return status_fail(STATUS_IO, "cannot write '%s': %s", path, strerror(errno));
    if (flock(*descriptor, LOCK_EX | LOCK_NB) == 0)
        return STATUS_OK;
    int reason = errno;
    if (reason == EWOULDBLOCK)
        return in_use(folder, *descriptor);
    if (reason != ENOLCK && reason != ENOTSUP && reason != ENOSYS)
        return status_fail(STATUS_IO, "cannot lock '%s': %s", path, strerror(reason));
    log_warning("'%s' cannot be locked (%s); make sure that no other run writes there", folder,
                strerror(reason));
    return STATUS_OK;
}

enum status folder_lock(const char *folder, bool make, int *descriptor)
{
    char *path = text_format("%s/%s", folder, lock_name);
    enum status status = STATUS_OK;
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

/* The names that manifest.h gives, and their temporary files; "piece-" was a segment in format 1.
 */
static bool is_ours(const char *name)
{
    static const char *const prefixes[] = {"segment-", "pictures-", "checkpoint-", "manifest.",
                                           "piece-"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
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
    /* The manifests go first: if this is interrupted, what is left cannot be resumed. */
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
