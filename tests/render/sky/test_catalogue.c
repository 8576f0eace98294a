/* The catalogue of background stars: numbers by brightness, directions and colours. */
#include "tests/support/test.h"

#include "render/colour/colour.h"
#include "render/sky/sky.h"

#include <math.h>
#include <string.h>

static struct sky_star sky[SKY_STARS_MAX], other[SKY_STARS_MAX];

/* The counts of Hipparcos, less those brighter than magnitude 3. */
TEST(as_many_are_as_bright_as_in_the_real_sky)
{
    static const int counts[][2] = {{4, 511}, {5, 1600}, {6, 4968}, {7, 15328}};
    sky_catalogue(sky, SKY_STARS_MAX, 1);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        const double light = pow(10, -0.4 * (counts[k][0] - SKY_MAGNITUDE));
        int brighter = 0;
        for (int i = 0; i < SKY_STARS_MAX; i++)
            brighter += sky[i].light > light;
        assert_in_range(brighter, counts[k][1] - 173, counts[k][1] - 171);
    }
    for (int i = 1; i < SKY_STARS_MAX; i++)
        assert_true(sky[i].light < sky[i - 1].light);
    assert_true(sky[0].light < 6.4f && sky[SKY_STARS_MAX - 1].light > 0.06f);
}

/* Magnitudes grow as the logarithm of the rank between two counts; the first star is the 173rd. */
TEST(magnitudes_follow_from_the_rank)
{
    assert_true(fabs(sky_magnitude(0) - (3 + log(172.5 / 172) / log(511.0 / 172))) < 1e-12);
    assert_true(fabs(sky_magnitude(827) - (4 + log(999.5 / 511) / log(1600.0 / 511))) < 1e-12);
}

TEST(more_stars_are_the_same_and_fainter_ones)
{
    sky_catalogue(sky, 500, 7);
    sky_catalogue(other, 5000, 7);
    assert_memory_equal(sky, other, 500 * sizeof *sky);
}

TEST(seeds_differ)
{
    sky_catalogue(sky, 500, 1);
    sky_catalogue(other, 500, 2);
    for (int i = 0; i < 500; i++) {
        assert_true(sky[i].light == other[i].light);
        assert_true(memcmp(sky[i].direction, other[i].direction, sizeof sky[i].direction) != 0);
    }
}

/* The mean direction of n is about sqrt(1 / 3n) in each axis, of either sign. */
TEST(they_are_all_around)
{
    double mean[3] = {0}, square[3] = {0};
    sky_catalogue(sky, SKY_STARS_MAX, 3);
    for (int i = 0; i < SKY_STARS_MAX; i++) {
        const float *at = sky[i].direction;
        assert_true(fabs(at[0] * at[0] + at[1] * at[1] + at[2] * at[2] - 1) < 1e-6);
        for (int axis = 0; axis < 3; axis++) {
            mean[axis] += at[axis] / SKY_STARS_MAX;
            square[axis] += at[axis] * at[axis] / SKY_STARS_MAX;
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        assert_true(fabs(mean[axis]) < 4 * sqrt(1.0 / 3 / SKY_STARS_MAX));
        assert_true(fabs(square[axis] - 1.0 / 3) < 0.007);
    }
}

/* A third of them, types B and A, are bluer than white, a third, types K and M, clearly orange. */
TEST(their_colours_are_those_of_black_bodies)
{
    int blue = 0, orange = 0;
    sky_catalogue(sky, SKY_STARS_MAX, 3);
    for (int i = 0; i < SKY_STARS_MAX; i++) {
        const float *shown = sky[i].shown;
        assert_true(fmaxf(shown[0], fmaxf(shown[1], shown[2])) == 1);
        blue += shown[2] == 1;
        orange += shown[2] < 0.82f;
    }
    /* the shares of stars hotter than the limits of the types */
    static const double limits[][2] = {
        {10000, 0.10}, {7500, 0.32}, {6000, 0.51}, {5000, 0.65}, {3800, 0.97}};
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        float edge[3];
        int hotter = 0;
        black_body_shown(limits[k][0], edge);
        for (int i = 0; i < SKY_STARS_MAX; i++)
            hotter += sky[i].shown[2] * edge[0] > edge[2] * sky[i].shown[0];
        if (fabs((double)hotter / SKY_STARS_MAX - limits[k][1]) > 0.015)
            fail_msg("%d of %d stars are hotter than %g K", hotter, (int)SKY_STARS_MAX,
                     limits[k][0]);
    }
    print_message("%d blue, %d orange of %d\n", blue, orange, (int)SKY_STARS_MAX);
    assert_in_range(blue, SKY_STARS_MAX * 0.30, SKY_STARS_MAX * 0.50);
    assert_in_range(orange, SKY_STARS_MAX * 0.25, SKY_STARS_MAX * 0.45);
}

TESTS(NULL, NULL)
