#include "tests/support/controls/all.h"

#include "render/picture/picture.h"
#include "tests/support/controls/canvas.h"

#include <math.h>
#include <string.h>

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

/* The right half lies one pixel further to the right. */
static bool seam(const struct control_run *run, struct canvas *canvas)
{
    (void)run;
    for (uint32_t y = 0; y < canvas->height; y++)
        for (uint32_t x = canvas->width / 2; x < canvas->width; x++)
            memcpy(canvas_at(canvas, x, y), canvas_was(canvas, x - 1, y), 3 * sizeof(float));
    return true;
}

static bool mirror(const struct control_run *run, struct canvas *canvas)
{
    (void)run;
    for (uint32_t y = 0; y < canvas->height; y++)
        for (uint32_t x = 0; x < canvas->width; x++)
            memcpy(canvas_at(canvas, x, y), canvas_was(canvas, canvas->width - 1 - x, y),
                   3 * sizeof(float));
    return true;
}

enum { PANEL = 60 };

static bool blank(const struct control_run *run, struct canvas *canvas)
{
    (void)run;
    uint32_t at[2];
    canvas_fullest(canvas, PANEL, canvas_brightest, at);
    for (uint32_t y = at[1]; y < at[1] + PANEL && y < canvas->height; y++)
        for (uint32_t x = at[0]; x < at[0] + PANEL && x < canvas->width; x++)
            memset(canvas_at(canvas, x, y), 0, 3 * sizeof(float));
    return true;
}

static bool blacken(const struct control_run *run, struct canvas *canvas)
{
    if (canvas->frame != run->first)
        return false;
    memset(canvas->rgb, 0, (size_t)canvas->width * canvas->height * 3 * sizeof(float));
    return true;
}

const struct control control_seam = {
    .name = "seam",
    .doc = "the right half lies a pixel to the right, and a column is there twice",
    .stage = JUDGED_PICTURE,
    .paint = seam,
};

const struct control control_mirror = {
    .name = "mirror",
    .doc = "left and right are exchanged",
    .stage = JUDGED_PICTURE,
    .paint = mirror,
};

const struct control control_panel = {
    .name = "panel",
    .doc = "60 x 60 pixels are black",
    .stage = JUDGED_PICTURE,
    .paint = blank,
};

const struct control control_black = {
    .name = "black",
    .doc = "one frame is black",
    .stage = JUDGED_PICTURE,
    .paint = blacken,
};

static const char *not_side_by_side(const struct scene *scene)
{
    const struct projection *projection = scene->camera.projection;
    return projection && projection->columns == 2 ? NULL : "it has no two eyes side by side";
}

static bool swap_eyes(const struct control_run *run, struct canvas *canvas)
{
    (void)run;
    const uint32_t half = canvas->width / 2;
    for (uint32_t y = 0; y < canvas->height; y++) {
        memcpy(canvas_at(canvas, 0, y), canvas_was(canvas, half, y), half * 3 * sizeof(float));
        memcpy(canvas_at(canvas, half, y), canvas_was(canvas, 0, y), half * 3 * sizeof(float));
    }
    return true;
}

const struct control control_eyes = {
    .name = "eyes",
    .doc = "the eyes of a stereo pair are swapped",
    .stage = JUDGED_PICTURE,
    .why_not = not_side_by_side,
    .paint = swap_eyes,
};

/* ---- light ---- */

static bool curve_of_srgb(const struct control_run *run, struct canvas *canvas)
{
    (void)run;
    for (size_t i = 0; i < (size_t)canvas->width * canvas->height * 3; i++) {
        const double light = canvas_light((double)canvas->rgb[i]);
        canvas->rgb[i] =
            (float)(light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055);
    }
    return true;
}

static bool lift(const struct control_run *run, struct canvas *canvas)
{
    for (size_t i = 0; i < (size_t)canvas->width * canvas->height * 3; i++)
        canvas->rgb[i] = fminf(canvas->rgb[i] + (float)(run->size / 255), 1);
    return true;
}

/* Light in 256 even steps, as in an 8-bit target between passes. */
static bool band(const struct control_run *run, struct canvas *canvas)
{
    (void)run;
    for (size_t i = 0; i < (size_t)canvas->width * canvas->height * 3; i++)
        canvas->rgb[i] = canvas_shown(round(canvas_light((double)canvas->rgb[i]) * 255) / 255);
    return true;
}

/* Means of 3 x 3 pixels where all of them are nearly equal, as in slowly changing light: a third of
 * the noise remains. */
static bool without_dither(const struct control_run *run, struct canvas *canvas)
{
    (void)run;
    bool found = false;
    for (uint32_t y = 1; y + 1 < canvas->height; y++)
        for (uint32_t x = 1; x + 1 < canvas->width; x++)
            for (int k = 0; k < 3; k++) {
                const float here = canvas_was(canvas, x, y)[k];
                float sum = 0;
                bool alike = here > 0;
                for (uint32_t v = y - 1; v <= y + 1; v++)
                    for (uint32_t u = x - 1; u <= x + 1; u++) {
                        const float there = canvas_was(canvas, u, v)[k];
                        alike = alike && fabsf(there - here) <= 4.0f / 255;
                        sum += there;
                    }
                if (!alike)
                    continue;
                canvas_at(canvas, x, y)[k] = sum / 9;
                found = true;
            }
    return found;
}

const struct control control_srgb = {
    .name = "srgb",
    .doc = "the transfer curve is sRGB's instead of a power of 2.2",
    .stage = JUDGED_PICTURE,
    .paint = curve_of_srgb,
};

const struct control control_lifted = {
    .name = "lifted",
    .doc = "every channel of every pixel is 4/255 brighter",
    .stage = JUDGED_PICTURE,
    .size = 4,
    .unit = "codes of 255",
    .searched = true,
    .paint = lift,
};

const struct control control_banding = {
    .name = "banding",
    .doc = "light is held in 8 bits between passes",
    .stage = JUDGED_PICTURE,
    .paint = band,
};

const struct control control_dither = {
    .name = "dither",
    .doc = "the dither is smoothed out where light changes slowly",
    .stage = JUDGED_PICTURE,
    .paint = without_dither,
};

/* ---- colour ---- */

static bool swap_channels(const struct control_run *run, struct canvas *canvas)
{
    (void)run;
    for (size_t i = 0; i < (size_t)canvas->width * canvas->height; i++) {
        float *rgb = canvas->rgb + 3 * i;
        const float red = rgb[0];
        rgb[0] = rgb[2];
        rgb[2] = red;
    }
    return true;
}

const struct control control_swapped_channels = {
    .name = "red_blue",
    .doc = "red and blue are exchanged",
    .stage = JUDGED_PICTURE,
    .paint = swap_channels,
};

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
