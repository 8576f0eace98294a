/* The page for a terminal of 80 columns. */
#ifndef CMD_CLI_HELP_TEXT_H
#define CMD_CLI_HELP_TEXT_H

#include "cmd/cli/help/page.h"

#include <stdio.h>

void help_print_text(FILE *file, const struct help_page *page);

#endif
