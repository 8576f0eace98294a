/* File names of a PNG sequence. Thread-safe. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Expands a sequence's path ("f/%06d.png" or "f/####.png") for a frame into `name`. A path without
 * a pattern is STATUS_USAGE. The pattern is never used as a printf format. */
enum status png_name(const char *path, uint64_t frame, char *name, size_t size);

/* Whether a file name, without its folder, belongs to the sequence; *frame is its number. */
bool png_name_number(const char *path, const char *file, uint64_t *frame);

/* The common part of the names besides the number: "a" for "f/a_%06d.png", "" for "f/%06d.png".
 * Truncated to fit. */
void png_name_stem(const char *path, char *stem, size_t size);
