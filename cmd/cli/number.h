/* Whole numbers as values of options. Thread-safe. */
#ifndef CMD_CLI_NUMBER_H
#define CMD_CLI_NUMBER_H

#include "base/status.h"

#include <stdint.h>

/* STATUS_USAGE, with `option` ("--columns") in the sentence, unless the text is a whole number from
 * `least` to `most`. */
enum status number_parse(const char *option, const char *text, uint64_t least, uint64_t most,
                         uint64_t *out);

#endif
