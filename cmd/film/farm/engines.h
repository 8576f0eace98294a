/* The schedulers that a job file can be written for. An engine knows its language and options, and
 * nothing of films.
 *
 * A new engine is an entry in engines.c with its template (slurm.sh), and a row at its end;
 * tests/tree/test_farm.sh runs what it writes. */
#pragma once

#include "base/choice.h"
#include "cmd/film/farm/tasks.h"

#include <stdio.h>

struct farm_engine {
    const char *name, *doc;
    bool one_machine; /* runs all tasks on this machine */
    /* The command that starts a job file, whose name follows; the caller frees it. */
    char *(*start)(const struct farm_plan *plan);
    void (*write)(FILE *file, const struct farm_plan *plan);
};

extern const struct registry farm_engine_registry;

/* Job files are templates: texts with places, {{name}}, in the language of their scheduler. */

struct farm_place {
    const char *name;
    char *value; /* NULL: lines with this place are left out */
};

/* Writes the text with its places filled in, and frees their values. */
void farm_template_write(FILE *file, const char *text, const struct farm_place *places,
                         size_t count);
