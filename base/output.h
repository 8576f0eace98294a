/* A file being written, a pipe or standard output: counts bytes, remembers the first failure and
 * moves a finished file into place.
 *
 * A regular file grows beside its target (base/part.h) and is renamed to the target when closed
 * with `keep`; a symbolic link is replaced, and not followed. Standard output ("-"), pipes and
 * devices are written directly. Used by one thread at a time. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct output {
    char *name;      /* for messages: the path as given, or "standard output" */
    char *target;    /* NULL for streams */
    char *temporary; /* NULL for streams */
    int descriptor;
    bool seekable;
    int error;                /* errno of the first failure; 0: none */
    uint64_t position, bytes; /* offset of the next write; the furthest end of all writes */
};

/* Creates missing folders. STATUS_USAGE if the path is a folder, or something that is not ours is
 * in the way; STATUS_IO with the system's reason. */
enum status output_open(struct output *output, const char *path);

/* Whether output_open can be expected to succeed, with the same messages; leaves nothing behind. */
enum status output_check(const char *path);

/* The same, and STATUS_USAGE if a file is there and may not be replaced: "choose another NAME".
 * Folders are named as such, and devices and pipes are written to. */
enum status output_check_new(const char *path, bool overwrite, const char *name);

/* The same as output_check for any file in the folder `path` with a name of at most this many bytes, regardless of
 * what exists there. */
enum status output_check_inside(const char *path, size_t bytes);

/* Writes everything or fails; after a failure nothing more is written. */
bool output_write(struct output *output, const void *data, size_t size);
bool output_seek(struct output *output, uint64_t position);

/* The message for output->error: "cannot write 'PATH' after N frames: REASON". */
enum status output_failed(const struct output *output, uint64_t frames);

/* Without `keep`, or after a failure, nothing is left of a regular file. `sync` waits until the
 * data is on disk before renaming. Returns false if there is no result (error says why). Frees
 * everything except `name`, which output_release frees. */
bool output_close(struct output *output, bool keep, bool sync);
void output_release(struct output *output);
