/* Sums over lit pixels: what a known change of a dark picture amounts to. */
#include "tests/support/test.h"

#include "render/compare/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 160, HEIGHT = 96, STARS = 60, SAMPLES = WIDTH * HEIGHT * 3 };

static uint16_t a[SAMPLES], b[SAMPLES];

static uint16_t *at(uint16_t *rgb, int x, int y, int c)
{
    return &rgb[(y * WIDTH + x) * 3 + c];
}

/* Coloured stars of a few pixels, the same ones each time, moved by `shift` pixels. */
static void draw(uint16_t *rgb, int shift)
{
    unsigned state = 7;
    memset(rgb, 0, sizeof a);
    for (int i = 0; i < STARS; i++) {
        int place[3];
        for (int k = 0; k < 3; k++)
            place[k] = (int)((state = state * 1103515245u + 12345u) >> 16 & 0x7fff);
        const int x = 8 + place[0] % (WIDTH - 16) + shift, y = 8 + place[1] % (HEIGHT - 16);
        const double code[3] = {40000, 24000 + place[2] / 4, 12000};
        for (int j = -3; j <= 3; j++)
            for (int k = -3; k <= 3; k++)
                for (int c = 0; c < 3; c++)
                    *at(rgb, x + k, y + j, c) = (uint16_t)fmin(
                        65535, *at(rgb, x + k, y + j, c) + code[c] * exp(-(k * k + j * j) / 3.0));
    }
}

static struct lit measure(void)
{
    struct planes planes[2];
    struct measurer *measurer;
    static struct measure found;
    assert_ok(measurer_open(&measurer, WIDTH, HEIGHT, &measure_usual));
    for (int side = 0; side < 2; side++) {
        assert_ok(planes_open(&planes[side], WIDTH, HEIGHT));
        planes_fill(&planes[side], side == 0 ? a : b);
    }
    measure_pictures(measurer, &planes[0], &planes[1], NULL, &found);
    measurer_close(&measurer);
    planes_close(&planes[0]);
    planes_close(&planes[1]);
    return found.lit_sums;
}

static int set_up(void **state)
{
    (void)state;
    draw(a, 0);
    memcpy(b, a, sizeof b);
    return 0;
}

static void near(double value, double expected, double within)
{
    if (!(fabs(value - expected) <= within))
        fail_msg("%g is not within %g of %g", value, within, expected);
}

TEST(equal_pictures_differ_in_nothing)
{
    *at(b, 0, 0, 0) = 4 * 257; /* beside the stars, and too dark to be lit */
    struct lit lit = measure();
    assert_true(lit.pixels > 100 && lit.pixels < WIDTH * HEIGHT / 2);
    near(lit_light(&lit), 0, 0);
    near(lit_hue(&lit), 0, 1e-6);
    near(lit_saturation(&lit), 0, 1e-6);
    near(lit_brightness(&lit), 0, 0.26);
    near(lit_detail(&lit), 0, 0.1);
    near(lit_layout(&lit), 0, 0.001);
    near(lit_shift(&lit), 0, 0.001);
}

TEST(light_is_linear_and_brightness_is_not)
{
    for (int i = 0; i < SAMPLES; i++)
        b[i] = (uint16_t)lround(0.96 * a[i]);
    const struct lit lit = measure();
    near(lit_brightness(&lit), -4, 0.3);
    near(lit_light(&lit), 100 * (pow(0.96, 2.2) - 1), 0.7);
    for (int c = 0; c < 3; c++)
        near(lit_channel(&lit, c), 100 * (pow(0.96, 2.2) - 1), 1);
    near(lit_hue(&lit), 0, 0.5);
}

/* Makes b of a, with colours turned and `scale` times as strong, as codecs store them. */
static void turn(double degrees, double scale)
{
    const double c = scale * cos(degrees * M_PI / 180), s = scale * sin(degrees * M_PI / 180);
    for (int i = 0; i < SAMPLES; i += 3) {
        const double luma = 0.2126 * a[i] + 0.7152 * a[i + 1] + 0.0722 * a[i + 2],
                     cb = (a[i + 2] - luma) / 1.8556, cr = (a[i] - luma) / 1.5748,
                     red = luma + 1.5748 * (c * cr - s * cb),
                     blue = luma + 1.8556 * (c * cb + s * cr);
        b[i] = (uint16_t)lround(red);
        b[i + 1] = (uint16_t)lround((luma - 0.2126 * red - 0.0722 * blue) / 0.7152);
        b[i + 2] = (uint16_t)lround(blue);
    }
}

TEST(colours_turn_and_fade)
{
    for (int i = 0; i < SAMPLES; i++)
        a[i] = (uint16_t)(a[i] * 3 / 4); /* so that no colour is out of range */
    turn(20, 0.5);
    struct lit lit = measure();
    near(lit_hue(&lit), 20, 0.1);
    near(lit_doubt(&lit), 0, 0.01);
    near(lit_saturation(&lit), -50, 0.1);
    for (int i = 0; i < SAMPLES; i++)
        b[i] = a[i - i % 3 + 1];
    lit = measure();
    near(lit_saturation(&lit), -100, 1e-6);
    assert_true(lit_channel(&lit, 0) < -20 && lit_channel(&lit, 2) > 50);
}

