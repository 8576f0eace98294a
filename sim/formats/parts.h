/* The names of a snapshot's files, where it is in several: NAME.0, NAME.1 and on, or with an
 * extension, NAME.0.hdf5. Thread-safe. */
#ifndef SIM_FORMATS_PARTS_H
#define SIM_FORMATS_PARTS_H

#include <stdint.h>

/* The name of the i-th of the files that `path` is one of; NULL where it is not called so. The
 * caller frees it. */
char *parts_name(const char *path, uint64_t i);

/* NAME.hdf5 of NAME.3.hdf5; NULL where it is not called so. The caller frees it. */
char *parts_whole(const char *path);

/* The file that a name means which no file has: the first of several, NAME.0.hdf5 or NAME.0, or
 * NAME.hdf5; of a folder its only NAME.0.hdf5. The name itself where there is none. The caller
 * frees it. */
char *parts_find(const char *name);

#endif
