/* The schedulers that a job file can be written for. An engine knows its language and options, and
 * nothing of films.
 *
 * A new engine is a file with its entry and its template (slurm.c, slurm.sh), and a row in
 * engine.c; tests/tree/test_farm.sh runs what it writes. */
#pragma once

#include "base/choice.h"
#include "cmd/film/farm/plan.h"

#include <stdio.h>

struct farm_engine {
    const char *name, *doc;
    bool one_machine; /* runs all tasks on this machine */
    /* The command that starts a job file, whose name follows; the caller frees it. */
    char *(*start)(const struct farm_plan *plan);
    void (*write)(FILE *file, const struct farm_plan *plan);
};

extern const struct farm_engine farm_slurm, farm_opencue, farm_make;
extern const struct registry farm_engine_registry;
