/* Short clips of a film, made by the real simulation, renderer and encoders in a temporary folder,
 * to measure the time of frames, their size and the memory of encoders.
 *
 * Files are removed as soon as they are closed, and the folder at the end. */
#pragma once

#include "base/part.h"
#include "cmd/film/film.h"
#include "cmd/film/job/target.h"
#include "cmd/film/pipeline/pipeline.h"

#include <pthread.h>
#include <signal.h>

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

/* Advances a film's simulations to a later frame, quickly and roughly, so that a trial (trial.h)
 * can measure pictures there; never for making them. Different from the pilot run
 * (sim/pilot/pilot.h), which finds when things happen before a film is drawn, gives the same result
 * on every machine and does not move the film's simulations.
 *
 * A separate simulation of all bodies runs ahead, with steps twice as long as the film's. A tree's
 * forces are rough; if time is short, all-pairs forces use every 4th, 8th or 16th body per step,
 * with a larger softening. Its state is then given to all of the film's simulations. Galaxies meet,
 * are torn apart and merge as in the film, but single bodies do not stay on their paths. For 16,384
 * bodies of the default scene, pictures half-way take 2 % fewer bytes than the film's with all
 * sources, 9 % more with every 8th and 18 % more with every 16th: with fewer sources, bodies are
 * more scattered. */

struct fast_forward;

struct fast_forward_params {
    uint64_t frames;      /* to cover */
    double frame_seconds; /* that one simulation of the film takes per frame */
    double seconds;       /* time limit; without a tree, it decides the number of sources */
};

/* The film must outlive it. */
enum status fast_forward_open(struct fast_forward **out, struct film *film,
                              const struct fast_forward_params *params);
void fast_forward_close(struct fast_forward **fast_forward); /* accepts a pointer to NULL */

/* Advances to `frame`, or stops on the way when that would take more than `seconds`. *there:
 * whether it arrived; then the film's simulations are at that frame too. STATUS_STOPPED after
 * *stop. */
enum status fast_forward_go(struct fast_forward *fast_forward, uint64_t frame, double seconds,
                            volatile sig_atomic_t *stop, bool *there);
