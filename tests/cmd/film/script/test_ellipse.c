/* Ellipses of light with a known answer. */
#include "tests/support/test.h"

#include "cmd/film/script/ellipse.h"

#include <math.h>
#include <stdlib.h>

enum { RINGS = 100, PLACES = 64, FAR = 100, COUNT = RINGS * PLACES };

static struct ellipse_light light[COUNT + FAR];
static struct shell shells[COUNT + FAR];

/* An evenly lit disk of radius 1, seen at an angle: 3 wide and 1 high, around (5, -2). */
static void light_disk(double each)
{
    for (int i = 0; i < COUNT; i++) {
        const double r = sqrt((i / PLACES + 0.5) / RINGS), angle = 2 * M_PI * (i % PLACES) / PLACES;
        light[i] = (struct ellipse_light){{5 + 3 * r * cos(angle), -2 + r * sin(angle)}, each};
    }
}

static const double right[] = {1, 0}, left[] = {-1, 0}, up[] = {0, 1};

/* 95 % of it are within sqrt(0.95) of its radius. */
TEST(disk_has_its_ellipse)
{
    struct ellipse ellipse;
    light_disk(2);
    ellipse_find(&ellipse, light, COUNT, 0.95, shells);
    assert_float_equal(ellipse_extent(&ellipse, right, 1), 5 + 3 * sqrt(0.95), 0.03);
    assert_float_equal(ellipse_extent(&ellipse, left, 1), -5 + 3 * sqrt(0.95), 0.03);
    assert_float_equal(ellipse_extent(&ellipse, up, 2), -2 + 2 * sqrt(0.95), 0.02);
}

/* A fiftieth of the light, far off: mean and shape stay the disk's. */
TEST(little_light_far_away_hardly_counts)
{
    struct ellipse ellipse;
    light_disk(1);
    for (int i = 0; i < FAR; i++)
        light[COUNT + i] = (struct ellipse_light){{300 + i, 500}, 0.02 * COUNT / FAR};
    ellipse_find(&ellipse, light, COUNT + FAR, 0.95, shells);
    assert_float_equal(ellipse_extent(&ellipse, right, 1), 5 + 3 * sqrt(0.95 * 1.02), 0.05);
    assert_float_equal(ellipse_extent(&ellipse, up, 1), -2 + sqrt(0.95 * 1.02), 0.03);
}

TEST(one_place_and_none)
{
    struct ellipse ellipse;
    light[0] = light[1] = (struct ellipse_light){{0.1, 7}, 1};
    ellipse_find(&ellipse, light, 2, 0.95, shells);
    assert_float_equal(ellipse_extent(&ellipse, right, 1), 0.1, 1e-6);
    ellipse_find(&ellipse, light, 0, 0.95, shells);
    assert_float_equal(ellipse_extent(&ellipse, right, 1), 0, 1e-12);
}

/* Few of the distances are sorted, but the scale is what all of them sorted give. */
static void expect_scale(size_t count, double part)
{
    struct ellipse ellipse;
    double total = 0;
    ellipse_find(&ellipse, light, count, part, shells);
    for (size_t i = 0; i < count; i++)
        total += light[i].light;
    assert_true(ellipse.scale == shells_radius(shells, count, part * total * (1 - 1e-12)));
}

TEST(the_scale_is_that_of_all_distances_sorted)
{
    static const double parts[] = {0.02, 0.5, 0.95, 0.995, 1};
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        light_disk(1);
        expect_scale(COUNT, parts[p]);
        for (int i = 0; i < COUNT; i++) /* a ring: all distances are the same, but for rounding */
            light[i].at[0] = cos(i), light[i].at[1] = sin(i);
        expect_scale(COUNT, parts[p]);
        for (int i = 0; i < COUNT; i++) { /* distances from 1e-17 to 1e17, and different light */
            const double r = pow(10, 34.0 * i / COUNT - 17);
            light[i] = (struct ellipse_light){{r * cos(7 * i), r * sin(7 * i)}, 1 + i % 5};
        }
        expect_scale(COUNT, parts[p]);
        expect_scale(3, parts[p]);
    }
}

TESTS(NULL, NULL)
