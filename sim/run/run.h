/* A run: the views of every frame of a film's simulations, from which films are drawn without
 * simulating again.
 *
 * One thread appends frames, in order, while others read: frames below run_count never change.
 * Reading is thread-safe; each reader has a buffer of its own. Numbers are those of views
 * (sim/view.h), with their bits; the bodies at the start, and the accelerations there, are double.
 */
#pragma once

#include "base/hash.h"
#include "sim/bodies/bodies.h"
#include "sim/view.h"

#include <stdint.h>

enum { RUN_SIMULATIONS_MAX = 4, RUN_TEXT = 256, RUN_DIAGNOSED = 14 };

/* One of the simulations. */
struct run_simulation {
    char physics[RUN_TEXT]; /* tells it from the others: force, softening ... */
    char device[128], kernel[RUN_TEXT], model[128]; /* of the solver that computed it */
    double (*acceleration)[3];                      /* [bodies] at the start */
};

struct run_about {
    struct bodies *bodies; /* at the start, with their columns */
    uint64_t frames;       /* of the whole film */
    char moves[17];        /* hash of what the scene says about the motion */
    char *scene;           /* the whole scene as text */
    int simulation_count;
    struct run_simulation simulations[RUN_SIMULATIONS_MAX];
    struct column_names columns; /* of views that the solver filled; static strings */
};

/* A frame of all simulations. */
struct run_moment {
    uint64_t step;
    double time, interval; /* as in struct view */
    /* Hashes of the state in double precision (film_state_hash), of all simulations and of each. */
    char state[HASH_TEXT], states[RUN_SIMULATIONS_MAX][HASH_TEXT];
    bool diagnosed;                  /* of the first simulation: */
    double diagnosis[RUN_DIAGNOSED]; /* struct diagnostics (sim/diagnostics.h) */
};

/* The bodies of a frame in one simulation. */
struct run_rows {
    float (*position)[3], (*velocity)[3]; /* [bodies] */
    float *column[VIEW_COLUMNS_MAX];      /* [columns.count][bodies] */
};

struct run;

/* An empty run in host memory. Takes over bodies, scene and accelerations, also on failure. */
enum status run_create(struct run **out, const struct run_about *about);
void run_close(struct run **run); /* accepts a pointer to NULL */

const struct run_about *run_about(const struct run *run);

/* Appends a frame; copies everything. STATUS_RUNTIME: no memory. */
enum status run_add(struct run *run, const struct run_moment *moment, const struct run_rows *rows);

/* The number of frames, from frame 0 on, that can be read. */
uint64_t run_count(const struct run *run);
/* Of a frame below the count; valid while the run is open. */
const struct run_moment *run_moment(const struct run *run, uint64_t frame);

/* Memory for one reader, at first zero. */
struct run_buffer {
    float *numbers;
};
void run_buffer_free(struct run_buffer *buffer);

/* The rows of a frame below the count: valid until the next call with this buffer, and only to be
 * read. */
enum status run_read(const struct run *run, int simulation, uint64_t frame,
                     struct run_buffer *buffer, struct run_rows *out);

/* Numbers per body and frame of a simulation. */
size_t run_width(const struct run_about *about);
/* The rows in a block of that many numbers for each body. */
void run_rows_at(const struct run_about *about, float *block, struct run_rows *out);
