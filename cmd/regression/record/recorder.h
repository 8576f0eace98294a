/* Records a run: hooks into its pipeline, and reads the finished film back. */
#pragma once

#include "cmd/film/film.h"
#include "cmd/film/job/target.h"
#include "cmd/film/pipeline/pipeline.h"
#include "cmd/regression/record/hooks.h"
#include "cmd/regression/record/record.h"

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
