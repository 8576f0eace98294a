/* Simulate, draw, encode: threads joined by bounded queues, with pools of views and pictures
 * running backwards, so that back-pressure comes by itself and memory does not grow with the film.
 * Encoding may use several threads, see encoders.h.
 *
 * The first failure wins. A stage that fails lets what lies downstream of it finish, so that a film
 * so far can be closed properly, and stops what lies upstream. */
#ifndef CMD_PIPELINE_PIPELINE_H
#define CMD_PIPELINE_PIPELINE_H

#include "base/status.h"
#include "cmd/pipeline/encoders.h"
#include "render/renderer.h"
#include "sim/simulation.h"

#include <signal.h>
#include <stdbool.h>

enum stage { STAGE_SIMULATE, STAGE_DRAW, STAGE_ENCODE, STAGE_COUNT };

const char *stage_name(enum stage stage);

struct pipeline_progress {
    uint64_t wanted; /* pictures in all */
    uint64_t done[STAGE_COUNT];
    double busy[STAGE_COUNT]; /* seconds of work, waiting left out */
    double elapsed;
    double time;            /* simulated time of the latest encoded picture */
    uint64_t bytes;         /* of output so far */
    size_t views;           /* waiting to be drawn */
    size_t pictures;        /* waiting to be encoded */
    enum stage failed;      /* the stage that failed first; STAGE_COUNT: none */
    uint64_t device_memory; /* bytes, see solver_ops; known at the end */
};

/* The stage that has worked longest. */
enum stage pipeline_bottleneck(const struct pipeline_progress *progress);

/* What is told as the run goes; any may be NULL. A failure ends the run. */
struct pipeline_events {
    /* Whether the frame's picture is to be delivered; NULL: all between first and last. */
    bool (*wanted)(void *user, uint64_t frame);
    /* The simulations stand at the first frame of a segment; on their thread. */
    enum status (*simulated)(void *user, uint64_t frame);
    /* The renderer is about to draw the first frame of a segment; on its thread. */
    enum status (*drawing)(void *user, uint64_t frame);
    /* A few times a second, on the calling thread. */
    void (*tick)(void *user, const struct pipeline_progress *progress);
};

struct pipeline_params {
    struct simulation *const *simulations; /* all at one frame, not after `first` */
    int simulation_count;
    struct renderer *renderer; /* not bound */
    bool metered;              /* the renderer knows its exposure; otherwise frame 0 tells it */
    const struct segment_ops *segments;
    void *segment_user;
    uint64_t first, last;        /* frames, both included */
    uint64_t segment_length;     /* frames; 0: all are one segment */
    unsigned encoders;           /* segments at once */
    uint64_t memory;             /* bytes of pictures that may wait; a few there are always */
    volatile sig_atomic_t *stop; /* nonzero: end after the frames under way */
    const struct pipeline_events *events; /* may be NULL */
    void *user;
};

/* How many pictures are of use: more than these are never made, whatever the memory. */
uint64_t pipeline_pictures(unsigned encoders, uint64_t segment_length);

/* Blocks until every frame is written, a stage has failed, or *stop is set (STATUS_STOPPED). All
 * segments are closed then. *progress is filled in every case. */
enum status pipeline_run(const struct pipeline_params *params, struct pipeline_progress *progress);

#endif
