/* Predicts what a run will take (wall time, disk, memory, GPU memory) by rendering short clips
 * (trial.h) at a few places of the film, which a coarse simulation (fast_forward.h) reaches.
 *
 * Pictures change as galaxies meet, so the first frames do not represent the film: bytes per frame
 * may grow by half until the end. If other places cannot be reached within seconds, the prediction
 * uses the first frames and gives wider ranges. */
#pragma once

#include "cmd/film/film.h"
#include "cmd/film/forecast/predict.h"
#include "cmd/film/job/target.h"

#include <signal.h>

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
