/* Ellipses of light with a known answer. */
#include "tests/support/test.h"

#include "base/sort.h"
#include "cmd/film/script/ellipse.h"

#include <math.h>
#include <stdlib.h>

enum { RINGS = 100, PLACES = 64, FAR = 100, COUNT = RINGS * PLACES };

static double at[COUNT + FAR][2], each[COUNT + FAR], square[COUNT + FAR], inside[COUNT + FAR];
static struct shell shells[COUNT + FAR];
static struct ellipse_buffers buffers = {square, inside, shells, {0}};

static void put(int i, double x, double y, double light)
{
    at[i][0] = x;
    at[i][1] = y;
    each[i] = light;
}

static struct ellipse find(size_t count, double part)
{
    struct ellipse ellipse;
    ellipse_find(&ellipse, &(struct ellipse_lights){count, at, each}, part, &buffers);
    return ellipse;
}

/* An evenly lit disk of radius 1, seen at an angle: 3 wide and 1 high, around (5, -2). */
static void light_disk(double light)
{
    for (int i = 0; i < COUNT; i++) {
        const double r = sqrt((i / PLACES + 0.5) / RINGS), angle = 2 * M_PI * (i % PLACES) / PLACES;
        put(i, 5 + 3 * r * cos(angle), -2 + r * sin(angle), light);
    }
}

static const double right[] = {1, 0}, left[] = {-1, 0}, up[] = {0, 1};

/* 95 % of it are within sqrt(0.95) of its radius. */
TEST(disk_has_its_ellipse)
{
    light_disk(2);
    const struct ellipse ellipse = find(COUNT, 0.95);
    assert_float_equal(ellipse_extent(&ellipse, right, 1), 5 + 3 * sqrt(0.95), 0.03);
    assert_float_equal(ellipse_extent(&ellipse, left, 1), -5 + 3 * sqrt(0.95), 0.03);
    assert_float_equal(ellipse_extent(&ellipse, up, 2), -2 + 2 * sqrt(0.95), 0.02);
}

/* A fiftieth of the light, far off: mean and shape stay the disk's. */
TEST(little_light_far_away_hardly_counts)
{
    light_disk(1);
    for (int i = 0; i < FAR; i++)
        put(COUNT + i, 300 + i, 500, 0.02 * COUNT / FAR);
    const struct ellipse ellipse = find(COUNT + FAR, 0.95);
    assert_float_equal(ellipse_extent(&ellipse, right, 1), 5 + 3 * sqrt(0.95 * 1.02), 0.05);
    assert_float_equal(ellipse_extent(&ellipse, up, 1), -2 + sqrt(0.95 * 1.02), 0.03);
}

TEST(one_place_and_none)
{
    put(0, 0.1, 7, 1);
    put(1, 0.1, 7, 1);
    struct ellipse ellipse = find(2, 0.95);
    assert_float_equal(ellipse_extent(&ellipse, right, 1), 0.1, 1e-6);
    ellipse = find(0, 0.95);
    assert_float_equal(ellipse_extent(&ellipse, right, 1), 0, 1e-12);
}

/* The same by all trims, each with all distances sorted. */
static struct ellipse find_plainly(size_t count, double part)
{
    struct ellipse out = {0};
    double total = 0;
    for (size_t i = 0; i < count; i++)
        total += each[i];
    for (int n = 0; n < ELLIPSE_TRIMS; n++) {
        double all = 0, sum[2] = {0}, squares[3] = {0}, weight = 0;
        for (size_t i = 0; i < count; i++) {
            if (n > 0 && square[i] > out.scale)
                continue;
            const double x = at[i][0] - out.mean[0], y = at[i][1] - out.mean[1];
            all += each[i];
            sum[0] += each[i] * x;
            sum[1] += each[i] * y;
            squares[0] += each[i] * x * x;
            squares[1] += each[i] * x * y;
            squares[2] += each[i] * y * y;
        }
        for (int k = 0; k < 3; k++)
            out.covariance[k / 2][(k + 1) / 2] =
                squares[k] / all - sum[k / 2] / all * (sum[(k + 1) / 2] / all);
        out.covariance[1][0] = out.covariance[0][1];
        for (int a = 0; a < 2; a++)
            out.mean[a] += sum[a] / all;
        const double little = 1e-6 * (out.covariance[0][0] + out.covariance[1][1]) + 1e-150;
        const double xx = out.covariance[0][0] + little, yy = out.covariance[1][1] + little;
        const double xy = out.covariance[0][1], determinant = xx * yy - xy * xy;
        for (size_t i = 0; i < count; i++) {
            const double x = at[i][0] - out.mean[0], y = at[i][1] - out.mean[1];
            const double own = x * x * (yy / determinant) + 2 * x * y * (-xy / determinant) +
                               y * y * (xx / determinant);
            square[i] = sqrt(own > 0 ? own : 0);
            shells[i] = (struct shell){square[i], each[i]};
        }
        sort_rows((double(*)[2])shells, count);
        for (size_t i = 0; i < count && weight < part * total * (1 - 1e-12); i++) {
            weight += shells[i].weight;
            out.scale = shells[i].distance;
        }
    }
    return out;
}

static void expect_the_same(size_t count, double part)
{
    const struct ellipse wanted = find_plainly(count, part);
    for (int again = 0; again < 2; again++) { /* knowing the last ellipse's trims, then its own */
        const struct ellipse found = find(count, part);
        assert_memory_equal(&found, &wanted, sizeof found);
    }
}

TEST(the_ellipse_is_that_of_all_trims_with_all_distances_sorted)
{
    static const double parts[] = {0.02, 0.5, 0.95, 0.995, 1};
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        light_disk(1);
        expect_the_same(COUNT, parts[p]);
        for (int i = 0; i < COUNT; i++) /* a ring: all distances are the same, but for rounding */
            put(i, cos(i), sin(i), 1);
        expect_the_same(COUNT, parts[p]);
        for (int i = 0; i < COUNT; i++) { /* distances from 1e-17 to 1e17, and different light */
            const double r = pow(10, 34.0 * i / COUNT - 17);
            put(i, r * cos(7 * i), r * sin(7 * i), 1 + i % 5);
        }
        expect_the_same(COUNT, parts[p]);
        expect_the_same(3, parts[p]);
        for (int i = 0; i < COUNT; i++) { /* denser inside, without symmetry */
            const double r = 40 * pow((i + 0.5) / COUNT, 3);
            put(i, 3 + r * cos(2.4 * i) * (1 + 0.1 * sin(i)), r * sin(2.4 * i) - 1, 1 + i % 3);
        }
        expect_the_same(COUNT, parts[p]);
        expect_the_same(COUNT - 1, parts[p]);
    }
}

TESTS(NULL, NULL)
