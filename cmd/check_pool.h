/* Checks several baselines at once, each in a process of its own, so that a crash does not affect
 * the others. */
#pragma once

#include "cmd/regression/judge/report.h"

#include <signal.h>

/* A baseline to check. */
struct listed {
    char *path;        /* of a baseline */
    const char *below; /* the end of the path, relative to the given folder */
};

struct check_pool {
    const struct listed *list; /* [count] */
    size_t count, room;        /* baselines; processes that run at once */
    const char *output;        /* folder for pictures and candidates; NULL: none */
    bool is_scratch;           /* output is a temporary folder */
    const char *backend;
    int device;
    bool selftest;
    const char *const *passed_on; /* [passed_on_count]: options of limits, as given */
    int passed_on_count;
    volatile sig_atomic_t *stop; /* when set, no more processes are started */
};

/* Adds a case per baseline to the report, in their order. *failure: why one could not be judged. */
void check_pool_run(const struct check_pool *pool, struct report *report, struct failure *failure);

/* The folder in `output` for the pictures and candidate of that baseline: placed as in the given
 * folder, so that baselines with the same name in two folders stay separate. The caller frees it.
 */
char *listed_output(const struct listed *listed, const char *output);

/* Names the case, such as "gpu/plummer", uniquely among the baselines of the folder. */
void listed_name_case(const struct listed *listed, struct case_report *one);
