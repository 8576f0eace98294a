/* Texts as YAML scalars. Thread-safe. */
#ifndef SCENES_QUOTE_H
#define SCENES_QUOTE_H

#include <stdio.h>

/* Plain where every reader of YAML takes it for a text, else in double quotes, escaped. */
void quote_print(FILE *file, const char *text);

/* Always in double quotes. The caller frees it. */
char *quote_text(const char *text);

#endif
