/* Measurements of two pictures: differences that must be detected, differences that must not, and
 * symmetry. */
#include "tests/support/test.h"

#include "render/compare/measure.h"
#include "render/compare/sketch.h"
#include "tests/support/films/star_field.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 3 * 160 * 96 };

static uint16_t left[SAMPLES], right[SAMPLES];

static struct measure measure(void)
{
    const struct star_field *field = &star_field_usual;
    struct planes a, b;
    struct measurer *measurer;
    struct measure found;
    assert_ok(planes_open(&a, field->width, field->height));
    assert_ok(planes_open(&b, field->width, field->height));
    assert_ok(measurer_open(&measurer, field->width, field->height, &measure_usual));
    planes_fill(&a, left);
    planes_fill(&b, right);
    measure_pictures(measurer, &a, &b, NULL, &found);
    struct measure turned;
    planes_fill(&a, left);
    planes_fill(&b, right);
    measure_pictures(measurer, &b, &a, NULL, &turned);
    assert_int_equal(turned.lit, found.lit);
    assert_int_equal(turned.counted, found.counted);
    assert_int_equal(turned.moved, found.moved);
    assert_int_equal(turned.missing, found.added);
    assert_int_equal(turned.added, found.missing);
    assert_true(turned.bias == -found.bias && turned.light_change == found.light_change);
    assert_true(turned.ssim_worst == found.ssim_worst && turned.ssim_mean == found.ssim_mean);
    assert_true(turned.colour == found.colour && turned.equal == found.equal);
    assert_true(turned.largest.value == found.largest.value && turned.largest.x == found.largest.x);
    assert_true(turned.hard.value == found.hard.value);
    assert_true(turned.tile_counted.value == found.tile_counted.value);
    assert_true(turned.tile_mean.value == found.tile_mean.value);
    assert_true(turned.tile_light.value == found.tile_light.value);
    assert_true(turned.tile_line.value == found.tile_line.value);
    measurer_close(&measurer);
    planes_close(&a);
    planes_close(&b);
    return found;
}

/* The rules of parts "frame" and "tile" with their default limits. */
static bool passes(const struct measure *found)
{
    const uint64_t share = found->lit / 2000;
    return found->hard.value <= 64 && found->counted <= (share > 8 ? share : 8) &&
           found->counted <= 64 && found->tile_counted.value <= 4 && found->tile_mean.value <= 1 &&
           found->tile_light.value <= 0.02 && found->tile_line.value <= 2.5 &&
           found->missing + found->added == 0 && fabs(found->bias) <= 0.1 &&
           found->light_change <= 0.001 && 1 - found->ssim_worst <= 0.05 && found->colour <= 1;
}

static void draw(void)
{
    star_field_draw(&star_field_usual, left);
    memcpy(right, left, sizeof right);
}

TEST(equal_pictures_are_equal)
{
    draw();
    struct measure found = measure();
    assert_true(found.equal && passes(&found));
    assert_true(found.lit > 2000 && found.light[0] == found.light[1]);
    right[SAMPLES - 1] += 1;
    found = measure();
    assert_false(found.equal);
    assert_int_equal(found.largest.x, 159);
    assert_int_equal(found.largest.y, 95);
    assert_int_equal(found.largest.channel, 2);
    assert_true(fabs(found.largest.value - 1 / 257.0) < 1e-9);
}

TEST(honest_noise_passes)
{
    for (uint32_t seed = 1; seed <= 100; seed++) {
        draw();
        const int most = seed % 2 ? 1 : 2;
        star_field_noise(&star_field_usual, right, most, seed);
        const struct measure found = measure();
        if (!passes(&found))
            fail_msg(
                "noise of %d codes, seed %u: bias %.3f light %.5f tile light %.4f (%d,%d) ssim "
                "%.4f stars %d %d",
                most, seed, found.bias, found.light_change, found.tile_light.value,
                found.tile_light.x, found.tile_light.y, found.ssim_worst, (int)found.missing,
                (int)found.added);
        assert_int_equal(found.counted, 0);
        assert_false(found.equal);
    }
}

