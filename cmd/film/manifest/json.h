/* The text of a manifest. */
#pragma once

#include "base/status.h"
#include "cmd/film/manifest/contents.h"

/* Plan, values, segments, pictures and checkpoints as JSON with a checksum; the caller frees it.
 * NULL when a text is not UTF-8. */
char *manifest_to_json(const struct manifest *manifest);

/* Fills in what manifest_contents_free frees, in every case. STATUS_USAGE for a manifest that is
 * whole but has another format, *format; STATUS_IO when the text is not exactly what
 * manifest_to_json makes. */
enum status manifest_from_json(struct manifest *manifest, const char *text, size_t size,
                               int *format);

/* Frees plan, values, segments, pictures and checkpoints, also where they are filled in only
 * partly. */
void manifest_contents_free(struct manifest *manifest);
