/* A file in the making, a pipe or standard output: counts bytes, remembers the first failure and
 * puts a finished file into place.
 *
 * A regular file grows beside its target (base/part.h) and takes the target's name when it is
 * closed with `keep`; a symbolic link keeps pointing where it points. Standard output ("-"), pipes
 * and devices are written directly. Used by one thread at a time. */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct output {
    char *name;      /* for sentences: the path as given, or "standard output" */
    char *target;    /* NULL for streams */
    char *temporary; /* NULL for streams */
    int descriptor;
    bool seekable;
    int error;                /* errno of the first failure, 0 so far */
    uint64_t position, bytes; /* next write; the furthest end of all writes */
};

/* Creates missing folders. STATUS_USAGE for a folder and for what is in the way, STATUS_IO with the
 * system's reason. */
enum status output_open(struct output *output, const char *path);

/* Whether that can be expected to succeed, with the same sentences; leaves nothing behind. */
enum status output_check(const char *path);

/* The same of any file in the folder `path` with a name of at most so many bytes; what stands there
 * already does not matter. */
enum status output_check_inside(const char *path, size_t bytes);

/* Writes everything or fails; after one failure nothing more is written. */
bool output_write(struct output *output, const void *data, size_t size);
bool output_seek(struct output *output, uint64_t position);

/* The sentence for output->error: "cannot write 'PATH' after N frames: REASON". */
enum status output_failed(const struct output *output, uint64_t frames);

/* Without `keep`, and after a failure, nothing is left of a regular file. `sync` waits until the
 * content is on the disk before it takes the target's name. Returns false when the result is not
 * there (error says why). Frees what open allocated but `name`; output_release frees that. */
bool output_close(struct output *output, bool keep, bool sync);
void output_release(struct output *output);

#endif
