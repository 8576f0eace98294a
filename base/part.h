/* A file being written. It grows beside its target as "NAME.gravreel.part" and is renamed to the
 * target when complete.
 *
 * Other people's files are never written to: an existing file of that name is taken over only if it
 * is a regular file of the same user without other links, left by a killed run. The program's name
 * in the file name is the mark, because an unfinished film cannot contain one, and not all file
 * systems have extended attributes; "film.mp4.part" could be anybody's. Symbolic links are not
 * followed. While it grows the file is locked, if the file system supports that, so that no two
 * runs write the same file. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

struct part {
    char *name;
    int descriptor; /* empty, for reading and writing */
};

/* "PATH.gravreel.part"; the caller frees it. */
char *part_name(const char *path);

/* If another run is writing the same file, waits for its end or fails with STATUS_USAGE.
 * STATUS_USAGE also if something that is not ours is in the way. STATUS_IO gives the system's
 * reason. After a failure nothing is open. */
enum status part_open(struct part *part, const char *path, bool wait);

/* Locks an open file or folder. Waits for another run's end or, without `wait`, for a second: a
 * killed process keeps its locks until its memory is returned, when it is no longer seen. Returns
 * 0, or errno: EWOULDBLOCK if another run holds it. */
int part_hold(int descriptor, bool wait);

/* Where the symbolic link leads, for the caller to free; NULL: the path is no link. */
char *part_link(const char *path);

/* Says that the link at the path, which leads to `target`, has been replaced. */
void part_tell_link(const char *path, const char *target);

/* Renames the file to `path`, where it replaces, and reports, a symbolic link; NULL: removes it.
 * `sync` waits until the data is on disk first. Returns 0, or errno, and then nothing is left of
 * the file. Frees what `part` holds. */
int part_close(struct part *part, const char *path, bool sync);

/* Removes and reports what killed runs have left in a folder: unlocked files of this user whose
 * names `ours` accepts. Removes nothing if the file system does not support locks. */
void part_sweep(const char *folder, bool (*ours)(const char *name));

/* Whether part_open can be expected to succeed; leaves nothing behind. `folder` is the path's own
 * or, if that does not exist yet, its nearest existing parent. */
enum status part_check(const char *path, const char *folder);

/* The same for any file inside the folder `path` with a name of this many bytes, regardless of what
 * exists there. */
enum status part_check_inside(const char *path, const char *folder, size_t bytes);

/* A temporary folder in $TMPDIR or /tmp, removed with its contents when it is closed.
 *
 * A killed run leaves its folder behind. The folder is locked while in use, also by programs that
 * this one has started, so that a later run can tell whether it is still in use. */

struct temporary {
    char folder[256]; /* "": none */
    int lock;
};

/* Removes what killed runs have left, and creates a new folder. STATUS_IO when that fails; then
 * there is none. */
enum status temporary_open(struct temporary *out);

/* Accepts a zeroed struct, and leaves it zeroed. */
void temporary_close(struct temporary *temporary);

/* Removes and reports the folders of this user's killed runs. */
void temporary_sweep(void);
