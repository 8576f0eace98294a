/* Pictures of a few bodies at known places, drawn by this machine's GL. For tests only. */
#pragma once

#include "render/renderer.h"

enum { WIDTH = 64, HEIGHT = 36, BODIES_MAX = 4096 };

/* Set-up of a test group, and the first call of each of its tests: skips if no GL opens. */
int open_gl(void **state);
void need_gl(void **state);

/* Whether Mesa's software renderer draws here, which gives nearly the same pictures everywhere. */
bool drawn_by_software(void);

/* One white body, its sprite 8 pixels wide, exposure 1, no glow, nothing turns. */
struct renderer_params usual(enum picture_format format, uint32_t width, uint32_t height);

/* Puts body i where its sprite's centre falls on (x, y), in pixels from the upper left corner. */
void place(int i, uint32_t width, uint32_t height, double x, double y);

/* The view of the bodies placed so far; the same memory each time. */
const struct view *view_of(size_t count, uint64_t frame);

/* The numbers of its bodies [BODIES_MAX] in a column: each of sim/view.h, COLUMN_QUANTITY,
 * COLUMN_KERNEL, and COLUMN_AGE, which is not known. */
float *values_of(const char *name);

/* Places many bodies of all colours, dense enough that whole blocks of chroma are lit, and asks for
 * their drawing. */
void colour_params(struct renderer_params *params);

/* The exposure of the renderer's first panel. */
static inline double renderer_exposure(const struct renderer *renderer)
{
    double state[RENDERER_STATE];
    renderer_state(renderer, state);
    return state[0];
}

/* Draws one picture; the caller frees its data. With usual's groups all bodies are drawn. */
void draw(const struct renderer_params *params, uint64_t frame, struct picture *out);

/* The same with its light measured. */
void draw_measured(const struct renderer_params *params, uint64_t frame, struct picture *out);

void draw_view(const struct renderer_params *params, const struct view *view, struct picture *out);

int sample(const struct picture *picture, int plane, uint32_t index, uint32_t y, int bytes);
bool same_pixels(const struct picture *a, const struct picture *b);

/* Of RGBA8. */
int red(const struct picture *picture, uint32_t x, uint32_t y);

/* Of RGBA16, red channel, with the tone curve undone: shown = 1 - exp(-light), stored as
 * shown^(1/2.2). */
double light(const struct picture *picture, uint32_t x, uint32_t y);
double total_light(const struct picture *picture);

/* Light of a channel (0 .. 2) within a rectangle of RGBA16, and its centre from the picture's upper
 * left corner. */
struct spot {
    double light, x, y;
};
struct spot spot_within(const struct picture *picture, int channel, uint32_t left, uint32_t top,
                        uint32_t width, uint32_t height);
