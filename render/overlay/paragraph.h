/* Texts of several lines. */
#pragma once

#include "render/overlay/ink.h"
#include "render/overlay/numbers.h"

#include <stdbool.h>

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
