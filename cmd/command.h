/* The subcommands of `gravreel`. A new one is a file with its entry, its declaration here, and a
 * row in main.c. */
#pragma once

#include <stdbool.h>

#include <stdio.h>

struct command {
    const char *name, *doc;
    /* argv[0] is the subcommand's name. Returns the exit code: an enum status, whose message main
     * prints, or 128 + the signal that ended the run. */
    int (*run)(int argc, char **argv);
    bool on_ranks; /* every rank runs it, on LANE_MAIN (base/ranks/ranks.h); otherwise rank 0 does,
                    * alone */
};

extern const struct command command_render, command_simulate, command_resume, command_scenes,
    command_info, command_doctor, command_bench, command_sheet, command_still, command_join,
    command_farm, command_baseline, command_check, command_verify, command_compare, command_convert,
    command_view;

/* gravreel --version: the program, its commit, and what it is linked with. */

/* The commit of the build; "unknown" if not known; ends in + if the source was modified.
 * cmake/commit.cmake writes it at each build. */
extern const char version_commit[];

/* The first line is "gravreel VERSION" alone. Opens no display and no device. */
void version_print(FILE *file);
