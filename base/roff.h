/* Manual pages in the format of man(7). Each function prints whole lines. */
#pragma once

#include <stdio.h>

/* The head of a page, with its NAME. `section` of the manual: 1 commands, 5 files. */
void roff_title(FILE *file, const char *name, int section, const char *doc);

/* .SH, in capitals. */
void roff_section(FILE *file, const char *title);

/* A term in bold; its text follows, indented. */
void roff_term(FILE *file, const char *term);

/* Text on one or more output lines: escaped, with `words` in bold. Empty text prints nothing. */
void roff_text(FILE *file, const char *text);

/* A line as it is, without filling; the caller adds `.nf` and `.fi`. */
void roff_literal(FILE *file, const char *line);

/* Translates the Markdown that this project uses: headings after the first, paragraphs, tables of
 * two columns, code blocks. The first heading is left out, because a page has its own. */
void roff_markdown(FILE *file, const char *text);
