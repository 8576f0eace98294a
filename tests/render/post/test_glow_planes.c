/* The passes of a glow in host memory: the same bits for every instruction set, and all of the
 * light. */
#include "tests/support/test.h"

#include "render/picture/pixel_isa.h"
#include "render/post/glow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 37, HEIGHT = 22, HALF_WIDTH = 19, HALF_HEIGHT = 11 };

struct passes {
    glow_down_of *down;
    glow_up_of *up;
    glow_smooth_of *smooth;
};

#define PASSES(isa)                                                                                \
    (struct passes)                                                                                \
    {                                                                                              \
        glow_down_##isa, glow_up_##isa, glow_smooth_##isa                                          \
    }

static float source[4 * WIDTH * HEIGHT], half[4 * HALF_WIDTH * HALF_HEIGHT],
    spread[4 * HALF_WIDTH * HALF_HEIGHT], level[4 * WIDTH * HEIGHT];
static float row[4 * (WIDTH + 3)], nothing[4 * (WIDTH + 3)];
static const struct glow_room room = {row, nothing};

/* Halves the source, smooths it and adds it to the source. */
static void run(const struct passes *passes, bool outermost)
{
    const struct glow_plane from = {source, WIDTH, HEIGHT}, small = {half, HALF_WIDTH, HALF_HEIGHT},
                            smoothed = {spread, HALF_WIDTH, HALF_HEIGHT},
                            whole = {level, WIDTH, HEIGHT};
    memcpy(level, source, sizeof level);
    passes->down(&from, outermost, &small, &room);
    passes->smooth(&small, 0.39f, &smoothed, &room);
    passes->up(&smoothed, 0.3f, &whole, &room);
}

static void choose_light(void)
{
    uint32_t state = 1;
    for (size_t i = 0; i < sizeof source / sizeof *source; i++) {
        state = state * 1664525u + 1013904223u;
        source[i] = (float)(state >> 8) / 16777216.0f;
    }
}

TEST(instruction_sets_agree)
{
    static float least[4 * WIDTH * HEIGHT];
    const struct passes first = {ISA_LEAST_OF(glow_down), ISA_LEAST_OF(glow_up),
                                 ISA_LEAST_OF(glow_smooth)};
    choose_light();
    run(&first, true);
    memcpy(least, level, sizeof level);
#ifdef ISA_HAS_AVX2
    if (ISA_HAS_AVX2) {
        run(&PASSES(avx2), true);
        assert_memory_equal(level, least, sizeof level);
    }
    if (ISA_HAS_AVX512) {
        run(&PASSES(avx512), true);
        assert_memory_equal(level, least, sizeof level);
    }
#endif
}

static double sum_of(const float *plane, int pixels)
{
    double sum = 0;
    for (int i = 0; i < pixels; i++)
        sum += plane[4 * i];
    return sum;
}

/* A spot keeps its light in every pass: a texel of half the size stands for four. */
TEST(light_is_kept)
{
    const struct passes passes = {ISA_LEAST_OF(glow_down), ISA_LEAST_OF(glow_up),
                                  ISA_LEAST_OF(glow_smooth)};
    for (int at = 0; at < 4; at++) {
        memset(source, 0, sizeof source);
        source[4 * ((10 + at / 2) * WIDTH + 18 + at % 2)] = 8;
        run(&passes, false);
        assert_true(fabs(sum_of(half, HALF_WIDTH * HALF_HEIGHT) - 2) < 1e-5);
        assert_true(fabs(sum_of(spread, HALF_WIDTH * HALF_HEIGHT) - 2) < 1e-5);
        assert_true(fabs(sum_of(level, WIDTH * HEIGHT) - 8) < 1e-5);
    }
    assert_true(nothing[0] == 0 && nothing[4 * WIDTH] == 0);
}

TESTS(NULL, NULL)
