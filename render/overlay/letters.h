/* Text set by Pango: letters of every script, in the font that was asked for and, for those that it
 * lacks, in others that are installed. One thread at a time. */
#pragma once

#include <cairo.h>
#include <stdbool.h>
#include <stddef.h>

struct letters;

/* Warns when the font is not installed and another one takes its place, or none. */
void letters_create(struct letters **out, const char *font);
void letters_destroy(struct letters **letters); /* accepts a pointer to NULL */

/* The nearest weight that the font has (400 regular, 600 semi-bold) and, if asked for and as far as
 * the font has them, figures that are all as wide; at first regular, and figures as they are. */
void letters_choose(struct letters *letters, int weight, bool even_figures);

bool letters_valid(const char *text); /* UTF-8 */

/* Warns of a letter in `text` that no font has. */
void letters_find(struct letters *letters, const char *text);

double letters_width(struct letters *letters, cairo_t *cairo, double size, const char *text);
void letters_show(struct letters *letters, cairo_t *cairo, double x, double baseline, double size,
                  const char *text);

/* How many bytes of the text are its first line, see ink_break; all where no font is installed. */
size_t letters_line(struct letters *letters, double size, double room, const char *text);

/* How many bytes are left of the text without the last letter and its marks. */
size_t letters_before_last(const char *text);

/* The families that were used, and the libraries that decide the letters' shapes and places. */
void letters_names(const struct letters *letters, char *out, size_t size);
