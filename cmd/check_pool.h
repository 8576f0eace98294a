/* Checks several baselines at once, each in a process of its own, so that a crash does not affect
 * the others. */
#pragma once

#include "cmd/baseline_list.h"

#include <signal.h>

struct check_pool {
    const struct baseline_list *list;
    size_t room;        /* processes that run at once */
    const char *output; /* folder for pictures and candidates; NULL: none */
    bool is_scratch;    /* output is a temporary folder */
    const char *backend;
    int device;
    const char *const *passed_on; /* [passed_on_count]: options of limits, as given */
    int passed_on_count;
    volatile sig_atomic_t *stop; /* when set, no more processes are started */
};

/* Adds a case per baseline to the report, in their order. *failure: why one could not be judged. */
void check_pool_run(const struct check_pool *pool, struct report *report, struct failure *failure);
