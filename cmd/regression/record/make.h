/* A scene's film made to be recorded: by the pipeline, the sinks and the jobs of `gravreel render`,
 * but without its summary, progress and files beside the film. */
#ifndef CMD_REGRESSION_RECORD_MAKE_H
#define CMD_REGRESSION_RECORD_MAKE_H

#include "cmd/regression/record/hooks.h"
#include "cmd/regression/record/record.h"

#include <signal.h>

struct record_request {
    const struct scene *scene; /* validated */
    const char *name;          /* of it, for sentences */
    const char *output;        /* file, or pattern of a PNG sequence; what is there is replaced */
    const char *format;        /* "": by the output's extension */
    const char *backend;       /* "auto", "cpu", "cuda" */
    int device;
    bool has_range;
    uint64_t first, last;             /* last UINT64_MAX: to the end */
    unsigned threads;                 /* of forces on the CPU; 0: as they are */
    unsigned encoders;                /* segments encoded at once; 0: by the processors */
    bool diagnostics;                 /* see recorder.h */
    const struct record *expected;    /* see recorder.h; may be NULL */
    const struct record_hooks *hooks; /* may be NULL */
    volatile sig_atomic_t *stop;      /* nonzero: end with STATUS_STOPPED; may be NULL */
};

/* Makes the film and its record. Films longer than a segment of their scene are made in segments,
 * as `gravreel render` makes them, so that the file is the same. After a failure there is no film.
 * Free the record with record_free in every case. Thread-safe with different outputs; the forces'
 * threads of each call are its own. */
enum status record_film(const struct record_request *request, struct record *out);

#endif
