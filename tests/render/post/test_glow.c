/* The glow of look.glow: round, without an edge, with as much light as it takes, the same at any
 * size. */
#include "tests/support/test.h"

#include "tests/support/films/drawing.h"

#include <math.h>
#include <stdlib.h>

enum { SIDE = 360, TURNS = 8 };

static struct renderer_params dot(uint32_t side, double glow)
{
    struct renderer_params params = usual(PICTURE_RGBA16, side, side);
    params.look.point_size = 24;
    params.look.glow = glow;
    params.look.exposure.factor = 4;
    place(0, side, side, side / 2.0, side / 2.0);
    return params;
}

/* Light at a distance from the middle, `turn` eighths of a circle around it, between four pixels.
 */
static double light_at(const struct picture *picture, double distance, int turn)
{
    const double middle = picture->layout.width / 2.0 - 0.5;
    const double x = middle + distance * cos(turn * M_PI / 4);
    const double y = middle + distance * sin(turn * M_PI / 4);
    const uint32_t left = (uint32_t)floor(x), top = (uint32_t)floor(y);
    const double right = x - left, low = y - top;
    return (1 - low) *
               ((1 - right) * light(picture, left, top) + right * light(picture, left + 1, top)) +
           low * ((1 - right) * light(picture, left, top + 1) +
                  right * light(picture, left + 1, top + 1));
}

/* The mean of the directions along the rows and columns, or of those between them. */
static double mean_at(const struct picture *picture, double distance, int first)
{
    double sum = 0;
    for (int turn = first; turn < TURNS; turn += 2)
        sum += light_at(picture, distance, turn) / (TURNS / 2);
    return sum;
}

/* The mean of the eight pixels at distances `x` and `y` from the middle one. */
static double mean_of(const struct picture *picture, int x, int y)
{
    double sum = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        const int right = (turn & 1 ? -1 : 1) * (turn & 4 ? y : x);
        const int down = (turn & 2 ? -1 : 1) * (turn & 4 ? x : y);
        sum += light(picture, (uint32_t)(SIDE / 2 + right), (uint32_t)(SIDE / 2 + down)) / TURNS;
    }
    return sum;
}

/* Pixels at the same distance from the dot along the axes and nearly midway between: Pythagorean
 * triples, so that no interpolation is needed. */
TEST(it_is_round)
{
    need_gl(state);
    static const int triples[][3] = {{3, 4, 5},    {6, 8, 10},   {9, 12, 15},  {12, 16, 20},
                                     {15, 20, 25}, {20, 21, 29}, {24, 32, 40}, {40, 42, 58}};
    struct renderer_params params = dot(SIDE, 0.9);
    struct picture picture;
    double most = 0;
    place(0, SIDE, SIDE, SIDE / 2 + 0.5, SIDE / 2 + 0.5);
    draw(&params, 0, &picture);
    for (size_t i = 0; i < sizeof triples / sizeof *triples; i++) {
        const int *triple = triples[i];
        const double between = mean_of(&picture, triple[0], triple[1]);
        const double axis = mean_of(&picture, triple[2], 0);
        print_message("%d pixels from the dot: axis / between %.4f\n", triple[2], axis / between);
        most = fmax(most, fabs(axis / between - 1));
    }
    assert_true(most < 0.02);
    free(picture.data);
}

/* From the dot outwards the light only decreases, nowhere abruptly. */
TEST(it_has_no_edge)
{
    need_gl(state);
    struct renderer_params params = dot(SIDE, 0.15);
    struct picture picture;
    draw(&params, 0, &picture);
    double before = mean_at(&picture, 6, 0), slope = 0;
    for (double distance = 7; distance < 100; distance++) {
        const double now = mean_at(&picture, distance, 0);
        const double falls = -log(now / before) / log(distance / (distance - 1));
        assert_true(now > 0 && now < before * 1.002);
        /* As a power of the distance: except near the dot's own edge, about the inverse cube. */
        if (distance > 12 && distance < 60 && !(falls > 1.2 && falls < 4.5))
            fail_msg("%g pixels from the dot it falls as the power %g", distance, falls);
        before = now;
        slope += distance > 12 && distance < 60 ? falls / 47 : 0;
    }
    assert_true(slope > 2.2 && slope < 3.6);
    free(picture.data);
}

TEST(it_keeps_the_light)
{
    need_gl(state);
    static const double shares[] = {0.15, 0.5, 1};
    struct renderer_params params = dot(SIDE, 0);
    struct picture picture;
    draw(&params, 0, &picture);
    const double all = total_light(&picture);
    free(picture.data);
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        params.look.glow = shares[i];
        draw(&params, 0, &picture);
        const double kept = total_light(&picture) / all;
        free(picture.data);
        /* About a hundredth of the spread light is beyond the picture. */
        if (!(kept < 1.005 && kept > 0.99 - 0.015 * shares[i]))
            fail_msg("%g of the light is left with a glow of %g", kept, shares[i]);
    }
}

/* Its profile is w / (r^2 + w^2)^(3/2), w = 0.004 of the height: w / sqrt(r^2 + w^2) of the light
 * is beyond r. */
TEST(it_reaches_as_far_as_asked)
{
    need_gl(state);
    static const uint32_t reaches[] = {24, 40, 60, 90};
    const double w = 0.004 * SIDE;
    struct renderer_params params = dot(SIDE, 1);
    struct picture picture;
    draw(&params, 0, &picture);
    const double all = total_light(&picture) / (1 - w / (SIDE / 2.0));
    for (size_t i = 0; i < sizeof reaches / sizeof *reaches; i++) {
        double within = 0;
        for (uint32_t y = 0; y < SIDE; y++)
            for (uint32_t x = 0; x < SIDE; x++)
                if (hypot(x + 0.5 - SIDE / 2.0, y + 0.5 - SIDE / 2.0) < reaches[i])
                    within += light(&picture, x, y);
        const double beyond = 1 - within / all, expected = w / hypot(w, reaches[i]);
        print_message("beyond %u pixels: %.4f, %.4f expected\n", reaches[i], beyond, expected);
        assert_true(fabs(beyond / expected - 1) < 0.05);
    }
    free(picture.data);
}

TEST(it_is_the_same_at_any_size)
{
    need_gl(state);
    static const double parts[] = {0.03, 0.05, 0.1, 0.2};
    struct picture small, large;
    struct renderer_params params = dot(SIDE, 0.9);
    draw(&params, 0, &small);
    params = dot(2 * SIDE, 0.9);
    draw(&params, 0, &large);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const double near = mean_at(&small, parts[i] * SIDE, 0);
        const double far = mean_at(&large, parts[i] * 2 * SIDE, 0);
        if (!(fabs(far / near - 1) < 0.06))
            fail_msg("at %g of the height: %g, and %g in the larger picture", parts[i], near, far);
    }
    free(small.data);
    free(large.data);
}

/* The glow moves with a body that moves by fractions of a pixel, without flicker. */
TEST(it_moves_with_its_light)
{
    need_gl(state);
    struct renderer_params params = dot(SIDE, 0.9);
    double least = INFINITY, most = 0;
    for (int step = 0; step < 8; step++) {
        struct picture picture;
        place(0, SIDE, SIDE, SIDE / 2.0 + 0.5 * step, SIDE / 2.0 + 0.25 * step);
        draw(&params, 0, &picture);
        const double total = spot_within(&picture, 0, SIDE / 2 - 20, SIDE / 2 - 20, 44, 44).light;
        least = fmin(least, total);
        most = fmax(most, total);
        free(picture.data);
    }
    assert_true(most / least < 1.01);
}

TESTS(open_gl, NULL)
