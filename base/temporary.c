#include "base/temporary.h"

#include "base/log.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

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

static bool still_there(const char *folder, int descriptor)
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
    if (reason == 0 && !still_there(folder, descriptor))
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
