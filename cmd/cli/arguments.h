/* Parses the arguments of a subcommand, and whole numbers as values of options. */
#pragma once

#include "base/status.h"

#include <stdint.h>

/* Runs argp. Ends the process after --help (-h, -?), --help=man, --usage and a shell's request to
 * complete a command line (complete.h), and with exit code 2 for a missing argument. `name` is the
 * subcommand's. STATUS_USAGE for an unknown option, with a similar one suggested, and if the parser
 * returned an error number, having set the message. */
struct argp;
enum status arguments_parse(const struct argp *argp, const char *name, int argc, char **argv,
                            void *input);

/* STATUS_USAGE, with `option` ("--columns") in the message, unless the text is a whole number from
 * `least` to `most`. */
enum status number_parse(const char *option, const char *text, uint64_t least, uint64_t most,
                         uint64_t *out);

/* The same from 1 to `most`, for counts of 32 bits. */
enum status count_parse(const char *option, const char *text, uint32_t most, uint32_t *out);
