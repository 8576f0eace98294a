/* Decodes and measures the frames of two films on all processors, and delivers the results in
 * order. Each film has a thread that decodes; the pairs are divided among workers. Memory does not
 * grow with the length of the films. */
#pragma once

#include "cmd/regression/compare/side.h"
#include "render/compare/measure.h"
#include "render/compare/sketch.h"

#include <signal.h>

#define PAIR_NONE UINT64_MAX

struct reader_frame;

/* Frames to compare, by their numbers in the readers; PAIR_NONE: this side has no frame. */
struct pair {
    uint64_t a, b;
};

struct pair_result {
    struct pair pair;
    bool measured;          /* both frames exist */
    struct measure measure; /* valid if measured */
    bool has_quality;       /* measured, requested, and luma bytes of both films mean the same */
    struct quality quality;
    struct sketch sketch[2];       /* of the frames that exist, if sketches are requested */
    struct reader_frame *frame[2]; /* valid during the call; or NULL */
};

struct pairs_params {
    const struct side *a, *b;
    const struct pair *pairs;
    uint64_t count;
    const uint8_t *same; /* [count]: 1 if B's frame is known to equal A's and is not decoded; or
                          * NULL */
    struct measure_params measure;
    bool sketches, quality;
    /* Called in the order of the pairs, by one thread at a time. */
    enum status (*take)(void *user, uint64_t index, const struct pair_result *result);
    void *user;
    const volatile sig_atomic_t *stop; /* may be NULL */
};

/* Returns the first failure; STATUS_STOPPED after *stop. */
enum status pairs_run(const struct pairs_params *params);
