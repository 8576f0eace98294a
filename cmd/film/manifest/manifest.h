/* The work folder of a film, OUT.parts, and its manifest.json. The manifest lists every finished
 * segment and checkpoint with its hash (entries.h), and the scene that they belong to.
 *
 * The file contains its own checksum and is replaced as a whole (base/file.h); the previous one
 * stays as manifest.previous.json, so that damage costs only the latest entry. An open manifest
 * holds a lock on the folder, which ends with the process, so that no two runs write the same
 * segments.
 *
 * STATUS_IO: something cannot be read or written, or is damaged. STATUS_USAGE: the folder belongs
 * to another run. The message names the folder and what to do. Used by one thread at a time. */
#pragma once

#include "base/status.h"
#include "cmd/film/manifest/contents.h"

#include <stdbool.h>

/* Whether the folder has a manifest, intact or not, so that there is something to resume. */
bool manifest_exists(const char *folder);

/* Starts over: creates the folder, locks it, removes its segments, checkpoints and manifests and
 * writes an empty manifest. The plan is copied. */
enum status manifest_create(struct manifest **out, const char *folder,
                            const struct manifest_plan *plan);

/* Locks the folder and reads its manifest or, with a warning, the previous one if that is damaged.
 * STATUS_USAGE when its plan differs, with the first key of the scene that does. The listed files
 * are not checked: see manifest_verify. */
enum status manifest_open(struct manifest **out, const char *folder,
                          const struct manifest_plan *plan);
void manifest_close(struct manifest **manifest); /* unlocks; accepts a pointer to NULL */

/* Reads it without a lock, whatever its plan; read-only. */
enum status manifest_read(struct manifest **out, const char *folder);

/* STATUS_USAGE, naming the first key that differs, when it was made from another resolved scene. */
enum status manifest_check_scene(const struct manifest *manifest, const char *scene,
                                 const char *scene_hash);

/* Removes the segments, the checkpoints, the manifest and the folder, and closes. Other files are
 * kept, and with them the folder, with a warning. */
enum status manifest_remove(struct manifest **manifest);

/* Writes the file; functions that change the manifest call it themselves. */
enum status manifest_save(const struct manifest *manifest);

/* "FOLDER/NAME"; the caller frees it. */
char *manifest_path(const struct manifest *manifest, const char *name);

/* Like manifest_path, for a file that will be written. Removes a symbolic link with that name:
 * gravreel makes no links here, and writing would follow the link. */
char *manifest_path_to_write(const struct manifest *manifest, const char *name);

/* Lists the film's plan by the hash of its file, and saves. */
enum status manifest_list_plan(struct manifest *manifest, const char *text);

/* Results that a resumed run needs again, such as the exposure of frame 0: finite and stored
 * exactly. Setting saves once. Getting: false when there is none with that name. */
enum status manifest_set_values(struct manifest *manifest, const struct manifest_value *values,
                                size_t count);
bool manifest_get_value(const struct manifest *manifest, const char *name, double *value);
