#include "base/part.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char suffix[] = ".gravreel.part";

char *part_name(const char *path)
{
    return text_format("%s%s", path, suffix);
}

static enum status not_ours(const char *path, const char *name)
{
    return status_fail(STATUS_USAGE,
                       "cannot write '%s': its temporary name '%s' is taken by a file that this "
                       "program did not make; move that file away",
                       path, name);
}

static bool left_by_us(const struct stat *found)
{
    return S_ISREG(found->st_mode) && found->st_nlink == 1 && found->st_uid == geteuid();
}

/* Returns -1 with errno; ELOOP for a file that is not ours. */
static int open_or_take_over(const char *name)
{
    enum { PLAIN = O_RDWR | O_NOFOLLOW | O_CLOEXEC };
    for (;;) {
        int descriptor = open(name, PLAIN | O_CREAT | O_EXCL, 0666);
        if (descriptor >= 0 || errno != EEXIST)
            return descriptor;
        struct stat found;
        descriptor = open(name, PLAIN | O_NONBLOCK);
        if (descriptor < 0 && errno == ENOENT)
            continue;
        if (descriptor >= 0 && fstat(descriptor, &found) == 0 && left_by_us(&found))
            return descriptor;
        if (descriptor >= 0) {
            close(descriptor);
            errno = ELOOP;
        }
        return -1;
    }
}

/* Whether the name still leads to the open file, which its holder may have renamed or removed
 * meanwhile. */
static bool still_there(const char *name, int descriptor)
{
    struct stat open_one, named;
    return fstat(descriptor, &open_one) == 0 && lstat(name, &named) == 0 &&
           open_one.st_ino == named.st_ino && open_one.st_dev == named.st_dev;
}

int part_hold(int descriptor, bool wait)
{
    static const struct timespec between = {.tv_nsec = 20000000};
    const double end = clock_seconds() + 1;
    for (;;) {
        if (flock(descriptor, wait ? LOCK_EX : LOCK_EX | LOCK_NB) == 0)
            return 0;
        if (errno == EWOULDBLOCK && clock_seconds() < end)
            nanosleep(&between, NULL);
        else if (errno != EINTR)
            return errno;
    }
}

enum status part_open(struct part *part, const char *path, bool wait)
{
    char *name = part_name(path);
    *part = (struct part){.descriptor = -1};
    for (;;) {
        const int descriptor = open_or_take_over(name);
        int reason = descriptor < 0 ? errno : part_hold(descriptor, wait);
        if (descriptor >= 0 && reason != EWOULDBLOCK) /* not all file systems have locks */
            reason = 0;
        if (reason == 0 && still_there(name, descriptor) && ftruncate(descriptor, 0) == 0) {
            *part = (struct part){name, descriptor};
            return STATUS_OK;
        }
        if (descriptor >= 0)
            close(descriptor);
        if (reason == 0)
            continue;
        enum status status =
            reason == ELOOP ? not_ours(path, name)
            : reason == EWOULDBLOCK
                ? status_fail(STATUS_USAGE,
                              "another run is writing '%s'; wait until it ends, or choose another "
                              "output",
                              path)
                : status_cannot_write(path, reason);
        free(name);
        return status;
    }
}

char *part_link(const char *path)
{
    char target[PATH_MAX];
    const ssize_t length = readlink(path, target, sizeof target - 1);
    return length < 0 ? NULL : text_format("%.*s", (int)length, target);
}

void part_tell_link(const char *path, const char *target)
{
    log_info("'%s' was a symbolic link to '%s'; the link is replaced, and where it led is left as "
             "it is",
             path, target);
}

/* A duplicate of the descriptor keeps the lock until the rename, because closing reports errors and
 * must come first. */
int part_close(struct part *part, const char *path, bool sync)
{
    int error = 0;
    const int lock = dup(part->descriptor);
    char *link = path ? part_link(path) : NULL;
    if (path && sync && fsync(part->descriptor) != 0)
        error = errno;
    if (close(part->descriptor) != 0 && error == 0)
        error = errno;
    if (path && error == 0 && rename(part->name, path) != 0)
        error = errno;
    if (!path || error != 0)
        unlink(part->name);
    else if (link)
        part_tell_link(path, link);
    free(link);
    if (lock >= 0)
        close(lock);
    free(part->name);
    *part = (struct part){.descriptor = -1};
    return error;
}

static void sweep_one(const char *path)
{
    struct stat found;
    const int descriptor = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return;
    if (fstat(descriptor, &found) == 0 && left_by_us(&found) &&
        flock(descriptor, LOCK_EX | LOCK_NB) == 0 && still_there(path, descriptor) &&
        unlink(path) == 0)
        log_info("removed '%s', which a killed run had left", path);
    close(descriptor);
}

void part_sweep(const char *folder, bool (*ours)(const char *name))
{
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        if (!ours(entry->d_name))
            continue;
        char *path = text_format("%s/%s", folder, entry->d_name);
        sweep_one(path);
        free(path);
    }
    if (entries)
        closedir(entries);
}

/* ---- whether opening would succeed ---- */

/* Checks the lengths of the file's name and of missing folders' names. */
static enum status check_lengths(const char *path, const char *folder)
{
    const long limit = pathconf(folder, _PC_NAME_MAX);
    const size_t most = limit > 0 ? (size_t)limit : NAME_MAX;
    const size_t length_of_folder = strlen(folder);
    const bool begins = strncmp(path, folder, length_of_folder) == 0 &&
                        (path[length_of_folder] == '/' || strcmp(folder, "/") == 0);
    for (const char *at = path + (begins ? length_of_folder : 0); *at; at += strspn(at, "/")) {
        const size_t length = strcspn(at, "/");
        const size_t room = at[length] ? most : most - strlen(suffix);
        if (length > room)
            return status_fail(STATUS_USAGE,
                               "the name '%.40s...' has %zu bytes, but at most %zu are possible%s; "
                               "choose a shorter one",
                               at, length, room,
                               at[length] ? "" : ", because it is longer while it is written");
        at += length;
    }
    if (strlen(path) + strlen(suffix) >= PATH_MAX)
        return status_fail(STATUS_USAGE,
                           "the path '%.40s...' has %zu bytes, but at most %zu are possible; "
                           "choose a shorter one",
                           path, strlen(path), PATH_MAX - strlen(suffix) - 1);
    return STATUS_OK;
}

