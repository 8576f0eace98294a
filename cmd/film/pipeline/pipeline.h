/* Simulate, draw, encode: three stages on threads, joined by bounded queues. Used views and
 * pictures flow back through pools, so a full stage holds up those before it and memory does not
 * grow with the film. Encoding may use several threads, see encoders.h.
 *
 * The first failure is the one reported. A stage that fails stops the stages before it and lets
 * those after it finish, so that the film so far can be closed properly. */
#ifndef CMD_FILM_PIPELINE_PIPELINE_H
#define CMD_FILM_PIPELINE_PIPELINE_H

#include "base/status.h"
#include "cmd/film/pipeline/encoders.h"
#include "render/renderer.h"
#include "sim/simulation.h"

#include <signal.h>
#include <stdbool.h>

enum stage { STAGE_SIMULATE, STAGE_DRAW, STAGE_ENCODE, STAGE_COUNT };

const char *stage_name(enum stage stage);

struct pipeline_progress {
    uint64_t wanted; /* pictures in all */
    uint64_t done[STAGE_COUNT];
    double busy[STAGE_COUNT]; /* seconds of work, without waiting */
    double elapsed;
    double time;            /* simulated time of the latest encoded picture */
    uint64_t bytes;         /* of output so far */
    uint64_t safe;          /* pictures in segments that are closed whole */
    uint64_t next;          /* at the end: the first frame that drawing has not seen */
    size_t views;           /* waiting to be drawn */
    size_t pictures;        /* waiting to be encoded */
    enum stage failed;      /* the stage that failed first; STAGE_COUNT: none */
    uint64_t device_memory; /* bytes, see solver_ops; known at the end */
};

/* The stage that has worked longest so far. */
enum stage pipeline_bottleneck(const struct pipeline_progress *progress);

/* Called as the run proceeds; any may be NULL. A failure ends the run. */
struct pipeline_events {
    /* Whether to deliver the frame's picture; NULL: all from first to last. On any thread. */
    bool (*wanted)(void *user, uint64_t frame);
    /* The simulations have reached the first frame of a segment; on their thread. */
    enum status (*simulated)(void *user, uint64_t frame);
    /* The renderer is about to draw the first frame of a segment; on its thread. */
    enum status (*drawing)(void *user, uint64_t frame);
};

/* Takes part in the making of each frame that is delivered, in the film's order; any may be NULL. A
 * failure ends the run. */
struct pipeline_watcher {
    void *user;
    /* The simulations have reached the frame; on their thread. */
    enum status (*simulated)(void *user, uint64_t frame);
    /* The view is about to be drawn; on the renderer's thread, as is drawn. What is changed of it
     * is drawn so, but the picture keeps its place in the film. */
    enum status (*drawing)(void *user, struct renderer *renderer, struct view *view);
    /* The picture is about to be encoded, and may be changed. */
    enum status (*drawn)(void *user, struct picture *picture);
};

struct pipeline_params {
    struct simulation *const *simulations; /* all at one frame, not after `first`, or on the way to
                                              the next one */
    int simulation_count;
    struct renderer *renderer; /* not bound */
    bool metered;              /* the renderer knows its exposure; otherwise frame 0 sets it */
    const struct segment_ops *segments;
    const struct pipeline_events *events;   /* may be NULL */
    void *user;                             /* of segments and events */
    const struct pipeline_watcher *watcher; /* may be NULL */
    /* A few times per second, on the calling thread; may be NULL. */
    void (*tick)(void *user, const struct pipeline_progress *progress);
    void *tick_user;
    uint64_t first, last;        /* frames, both included */
    uint64_t from;               /* no earlier frame is drawn or metered; 0: the simulations' */
    uint64_t segment_length;     /* frames; 0: one segment holds all */
    unsigned encoders;           /* segments encoded at once */
    unsigned threads;            /* of forces on the CPU; 0: as they are */
    uint64_t memory;             /* bytes of pictures that may wait; a few always may */
    volatile sig_atomic_t *stop; /* nonzero: end after the frames in progress */
};

/* The number of pictures that can be of use: no more are made, even with more memory. `keeps`: the
 * segments' ops keep those of an incomplete segment. */
uint64_t pipeline_pictures(unsigned encoders, uint64_t segment_length, bool keeps);

/* Blocks until every frame is written, a stage has failed, or *stop is set (STATUS_STOPPED). All
 * segments are closed then. *progress is filled in every case. */
enum status pipeline_run(const struct pipeline_params *params, struct pipeline_progress *progress);

#endif
