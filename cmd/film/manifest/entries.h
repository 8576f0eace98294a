/* The segments, pictures and checkpoints listed in a manifest.
 *
 * A file is first written completely under its name in the folder, then hashed, then added. Hashing
 * reads only constant parts of the manifest, so it may run on any thread in parallel with the other
 * functions, which are for one thread at a time. */
#pragma once

#include "base/status.h"
#include "cmd/film/manifest/contents.h"

#include <stdbool.h>

/* Names of files in the folder: "segment-000003.mkv", "checkpoint-000720.h5". */
void manifest_segment_name(char out[MANIFEST_NAME_MAX], uint64_t index, const char *extension);
void manifest_pictures_name(char out[MANIFEST_NAME_MAX],
                            uint64_t first); /* "pictures-000042.raw" */
void manifest_checkpoint_name(char out[MANIFEST_NAME_MAX], uint64_t frame);

/* Fill in `bytes` and `hash` of an otherwise complete entry. A segment (or pictures of one) without
 * a file consists of its frames' own files, in order. */
enum status manifest_hash_segment(const struct manifest *manifest,
                                  struct manifest_segment *segment);
enum status manifest_hash_checkpoint(const struct manifest *manifest,
                                     struct manifest_checkpoint *checkpoint);

/* Add a hashed entry, replacing one with the same first frame, and save. Pictures that are now in
 * the segment are removed. */
enum status manifest_add_segment(struct manifest *manifest, const struct manifest_segment *segment);
enum status manifest_add_pictures(struct manifest *manifest,
                                  const struct manifest_segment *pictures);
enum status manifest_add_checkpoint(struct manifest *manifest,
                                    const struct manifest_checkpoint *checkpoint);

/* Hashes every segment, picture and checkpoint again. Missing or changed ones are removed from the
 * manifest, each with a warning, and it is saved; *lost (may be NULL) is their number. Fails only
 * if it cannot save or run. */
enum status manifest_verify(struct manifest *manifest, size_t *lost);

/* The first gap between segments, from `from` to the plan's last frame. False: there is none. */
bool manifest_next_gap(const struct manifest *manifest, uint64_t from, uint64_t *first,
                       uint64_t *count);

/* The latest checkpoint at or before the frame; NULL: there is none. Valid until one is added. */
const struct manifest_checkpoint *manifest_checkpoint_before(const struct manifest *manifest,
                                                             uint64_t frame);

/* Removes the checkpoints that no resume would use: all before the latest two at or before the
 * first gap. */
enum status manifest_drop_checkpoints(struct manifest *manifest);
