/* Manual pages as man(7) reads them. Each function prints whole lines. */
#ifndef BASE_ROFF_H
#define BASE_ROFF_H

#include <stdio.h>

/* The head of a page, with its NAME. `section` is that of the manual: 1 commands, 5 files. */
void roff_title(FILE *file, const char *name, int section, const char *doc);

/* .SH, in capitals. */
void roff_section(FILE *file, const char *title);

/* A term in bold whose text follows, indented. */
void roff_term(FILE *file, const char *term);

/* Text on one output line or more: escaped, `words` in bold. Empty text prints nothing. */
void roff_text(FILE *file, const char *text);

/* A line as it is, without filling: `.nf` and `.fi` around such lines are the caller's. */
void roff_literal(FILE *file, const char *line);

/* What this project writes of Markdown: headings from the second on, paragraphs, tables of two
 * columns, blocks of code. The first heading is left out: a page has its own. */
void roff_markdown(FILE *file, const char *text);

#endif
