/* Palettes: which colours are kept, which are mixed, and that equal pictures stay equal. */
#include "tests/support/test.h"

#include "render/picture/gif_palette.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 64, HEIGHT = 32 };

static struct picture make(void)
{
    struct picture picture = {0};
    picture_layout(&picture.layout, PICTURE_RGBA8, WIDTH, HEIGHT);
    picture.data = calloc(1, picture.layout.size);
    return picture;
}

static uint8_t *at(const struct picture *picture, uint32_t x, uint32_t y)
{
    return picture->data + (size_t)y * picture->layout.plane[0].stride + 4 * (size_t)x;
}

static void put(const struct picture *picture, uint32_t x, uint32_t y, uint8_t r, uint8_t g,
                uint8_t b)
{
    memcpy(at(picture, x, y), (uint8_t[]){r, g, b, 255}, 4);
}

static struct palette palette_of(const struct picture *picture)
{
    struct palette palette;
    struct palette_counts *counts = palette_counts_create();
    palette_counts_add(counts, picture);
    palette_make(&palette, counts);
    palette_counts_destroy(&counts);
    assert_null(counts);
    return palette;
}

/* A few colours are reproduced, except for the bits that are not distinguished. */
TEST(few_colours_are_kept)
{
    static const uint8_t colours[5][3] = {
        {0, 0, 0}, {250, 10, 10}, {10, 250, 10}, {30, 30, 120}, {255, 255, 255}};
    struct picture picture = make();
    uint8_t numbers[HEIGHT][WIDTH];
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            /* One white pixel among thousands. */
            const uint8_t *own = colours[x == 3 && y == 3 ? 4 : x / 16];
            put(&picture, x, y, own[0], own[1], own[2]);
        }
    struct palette palette = palette_of(&picture);
    assert_int_equal(palette.count, 5);
    palette_map(&palette, &picture, numbers[0], WIDTH);
    int far = 0;
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++)
            for (int c = 0; c < 3; c++)
                far += abs(palette.rgb[numbers[y][x]][c] - at(&picture, x, y)[c]) > 4;
    assert_int_equal(far, 0);
    assert_int_equal(numbers[0][0], 0);
    palette_free(&palette);
    free(picture.data);
}

/* A ramp of greys has more colours than the palette; blocks of the pattern's size keep their mean.
 */
TEST(ramps_are_mixed)
{
    struct picture picture = make();
    uint8_t numbers[HEIGHT][WIDTH];
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++)
            put(&picture, x, y, (uint8_t)(4 * x), (uint8_t)(8 * y), (uint8_t)(2 * (x + y)));
    struct palette palette = palette_of(&picture);
    assert_int_equal(palette.count, PALETTE_COLOURS);
    palette_map(&palette, &picture, numbers[0], WIDTH);
    double worst = 0;
    for (uint32_t y = 0; y < HEIGHT; y += 8)
        for (uint32_t x = 0; x < WIDTH; x += 8)
            for (int c = 0; c < 3; c++) {
                double off = 0;
                for (uint32_t i = 0; i < 64; i++)
                    off += palette.rgb[numbers[y + i / 8][x + i % 8]][c] -
                           at(&picture, x + i % 8, y + i / 8)[c];
                worst = fmax(worst, fabs(off / 64));
            }
    assert_true(worst < 8);
    palette_free(&palette);
    free(picture.data);
}

/* An even area between two colours of the palette has no lines: rows differ in light as little as
 * columns, also neighbouring ones. */
TEST(even_areas_have_no_lines)
{
    struct picture picture = make(), area = make();
    uint8_t numbers[HEIGHT][WIDTH];
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            put(&picture, x, y, x < WIDTH / 2 ? 80 : 112, x < WIDTH / 2 ? 80 : 112,
                x < WIDTH / 2 ? 80 : 112);
            put(&area, x, y, 96, 96, 96);
        }
    struct palette palette = palette_of(&picture);
    palette_map(&palette, &area, numbers[0], WIDTH);
    int row[HEIGHT] = {0}, column[WIDTH] = {0}, dark = 0;
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            const int light = palette.rgb[numbers[y][x]][0];
            row[y] += light;
            column[x] += light;
            dark += light < 96;
        }
    assert_in_range(dark, WIDTH * HEIGHT / 4, WIDTH * HEIGHT * 3 / 4); /* both are used */
    for (uint32_t y = 1; y < HEIGHT; y++)
        assert_true(abs(row[y] - row[y - 1]) <= 4 * WIDTH);
    for (uint32_t x = 1; x < WIDTH; x++)
        assert_true(abs(column[x] - column[x - 1]) <= 4 * HEIGHT);
    palette_free(&palette);
    free(picture.data);
    free(area.data);
}

TEST(black_stays_black)
{
    struct picture picture = make();
    uint8_t numbers[HEIGHT][WIDTH];
    struct palette palette = palette_of(&picture);
    assert_int_equal(palette.count, 1);
    palette_map(&palette, &picture, numbers[0], WIDTH);
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
        assert_int_equal(numbers[i / WIDTH][i % WIDTH], 0);
    palette_free(&palette);
    for (uint32_t i = 0; i < WIDTH * HEIGHT / 2; i++)
        put(&picture, i % WIDTH, i / WIDTH, (uint8_t)(i * 7), (uint8_t)(i * 13), (uint8_t)(i * 29));
    palette = palette_of(&picture);
    palette_map(&palette, &picture, numbers[0], WIDTH);
    for (uint32_t x = 0; x < WIDTH; x++)
        assert_int_equal(numbers[HEIGHT - 1][x], 0);
    assert_int_equal(palette.rgb[0][0] + palette.rgb[0][1] + palette.rgb[0][2], 0);
    palette_free(&palette);
    free(picture.data);
}

TESTS(NULL, NULL)
