/* What a manifest holds: plain data, without the file that it is kept in. */
#ifndef CMD_FILM_MANIFEST_CONTENTS_H
#define CMD_FILM_MANIFEST_CONTENTS_H

#include "base/hash.h"

#include <stddef.h>
#include <stdint.h>

enum { MANIFEST_FORMAT = 3, MANIFEST_NAME_MAX = 64 };

/* What a run is about to make. A folder whose manifest says otherwise belongs to another run. No
 * string is NULL. */
struct manifest_plan {
    const char *program;    /* version */
    const char *scene;      /* resolved: scene_print */
    const char *scene_hash; /* scene_hash */
    const char *start;      /* hash of the bodies at the start; "": not computed */
    const char *codec, *container;
    uint64_t frames;         /* of the film */
    uint64_t first, last;    /* of this run, both included */
    uint64_t segment_length; /* frames, >= 1 */
};

struct manifest_value {
    char name[MANIFEST_NAME_MAX];
    double value;
};

struct manifest_segment {
    uint64_t index; /* first / segment_length of a whole segment */
    uint64_t first, count;
    char file[MANIFEST_NAME_MAX]; /* in the folder; "": its frames are files of their own */
    uint64_t bytes;
    char hash[HASH_TEXT];
};

struct manifest_checkpoint {
    uint64_t frame; /* the first that can be drawn from it */
    char file[MANIFEST_NAME_MAX];
    uint64_t bytes;
    char hash[HASH_TEXT];
};

/* The path of a frame's own file, for outputs of one file per frame; the caller frees it. NULL:
 * the frame cannot be named. */
typedef char *(*manifest_frame_file)(void *user, uint64_t frame);

/* Read freely; changed only by the functions of this folder. */
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
    struct manifest_segment *pictures; /* by first frame: drawn, of segments that are not whole; all
                                          in one file, one after the other */
    size_t picture_count;              /* entries */
    struct manifest_checkpoint *checkpoints; /* by frame */
    size_t checkpoint_count;
};

#endif
