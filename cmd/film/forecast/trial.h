/* Short clips of a film, made by the real simulation, renderer and encoders in a temporary folder,
 * to measure the time of frames, their size and the memory of encoders.
 *
 * Files are removed as soon as they are closed, and the folder at the end. */
#pragma once

#include "base/part.h"
#include "cmd/film/pipeline/pipeline.h"
#include "cmd/film/job/target.h"

#include <pthread.h>

struct trial {
    const struct target *target;
    struct film *film;
    volatile sig_atomic_t *stop;
    bool metered;  /* the first clip has set the exposure */
    bool sequence; /* one file per picture */
    struct temporary temporary;
    char format[16];

    pthread_mutex_t lock; /* protects the following members from the encoders' threads */
    uint64_t bytes, segments, memory;
};

struct clip {
    double seconds, processor_seconds; /* processor_seconds: of all threads together */
    uint64_t frames, bytes, segments;
    uint64_t memory; /* held by the process when its last segment was full */
    struct pipeline_progress progress;
};

/* Creates the folder in $TMPDIR or /tmp. STATUS_IO when that fails. Target and film must outlive
 * it. */
enum status trial_open(struct trial *out, const struct target *target, struct film *film,
                       volatile sig_atomic_t *stop);
void trial_close(struct trial *trial); /* accepts all zero */

/* Makes frames first .. first + count - 1, from the simulations' current frame on. The first clip
 * begins at frame 0. */
enum status trial_clip(struct trial *trial, uint64_t first, uint64_t count, struct clip *clip);

/* *bytes: the memory that one encoder uses at full look-ahead, measured with at most `frames`
 * pictures within about `seconds`; 0 if there is no encoder. */
enum status trial_encoder(struct trial *trial, uint64_t frames, double seconds, uint64_t *bytes);
