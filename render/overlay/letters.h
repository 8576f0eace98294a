/* Text set by Pango: letters of every script, in the requested font and, for letters that it lacks,
 * in other installed fonts. One thread at a time. */
#pragma once

#include <cairo.h>
#include <stdbool.h>
#include <stddef.h>

struct letters;

/* Warns when the font is not installed and another one, or none, replaces it. */
void letters_create(struct letters **out, const char *font);
void letters_destroy(struct letters **letters); /* accepts a pointer to NULL */

/* Selects the font's nearest weight (400 regular, 600 semi-bold) and, if requested and available,
 * digits of equal width; initially regular, with the font's usual digits. */
void letters_choose(struct letters *letters, int weight, bool even_figures);

bool letters_valid(const char *text); /* UTF-8 */

/* Warns of a letter in `text` that no font has. */
void letters_find(struct letters *letters, const char *text);

double letters_width(struct letters *letters, cairo_t *cairo, double size, const char *text);
void letters_show(struct letters *letters, cairo_t *cairo, double x, double baseline, double size,
                  const char *text);

/* Length in bytes of the text's first line, see ink_break; the whole text if no font is installed.
 */
size_t letters_line(struct letters *letters, double size, double room, const char *text);

/* Length in bytes of the text without its last letter and that letter's marks. */
size_t letters_before_last(const char *text);

/* The families in use, and the libraries that determine shapes and positions of letters. */
void letters_names(const struct letters *letters, char *out, size_t size);
