/* The page as man(1) shows it, behind its title (base/roff.h). */
#ifndef CMD_CLI_HELP_MANUAL_H
#define CMD_CLI_HELP_MANUAL_H

#include "cmd/cli/help/page.h"

#include <stdio.h>

void help_print_manual(FILE *file, const struct help_page *page);

#endif
