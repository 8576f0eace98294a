/* The light of captured sprites: against the profile, pixel by pixel, and the same bits for every
 * instruction set. */
#include "tests/support/test.h"

#include "render/picture/pixel_isa.h"
#include "render/sprites/captured.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDTH = 75,
    HEIGHT = 50,
    FLOATS = 4 * (WIDTH + CAPTURED_BEYOND),
    ROOM = FLOATS * HEIGHT,
    MANY = 4000
};

static float pixels[ROOM];
static const struct captured_atlas atlas = {
    .pixel = pixels, .floats = FLOATS, .width = WIDTH, .height = HEIGHT, .spacing = 0.8f};

static uint32_t seed = 1;

/* A number in [low, high). */
static float next(float low, float high)
{
    seed = seed * 1664525u + 1013904223u;
    return low + (high - low) * (float)(seed >> 8) / 16777216.0f;
}

/* Many are at the edges, beyond them or behind the camera; some are broken. */
static void choose_place(float place[4], int i)
{
    const float w = i % 7 == 0 ? next(-1, 1) : next(0.1f, 9);
    for (int c = 0; c < 3; c++)
        place[c] = w * next(-1.1f, 1.1f);
    place[3] = w;
    if (i % 97 == 0)
        place[i % 4] = i % 2 ? NAN : INFINITY;
}

static struct captured_point points[MANY];
static struct captured_streak streaks[MANY];

static void choose_all(void)
{
    static const float inside[] = {-0.9f, -0.8f, 0.9f, 0.7f};
    seed = 1;
    for (int i = 0; i < MANY; i++) {
        choose_place(points[i].place, i);
        choose_place(streaks[i].place, i);
        points[i].size = streaks[i].size = i % 50 == 3 ? next(-1, 1) : next(0.3f, 16);
        memcpy(streaks[i].inside, inside, sizeof inside);
        for (int c = 0; c < 2; c++)
            streaks[i].path[c] = i % 11 ? next(-0.2f, 0.2f) : next(-2, 2);
        for (int c = 0; c < 4; c++)
            points[i].light[c] = streaks[i].light[c] = next(0, 3);
    }
}

static void add_with(captured_points_of *add_points, captured_streaks_of *add_streaks)
{
    memset(pixels, 0, sizeof pixels);
    add_points(&atlas, points, MANY);
    add_streaks(&atlas, streaks, MANY);
}

static void expect_same(const float *before, captured_points_of *add_points,
                        captured_streaks_of *add_streaks)
{
    add_with(add_points, add_streaks);
    for (size_t y = 0; y < HEIGHT; y++)
        assert_memory_equal(pixels + y * FLOATS, before + y * FLOATS, 4 * WIDTH * sizeof *pixels);
}

TEST(instruction_sets_agree)
{
    float *least = malloc(sizeof pixels);
    choose_all();
    add_with(ISA_LEAST_OF(captured_points), ISA_LEAST_OF(captured_streaks));
    memcpy(least, pixels, sizeof pixels);
    expect_same(least, ISA_LEAST_OF(captured_points), ISA_LEAST_OF(captured_streaks));
#ifdef ISA_HAS_AVX2
    if (ISA_HAS_AVX2)
        expect_same(least, captured_points_avx2, captured_streaks_avx2);
    if (ISA_HAS_AVX512)
        expect_same(least, captured_points_avx512, captured_streaks_avx512);
#endif
    free(least);
}

static const float *pixel_at(int p)
{
    return pixels + FLOATS * (p / WIDTH) + 4 * (p % WIDTH);
}

static double profile(double x, double y, double radius)
{
    const double inside = fmax(1 - (x * x + y * y) / (radius * radius), 0);
    return inside * inside;
}

