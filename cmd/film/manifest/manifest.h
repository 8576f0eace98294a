/* The work folder of a film, OUT.parts, and the manifest.json in it. The manifest names every
 * finished segment and checkpoint with its hash (entries.h), and the scene that they belong to.
 *
 * The file carries a checksum of itself and is replaced as a whole (base/file.h); the one before it
 * stays as manifest.previous.json, so that damage costs only the latest entry. An open manifest
 * holds a lock on the folder, which ends with the process: no two runs write the same segments.
 *
 * STATUS_IO: something cannot be read or written, or is damaged. STATUS_USAGE: the folder is
 * another run's. The sentence names the folder and what to do. Used by one thread at a time. */
#ifndef CMD_FILM_MANIFEST_MANIFEST_H
#define CMD_FILM_MANIFEST_MANIFEST_H

#include "base/status.h"
#include "cmd/film/manifest/contents.h"

#include <stdbool.h>

/* Whether the folder has a manifest, intact or not: there is something to resume. */
bool manifest_exists(const char *folder);

/* Starts over: makes the folder, locks it, removes the segments, checkpoints and manifests in it
 * and writes a manifest without any. The plan is copied. */
enum status manifest_create(struct manifest **out, const char *folder,
                            const struct manifest_plan *plan);

/* Locks the folder and reads its manifest, or, with a warning, the one before it where that is
 * damaged. STATUS_USAGE when it was made by another plan, with the first key of the scene that
 * differs. The files that it names are not looked at: see manifest_verify. */
enum status manifest_open(struct manifest **out, const char *folder,
                          const struct manifest_plan *plan);
void manifest_close(struct manifest **manifest); /* unlocks; accepts a pointer to NULL */

/* Reads it without a lock, whatever plan it was made by: to look at, not to be changed. */
enum status manifest_read(struct manifest **out, const char *folder);

/* STATUS_USAGE, naming the first key that differs, when it was made by another scene than this one,
 * resolved. */
enum status manifest_check_scene(const struct manifest *manifest, const char *scene,
                                 const char *scene_hash);

/* Removes the segments, the checkpoints, the manifest and the folder, and closes. Files of others
 * are kept, and then the folder is too, with a warning. */
enum status manifest_remove(struct manifest **manifest);

/* Writes the file; the functions that change the manifest do so themselves. */
enum status manifest_save(const struct manifest *manifest);

/* "FOLDER/NAME"; the caller frees it. */
char *manifest_path(const struct manifest *manifest, const char *name);

/* The same for a file to be written. A link of that name, which outputs would follow, is none of
 * ours and is removed. */
char *manifest_path_to_write(const struct manifest *manifest, const char *name);

/* Results that a resumed run needs again, such as the exposure of frame 0: finite, kept to the last
 * bit. Setting saves once. Getting: false when there is none of that name. */
enum status manifest_set_values(struct manifest *manifest, const struct manifest_value *values,
                                size_t count);
bool manifest_get_value(const struct manifest *manifest, const char *name, double *value);

#endif
