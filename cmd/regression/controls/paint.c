/* The controls that change pictures after they are drawn. */
#include "cmd/regression/controls/canvas.h"
#include "cmd/regression/controls/control.h"

#include <math.h>

/* ---- stars ---- */

enum { AROUND = 4 }; /* a lone star's surroundings, in pixels to each side */

/* Returns the largest canvas_brightest() in the square around (x, y), excluding pixels within
 * `inner` of the centre on both axes. */
static float around(const struct canvas *canvas, uint32_t x, uint32_t y, int inner)
{
    float most = 0;
    for (int v = -AROUND; v <= AROUND; v++)
        for (int u = -AROUND; u <= AROUND; u++)
            if (u < -inner || u > inner || v < -inner || v > inner)
                most = fmaxf(most, canvas_brightest(canvas_was(canvas, (uint32_t)((int)x + u),
                                                               (uint32_t)((int)y + v))));
    return most;
}

/* Adds a spot where the sky is darkest: `size` at its centre and a quarter of that beside it. */
static bool add_star(const struct control_run *run, struct canvas *canvas)
{
    const float peak = (float)(run->size / 255);
    float darkest = 1 - peak;
    uint32_t at[2] = {0};
    for (uint32_t y = AROUND; y + AROUND < canvas->height; y++)
        for (uint32_t x = AROUND; x + AROUND < canvas->width; x++) {
            const float sky = around(canvas, x, y, -1);
            if (sky < darkest) {
                darkest = sky;
                at[0] = x, at[1] = y;
            }
        }
    for (int k = 0; k < 3 && at[0] > 0; k++) {
        canvas_at(canvas, at[0], at[1])[k] += peak;
        for (int side = -1; side <= 1; side += 2) {
            canvas_at(canvas, (uint32_t)((int)at[0] + side), at[1])[k] += peak / 4;
            canvas_at(canvas, at[0], (uint32_t)((int)at[1] + side))[k] += peak / 4;
        }
    }
    return at[0] > 0;
}

/* Finds the faintest lone star that is at least as bright as `size`. */
static bool find_star(const struct canvas *canvas, double size, uint32_t at[2])
{
    double faintest = INFINITY;
    at[0] = at[1] = AROUND;
    for (uint32_t y = AROUND; y + AROUND < canvas->height; y++)
        for (uint32_t x = AROUND; x + AROUND < canvas->width; x++) {
            const double peak = (double)canvas_brightest(canvas_was(canvas, x, y));
            if (peak * 255 < size || peak >= faintest || (double)around(canvas, x, y, 0) > peak ||
                (double)around(canvas, x, y, 2) > peak / 4)
                continue;
            faintest = peak;
            at[0] = x, at[1] = y;
        }
    return isfinite(faintest);
}

static bool take_star(const struct control_run *run, struct canvas *canvas)
{
    uint32_t at[2];
    if (!find_star(canvas, run->size, at))
        return false;
    /* The star is replaced by the sky beside it. */
    const float *sky = canvas_was(canvas, at[0] - AROUND, at[1] - AROUND);
    for (int v = -2; v <= 2; v++)
        for (int u = -2; u <= 2; u++) {
            float *rgb = canvas_at(canvas, (uint32_t)((int)at[0] + u), (uint32_t)((int)at[1] + v));
            for (int k = 0; k < 3; k++)
                rgb[k] = fminf(rgb[k], sky[k]);
        }
    return true;
}

const struct control control_star_gone = {
    .name = "star_gone",
    .doc = "the faintest lone star of at least 12/255 is missing",
    .stage = JUDGED_PICTURE,
    .size = 12,
    .unit = "codes of 255",
    .searched = true,
    .paint = take_star,
};

const struct control control_star_added = {
    .name = "star_added",
    .doc = "a star of 12/255 where the sky is darkest",
    .stage = JUDGED_PICTURE,
    .size = 12,
    .unit = "codes of 255",
    .searched = true,
    .paint = add_star,
};

/* ---- places ---- */

static bool shift(const struct control_run *run, struct canvas *canvas)
{
    for (uint32_t y = 0; y < canvas->height; y++)
        for (uint32_t x = 1; x < canvas->width; x++) {
            const float *here = canvas_was(canvas, x, y), *left = canvas_was(canvas, x - 1, y);
            for (int k = 0; k < 3; k++)
                if (here[k] > 0 || left[k] > 0)
                    canvas_at(canvas, x, y)[k] =
                        canvas_shown((1 - run->size) * canvas_light((double)here[k]) +
                                     run->size * canvas_light((double)left[k]));
        }
    return true;
}

const struct control control_shift = {
    .name = "shift",
    .doc = "everything lies a quarter of a pixel to the right",
    .stage = JUDGED_PICTURE,
    .size = 0.25,
    .unit = "pixels",
    .searched = true,
    .paint = shift,
};

/* ---- colour ---- */

enum { TILE = 32 };

static float colourfulness(const float rgb[3])
{
    return canvas_brightest(rgb) - fminf(rgb[0], fminf(rgb[1], rgb[2]));
}

static bool grey(const struct control_run *run, struct canvas *canvas)
{
    (void)run;
    uint32_t at[2];
    canvas_fullest(canvas, TILE, colourfulness, at);
    for (uint32_t y = at[1]; y < at[1] + TILE && y < canvas->height; y++)
        for (uint32_t x = at[0]; x < at[0] + TILE && x < canvas->width; x++) {
            float *rgb = canvas_at(canvas, x, y);
            rgb[0] = rgb[1] = rgb[2] = canvas_luma(rgb);
        }
    return true;
}

const struct control control_grey = {
    .name = "grey",
    .doc = "a tile of 32 x 32 pixels is grey, with the same luma",
    .stage = JUDGED_PICTURE,
    .paint = grey,
};
