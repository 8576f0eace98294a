/* Texts of several lines. */
#ifndef RENDER_OVERLAY_PARAGRAPH_H
#define RENDER_OVERLAY_PARAGRAPH_H

#include "render/overlay/ink.h"
#include "render/overlay/numbers.h"

#include <stdbool.h>

static const double PARAGRAPH_PITCH = 1.4; /* from line to line, in sizes of the letters */

struct paragraph_room {
    double size, width; /* of the letters and of a line, pixels */
    int lines;          /* at most */
    bool wraps;         /* a line that is too wide goes on in the next instead of being shortened */
};

/* The lines of `text`, cleaned for the ink and shortened or broken until they fit, with line feeds
 * between them. Lines end with a line feed, with or without a carriage return, and with Unicode's
 * line and paragraph separators; empty ones at the beginning and the end do not count. Returns
 * their number; `out` has room for OVERLAY_TEXT_MAX + 4 bytes. A warning where there are more. */
int paragraph_fit(char *out, struct ink *ink, const struct paragraph_room *room, const char *text);

/* The line that begins at *at, copied to `out` of OVERLAY_TEXT_MAX + 4 bytes; *at goes on to the
 * next. False after the last. */
bool paragraph_next(const char **at, char *out);

int paragraph_lines(const char *text);
double paragraph_width(struct ink *ink, double size, const char *text); /* of the widest line */

#endif
