/* What may stand at the end of a command line, for the shells: one candidate a line, behind a tab
 * what it means. The line ":files" says that names of files may stand there, too. */
#ifndef CMD_CLI_COMPLETE_H
#define CMD_CLI_COMPLETE_H

#include "cmd/cli/help/page.h"

#include <stdio.h>

/* `gravreel --complete WORDS...` asks; the last word, which may be empty, is the one to complete.
 */
#define COMPLETE_WORD "--complete"

/* `words` are those behind the command's name, count >= 1. */
void complete_print(FILE *file, const struct help_page *page, char **words, int count);

/* One candidate, if it begins with `word`. `doc` may be NULL; its first clause is shown. */
void complete_offer(FILE *file, const char *word, const char *name, const char *doc);

#endif
