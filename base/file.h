/* Whole files, folders and paths. Errors are STATUS_IO and name the file and the system's reason.
 * Thread-safe. Strings returned are the caller's to free(). */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Descriptors for reading and for writing to a file that is there, -1 with errno. Of a pipe whose
 * other end nobody has opened as yet they say so before they wait. */
int file_open_to_read(const char *path);
int file_open_to_write(const char *path);

/* Reads a whole file into a NUL-terminated buffer (the NUL is not counted in *size, which may be
 * NULL). Refuses more than `limit` bytes: input from outside must not exhaust memory. */
enum status file_read(const char *path, size_t limit, char **text, size_t *size);

/* Reads a regular file's first bytes, at most `size`; *got is their number, 0 for what is not a
 * regular file. */
enum status file_read_head(const char *path, void *head, size_t size, size_t *got);

/* Writes through a temporary file in the same folder (base/part.h), fsync, rename and fsync of the
 * folder: afterwards either all of the new content is there or the old one, also after a power
 * failure. A failure leaves no temporary file. A device or a pipe, such as /dev/stdout, is written
 * to and not replaced; "-" is the standard output. */
enum status file_write(const char *path, const void *data, size_t size);

/* The same in a folder that processes on several machines write to, whose file system may not lock
 * across them: the temporary file is PATH.HOST-PID.gravreel.part, this process's own. */
enum status file_write_shared(const char *path, const void *data, size_t size);

/* Makes sure that the names in the folder of `path`, such as one just given by rename, are on the
 * disk. Does nothing on file systems that cannot do this, and in folders that cannot be read. */
enum status file_sync_folder(const char *path);

/* Creates the folder and its missing parents, as mkdir -p. */
enum status file_make_folder(const char *path);

bool file_exists(const char *path);

/* Whether it is "-", the standard output. */
bool file_is_standard(const char *path);

/* Whether it is a device or a pipe, which a new file must not replace, or "-". */
bool file_is_special(const char *path);

bool file_is_link(const char *path);

/* Whether two paths lead to one file that is there. */
bool file_same(const char *a, const char *b);

/* The path without links, "." and "..": of what is there, and the rest as it is given. */
char *file_resolve(const char *path);

/* Whether the path is the folder, or leads to something in it, which need not be there yet. */
bool file_is_inside(const char *path, const char *folder);

/* The folder part of a path, "." when it has none. */
char *file_folder(const char *path);

/* The lower-case extension without its dot, "" when it has none. Points into a per-thread buffer.
 */
const char *file_extension(const char *path);

/* The files that a pattern means, by name: with * ? [ ] of the shell, or a number as in
 * snap_%03d.hdf5; a file of that very name comes first. Returns how many; *out, [count], and the
 * names are the caller's to free. */
size_t file_matches(const char *pattern, char ***out);

/* Whether there is one. */
bool file_any_matches(const char *pattern);

#endif
