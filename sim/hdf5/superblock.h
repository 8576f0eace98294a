/* Inspects the first bytes of an HDF5 file without libhdf5 (HDF5 File Format Specification 3.0,
 * section II.A). */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether a file with these first bytes is HDF5, possibly after a user block of up to 2,048 bytes.
 * Pure; thread-safe. */
bool superblock_found(const unsigned char *head, size_t size);

/* Whether the open file can be passed to libhdf5: a regular file with a superblock of version 0 to
 * 3 that is not shorter than the superblock says. STATUS_USAGE names the file and its fault;
 * STATUS_IO when it cannot be read. *size: its size in bytes. */
enum status superblock_check(int descriptor, const char *path, size_t *size);
