#include "base/text.h"
#include "cmd/film/farm/engine.h"

#include <stdlib.h>

/* A recipe's line: make expands dollars, and the shell gets everything else as it is. */
static void put_line(FILE *file, const char *line)
{
    fputc('\t', file);
    for (; *line; line++) {
        if (*line == '$')
            fputc('$', file);
        fputc(*line, file);
    }
    fputc('\n', file);
}

/* Targets are numbers, because make cannot quote the names of files. */
static void put_targets(FILE *file, const char *stage, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fprintf(file, " %s-%zu", stage, i);
}

/* One task per device at a time; without devices two, so that one draws while another simulates. */
static char *start_make(const struct farm_plan *plan)
{
    return text_format("make -j%u -f", plan->gpus ? plan->gpus : 2);
}

/* plan->begin is left out: every task begins, and replaces its report of an earlier job. */
static void write_make(FILE *file, const struct farm_plan *plan)
{
    const size_t n = plan->tasks;
    char *command = start_make(plan);
    fprintf(file,
            "# Written by gravreel farm. `%s FILE` runs on this machine, that many tasks at once;\n"
            "# run it again to continue after an interruption.\n"
            ".PHONY: all",
            command);
    free(command);
    if (plan->simulate)
        put_targets(file, "simulate", n);
    put_targets(file, "draw", n);
    fputs("\nall:", file);
    put_targets(file, "draw", n);
    fputc('\n', file);
    put_line(file, plan->finish);
    for (size_t i = 0; i < n && plan->simulate; i++) {
        fprintf(file, "simulate-%zu:", i);
        if (i > 0)
            fprintf(file, " simulate-%zu", i - 1);
        fputc('\n', file);
        put_line(file, plan->simulate[i]);
    }
    for (size_t i = 0; i < n; i++) {
        fprintf(file, "draw-%zu:", i);
        if (plan->simulate)
            fprintf(file, " simulate-%zu", i);
        fputc('\n', file);
        /* a film that fails does not keep the others from their report */
        if (plan->report)
            fputs("\t-", file);
        put_line(file, plan->draw[i]);
    }
}

const struct farm_engine farm_make = {
    .name = "make",
    .doc = "one machine without a scheduler, several tasks or GPUs at once",
    .start = start_make,
    .one_machine = true,
    .write = write_make,
};
