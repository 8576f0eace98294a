/* Whole files, folders and paths. Errors are STATUS_IO and name the file and the system's reason.
 * Thread-safe. Strings returned are the caller's to free(). */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Descriptors for reading an existing file and for writing to it; -1 with errno. Opening a pipe
 * logs that it waits if the other end is not open yet. */
int file_open_to_read(const char *path);
int file_open_to_write(const char *path);

/* Reads a whole file into a NUL-terminated buffer (the NUL is not counted in *size, which may be
 * NULL). Refuses more than `limit` bytes: input from outside must not exhaust memory. */
enum status file_read(const char *path, size_t limit, char **text, size_t *size);

/* Reads at most `size` of a regular file's first bytes; *got is the number read, 0 if the file is
 * not regular. */
enum status file_read_head(const char *path, void *head, size_t size, size_t *got);

/* Writes through a temporary file in the same folder (base/part.h), fsync, rename and fsync of the
 * folder: afterwards the file has either all of the new content or all of the old, even after a
 * power failure. A failure leaves no temporary file. A symbolic link is replaced, and not followed.
 * A device or a pipe, such as /dev/stdout, is
 * written to and not replaced; "-" is the standard output. */
enum status file_write(const char *path, const void *data, size_t size);

/* The same in a folder that processes on several machines write to, where locks may not work across
 * machines: the temporary file is this process's own, PATH.HOST-PID.gravreel.part. */
enum status file_write_shared(const char *path, const void *data, size_t size);

/* The same for what the first of several processes decides for all: a file that exists is kept,
 * even if another process wrote it at the same moment. */
enum status file_write_first(const char *path, const void *data, size_t size);

/* Both, with what `put` writes to the open temporary file, which is empty; whatever status it
 * returns is returned. Not for devices and pipes. */
typedef enum status (*file_put)(void *user, int descriptor);
enum status file_write_by(const char *path, bool shared, file_put put, void *user);

/* Makes the functions above that write fail with STATUS_RUNTIME from now on: another process of the
 * job writes its files, so that a write here would be a mistake. Call before threads are started.
 */
void file_leave_writing(void);

/* Writes the folder of `path` to disk, so that a new name, such as after a rename, is safe. Does
 * nothing on file systems that do not support this, and in folders that cannot be read. */
enum status file_sync_folder(const char *path);

/* Creates the folder and its missing parents, like mkdir -p. */
enum status file_make_folder(const char *path);

bool file_exists(const char *path);

bool file_is_folder(const char *path);

/* Whether it is "-", the standard output. */
bool file_is_standard(const char *path);

/* Whether the path must be written to instead of being replaced: "-", a device, a pipe, or a link
 * through /dev or /proc to an open file, such as /dev/stdout. */
bool file_is_special(const char *path);

/* Removes, and reports, a symbolic link where a file is to be written in place, so that nothing is
 * written where it leads. Leaves special files alone. */
void file_drop_link(const char *path);

bool file_is_link(const char *path);

/* Whether two paths lead to the same existing file. */
bool file_same(const char *a, const char *b);

/* The path without links, "." and "..", as far as it exists; the rest is left as given. */
char *file_resolve(const char *path);

/* Whether the path is the folder or inside it. The path need not exist yet. */
bool file_is_inside(const char *path, const char *folder);

/* The folder part of a path, "." when it has none. */
char *file_folder(const char *path);

/* The name without its folder, a part of `path`. */
const char *file_base(const char *path);

/* The name without folder and extension: "plummer" for scenes/plummer.yaml. */
char *file_stem(const char *path);

/* The lower-case extension without its dot, "" when it has none. Points into a per-thread buffer.
 */
const char *file_extension(const char *path);

/* Finds files by a pattern with the shell's * ? [ ], or with a number as in snap_%03d.hdf5, sorted
 * by name. An existing file with exactly the pattern's name is the only match. Returns their
 * number; the caller frees *out [count] and the names. */
size_t file_matches(const char *pattern, char ***out);

/* Whether any file matches. */
bool file_any_matches(const char *pattern);
