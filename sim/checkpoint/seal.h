/* The user block of a checkpoint, before the HDF5 data: it says in plain text what the file is, and
 * holds the checksum of everything after it. */
#pragma once

#include "base/status.h"

#include <stddef.h>

enum { SEAL_BYTES = 512 };

/* Fills in the first SEAL_BYTES of a file image of `size` >= SEAL_BYTES bytes. */
void seal_set(char *image, size_t size, unsigned format);

/* The same for a complete file of this open descriptor. */
enum status seal_file(int descriptor, const char *path, unsigned format);

/* Checks that the file is a checkpoint of this format and intact to the last bit; the statuses are
 * those of checkpoint.h. */
enum status seal_check(const char *path, unsigned format);
