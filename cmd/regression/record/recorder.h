/* Records a run: takes part in its pipeline, and reads the finished film back. */
#ifndef CMD_REGRESSION_RECORD_RECORDER_H
#define CMD_REGRESSION_RECORD_RECORDER_H

#include "cmd/film/film.h"
#include "cmd/film/job/target.h"
#include "cmd/film/pipeline/pipeline.h"
#include "cmd/regression/record/hooks.h"
#include "cmd/regression/record/record.h"

struct recorder;

struct recorder_params {
    struct film *film;           /* open, at frame 0; its renderer measures light from now on */
    const struct scene *scene;   /* the one asked for: the film's, unless a hook has changed that */
    const struct target *target; /* planned */
    bool diagnostics; /* energies and half-mass radii too, which cost a force evaluation a frame */
    /* Another record of the film, which saves work where this one proves to be the same; NULL:
     * none. Where every packet is the same, and the libraries that decode them are, its decoded
     * pictures are taken over, and nothing is decoded; where a picture is, what was measured of it.
     * Where the state is the same, so are energies, but for those of the first frame, which are
     * always computed: with another force the first ones would not belong to the others. */
    const struct record *expected;
    const struct record_hooks *hooks; /* may be NULL; of these, those of a run */
};

/* STATUS_USAGE when what the target writes cannot be read again: a stream, or nothing. For a target
 * that is only planned. */
enum status recorder_check(const struct target *target);

/* What the params point to must outlive the recorder. */
enum status recorder_open(struct recorder **out, const struct recorder_params *params);

/* Lets the recorder see a run of all frames of the target. */
void recorder_set_pipeline(struct recorder *recorder, struct pipeline_params *params);

/* After a run that has succeeded: reads packets and pictures of the file or files of `bytes` bytes
 * in all, compares the pictures with those that were drawn, and hands the record over. Formats that
 * only say what was drawn, such as hash, are not read. Pictures of which more than 512 MiB would
 * have to be kept until then have no PSNR, and the run says so. */
enum status recorder_finish(struct recorder *recorder, uint64_t bytes, struct record *out);

void recorder_close(struct recorder **recorder); /* accepts a pointer to NULL */

#endif