/* Tries an unnamed file, or, where the file system has none, a file that is removed at once. */
static int try_folder(const char *folder)
{
    int descriptor = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (descriptor >= 0)
        return close(descriptor) == 0 ? 0 : errno;
    if (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT && errno != EINVAL)
        return errno;
    char *name = text_format("%s/%s", folder, suffix);
    descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    const int reason = descriptor >= 0 || errno == EEXIST ? 0 : errno;
    if (descriptor >= 0) {
        close(descriptor);
        unlink(name);
    }
    free(name);
    return reason;
}

static enum status check_folder(const char *path, const char *folder)
{
    const int reason = try_folder(folder);
    return reason == 0 ? STATUS_OK : status_cannot_write(path, reason);
}

enum status part_check(const char *path, const char *folder)
{
    struct stat found;
    char *name = part_name(path);
    enum status status = check_lengths(path, folder);
    if (status == STATUS_OK && lstat(name, &found) == 0 && !left_by_us(&found))
        status = not_ours(path, name);
    free(name);
    return status == STATUS_OK ? check_folder(path, folder) : status;
}

enum status part_check_inside(const char *path, const char *folder, size_t bytes)
{
    char *name = text_format("%s/%0*d", path, (int)bytes, 0); /* only its length matters */
    enum status status = check_lengths(name, folder);
    free(name);
    return status == STATUS_OK ? check_folder(path, folder) : status;
}

/* Long enough that nobody would choose such a name; mkdtemp fills in the rest. */
static const char prefix[] = "gravreel-temporary-", unique[] = "XXXXXX";

static const char *parent(void)
{
    const char *set = getenv("TMPDIR");
    return set && *set ? set : "/tmp";
}

static int remove_one(const char *path, const struct stat *found, int kind, struct FTW *where)
{
    (void)found, (void)kind, (void)where;
    return remove(path);
}

static bool remove_all(const char *folder)
{
    enum { FOLDERS_OPEN = 16 };
    return nftw(folder, remove_one, FOLDERS_OPEN, FTW_DEPTH | FTW_PHYS) == 0;
}

static bool folder_is_there(const char *folder, int descriptor)
{
    struct stat held, named;
    return fstat(descriptor, &held) == 0 && lstat(folder, &named) == 0 &&
           held.st_ino == named.st_ino && held.st_dev == named.st_dev && held.st_uid == geteuid();
}

/* Locks the folder. Started programs inherit the lock, because the descriptor stays open on exec.
 * Returns -1 with errno: EWOULDBLOCK if somebody else holds it, ENOENT if it was removed
 * meanwhile. */
static int hold(const char *folder)
{
    const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (descriptor < 0)
        return -1;
    int reason = flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
    if (reason == 0 && !folder_is_there(folder, descriptor))
        reason = ENOENT;
    if (reason == 0)
        return descriptor;
    close(descriptor);
    errno = reason;
    return -1;
}

static bool is_ours(const char *name)
{
    const size_t length = sizeof prefix - 1;
    return strncmp(name, prefix, length) == 0 && strlen(name) == length + sizeof unique - 1;
}

void temporary_sweep(void)
{
    DIR *entries = opendir(parent());
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        if (!is_ours(entry->d_name))
            continue;
        char *folder = text_format("%s/%s", parent(), entry->d_name);
        const int lock = hold(folder);
        if (lock >= 0 && remove_all(folder))
            log_info("removed '%s', left behind by a run that was killed", folder);
        if (lock >= 0)
            close(lock);
        free(folder);
    }
    if (entries)
        closedir(entries);
}

enum status temporary_open(struct temporary *out)
{
    enum { TRIES = 8 };
    temporary_sweep();
    *out = (struct temporary){.lock = -1};
    const int length =
        snprintf(out->folder, sizeof out->folder, "%s/%s%s", parent(), prefix, unique);
    const bool fits = length > 0 && (size_t)length < sizeof out->folder;
    /* Another run may remove the folder between its creation and its locking. */
    for (int i = 0; fits && i < TRIES && out->lock < 0; i++) {
        strcpy(out->folder + length - (sizeof unique - 1), unique);
        if (!mkdtemp(out->folder))
            break;
        out->lock = hold(out->folder);
        if (out->lock < 0 && errno != ENOENT && errno != EWOULDBLOCK)
            return STATUS_OK; /* without locks the folder is never swept */
    }
    if (out->lock >= 0)
        return STATUS_OK;
    const char *reason = strerror(fits ? errno : ENAMETOOLONG);
    *out = (struct temporary){.lock = -1};
    return status_fail(STATUS_IO,
                       "cannot create a temporary folder in '%s': %s; set TMPDIR to a folder that "
                       "can be written",
                       parent(), reason);
}

void temporary_close(struct temporary *temporary)
{
    if (!*temporary->folder)
        return;
    if (!remove_all(temporary->folder))
        log_warning("cannot remove the temporary folder '%s': %s", temporary->folder,
                    strerror(errno));
    if (temporary->lock >= 0)
        close(temporary->lock);
    *temporary = (struct temporary){.lock = -1};
}
