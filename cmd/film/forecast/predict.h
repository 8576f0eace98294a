/* Time and size of a run, from what short clips of it took: arithmetic alone. */
#ifndef CMD_FILM_FORECAST_PREDICT_H
#define CMD_FILM_FORECAST_PREDICT_H

#include "base/load.h"

#include <stdbool.h>
#include <stdint.h>

enum { FORECAST_PLACES = 4 }; /* of the film, where clips are made */

struct forecast_sample {
    double frame_seconds; /* steady */
    double overhead;      /* of a segment: opened, closed, not filled */
    double first_bytes;   /* of a group of pictures, with the container's header */
    double frame_bytes;   /* of any other picture */
};

struct forecast_measured {
    struct forecast_sample start; /* used alone where `count` is 0 */
    struct forecast_sample samples[FORECAST_PLACES];
    int count;
    double step_seconds; /* to simulate a frame, alone */
    double age;          /* seconds that the program has run for before its first frame */
    double frames, first, segments; /* of the run; `first` frames are simulated and not drawn */
    double hidden; /* frames that a fade or a title card hides, which compress to nothing */
    double tag_bytes;
    bool joins; /* segments wait on the disk to become one file */
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

/* Fills `seconds`, `bytes`, `working_bytes` and `places`. */
struct forecast forecast_predict(const struct forecast_measured *found);

#endif
