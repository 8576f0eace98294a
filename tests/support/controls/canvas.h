/* A picture of any format as display values that can be painted on. Untouched pixels keep their
 * exact samples. A change smaller than a code is rounded up in a matching fraction of the pixels,
 * as the renderer's dither would do. */
#pragma once

#include "base/status.h"
#include "render/picture/picture.h"

#include <math.h>

struct canvas {
    uint32_t width, height;
    uint64_t frame;
    float *rgb;    /* [height][width][3], 0 .. 1 as displayed */
    float *before; /* the original values */
};

/* Returns STATUS_RUNTIME when the canvas does not fit in memory. */
enum status canvas_open(struct canvas *canvas, const struct picture *picture);
/* Writes the changes into the picture that the canvas was opened with. */
void canvas_write(const struct canvas *canvas, struct picture *picture);
void canvas_close(struct canvas *canvas); /* accepts a zeroed one */

static inline float *canvas_at(const struct canvas *canvas, uint32_t x, uint32_t y)
{
    return canvas->rgb + 3 * ((size_t)y * canvas->width + x);
}

static inline const float *canvas_was(const struct canvas *canvas, uint32_t x, uint32_t y)
{
    return canvas->before + 3 * ((size_t)y * canvas->width + x);
}

/* Returns the luma of a display value, BT.709. */
static inline float canvas_luma(const float rgb[3])
{
    return 0.2126f * rgb[0] + 0.7152f * rgb[1] + 0.0722f * rgb[2];
}

static inline float canvas_brightest(const float rgb[3])
{
    return fmaxf(rgb[0], fmaxf(rgb[1], rgb[2]));
}

/* Returns the light of a display value; the renderer makes display values as light to the power of
 * 1 / 2.2. */
static inline double canvas_light(double shown)
{
    return pow(fmax(shown, 0), 2.2);
}

static inline float canvas_shown(double light)
{
    return (float)pow(light, 1 / 2.2);
}

/* Finds the tile of `side` pixels with the largest sum of `measure` over its pixels. */
void canvas_fullest(const struct canvas *canvas, uint32_t side, float (*measure)(const float *),
                    uint32_t at[2]);
