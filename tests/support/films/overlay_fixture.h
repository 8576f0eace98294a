/* Pictures that show only the overlay, and measurements of them. For tests only. */
#pragma once

#include "render/gl/context.h"
#include "render/gl/gl.h"
#include "tests/support/films/drawing.h"

/* A body far outside the picture; nothing is shown yet. */
struct renderer_params dark(uint32_t width, uint32_t height);

void show_all(struct renderer_params *params); /* title, clock, scale bar and numbers */

struct extent {
    uint32_t left, top, right, bottom; /* right and bottom excluded; left == right: nothing */
};

/* The smallest rectangle around pixels brighter than a trace, within x0 <= x < x1, y0 <= y < y1. */
struct extent ink_within(const struct picture *picture, uint32_t x0, uint32_t y0, uint32_t x1,
                         uint32_t y1);
/* The same for coloured pixels. */
struct extent colour_within(const struct picture *picture, uint32_t x0, uint32_t y0, uint32_t x1,
                            uint32_t y1);

/* The display value of a pixel of RGBA8, 0 .. 1. */
void shown_at(const struct picture *picture, uint32_t x, uint32_t y, double shown[3]);

/* A context that is current, and a display to draw an overlay over without a renderer. */
struct bare_display {
    struct gl_context *context;
    struct gl_target target;
    GLuint vertex_array;
};
void bare_display_open(struct bare_display *display, uint32_t width, uint32_t height);
void bare_display_close(struct bare_display *display);

/* What `call(data)` writes to stderr, cut off at `size` - 1 bytes. */
void stderr_of(void (*call)(void *data), void *data, char *out, size_t size);
