/* Text in one font and, for the letters that it lacks, in others that are installed. Letters are
 * set one by one from left to right: scripts that join or reorder them do not come out right, and
 * are warned of. One thread at a time. */
#ifndef RENDER_OVERLAY_LETTERS_H
#define RENDER_OVERLAY_LETTERS_H

#include <cairo.h>
#include <stdbool.h>
#include <stddef.h>

struct letters;

/* `cairo` has the font chosen; `font` is how it was asked for. */
void letters_create(struct letters **out, cairo_t *cairo, const char *font);
/* In the weight of the family that is nearest to `weight`, as fontconfig counts it (80 regular,
 * 180 semi-bold), left chosen in `cairo`; figures are all as wide if asked for. */
void letters_create_weighed(struct letters **out, cairo_t *cairo, const char *font, int weight,
                            bool even_figures);
void letters_destroy(struct letters **letters); /* accepts a pointer to NULL */

/* Chooses the first face in `cairo`, as what follows needs it. */
void letters_choose(const struct letters *letters, cairo_t *cairo);

/* Finds fonts for what the text has and none so far; `text` is UTF-8. A warning, once for a text,
 * names it and a letter that no font has, and a script that will not read as it should. */
void letters_find(struct letters *letters, cairo_t *cairo, const char *text);

/* In the size that is chosen in `cairo`, whose font stays what it is. */
double letters_width(struct letters *letters, cairo_t *cairo, const char *text);
void letters_show(struct letters *letters, cairo_t *cairo, double x, double baseline,
                  const char *text);

/* The families beside the first: " and Noto Sans CJK JP", or "". */
void letters_others(const struct letters *letters, char *out, size_t size);

#endif
