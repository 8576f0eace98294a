/* Predicts what a run will take (wall time, disk, memory, GPU memory) by rendering short clips
 * (trial.h) at a few places of the film, which a coarse simulation (struct fast_forward there)
 * reaches.
 *
 * Pictures change as galaxies meet, so the first frames do not represent the film: bytes per frame
 * may grow by half until the end. If other places cannot be reached within seconds, the prediction
 * uses the first frames and gives wider ranges. */
#pragma once

#include "base/machine.h"
#include "cmd/film/film.h"
#include "cmd/film/job/target.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Predicts time and size of a run from measurements of short clips: arithmetic only. */

enum { FORECAST_PLACES = 4 }; /* places of the film where clips are made */
enum { FORECAST_STAGES = 3 }; /* simulate, draw, encode: enum stage of the pipeline */

struct forecast_sample {
    double frame_seconds; /* in steady state */
    double overhead;      /* per segment: opening, closing, filling the pipeline */
    double first_bytes;   /* bytes of a group of pictures, including the container's header */
    double frame_bytes;   /* of any other picture */
    double stage_seconds[FORECAST_STAGES]; /* work per frame of each stage, which overlap */
};

struct forecast_measured {
    struct forecast_sample start; /* used alone if `count` is 0 */
    struct forecast_sample samples[FORECAST_PLACES];
    int count;
    double step_seconds;            /* to simulate one frame */
    double age;                     /* seconds that the program has run before its first frame */
    double frames, first, segments; /* of the run; `first` frames are simulated but not drawn */
    double hidden; /* frames hidden by a fade or a title card, which compress to almost nothing */
    double tag_bytes;
    bool joins; /* segments stay on disk until they are joined */
};

struct forecast_figure {
    double value, least, most; /* likely range */
};

struct forecast {
    struct forecast_figure seconds; /* of the whole run of the program */
    struct forecast_figure bytes;   /* of the finished film or pictures */
    double stages[FORECAST_STAGES]; /* seconds of each stage, which overlap */
    double start;                   /* seconds before the second frame of a run */
    double working_bytes;           /* peak disk use while segments are joined; 0: `bytes` */
    uint64_t memory;                /* peak, in bytes */
    uint64_t device_memory;         /* bytes; 0: none */
    uint64_t frames;                /* number measured */
    int places;                     /* of the film; 1: only its beginning */
    double taken;                   /* seconds that the trial took */
    struct load_parts load;         /* of the machine during the trial */
};

/* Fills `seconds`, `bytes`, `stages`, `start`, `working_bytes` and `places`. */
struct forecast forecast_predict(const struct forecast_measured *found);

struct forecast_params {
    const struct target *target;
    /* Opened unfaded, so that all clips show bodies; the effect of fades and a title card is
     * computed. Must be at frame 0, and can only be closed afterwards. */
    struct film *film;
    uint64_t memory;             /* limit on waiting pictures, bytes */
    volatile sig_atomic_t *stop; /* nonzero: stop soon */
};

/* Takes a few seconds; longer only if a single frame does. STATUS_STOPPED after *stop. */
enum status forecast_make(struct forecast *out, const struct forecast_params *params);
