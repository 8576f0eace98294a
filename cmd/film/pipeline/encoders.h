/* The last stage of the pipeline. Pictures arrive in the film's order and go to their segments;
 * several segments are encoded at once, each by one thread and one sink.
 *
 * Encoded pictures are reused. At most `pictures` of them exist, so memory is bounded and a slow
 * encoder holds up the drawing. After the first failure no more pictures are accepted; segments in
 * progress are completed with the pictures that have arrived.
 *
 * Only one thread may call encoders_picture, _put and _finish; the other functions are
 * thread-safe. */
#pragma once

#include "base/status.h"
#include "render/renderer.h"
#include "render/sink/sink.h"

#include <stdbool.h>
#include <stddef.h>

/* Where the segments of a film go. Called on the encoders' threads, several at once, but never two
 * for one segment. A segment's number is its first frame / `length`. */
struct segment_ops {
    /* *frames, initially 0: how many frames, from the segment's first on, the sink already has. */
    enum status (*open)(void *user, uint64_t segment, uint64_t *frames, struct sink **sink);
    /* Called before a segment is closed after its first `frames` frames, unless one has failed:
     * `pictures` are the last `count` of them, all that came since it was opened. May be NULL. */
    void (*keep)(void *user, uint64_t segment, uint64_t frames, struct picture *const *pictures,
                 uint64_t count);
    /* Frees the sink. `whole`: every frame of the segment was written; otherwise only the first
     * `frames`, after a signal or a failure upstream or, with `broken`, after a failure of this
     * sink. */
    enum status (*close)(void *user, uint64_t segment, struct sink **sink, uint64_t frames,
                         bool whole, bool broken);
};

struct encoders_params {
    struct renderer *renderer; /* creates pictures; bound to encoders_picture's thread */
    const struct segment_ops *ops;
    void *user;
    uint64_t first, last; /* frames of the run */
    uint64_t length;      /* frames per segment; 0: a single segment */
    unsigned count;       /* segments encoded at once, >= 1 */
    size_t pictures;      /* largest number of pictures, >= 3 */
    bool keeps;           /* keeps the pictures of an incomplete segment until ops->keep has seen
                           * them; `pictures` must then be at least 3 more than `length` */
};

struct encoders_progress {
    uint64_t done; /* frames written */
    uint64_t safe; /* of these, in segments that are complete and closed */
    uint64_t bytes;
    double busy;    /* seconds of work, mean over the threads */
    double time;    /* simulated, of the latest picture written */
    size_t waiting; /* pictures */
};

struct encoders;

/* How many encoders with `threads` threads each keep the processors busy: twice as many threads as
 * processors, because each segment begins with work for one thread, and one encoder more, which
 * takes the pictures of the next segment. */
unsigned encoders_default_count(unsigned threads);

enum status encoders_open(struct encoders **out, const struct encoders_params *params);

/* A picture to draw into; waits if no more may be allocated. STATUS_STOPPED after a failure. */
enum status encoders_picture(struct encoders *encoders, struct picture **out);
/* Passes on the next picture after drawing. */
enum status encoders_put(struct encoders *encoders, struct picture *picture);

/* Announces that no more pictures will come, waits until the segments are closed and returns the
 * first failure. Call it once, also after a failure. */
enum status encoders_finish(struct encoders *encoders);

struct encoders_progress encoders_progress(struct encoders *encoders);

/* Call after encoders_finish, while the renderer is still open. Accepts a pointer to NULL. */
void encoders_close(struct encoders **encoders);
