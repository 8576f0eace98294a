/* Records a run: hooks into the pipeline that makes the film, and reads the finished film back. */
#pragma once

#include "cmd/film/film.h"
#include "cmd/film/job/target.h"
#include "cmd/film/pipeline/pipeline.h"
#include "cmd/regression/record/readback.h"

#include <signal.h>

/* ---- a run ---- */

struct recorder;

struct recorder_params {
    struct film *film;           /* open, at frame 0; its renderer measures light from now on */
    const struct scene *scene;   /* the scene asked for; a hook may have changed the film's */
    const struct target *target; /* planned */
    bool diagnostics; /* also energies and half-mass radii; costs a force evaluation per frame */
    /* Another record of the film, which saves work where this one proves to be the same; NULL:
     * none. If every packet and the libraries that decode them are the same, the results of
     * decoding are copied and nothing is decoded. If a picture is the same, its measurements are
     * copied. If the state is the same, so are its energies, except for those of the first frame,
     * which are always computed: with another force, the first energies would not match the
     * others. */
    const struct record *expected;
    const struct record_hooks *hooks; /* may be NULL; only the hooks of a run are used */
};

/* Returns STATUS_USAGE when what the target writes cannot be read back: a stream, or no output. The
 * target only needs to be planned. */
enum status recorder_check(const struct target *target);

/* Everything that the params point to must outlive the recorder. */
enum status recorder_open(struct recorder **out, const struct recorder_params *params);

/* Sets the hooks of a pipeline that runs all frames of the target. */
void recorder_set_pipeline(struct recorder *recorder, struct pipeline_params *params);

/* Call after a successful run. Reads packets and pictures of the file or files of `bytes` bytes in
 * total, compares the pictures with those that were drawn, and hands over the record. Formats that
 * hold no pictures, such as hash, are not read. If more than 512 MiB of pictures would have to be
 * kept until then, the pictures have no PSNR, and the run says so. */
enum status recorder_finish(struct recorder *recorder, uint64_t bytes, struct record *out);

void recorder_close(struct recorder **recorder); /* accepts a pointer to NULL */

/* ---- making a film ---- */

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
    bool diagnostics;                 /* see struct recorder_params */
    const struct record *expected;    /* likewise; may be NULL */
    const struct record_hooks *hooks; /* may be NULL */
    volatile sig_atomic_t *stop;      /* nonzero: end with STATUS_STOPPED; may be NULL */
};

/* Makes the film and its record. A film longer than a segment of its scene is made in segments, as
 * `gravreel render` makes it, so that the file is the same. After a failure there is no film. Free
 * the record with record_free in every case. Thread-safe with different outputs; each call has its
 * own threads for the forces. Collective on ranks: rank 0 has all bodies, the files and the record.
 */
enum status record_film(const struct record_request *request, struct record *out);

/* ---- parts of it ---- */

/* Fills in time, hash and sketch of the frame that the simulations have reached and, with
 * `diagnostics`, energies and half-mass radii. `known` may be a record of that frame, or NULL: if
 * its state is the same, what follows from the state is copied from it. */
enum status physics_record(const struct film *film, bool diagnostics,
                           const struct frame_record *known, struct frame_record *frame);

/* Records which panels show the simulations after the first. */
void physics_describe(const struct film *film, struct record *record);

/* Fills in platform, renderer_class, device, libraries and encoding. The encoder's text also names
 * the GPU or the processor where the bits depend on it: with a GPU encoder, and if the scene does
 * not set output.deterministic. */
void platform_describe(struct record *record, const struct film *film, const struct target *target);

/* Returns "llvmpipe-256" for "llvmpipe (LLVM 15.0.6, 256 bits)", "nvidia", "radeonsi", ...; for an
 * unknown renderer its first word, in lower case. The caller frees it. */
char *platform_renderer_class(const char *renderer);
