/* Inside the manifest only: its text. */
#ifndef CMD_MANIFEST_JSON_H
#define CMD_MANIFEST_JSON_H

#include "cmd/manifest/manifest.h"

/* The manifest as JSON with its checksum, to be freed; NULL when memory is short or a text is no
 * UTF-8. Folder, lock and frame_file have no place in it. */
char *manifest_to_json(const struct manifest *manifest);

/* Fills plan, values, segments and checkpoints, which manifest_contents_free frees. False when the
 * text is not, to the last letter, what manifest_to_json makes. *format: that of a manifest that is
 * whole but of another format, else MANIFEST_FORMAT. */
bool manifest_from_json(struct manifest *manifest, const char *text, size_t size, int *format);

/* Accepts what from_json has left half full. */
void manifest_contents_free(struct manifest *manifest);

#endif
