/* The folder of a film under way, OUT.parts, and manifest.json in it, which names every finished
 * segment and checkpoint with its hash, and the scene that they belong to.
 *
 * The file carries a checksum of itself and is replaced as a whole (base/file.h); the one before it
 * stays as manifest.previous.json, so that a damaged one costs the latest entry and no more. A
 * manifest that is open holds a lock on the folder, which ends with the process: no two runs write
 * the same segments.
 *
 * STATUS_IO: something cannot be read or written, or is damaged. STATUS_USAGE: the folder is
 * another run's. One sentence, which names the folder and what to do. Used by one thread at a time.
 */
#ifndef CMD_MANIFEST_MANIFEST_H
#define CMD_MANIFEST_MANIFEST_H

#include "base/hash.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MANIFEST_FORMAT = 2, MANIFEST_NAME_MAX = 64 };

/* What a run is about to make. A folder whose manifest says otherwise belongs to another run. No
 * string is NULL; copied by manifest_create. */
struct manifest_plan {
    const char *program;    /* version */
    const char *scene;      /* resolved: scene_print */
    const char *scene_hash; /* scene_hash */
    const char *start;      /* hash of the bodies at the start; "": not looked at */
    const char *codec, *container;
    uint64_t frames;         /* of the film */
    uint64_t first, last;    /* of this run, both included */
    uint64_t segment_length; /* frames of a segment, >= 1 */
};

struct manifest_value {
    char name[MANIFEST_NAME_MAX];
    double value;
};

struct manifest_segment {
    uint64_t index; /* first / segment of a whole segment */
    uint64_t first, count;
    char file[MANIFEST_NAME_MAX]; /* in the folder; "": its frames are files of their own */
    uint64_t bytes;
    char hash[HASH_TEXT];
};

struct manifest_checkpoint {
    uint64_t frame;
    char file[MANIFEST_NAME_MAX];
    uint64_t bytes;
    char hash[HASH_TEXT];
};

/* The path of a frame's own file, for outputs of one file a frame; the caller frees it. NULL when
 * memory is short. */
typedef char *(*manifest_frame_file)(void *user, uint64_t frame);

/* To be read; changed by the functions below. */
struct manifest {
    char *folder;
    int lock; /* descriptor */
    struct manifest_plan plan;
    manifest_frame_file frame_file; /* set by the caller after opening where it is needed */
    void *user;
    struct manifest_value *values;
    size_t value_count;
    struct manifest_segment *segments; /* by first frame */
    size_t segment_count;
    struct manifest_checkpoint *checkpoints; /* by frame */
    size_t checkpoint_count;
};

/* Whether the folder has a manifest, whole or not: there is something to resume. */
bool manifest_exists(const char *folder);

/* Begins anew: makes the folder, locks it, removes segments, checkpoints and manifests that lie in
 * it and writes a manifest without any. */
enum status manifest_create(struct manifest **out, const char *folder,
                            const struct manifest_plan *plan);

/* Locks the folder and reads its manifest, or, with a warning, the one before it where that is
 * damaged. STATUS_USAGE when it was made by another plan, with the first key of the scene that
 * differs. Files are not looked at: see manifest_verify. */
enum status manifest_open(struct manifest **out, const char *folder,
                          const struct manifest_plan *plan);
void manifest_close(struct manifest **manifest); /* unlocks; accepts a pointer to NULL */

/* Removes the segments, the checkpoints, the manifest and the folder, and closes. What is not the
 * program's own stays, and then the folder does too, with a warning. */
enum status manifest_remove(struct manifest **manifest);

/* Names for files in the folder: "segment-000003.mkv", "checkpoint-000720.h5". A file is first
 * written whole under such a name, then added. */
void manifest_segment_name(char out[MANIFEST_NAME_MAX], uint64_t index, const char *extension);
void manifest_checkpoint_name(char out[MANIFEST_NAME_MAX], uint64_t frame);
/* "FOLDER/NAME", to be freed; NULL when memory is short. */
char *manifest_path(const struct manifest *manifest, const char *name);

/* Hash a file that is complete, name it in the manifest in the place of those of the same first
 * frame, and save. `file` "": the frames' own files, by frame_file. */
enum status manifest_add_segment(struct manifest *manifest, uint64_t index, uint64_t first,
                                 uint64_t count, const char *file);
enum status manifest_add_checkpoint(struct manifest *manifest, uint64_t frame, const char *file);

/* What was found out and must stay, such as the exposure of frame 0: finite, kept to the last bit.
 * Setting saves. Getting: false when there is none of that name. */
enum status manifest_set_value(struct manifest *manifest, const char *name, double value);
enum status manifest_set_values(struct manifest *manifest, const struct manifest_value *values,
                                size_t count); /* saves once */
bool manifest_get_value(const struct manifest *manifest, const char *name, double *value);

/* Reads every segment and checkpoint again. Those that are missing or not what they were are taken
 * out of the manifest, each with a warning, and it is saved; *lost (may be NULL) is their number.
 * STATUS_RUNTIME and failures to save are the only ones. */
enum status manifest_verify(struct manifest *manifest, size_t *lost);

/* Writes it; the functions that change it do so themselves. */
enum status manifest_save(const struct manifest *manifest);

/* The first frames from `from` to the plan's last that no segment has. False: there are none. */
bool manifest_next_gap(const struct manifest *manifest, uint64_t from, uint64_t *first,
                       uint64_t *count);

/* The latest checkpoint at or before the frame; NULL: there is none. Valid until one is added. */
const struct manifest_checkpoint *manifest_checkpoint_before(const struct manifest *manifest,
                                                             uint64_t frame);

/* Removes the checkpoints that a resume would no longer go to: those before the latest two at or
 * before the first gap. */
enum status manifest_drop_checkpoints(struct manifest *manifest);

#endif
