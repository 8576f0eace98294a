/* The file names of a snapshot in several files: NAME.0, NAME.1 and so on, or with an extension,
 * NAME.0.hdf5. Thread-safe. */
#pragma once

#include <stdint.h>

/* The name of file i of the snapshot that `path` belongs to; NULL if its name has no number. The
 * caller frees it. */
char *parts_name(const char *path, uint64_t i);

/* NAME.3.hdf5, of NAME.hdf5 the file 3 of several; the caller frees it. */
char *parts_file(const char *path, uint64_t i);

/* NAME.hdf5 for NAME.3.hdf5; NULL if the name has no number. The caller frees it. */
char *parts_whole(const char *path);

/* The file that is meant by a name without a file: the first of several, NAME.0.hdf5 or NAME.0, or
 * NAME.hdf5; for a folder its only NAME.0.hdf5. The name itself if there is none. The caller frees
 * it. */
char *parts_find(const char *name);
