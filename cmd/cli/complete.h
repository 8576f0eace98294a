/* Completes the end of a command line, for the shells: one candidate per line, followed by a tab
 * and its meaning. The line ":files" means that names of files are possible, too. */
#pragma once

#include "cmd/cli/help/page.h"

#include <stdio.h>

/* `gravreel --complete WORDS...` completes the last word, which may be empty. */
#define COMPLETE_WORD "--complete"

/* `words` are those after the command's name, count >= 1. */
void complete_print(FILE *file, const struct help_page *page, char **words, int count);

/* Prints a candidate if it begins with `word`. `doc` may be NULL; its first clause is shown. */
void complete_offer(FILE *file, const char *word, const char *name, const char *doc);
