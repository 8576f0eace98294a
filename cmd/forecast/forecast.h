/* What a run will take: wall time, disk, memory, GPU memory, found by rendering short clips of it
 * (trial.h) at a few places of the film, which a coarse simulation (fast_forward.h) reaches.
 *
 * Pictures change as galaxies meet, so that the first frames alone say too little: bytes per frame
 * may grow by half until the end. Where the film's other places are too far to be reached within
 * seconds, the first frames have to do, and the ranges are wider. */
#ifndef CMD_FORECAST_FORECAST_H
#define CMD_FORECAST_FORECAST_H

#include "base/load.h"
#include "cmd/film/film.h"
#include "cmd/job/target.h"

#include <signal.h>

struct forecast_params {
    const struct target *target;
    struct film *film;           /* at frame 0; can only be closed afterwards */
    uint64_t memory;             /* bytes of pictures that may wait */
    volatile sig_atomic_t *stop; /* nonzero: end soon */
};

struct forecast_figure {
    double value, least, most; /* likely to lie between */
};

struct forecast {
    struct forecast_figure seconds; /* of the whole run of the program */
    struct forecast_figure bytes;   /* of the finished film or pictures */
    double working_bytes;           /* on the disk at once while segments are joined; 0: `bytes` */
    uint64_t memory;                /* at most, bytes */
    uint64_t device_memory;         /* bytes; 0: none */
    uint64_t frames;                /* that were measured */
    int places;                     /* of the film; 1: its beginning only */
    double taken;                   /* seconds that the trial took */
    struct load_parts load;         /* of the machine meanwhile */
};

/* Takes a few seconds; longer only where a single frame does. STATUS_STOPPED after *stop. */
enum status forecast_make(struct forecast *out, const struct forecast_params *params);

#endif
