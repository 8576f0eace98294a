/* What a run will take: wall time, disk, memory, GPU memory, found by rendering short clips of it
 * (trial.h) at a few places of the film, which a coarse simulation (fast_forward.h) reaches.
 *
 * Pictures change as galaxies meet, so that the first frames alone say too little: bytes per frame
 * may grow by half until the end. Where the film's other places are too far to be reached within
 * seconds, the first frames have to do, and the ranges are wider. */
#ifndef CMD_FILM_FORECAST_FORECAST_H
#define CMD_FILM_FORECAST_FORECAST_H

#include "cmd/film/film.h"
#include "cmd/film/forecast/predict.h"
#include "cmd/film/job/target.h"

#include <signal.h>

struct forecast_params {
    const struct target *target;
    /* Opened unfaded, so that all clips show bodies: what fades and a title card hide is reckoned
     * with. At frame 0; can only be closed afterwards. */
    struct film *film;
    uint64_t memory;             /* bytes of pictures that may wait */
    volatile sig_atomic_t *stop; /* nonzero: end soon */
};

/* Takes a few seconds; longer only where a single frame does. STATUS_STOPPED after *stop. */
enum status forecast_make(struct forecast *out, const struct forecast_params *params);

#endif
