#include "tests/support/controls/all.h"

#include "cmd/regression/controls/canvas.h"
#include "render/picture/projection.h"

#include <math.h>
#include <string.h>

/* ---- places ---- */

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
