/* Stars on black with a glow in the middle, drawn by the CPU: pictures with known changes. For
 * tests only. */
#pragma once

#include <stdint.h>

struct star_field {
    uint32_t width, height;
    int stars;
    double shift_x, shift_y; /* of all, pixels */
    double zoom;             /* about the middle; 1: none */
    double exposure;         /* factor of the light; 1: none */
    double glow;             /* radius of the glow, share of the height; 0: none */
    double turn;             /* the stars' places move with it, a circle per 1 */
    int left_out;            /* number of a star that is not drawn; -1: none */
};

/* 160 x 96, 120 stars, a glow. */
extern const struct star_field star_field_usual;

/* Fills rgb[height][width][3], gamma 2.2, 16 bits. */
void star_field_draw(const struct star_field *field, uint16_t *rgb);

/* Adds to every sample a whole number of codes (of 255) from -most to most, for which `seed`
 * stands.
 */
void star_field_noise(const struct star_field *field, uint16_t *rgb, int most, uint32_t seed);

/* A point of one pixel, in codes of 255. */
void star_field_point(const struct star_field *field, uint16_t *rgb, int x, int y, int code);
