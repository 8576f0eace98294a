/* Rows of Y'CbCr bytes as red, green and blue: nearest codes, the same from every instruction set.
 */
#include "tests/support/test.h"

#include "render/picture/pixel_isa.h"
#include "render/reader/rgb16.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 200, ROOM = WIDTH + CONVERT_ROOM };

static uint8_t luma[ROOM];
static uint16_t blue[ROOM], red[ROOM], rgb[3][ROOM];
static uint16_t *const to[3] = {rgb[0], rgb[1], rgb[2]};

static const struct matrix matrices[] = {{0.2126f, 0.0722f}, {0.299f, 0.114f}, {0.2627f, 0.0593f}};

static void fill(uint32_t state)
{
    for (int i = 0; i < ROOM; i++) {
        state = state * 1664525u + 1013904223u;
        luma[i] = (uint8_t)(state >> 24);
        blue[i] = (uint16_t)((state >> 8) % 1021);
        red[i] = (uint16_t)((state >> 13) % 1021);
    }
}

static double chroma_at(const uint16_t *row, bool halved, int x)
{
    if (!halved)
        return row[x] / 4.0;
    return x % 2 ? (row[x / 2] + row[x / 2 + 1]) / 8.0 : row[x / 2] / 4.0;
}

static double cut(double value)
{
    return 65535 * fmin(fmax(value, 0), 1);
}

static void assert_near(int x, const struct matrix *by, bool full, bool halved)
{
    const double y = full ? luma[x] / 255.0 : (luma[x] - 16) / 219.0;
    const double range = full ? 255 : 224, kr = (double)by->red, kb = (double)by->blue;
    const double r = y + 2 * (1 - kr) * (chroma_at(red, halved, x) - 128) / range;
    const double b = y + 2 * (1 - kb) * (chroma_at(blue, halved, x) - 128) / range;
    const double g = (y - kr * r - kb * b) / (1 - kr - kb);
    assert_true(fabs(rgb[0][x] - cut(r)) < 0.625);
    assert_true(fabs(rgb[1][x] - cut(g)) < 0.625);
    assert_true(fabs(rgb[2][x] - cut(b)) < 0.625);
}

TEST(codes_are_the_nearest)
{
    for (uint32_t seed = 0; seed < 240; seed++) {
        const struct matrix *by = &matrices[seed % 3];
        const bool full = seed / 3 % 2, halved = seed / 6 % 2;
        const struct convert_row row = {luma, blue, red, halved};
        struct convert_factors factors;
        fill(seed);
        convert_factors(&factors, by, full);
        convert_row(&row, &factors, WIDTH, to);
        for (int x = 0; x < WIDTH; x++)
            assert_near(x, by, full, halved);
    }
}

TEST(black_white_and_grey_are_exact)
{
    struct convert_factors factors;
    const struct convert_row row = {luma, blue, red, false};
    for (int full = 0; full < 2; full++) {
        convert_factors(&factors, &matrices[0], full);
        for (int i = 0; i < ROOM; i++) {
            luma[i] = (uint8_t)i;
            blue[i] = red[i] = 4 * 128;
        }
        luma[0] = full ? 255 : 235;
        luma[1] = full ? 0 : 16;
        convert_row(&row, &factors, WIDTH, to);
        for (int c = 0; c < 3; c++) {
            assert_int_equal(rgb[c][0], 65535);
            assert_int_equal(rgb[c][1], 0);
            for (int i = 2; i < WIDTH; i++)
                assert_int_equal(rgb[c][i], rgb[0][i]);
        }
    }
}

static void assert_alike(convert_row_of *convert, size_t width)
{
    static uint16_t expected[3][ROOM];
    struct convert_factors factors;
    for (uint32_t seed = 0; seed < 12; seed++) {
        const struct convert_row row = {luma, blue, red, seed % 2};
        fill(seed);
        convert_factors(&factors, &matrices[seed % 3], seed / 6 % 2);
        memset(rgb, 0xee, sizeof rgb);
        ISA_LEAST_OF(convert_row)(&row, &factors, width, to);
        memcpy(expected, rgb, sizeof expected);
        memset(rgb, 0xee, sizeof rgb);
        convert(&row, &factors, width, to);
        assert_memory_equal(rgb, expected, sizeof expected);
        assert_int_equal(rgb[0][width], 0xeeee);
    }
}

TEST(every_instruction_set_converts_alike)
{
    for (size_t width = 1; width <= WIDTH; width += 3) {
        assert_alike(convert_row, width);
#ifdef ISA_HAS_AVX2
        if (ISA_HAS_AVX2)
            assert_alike(convert_row_avx2, width);
        if (ISA_HAS_AVX512)
            assert_alike(convert_row_avx512, width);
#endif
    }
}

TEST(chroma_lies_between_its_rows)
{
    uint8_t upper[WIDTH], lower[WIDTH];
    for (int i = 0; i < WIDTH; i++) {
        upper[i] = (uint8_t)(7 * i);
        lower[i] = (uint8_t)(255 - 5 * i);
    }
    for (int part = 0; part < 4; part++) {
        convert_between(upper, lower, WIDTH, part, blue);
        for (int i = 0; i < WIDTH; i++)
            assert_int_equal(blue[i], (4 - part) * upper[i] + part * lower[i]);
    }
}

TESTS(NULL, NULL)
