/* Brightness of pictures, against sprites with known light. */
#include "render/density/density.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>

static double brightness(double distance, float radius, double light, double share, bool sphere)
{
    static const double origin[1][3];
    struct light_tally *tally = calloc(1, sizeof *tally);
    assert_non_null(tally);
    const struct light_picture picture = {
        .aim = {.eye = {0, -distance, 0}, .up = {0, 0, 1}, .fov = 40},
        .aspect = 16.0 / 9,
        .whole_sphere = sphere,
        .count = 1,
        .position = origin,
        .radius = &radius,
        .light = &light,
    };
    light_tally_add(tally, &picture);
    const double found = light_tally_below(tally, share);
    free(tally);
    return found;
}

TEST(it_is_that_of_the_sprites_middle)
{
    /* Bins are less than a hundredth wide, and the middle of a cell is not that of the sprite. */
    const double most = brightness(10, 0.5f, 3, 0.999, false);
    assert_true(fabs(most / (3 / 0.25) - 1) < 0.03);
    assert_true(fabs(brightness(10, 0.5f, 6, 0.999, false) / most - 2) < 0.02);
    assert_true(brightness(10, 0.5f, 3, 0.01, false) < 0.1 * most);
}

TEST(it_is_the_same_from_any_distance)
{
    const double near = brightness(6, 0.5f, 1, 0.9, false);
    assert_true(fabs(brightness(12, 0.5f, 1, 0.9, false) / near - 1) < 0.03);
    assert_true(fabs(brightness(6, 0.5f, 1, 0.9, true) / near - 1) < 0.05);
}

TEST(nothing_is_dark)
{
    assert_true(brightness(10, INFINITY, 1, 0.5, false) == 0);
    assert_true(brightness(-10, NAN, 1, 0.5, true) == 0);
}

TESTS(NULL, NULL)