TEST(a_point_that_moves_with_its_light_passes)
{
    static const int steps[8][2] = {{1, 0}, {-1, 0}, {0, 1},  {0, -1},
                                    {1, 1}, {-1, 1}, {1, -1}, {-1, -1}};
    for (int i = 0; i < 8; i++) {
        draw();
        /* at a tile's edge, where nothing else is */
        star_field_point(&star_field_usual, left, 128, 64, 200);
        star_field_point(&star_field_usual, right, 128 + steps[i][0], 64 + steps[i][1], 200);
        const struct measure found = measure();
        assert_int_equal(found.counted, 2);
        assert_int_equal(found.moved, 2);
        assert_int_equal(found.missing + found.added, 0);
        assert_true(passes(&found));
    }
}

TEST(a_star_more_or_less_is_found)
{
    star_field_draw(&star_field_usual, left);
    memset(left, 0, sizeof left);
    memset(right, 0, sizeof right);
    star_field_point(&star_field_usual, right, 100, 50, 12);
    struct measure found = measure();
    assert_int_equal(found.added, 1);
    assert_int_equal(found.missing, 0);
    assert_int_equal(found.stars[0].x, 100);
    assert_int_equal(found.stars[0].y, 50);
    assert_true(found.stars[0].added && found.stars[0].value == 12);
    assert_false(passes(&found));
    int bright = 0, named = 0;
    for (int left_out = 0; left_out < 120; left_out++) {
        struct star_field field = star_field_usual;
        star_field_draw(&field, left);
        field.left_out = left_out;
        star_field_draw(&field, right);
        found = measure();
        if (found.largest.value < 13) /* at the edge, or before the glow */
            continue;
        bright++;
        named += found.missing > 0;
        assert_true(found.largest.value < 16 || !passes(&found));
    }
    assert_true(bright > 100 && 100 * named > 95 * bright);
    /* a star moved by four pixels is one missing and one added */
    draw();
    star_field_point(&star_field_usual, left, 140, 10, 90);
    star_field_point(&star_field_usual, right, 144, 10, 90);
    found = measure();
    assert_int_equal(found.missing, 1);
    assert_int_equal(found.added, 1);
    assert_int_equal(found.moved, 0);
}

static uint16_t add(uint16_t value, int codes)
{
    const int sum = value + 257 * codes;
    return (uint16_t)(sum < 0 ? 0 : sum > 65535 ? 65535 : sum);
}

TEST(changed_fields_are_found)
{
    static const struct {
        const char *name;
        struct star_field field;
    } changes[] = {
        {"shift", {160, 96, 120, 0.25, 0, 1, 1, 0.2, 0, -1}},
        {"zoom", {160, 96, 120, 0, 0, 1.001 * 1.002, 1, 0.2, 0, -1}},
        {"exposure", {160, 96, 120, 0, 0, 1, 1.01, 0.2, 0, -1}},
        {"glow", {160, 96, 120, 0, 0, 1, 1, 0.21, 0, -1}},
        {"no glow", {160, 96, 120, 0, 0, 1, 1, 0, 0, -1}},
        {"turn", {160, 96, 120, 0, 0, 1, 1, 0.2, 0.01, -1}},
        {"black", {160, 96, 0, 0, 0, 1, 1, 0, 0, -1}},
    };
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        star_field_draw(&star_field_usual, left);
        star_field_draw(&changes[i].field, right);
        const struct measure found = measure();
        if (passes(&found))
            fail_msg("%s passes: bias %.3f light %.5f tile light %.4f counted %d", changes[i].name,
                     found.bias, found.light_change, found.tile_light.value, (int)found.counted);
    }
}

TEST(changed_colours_are_found)
{
    draw();
    for (size_t i = 0; i < SAMPLES; i++)
        right[i] = add(left[i], 4);
    struct measure found = measure();
    assert_false(passes(&found));
    assert_true(found.tile_mean.value > 3.9 && found.bias > 1);
    for (size_t i = 0; i < SAMPLES; i += 3) { /* red for blue */
        right[i] = left[i + 2];
        right[i + 1] = left[i + 1];
        right[i + 2] = left[i];
    }
    found = measure();
    assert_true(found.colour > 1);
    assert_false(passes(&found));
    for (size_t i = 0; i < SAMPLES; i += 3) { /* green, then grey of the same luma */
        left[i] = left[i + 2] = 0;
        left[i + 1] = i % 960 < 480 ? 257 * 120 : 0;
        right[i] = right[i + 1] = right[i + 2] = (uint16_t)(pow(0.7152, 1 / 2.2) * left[i + 1]);
    }
    found = measure();
    assert_true(found.colour > 5);
    assert_false(passes(&found));
}

