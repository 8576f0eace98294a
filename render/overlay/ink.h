/* Letters, boxes and lines with a soft shadow, painted by the CPU into a reusable plate of pixels.
 * One thread at a time. */
#pragma once

#include "base/status.h"
#include "render/overlay/number_text.h"
#include "render/params.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ink;

/* Shadows extend about `shadow` pixels. Warns when the font is not installed and another one, or
 * none, replaces it. */
enum status ink_create(struct ink **out, const char *font, double shadow);
void ink_destroy(struct ink **ink); /* accepts a pointer to NULL */

/* The role of a text, which decides its weight. */
enum ink_role { INK_TEXT, INK_NUMBER, INK_LABEL, INK_TITLE, INK_ROLES };

/* For a light page; call before painting. Ink is dark, and so are colours, which keep their hue;
 * shadows are light. */
void ink_print(struct ink *ink);

/* Makes titles bolder than labels, labels bolder than text, and all digits equally wide, so that
 * numbers do not move when they change, as far as the font has such weights and digits. */
void ink_weigh(struct ink *ink);

/* Sets the role of the text that is measured and written next; initially INK_TEXT. */
void ink_role(struct ink *ink, enum ink_role role);

/* Names what the shapes of letters depend on: "DejaVu Sans, Pango 1.50.12, ...", "DejaVu Sans and
 * Noto Sans CJK JP, ..." where others help out, or "plain strokes" where no font is installed. */
enum { INK_LETTERS = 384 };
void ink_letters(const struct ink *ink, char out[INK_LETTERS]);

/* Writes and measures these words and phrases in another language from now on, where they are whole
 * words of a text. Not copied. */
void ink_words(struct ink *ink, const struct word_params *words, uint32_t count);

/* `text` with these words, the longest first, cut off at `size` - 1 bytes. Pure. */
void ink_in_words(char *out, size_t size, const struct word_params *words, uint32_t count,
                  const char *text);

/* Makes `text` drawable: blanks for control characters, `?` for invalid UTF-8. Warns of a letter
 * that no font has. */
void ink_clean(struct ink *ink, char *text);

double ink_width(struct ink *ink, double size, const char *text);

/* Shortens the text so that it takes at most `room` pixels with an ellipsis; "" if not even one
 * letter fits. `text` has 4 bytes more than its length. Whether the whole text fits. */
bool ink_fit(struct ink *ink, double size, double room, char *text);

/* Begins an empty plate of width x height pixels, in white. Until ink_end, coordinates are pixels
 * from its upper left corner. */
enum status ink_begin(struct ink *ink, int width, int height);
void ink_colour(struct ink *ink, const float shown[3]);  /* red, green, blue, 0 .. 1 */
void ink_exactly(struct ink *ink, const float shown[3]); /* unchanged on a light page */
void ink_text(struct ink *ink, double x, double baseline, double size, double opacity,
              const char *text);
void ink_box(struct ink *ink, double x, double y, double width, double height, double opacity);
/* Through points[count][2], count >= 1; `width` pixels wide, with round ends. */
void ink_line(struct ink *ink, const double (*points)[2], size_t count, double width,
              double opacity);

/* The plate since ink_begin, row by row from the top, RGBA with 8 bits, premultiplied. Valid until
 * the next ink_begin. */
enum status ink_end(struct ink *ink, const uint8_t **pixels, int *width, int *height);

/* Texts of several lines. */

static const double PARAGRAPH_PITCH = 1.4; /* line pitch, in letter sizes */

struct paragraph_room {
    double size, width; /* letter size; width of a line; pixels */
    int lines;          /* at most */
    bool wraps;         /* wraps lines that are too wide instead of shortening them */
};

/* Cleans the lines of `text` for the ink, and shortens or wraps them to fit, with line feeds
 * between them. Lines end with a line feed, with or without a carriage return, or with Unicode's
 * line or paragraph separator; empty lines at the beginning and the end are dropped. Returns the
 * number of lines and warns if there are more; `out` has room for OVERLAY_TEXT_MAX + 4 bytes. */
int paragraph_fit(char *out, struct ink *ink, const struct paragraph_room *room, const char *text);

/* Copies the line that begins at *at to `out` of OVERLAY_TEXT_MAX + 4 bytes and advances *at. False
 * after the last line. */
bool paragraph_next(const char **at, char *out);

int paragraph_lines(const char *text);
double paragraph_width(struct ink *ink, double size, const char *text); /* of the widest line */