/* Near an edge of the atlas, where a part of it is cut off, and in the middle. */
TEST(a_point_has_its_profile)
{
    for (int i = 0; i < 200; i++) {
        const float x = next(0, WIDTH), y = next(0, HEIGHT), size = next(1, 16);
        const struct captured_point point = {
            .place = {2 * (2 * x / WIDTH - 1), 2 * (2 * y / HEIGHT - 1), 0, 2},
            .size = size,
            .light = {1, 0.5f, 0.25f, 2},
        };
        memset(pixels, 0, sizeof pixels);
        ISA_CALL(captured_points, &atlas, &point, 1);
        for (int p = 0; p < WIDTH * HEIGHT; p++) {
            const double light = profile(p % WIDTH + 0.5 - x, p / WIDTH + 0.5 - y, 0.5 * size);
            for (int c = 0; c < 4; c++)
                assert_true(fabs(pixel_at(p)[c] - point.light[c] * light) < 1e-4);
        }
    }
}

/* A row has the light of one sprite, and the variance of its path. */
TEST(a_row_keeps_light_and_variance)
{
    const struct captured_streak row = {
        .place = {0, 0, 0, 1},
        .size = 12,
        .path = {0.5f, 0},
        .inside = {-1, -1, 1, 1},
        .light = {1, 1, 1, 1},
    };
    const struct captured_point point = {.place = {0, 0, 0, 1}, .size = 12, .light = {1, 1, 1, 1}};
    double sum[2] = {0}, square[2] = {0};
    for (int k = 0; k < 2; k++) {
        memset(pixels, 0, sizeof pixels);
        if (k == 0)
            ISA_CALL(captured_points, &atlas, &point, 1);
        else
            ISA_CALL(captured_streaks, &atlas, &row, 1);
        for (int p = 0; p < WIDTH * HEIGHT; p++) {
            const double x = p % WIDTH + 0.5 - WIDTH / 2.0;
            sum[k] += pixel_at(p)[0];
            square[k] += pixel_at(p)[0] * x * x;
        }
    }
    const double path = 0.25 * WIDTH;
    assert_true(fabs(sum[1] / sum[0] - 1) < 0.01);
    assert_true(fabs(square[1] / sum[1] - square[0] / sum[0] - path * path / 12) < 0.1);
}

static double coarse(const float *from, int width, int height, double x, double y, int c)
{
    const int i = (int)fmin(fmax(x, 0), width - 1), j = (int)fmin(fmax(y, 0), height - 1);
    return from[4 * (j * width + i) + c];
}

/* Interpolation with a place's texels in the coarser level, of which those outside are the
 * outermost ones. */
TEST(levels_are_interpolated)
{
    enum { W = 21, H = 13, CW = 12, CH = 8 };
    static float own[4 * W * H], coarser[4 * CW * CH], row[4 * (CW + 2)], sum[4 * W * H];
    for (int i = 0; i < 4 * W * H; i++)
        own[i] = next(0, 1);
    for (int i = 0; i < 4 * CW * CH; i++)
        coarser[i] = next(0, 1);
    for (int origin = 0; origin < 6; origin++) {
        const struct captured_level level = {own, 4 * W, coarser, CW, CH, {origin, 5 - origin},
                                             W,   H,     row,     sum};
        ISA_CALL(captured_level, &level);
        for (int i = 0; i < W * H; i++) {
            const double x = (origin + i % W + 0.5) / 2 - 0.5;
            const double y = (5 - origin + i / W + 0.5) / 2 - 0.5;
            const double u = x - floor(x), v = y - floor(y);
            for (int c = 0; c < 4; c++) {
                double wanted = own[4 * i + c];
                for (int k = 0; k < 4; k++)
                    wanted += (k % 2 ? u : 1 - u) * (k / 2 ? v : 1 - v) *
                              coarse(coarser, CW, CH, floor(x) + k % 2, floor(y) + k / 2, c);
                assert_true(fabs(sum[4 * i + c] - wanted) < 1e-5);
            }
        }
    }
}

TESTS(NULL, NULL)
