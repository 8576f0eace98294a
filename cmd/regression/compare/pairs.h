/* Frames of two films decoded, measured and told in order, on all processors: each film has a
 * thread that decodes, and the pairs are shared out among workers. Memory does not grow with the
 * films' length. */
#ifndef CMD_REGRESSION_COMPARE_PAIRS_H
#define CMD_REGRESSION_COMPARE_PAIRS_H

#include "cmd/regression/compare/side.h"
#include "render/compare/measure.h"
#include "render/compare/quality.h"
#include "render/compare/sketch.h"

#include <signal.h>

#define PAIR_NONE UINT64_MAX

struct reader_frame;

/* Which frames meet; numbers as the readers count them, PAIR_NONE: only the other one is there. */
struct pair {
    uint64_t a, b;
};

struct pair_result {
    struct pair pair;
    bool measured;          /* both are there */
    struct measure measure; /* if so */
    bool has_quality;       /* measured, wanted, and luma of both is bytes that mean the same */
    struct quality quality;
    struct sketch sketch[2];       /* of those that are there, if sketches are wanted */
    struct reader_frame *frame[2]; /* valid during the call; or NULL */
};

struct pairs_params {
    const struct side *a, *b;
    const struct pair *pairs;
    uint64_t count;
    const uint8_t *same; /* [count]: 1 where B's frame is known to be A's, so that B's is not
                            decoded; or NULL */
    struct measure_params measure;
    bool sketches, quality;
    /* Called in the order of the pairs, by one thread at a time. */
    enum status (*take)(void *user, uint64_t index, const struct pair_result *result);
    void *user;
    const volatile sig_atomic_t *stop; /* or NULL */
};

/* The first failure; STATUS_STOPPED after *stop. */
enum status pairs_run(const struct pairs_params *params);

#endif