TEST(local_damage_is_found)
{
    draw();
    for (uint32_t y = 10; y < 70; y++) /* a panel gone */
        for (uint32_t x = 20; x < 80; x++)
            memset(right + 3 * (y * 160 + x), 0, 3 * sizeof *right);
    struct measure found = measure();
    assert_false(passes(&found));
    draw();
    for (uint32_t y = 0; y < 96; y++) /* a seam of one pixel, six codes brighter */
        for (uint32_t c = 0; c < 3; c++)
            right[3 * (y * 160 + 80) + c] = add(left[3 * (y * 160 + 80) + c], 6);
    found = measure();
    assert_false(passes(&found));
    draw();
    for (uint32_t y = 0; y < 96; y++) /* mirror */
        for (uint32_t x = 0; x < 160; x++)
            memcpy(right + 3 * (y * 160 + x), left + 3 * (y * 160 + 159 - x), 3 * sizeof *right);
    found = measure();
    assert_true(found.missing > 5 && found.added > 5);
    draw();
    for (size_t i = 0; i < SAMPLES; i++) /* banding */
        right[i] = (uint16_t)(left[i] / (16 * 257) * (16 * 257));
    found = measure();
    assert_false(passes(&found));
}

/* Tiles that need not be examined change nothing. */
TEST(dark_tiles_may_be_left_out)
{
    const struct star_field *field = &star_field_usual;
    struct planes a, b;
    struct measurer *measurer;
    struct measure all, some;
    uint8_t needed[5 * 3] = {0};
    memset(left, 0, sizeof left);
    memset(right, 0, sizeof right);
    star_field_point(field, left, 63, 20, 150);
    star_field_point(field, right, 64, 20, 150);
    star_field_point(field, right, 70, 25, 60);
    needed[1] = needed[2] = 1;
    assert_ok(planes_open(&a, field->width, field->height));
    assert_ok(planes_open(&b, field->width, field->height));
    assert_ok(measurer_open(&measurer, field->width, field->height, &measure_usual));
    planes_fill(&a, left);
    planes_fill(&b, right);
    memset(&all, 0, sizeof all);
    memset(&some, 0, sizeof some);
    measure_pictures(measurer, &a, &b, NULL, &all);
    measure_pictures(measurer, &a, &b, needed, &some);
    assert_memory_equal(&all, &some, sizeof all);
    assert_int_equal(all.added, 1);
    measurer_close(&measurer);
    planes_close(&a);
    planes_close(&b);
}

/* A chessboard against its mean: no covariance, and variances of 64 / 63 times the square of its
 * step, beside the constants of Wang et al. (2004). */
TEST(structure_is_by_its_formula)
{
    enum { SIDE = 24, MEAN = 100 };
    static const int steps[] = {1, 8, 50};
    const double c2 = 0.03 * 255 * 0.03 * 255, c1 = 0.01 * 255 * 0.01 * 255;
    uint8_t board[SIDE * SIDE], flat[SIDE * SIDE], lighter[SIDE * SIDE];
    struct quality found;
    memset(flat, MEAN, sizeof flat);
    memset(lighter, MEAN + 20, sizeof lighter);
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        for (int i = 0; i < SIDE * SIDE; i++)
            board[i] = (uint8_t)(MEAN + ((i + i / SIDE) % 2 ? steps[k] : -steps[k]));
        const double variance = steps[k] * steps[k] * 64.0 / 63;
        quality_measure(board, SIDE, flat, SIDE, SIDE, SIDE, &found);
        assert_true(fabs(found.ssim - c2 / (variance + c2)) < 1e-5);
        assert_true(fabs(found.error - steps[k] * steps[k]) < 1e-9);
    }
    quality_measure(flat, SIDE, lighter, SIDE, SIDE, SIDE, &found);
    const double light = (2.0 * MEAN * (MEAN + 20) + c1) /
                         ((double)MEAN * MEAN + (double)(MEAN + 20) * (MEAN + 20) + c1);
    assert_true(fabs(found.ssim - light) < 1e-5);
}

TESTS(NULL, NULL)
