/* Makes a scene's film in order to record it, with the pipeline, sinks and jobs of `gravreel
 * render`, but without its summary, its progress messages and the files beside the film. */
#pragma once

#include "cmd/regression/record/hooks.h"
#include "cmd/regression/record/record.h"

#include <signal.h>

struct record_request {
    const struct scene *scene; /* validated */
    const char *name;          /* of the scene, for messages */
    const char *output;        /* file, or pattern of a PNG sequence; existing files are replaced */
    const char *format;        /* "": chosen by the output's extension */
    const char *backend;       /* "auto", "cpu", "cuda" */
    int device;
    bool has_range;
    uint64_t first, last;             /* last UINT64_MAX: to the end */
    unsigned threads;                 /* for forces on the CPU; 0: leave the number unchanged */
    unsigned encoders;                /* segments encoded at once; 0: by number of processors */
    bool diagnostics;                 /* see recorder.h */
    const struct record *expected;    /* see recorder.h; may be NULL */
    const struct record_hooks *hooks; /* may be NULL */
    volatile sig_atomic_t *stop;      /* nonzero: end with STATUS_STOPPED; may be NULL */
};

/* Makes the film and its record. A film longer than a segment of its scene is made in segments, as
 * `gravreel render` makes it, so that the file is the same. After a failure there is no film. Free
 * the record with record_free in every case. Thread-safe with different outputs; each call has its
 * own threads for the forces. */
enum status record_film(const struct record_request *request, struct record *out);
