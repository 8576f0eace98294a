/* The last stage of the pipeline. Pictures arrive in the film's order and go to their segments;
 * several segments are encoded at once, each by one thread and one sink.
 *
 * Encoded pictures are used again. At most `pictures` of them exist, so memory is bounded and a
 * slow encoder holds up the drawing. The first failure stops the intake; segments in progress are
 * finished with the pictures that have arrived.
 *
 * Only one thread may call encoders_picture, _put and _finish; the others are thread-safe. */
#ifndef CMD_FILM_PIPELINE_ENCODERS_H
#define CMD_FILM_PIPELINE_ENCODERS_H

#include "base/status.h"
#include "render/renderer.h"
#include "render/sink/sink.h"

#include <stdbool.h>
#include <stddef.h>

/* Where the segments of a film go. Called on the encoders' threads, several at once, but never two
 * for one segment. A segment is numbered by its first frame / `length`. */
struct segment_ops {
    /* *frames: of the segment, from its first on, that the sink has already; comes as 0. */
    enum status (*open)(void *user, uint64_t segment, uint64_t *frames, struct sink **sink);
    /* A segment is about to be closed with its first `frames` frames, and none has failed: the last
     * `count` of them are `pictures`, all that came since it was opened. May be NULL. */
    void (*keep)(void *user, uint64_t segment, uint64_t frames, struct picture *const *pictures,
                 uint64_t count);
    /* Frees the sink. `whole`: every frame of the segment was written; otherwise the first `frames`
     * of it, after a signal or a failure upstream, or, `broken`, after a failure of this sink. */
    enum status (*close)(void *user, uint64_t segment, struct sink **sink, uint64_t frames,
                         bool whole, bool broken);
};

struct encoders_params {
    struct renderer *renderer; /* makes pictures; bound to the thread that calls encoders_picture */
    const struct segment_ops *ops;
    void *user;
    uint64_t first, last; /* frames of the run */
    uint64_t length;      /* frames per segment; 0: one segment holds all */
    unsigned threads;     /* segments encoded at once, >= 1 */
    size_t pictures;      /* that may exist, >= 3 */
    bool keeps;           /* the pictures of the segment that is incomplete stay until ops->keep has
                             seen them: then `pictures` is at least 3 more than `length` */
};

struct encoders_progress {
    uint64_t done; /* frames written */
    uint64_t safe; /* of them, in segments that are closed whole */
    uint64_t bytes;
    double busy;    /* seconds of work, mean over the threads */
    double time;    /* simulated, of the latest picture written */
    size_t waiting; /* pictures */
};

struct encoders;

/* How many encoders of `threads` threads each keep the processors busy: twice as many threads as
 * processors, because encoders wait for one another's lookahead, and for pictures. */
unsigned encoders_default_count(unsigned threads);

enum status encoders_open(struct encoders **out, const struct encoders_params *params);

/* A picture to draw into; waits for one when no more may be made. STATUS_STOPPED after a failure.
 */
enum status encoders_picture(struct encoders *encoders, struct picture **out);
/* Hands over the next picture, drawn. */
enum status encoders_put(struct encoders *encoders, struct picture *picture);

/* No more pictures will come: waits until the segments are closed and returns the first failure.
 * Call it once, also after a failure. */
enum status encoders_finish(struct encoders *encoders);

struct encoders_progress encoders_progress(struct encoders *encoders);

/* After encoders_finish, with the renderer still open. Accepts a pointer to NULL. */
void encoders_close(struct encoders **encoders);

#endif
