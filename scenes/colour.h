/* Colours as people write them. Thread-safe. */
#pragma once

#include "base/status.h"
#include "render/params.h"

#include <stddef.h>

/* Parses "#ff8800", or a CSS name such as orange, in any case, from `length` bytes of `text`: red,
 * green and blue as display values, 0 to 1. STATUS_USAGE says what was found, and the nearest
 * name. */
enum status colour_parse(const char *text, size_t length, double shown[3]);

/* Parses colours by name: "disk=#ff8800, Milky Way=orange, Andromeda/bulge=white"; "" for none.
 * STATUS_USAGE for another form, an invalid colour or a repeated name leaves *out unchanged;
 * success frees its old content. */
enum status tints_parse(const char *text, struct tints *out);
void tints_free(struct tints *tints); /* accepts all zero */
