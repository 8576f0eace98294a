/* The suites of `gravreel bench`. Each is a const table entry at the end of its own file, and a row
 * in suites.c. */
#pragma once

#include "base/choice.h"
#include "cmd/bench/table.h"

struct bench_suite {
    const char *name, *doc;
    /* Adds tables to the report. A kernel that fails gives a failed cell, not a failed suite. NULL:
     * runs all other suites. */
    enum status (*run)(const struct bench_options *options, struct bench_report *report);
    bool on_ranks; /* all ranks run it, and share its forces; otherwise rank 0 runs it alone */
};

extern const struct registry bench_suite_registry; /* of struct bench_suite, default first */

/* Stops at the first failure; the message names the suite. */
enum status bench_run_suite(const struct bench_suite *suite, const struct bench_options *options,
                            struct bench_report *report);
