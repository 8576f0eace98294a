/* The work folder of a film, OUT.parts, and its manifest.json. The manifest lists every finished
 * segment and checkpoint with its hash, and the scene that they belong to.
 *
 * The file contains its own checksum and is replaced as a whole (base/file.h); the previous one
 * stays as manifest.previous.json, so that damage costs only the latest entry. An open manifest
 * holds a lock on the folder, which ends with the process, so that no two runs write the same
 * segments.
 *
 * STATUS_IO: something cannot be read or written, or is damaged. STATUS_USAGE: the folder belongs
 * to another run. The message names the folder and what to do. Used by one thread at a time. */
#pragma once

#include "base/hash.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The content of a manifest: plain data, without its file. */

enum { MANIFEST_FORMAT = 4, MANIFEST_NAME_MAX = 64 };

/* The film that a run makes, and its settings. A folder whose manifest differs in them belongs to
 * another run. No string is NULL. */
struct manifest_plan {
    const char *program;    /* version */
    const char *scene;      /* resolved: scene_print */
    const char *scene_hash; /* scene_hash */
    const char *start;      /* hash of the initial bodies; "": not computed */
    const char *codec, *container;
    uint64_t frames;         /* of the film */
    uint64_t first, last;    /* of this run, inclusive */
    uint64_t segment_length; /* frames, >= 1 */
    /* The run that it is drawn from (sim/run/run.h): its path as given, the absolute one, its hash;
     * "" for a film that simulates. Another run of the same motion may continue the folder. */
    const char *run, *run_place, *run_hash;
};

struct manifest_value {
    char name[MANIFEST_NAME_MAX];
    double value;
};

struct manifest_segment {
    uint64_t index; /* for a complete segment: first / segment_length */
    uint64_t first, count;
    char file[MANIFEST_NAME_MAX]; /* in the folder; "": its frames are separate files */
    uint64_t bytes;
    char hash[HASH_TEXT];
};

struct manifest_checkpoint {
    uint64_t frame; /* the first that can be drawn from it */
    char file[MANIFEST_NAME_MAX];
    uint64_t bytes;
    char hash[HASH_TEXT];
};

/* The path of a frame's own file, for outputs with one file per frame; the caller frees it. NULL:
 * the frame has no name. */
typedef char *(*manifest_frame_file)(void *user, uint64_t frame);

/* Read freely; changed only by the functions of this folder. */
struct manifest {
    char *folder;
    int lock; /* descriptor */
    struct manifest_plan plan;
    char film_plan[HASH_TEXT];      /* of the file with the film's plan; "": not yet written */
    manifest_frame_file frame_file; /* set by the caller after opening, if needed */
    void *user;
    struct manifest_value *values;
    size_t value_count;
    struct manifest_segment *segments; /* by first frame */
    size_t segment_count;
    struct manifest_segment *pictures;       /* drawn pictures of incomplete segments, sorted by
                                              * first frame; those of an entry are in one file */
    size_t picture_count;                    /* number of entries */
    struct manifest_checkpoint *checkpoints; /* by frame */
    size_t checkpoint_count;
};

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

/* STATUS_USAGE, naming the first key that differs, when it was made from another resolved scene. If
 * that one moves alike, and `look` is not NULL, it is no failure: *look is then the rest of a
 * sentence that says how it looks, and the caller frees it. */
enum status manifest_check_scene(const struct manifest *manifest, const char *scene,
                                 const char *scene_hash, char **look);

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

/* The text of a manifest. */

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

/* The segments, pictures and checkpoints listed in a manifest.
 *
 * A file is first written completely under its name in the folder, then hashed, then added. Hashing
 * reads only constant parts of the manifest, so it may run on any thread in parallel with the other
 * functions, which are for one thread at a time. */

/* Names of files in the folder: "segment-000003.mkv", "checkpoint-000720.h5". */
void manifest_segment_name(char out[MANIFEST_NAME_MAX], uint64_t index, const char *extension);
void manifest_pictures_name(char out[MANIFEST_NAME_MAX],
                            uint64_t first); /* "pictures-000042.raw" */
void manifest_checkpoint_name(char out[MANIFEST_NAME_MAX], uint64_t frame);

/* Finds the latest file in the folder with the name of a checkpoint before frame `limit`. Returns
 * false if there is none. */
bool manifest_checkpoint_file_before(const char *folder, uint64_t limit, uint64_t *frame);

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
 * first gap, except at the first frame of a range, where another look of it begins. */
enum status manifest_drop_checkpoints(struct manifest *manifest);