/* Makes the luma of b as coarse as an encoder does, by `codes`. */
static void roughen(int codes)
{
    for (int i = 0; i < SAMPLES; i++) {
        const int pixel = i / 3, sign = (pixel % WIDTH + pixel / WIDTH) % 2 ? 1 : -1;
        b[i] = (uint16_t)fmin(fmax(b[i] + sign * codes * 257, 0), 65535);
    }
}

/* A coarse encoder turns colours, the more the paler they are. */
TEST(hues_of_coarse_copies_are_in_doubt)
{
    double doubt[2][2]; /* of strong and pale colours, fine and coarse */
    for (int pale = 0; pale < 2; pale++) {
        draw(a, 0);
        for (int i = 0; i < SAMPLES; i++)
            a[i] = (uint16_t)(a[i] / 2 + 40 * 257); /* so that no code is out of range */
        for (int i = 0; i < SAMPLES && pale; i += 3)
            for (int c = 0; c < 3; c += 2)
                a[i + c] = (uint16_t)lround(a[i + 1] + 0.7 * ((double)a[i + c] - a[i + 1]));
        for (int coarse = 0; coarse < 2; coarse++) {
            turn(20, 1);
            roughen(3 << coarse);
            const struct lit lit = measure();
            doubt[pale][coarse] = lit_doubt(&lit);
            near(lit_hue(&lit), 20, 0.5);
        }
        near(doubt[pale][1] / doubt[pale][0], 4, 0.02);
    }
    assert_true(doubt[0][0] > 0.1 && doubt[1][0] > 1.2 * doubt[0][0]);
}

TEST(colours_of_less_than_three_codes_have_no_hue)
{
    for (int i = 0; i < SAMPLES; i += 3)
        for (int c = 0; c < 3; c += 2)
            a[i + c] = (uint16_t)lround(a[i + 1] + 0.05 * ((double)a[i + c] - a[i + 1]));
    turn(180, 1);
    const struct lit lit = measure();
    assert_true(isnan(lit_hue(&lit)) && isnan(lit_doubt(&lit)) && isnan(lit_saturation(&lit)));
}

TEST(detail_layout_and_shift_tell_pictures_apart)
{
    draw(b, 2);
    struct lit lit = measure();
    near(lit_shift(&lit), 2.5, 1); /* stars are not as smooth as the equations assume */
    near(lit_detail(&lit), 0, 1);
    near(lit_light(&lit), 0, 0.01);
    for (int y = 1; y < HEIGHT - 1; y++)
        for (int x = 1; x < WIDTH - 1; x++)
            for (int c = 0; c < 3; c++) {
                double sum = 0;
                for (int k = 0; k < 9; k++)
                    sum += *at(a, x + k % 3 - 1, y + k / 3 - 1, c);
                *at(b, x, y, c) = (uint16_t)lround(sum / 9);
            }
    lit = measure();
    assert_true(lit_detail(&lit) < -25 && lit_layout(&lit) < 0.1 && lit_shift(&lit) < 0.1);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            for (int c = 0; c < 3; c++)
                *at(b, x, y, c) = *at(a, WIDTH - 1 - x, y, c);
    lit = measure();
    assert_true(lit_layout(&lit) > 0.5);
    near(lit_detail(&lit), 0, 1);
}

TEST(frames_add_up)
{
    for (int i = 0; i < SAMPLES; i++)
        b[i] = (uint16_t)lround(0.9 * a[i - i % 3 + (i + 1) % 3]);
    const struct lit one = measure();
    struct lit film = one;
    lit_add(&film, &one);
    near(film.pixels, 2 * one.pixels, 0);
    near(lit_hue(&film), lit_hue(&one), 1e-9);
    near(lit_shift(&film), lit_shift(&one), 1e-9);
    near(lit_brightness(&film), lit_brightness(&one), 1e-9);
    near(lit_layout(&film), lit_layout(&one), 1e-9);
}

TEST(what_the_pictures_do_not_tell_is_nan)
{
    for (int i = 0; i < SAMPLES; i++)
        a[i] = a[i - i % 3 + 1]; /* white stars */
    for (int i = 0; i < SAMPLES; i++)
        b[i] = (uint16_t)lround(0.9 * a[i]);
    struct lit lit = measure();
    assert_true(isnan(lit_hue(&lit)) && isnan(lit_saturation(&lit)));
    assert_false(isnan(lit_light(&lit)));
    memset(a, 0, sizeof a);
    memset(b, 0, sizeof b);
    *at(b, 5, 5, 0) = 3 * 257;
    lit = measure();
    assert_true(lit.pixels == 0 && isnan(lit_light(&lit)) && isnan(lit_brightness(&lit)));
    assert_true(isnan(lit_detail(&lit)) && isnan(lit_layout(&lit)));
}

TESTS_EACH(set_up, NULL)
