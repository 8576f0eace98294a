/* The subcommands of `gravreel`. A new one is a file with its entry, its declaration here, and a
 * row in main.c. */
#pragma once

#include <stdbool.h>

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
    command_farm, command_baseline, command_check, command_verify, command_compare, command_convert;
