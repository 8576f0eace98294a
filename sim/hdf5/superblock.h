/* The first bytes of an HDF5 file, looked at without libhdf5 (HDF5 File Format Specification 3.0,
 * section II.A). */
#ifndef SIM_HDF5_SUPERBLOCK_H
#define SIM_HDF5_SUPERBLOCK_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether a file that begins with these bytes is HDF5, with or without up to 2,048 bytes of the
 * user's own before. Pure; thread-safe. */
bool superblock_found(const unsigned char *head, size_t size);

/* Whether the file, open for reading, can be handed to libhdf5: a regular file with a superblock of
 * version 0 to 3, not shorter than that says. STATUS_USAGE names the file and what is wrong;
 * STATUS_IO when it cannot be read. *size: its bytes. */
enum status superblock_check(int descriptor, const char *path, size_t *size);

#endif
