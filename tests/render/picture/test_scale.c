/* Scaling of pictures, against sums by hand. */
#include "tests/support/test.h"

#include "render/picture/picture.h"

#include <math.h>

static double linear(uint16_t code)
{
    return pow(code / 65535.0, 2.2);
}

TEST(uniform_stays)
{
    static uint16_t from[23 * 17 * 3], to[64 * 64 * 3];
    static const uint32_t sizes[][2] = {{23, 17}, {5, 3}, {64, 64}, {1, 1}, {22, 40}};
    for (size_t i = 0; i < sizeof from / sizeof *from; i++)
        from[i] = (uint16_t)(i % 3 == 0 ? 65535 : i % 3 == 1 ? 12345 : 0);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        size_t samples = 3 * (size_t)sizes[s][0] * sizes[s][1];
        scale_rgb(from, 23, 17, to, sizes[s][0], sizes[s][1]);
        for (size_t i = 0; i < samples; i++)
            assert_true(abs(to[i] - (i % 3 == 0 ? 65535 : i % 3 == 1 ? 12345 : 0)) <= 1);
    }
}

TEST(means_are_of_light)
{
    uint16_t from[3][3] = {{65535, 0, 0}, {0, 65535, 0}, {0, 0, 65535}}, to[2][3];
    scale_rgb(from[0], 3, 1, to[0], 1, 1);
    for (int c = 0; c < 3; c++)
        assert_about(linear(to[0][c]), 1 / 3.0, 1e-4);
    /* Three pixels become two of 1.5 each. */
    scale_rgb(from[0], 3, 1, to[0], 2, 1);
    assert_about(linear(to[0][0]), 1 / 1.5, 1e-4);
    assert_about(linear(to[0][1]), 0.5 / 1.5, 1e-4);
    assert_int_equal(to[0][2], 0);
    assert_about(linear(to[1][2]), 1 / 1.5, 1e-4);
    scale_rgb(from[0], 1, 3, to[0], 1, 2);
    assert_about(linear(to[0][0]), 1 / 1.5, 1e-4);
    assert_about(linear(to[1][1]), 0.5 / 1.5, 1e-4);
}

TEST(light_is_kept)
{
    static uint16_t from[40 * 30 * 3], to[13 * 7 * 3];
    uint32_t chance = 1;
    double before[3] = {0}, after[3] = {0};
    for (size_t i = 0; i < sizeof from / sizeof *from; i++) {
        chance = chance * 1664525u + 1013904223u;
        from[i] = (uint16_t)(chance >> 16);
        before[i % 3] += linear(from[i]) / (40 * 30);
    }
    scale_rgb(from, 40, 30, to, 13, 7);
    for (size_t i = 0; i < sizeof to / sizeof *to; i++)
        after[i % 3] += linear(to[i]) / (13 * 7);
    for (int c = 0; c < 3; c++)
        assert_about(after[c], before[c], 1e-4);
}

TEST(larger_is_between)
{
    uint16_t from[2][3] = {{0, 0, 0}, {65535, 65535, 65535}}, to[4][3];
    scale_rgb(from[0], 2, 1, to[0], 4, 1);
    static const double wanted[4] = {0, 0.25, 0.75, 1};
    for (int x = 0; x < 4; x++)
        assert_about(linear(to[x][1]), wanted[x], 1e-4);
    scale_rgb(from[0], 2, 1, to[0], 2, 1);
    assert_memory_equal(from, to, sizeof from);
}

TESTS(NULL, NULL)
