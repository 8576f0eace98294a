/* The names of a PNG sequence's files. Thread-safe. */
#ifndef RENDER_PICTURE_PNG_NAME_H
#define RENDER_PICTURE_PNG_NAME_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* Expands a sequence's path ("f/%06d.png" or "f/####.png") for a frame into `name`. A path without
 * a pattern is STATUS_USAGE. The pattern is never used as a printf format. */
enum status png_name(const char *path, uint64_t frame, char *name, size_t size);

#endif
