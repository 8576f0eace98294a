/* Simulate, draw, encode: three threads joined by bounded queues, with pools of views and pictures
 * running backwards, so that back-pressure comes by itself and memory does not grow with the film.
 *
 * The first failure wins. A stage that fails lets what lies downstream of it finish, so that a film
 * so far can be closed properly, and stops what lies upstream. */
#ifndef CMD_PIPELINE_H
#define CMD_PIPELINE_H

#include "base/status.h"
#include "render/renderer.h"
#include "render/sink.h"
#include "sim/simulation.h"

#include <signal.h>

enum stage { STAGE_SIMULATE, STAGE_DRAW, STAGE_ENCODE, STAGE_COUNT };

const char *stage_name(enum stage stage);

struct pipeline_progress {
    uint64_t wanted; /* pictures in all */
    uint64_t done[STAGE_COUNT];
    double busy[STAGE_COUNT]; /* seconds of work, waiting left out */
    double elapsed;
    double time;    /* simulated time of the last encoded picture */
    uint64_t bytes; /* of output so far */
};

/* The stage that has worked longest. */
enum stage pipeline_bottleneck(const struct pipeline_progress *progress);

struct pipeline_params {
    struct simulation *simulation; /* at frame 0 */
    struct renderer *renderer;     /* not bound */
    struct sink *sink;
    uint64_t first, last;        /* frames to deliver, both included */
    volatile sig_atomic_t *stop; /* nonzero: end after the frames under way */
    void (*tick)(void *user, const struct pipeline_progress *progress); /* a few times a second, on
                                                                           the calling thread */
    void *user;
};

/* Blocks until every frame is written, a stage has failed, or *stop is set (STATUS_STOPPED). The
 * sink is left open for the caller to close. *progress is filled in every case. */
enum status pipeline_run(const struct pipeline_params *params, struct pipeline_progress *progress);

#endif
