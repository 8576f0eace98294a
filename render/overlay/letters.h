/* Text in one font, with other installed fonts for letters that it lacks. Letters are placed one by
 * one from left to right; scripts that join or reorder them come out wrong, with a warning. One
 * thread at a time. */
#ifndef RENDER_OVERLAY_LETTERS_H
#define RENDER_OVERLAY_LETTERS_H

#include <cairo.h>
#include <stdbool.h>
#include <stddef.h>

struct letters;

/* `cairo` has the font selected; `font` is the requested name. */
void letters_create(struct letters **out, cairo_t *cairo, const char *font);
/* The same in the weight nearest to `weight` in fontconfig's scale (80 regular, 180 semi-bold),
 * which stays selected in `cairo`; digits are equally wide if requested. */
void letters_create_weighed(struct letters **out, cairo_t *cairo, const char *font, int weight,
                            bool even_figures);
void letters_destroy(struct letters **letters); /* accepts a pointer to NULL */

/* Selects the first face in `cairo`. */
void letters_choose(const struct letters *letters, cairo_t *cairo);

/* Finds fonts for letters of `text` (UTF-8) that no face has yet. Warns once per text of a letter
 * that no font has, and of a script that will not be rendered correctly. */
void letters_find(struct letters *letters, cairo_t *cairo, const char *text);

/* Uses the size selected in `cairo`; its font stays selected. */
double letters_width(struct letters *letters, cairo_t *cairo, const char *text);
void letters_show(struct letters *letters, cairo_t *cairo, double x, double baseline,
                  const char *text);

/* The families after the first: " and Noto Sans CJK JP", or "". */
void letters_others(const struct letters *letters, char *out, size_t size);

#endif
