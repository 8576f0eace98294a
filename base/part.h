/* A file in the making. It grows beside its target as "NAME.gravreel.part" and takes the target's
 * name when it is whole.
 *
 * Nothing that others have made is written to: what has that name is taken over only if it is a
 * plain file of the same user with no other name, which a killed run has left. The program's name
 * in it is the mark, because a film in the making cannot hold one inside, and file systems without
 * extended attributes could not hold one beside it; "film.mp4.part" may be anybody's. Links are not
 * followed. While it grows it is locked, where the file system can do that, so that no two runs
 * write the same file. */
#ifndef BASE_PART_H
#define BASE_PART_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

struct part {
    char *name;
    int descriptor; /* empty, for reading and writing */
};

/* "PATH.gravreel.part"; the caller frees it. */
char *part_name(const char *path);

/* Where another run writes the same file, either waits until that ends or fails with STATUS_USAGE;
 * what is in the way that is not ours is STATUS_USAGE as well. STATUS_IO has the system's reason.
 * After a failure nothing is open. */
enum status part_open(struct part *part, const char *path, bool wait);

/* Gives it the name `path`; NULL: removes it. `sync` waits until the content is on the disk before.
 * Returns 0 or errno, and then nothing is left of it. Frees what `part` holds. */
int part_close(struct part *part, const char *path, bool sync);

/* Removes what killed runs have left in a folder, and says so: files of this user whose names `ours`
 * accepts and that nobody has locked. Removes nothing where the file system cannot lock. */
void part_sweep(const char *folder, bool (*ours)(const char *name));

/* Whether part_open can be expected to succeed, found out without leaving anything behind. `folder`
 * is the path's own or, where that is missing as yet, the nearest above it. */
enum status part_check(const char *path, const char *folder);

/* The same of any file inside the folder `path` with a name of so many bytes, whatever stands there
 * already. */
enum status part_check_inside(const char *path, const char *folder, size_t bytes);

#endif
