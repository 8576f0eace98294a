/* Texts as YAML scalars. Thread-safe. */
#pragma once

#include <stdio.h>

/* Plain where every reader of YAML takes it for a text, else in double quotes, escaped. */
void quote_print(FILE *file, const char *text);

/* Always in double quotes. The caller frees it. */
char *quote_text(const char *text);
