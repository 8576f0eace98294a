/* Simulate, draw, encode: three stages on threads, connected by bounded queues. Used views and
 * pictures return through pools, so a full stage holds up those before it and memory does not grow
 * with the film. Encoding may use several threads, see encoders.h.
 *
 * On ranks, all run it, each stage on a lane of its own (base/ranks/ranks.h). Stage s of a frame
 * waits for that stage of the frame on other ranks, for stage s - 1 of it here, and for room: for
 * stage s + 1 of an earlier frame here. So there is no cycle of waits, whatever the queues'
 * lengths, if all ranks hand over the same frames: `wanted`, `first` to `from` and `metered` must
 * agree, and all stop at one frame.
 *
 * The first failure is reported. A failing stage stops the stages before it and lets those after it
 * finish, so that the film so far is closed properly. */
#pragma once

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
    uint64_t safe;          /* pictures in segments that are complete and closed */
    uint64_t next;          /* at the end: the first frame that was not drawn */
    size_t views;           /* waiting to be drawn */
    size_t pictures;        /* waiting to be encoded */
    enum stage failed;      /* the stage that failed first; STAGE_COUNT: none */
    uint64_t device_memory; /* bytes, see solver_ops; known at the end */
};

/* The stage that has been busy longest so far. */
enum stage pipeline_bottleneck(const struct pipeline_progress *progress);

/* Called as the run proceeds; any may be NULL. A failure ends the run. */
struct pipeline_events {
    /* Whether to deliver the frame's picture; NULL: all from first to last. Called on any
     * thread. */
    bool (*wanted)(void *user, uint64_t frame);
    /* The simulations have reached the first frame of a segment; on their thread. */
    enum status (*simulated)(void *user, uint64_t frame);
    /* The renderer is about to draw the first frame of a segment; on its thread. */
    enum status (*drawing)(void *user, uint64_t frame);
};

/* Called for each delivered frame, in the film's order; any may be NULL. A failure ends the run. */
struct pipeline_watcher {
    void *user;
    /* The simulations have reached the frame; on their thread. */
    enum status (*simulated)(void *user, uint64_t frame);
    /* The view is about to be drawn; on the renderer's thread, like `drawn`. Changes to it are
     * drawn, but the picture keeps its frame number. */
    enum status (*drawing)(void *user, struct renderer *renderer, struct view *view);
    /* The picture is about to be encoded, and may be changed. */
    enum status (*drawn)(void *user, struct picture *picture);
};

struct pipeline_params {
    struct simulation *const *simulations; /* all at one frame, at most `first`, or on the way to
                                            * the next one */
    int simulation_count;
    struct renderer *renderer; /* not bound; NULL: rank 0 draws all bodies */
    bool metered;              /* the renderer has its exposure; otherwise frame 0 sets it */
    const struct segment_ops *segments;     /* NULL on ranks from 1 on, which have no sink */
    const struct pipeline_events *events;   /* may be NULL */
    void *user;                             /* of segments and events */
    const struct pipeline_watcher *watcher; /* may be NULL */
    /* Called for every frame in order, also those that are not drawn, from the one that the
     * simulations are at on, on their thread; may be NULL. A failure ends the run. */
    enum status (*passed)(void *user, uint64_t frame);
    void *passed_user;
    /* Called a few times per second on the calling thread; may be NULL. */
    void (*tick)(void *user, const struct pipeline_progress *progress);
    void *tick_user;
    uint64_t first, last;        /* frames, inclusive */
    uint64_t from;               /* no earlier frame is drawn or metered; 0: the simulations' */
    uint64_t segment_length;     /* in frames; 0: a single segment */
    unsigned encoders;           /* segments encoded at once */
    unsigned threads;            /* for forces on the CPU; 0: unchanged */
    uint64_t memory;             /* limit on waiting pictures in bytes; a few are always allowed */
    volatile sig_atomic_t *stop; /* nonzero: end after the frames in progress */
};

/* The largest useful number of pictures: no more are allocated, even with more memory. `keeps`: the
 * segments' ops keep those of an incomplete segment. */
uint64_t pipeline_pictures(unsigned encoders, uint64_t segment_length, bool keeps);

/* Blocks until every frame is written, a stage has failed, or *stop is set (STATUS_STOPPED). Then
 * all segments are closed. *progress is filled in every case. */
enum status pipeline_run(const struct pipeline_params *params, struct pipeline_progress *progress);

/* Advances the simulations to a frame, on their thread, and calls `passed`. */
enum status pipeline_advance(const struct pipeline_params *params, uint64_t frame);
