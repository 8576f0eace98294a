#include "tests/support/films/star_field.h"

#include <math.h>
#include <stdlib.h>

const struct star_field star_field_usual = {.width = 160,
                                            .height = 96,
                                            .stars = 120,
                                            .zoom = 1,
                                            .exposure = 1,
                                            .glow = 0.2,
                                            .left_out = -1};

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

static double unit(uint32_t *seed)
{
    return next(seed) / 16777216.0;
}

static void add_star(const struct star_field *field, double *light, double x, double y,
                     const double colour[3])
{
    const double sigma = 0.7;
    for (int j = (int)y - 4; j <= (int)y + 4; j++)
        for (int i = (int)x - 4; i <= (int)x + 4; i++) {
            if (i < 0 || j < 0 || i >= (int)field->width || j >= (int)field->height)
                continue;
            const double r2 = (i + 0.5 - x) * (i + 0.5 - x) + (j + 0.5 - y) * (j + 0.5 - y);
            for (int c = 0; c < 3; c++)
                light[3 * ((size_t)j * field->width + (size_t)i) + (size_t)c] +=
                    colour[c] * exp(-r2 / (2 * sigma * sigma));
        }
}

static void add_stars(const struct star_field *field, double *light)
{
    uint32_t seed = 7;
    const double middle_x = field->width / 2.0, middle_y = field->height / 2.0;
    for (int i = 0; i < field->stars; i++) {
        double x = unit(&seed) * field->width, y = unit(&seed) * field->height;
        const double brightness = 0.02 + 0.5 * pow(unit(&seed), 3), warm = unit(&seed);
        x += 3 * cos(2 * M_PI * (field->turn + i / 7.0));
        y += 3 * sin(2 * M_PI * (field->turn + i / 7.0));
        x = middle_x + (x - middle_x) * field->zoom + field->shift_x;
        y = middle_y + (y - middle_y) * field->zoom + field->shift_y;
        const double colour[3] = {brightness * (0.7 + 0.3 * warm), brightness * 0.8,
                                  brightness * (1 - 0.4 * warm)};
        if (i != field->left_out)
            add_star(field, light, x, y, colour);
    }
}

static void add_glow(const struct star_field *field, double *light)
{
    const double radius = field->glow * field->height;
    for (uint32_t y = 0; radius > 0 && y < field->height; y++)
        for (uint32_t x = 0; x < field->width; x++) {
            const double r = hypot(x + 0.5 - field->width / 2.0, y + 0.5 - field->height / 2.0);
            const double glow = 0.2 * exp(-r * r / (radius * radius));
            double *at = light + 3 * ((size_t)y * field->width + x);
            at[0] += glow;
            at[1] += 0.8 * glow;
            at[2] += 0.6 * glow;
        }
}

void star_field_draw(const struct star_field *field, uint16_t *rgb)
{
    const size_t samples = (size_t)3 * field->width * field->height;
    double *light = calloc(samples, sizeof *light);
    if (!light)
        abort();
    add_glow(field, light);
    add_stars(field, light);
    for (size_t i = 0; i < samples; i++)
        rgb[i] = (uint16_t)(65535 * pow(fmin(field->exposure * light[i], 1), 1 / 2.2) + 0.5);
    free(light);
}

void star_field_noise(const struct star_field *field, uint16_t *rgb, int most, uint32_t seed)
{
    for (size_t i = 0; i < (size_t)3 * field->width * field->height; i++) {
        const int d = (int)(next(&seed) % (uint32_t)(2 * most + 1)) - most;
        const int value = rgb[i] + 257 * d;
        rgb[i] = (uint16_t)(value < 0 ? 0 : value > 65535 ? 65535 : value);
    }
}

void star_field_point(const struct star_field *field, uint16_t *rgb, int x, int y, int code)
{
    for (size_t c = 0; c < 3; c++)
        rgb[3 * ((size_t)y * field->width + (size_t)x) + c] = (uint16_t)(257 * code);
}
