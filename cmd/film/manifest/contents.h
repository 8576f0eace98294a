/* The content of a manifest: plain data, without its file. */
#pragma once

#include "base/hash.h"

#include <stddef.h>
#include <stdint.h>

enum { MANIFEST_FORMAT = 4, MANIFEST_NAME_MAX = 64 };

/* What a run will make. A folder with a different plan in its manifest belongs to another run. No
 * string is NULL. */
struct manifest_plan {
    const char *program;    /* version */
    const char *scene;      /* resolved: scene_print */
    const char *scene_hash; /* scene_hash */
    const char *start;      /* hash of the initial bodies; "": not computed */
    const char *codec, *container;
    uint64_t frames;         /* of the film */
    uint64_t first, last;    /* of this run, inclusive */
    uint64_t segment_length; /* frames, >= 1 */
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
