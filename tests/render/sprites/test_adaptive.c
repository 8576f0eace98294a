/* Sprites as large as the space around a body: brightness depends neither on the camera's distance
 * nor on the picture's size, and nothing jumps between levels of the pyramid. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "render/sprites/modes.h"
#include "render/sprites/setup.h"
#include "tests/support/films/drawing.h"

#include <math.h>

enum { SIDE = 128, CLOUD = 1500 };

static const double share = 0.7; /* radius of a sprite, as a part of the neighbour's distance */

static double pixels_per_unit(double depth, double height)
{
    return height / (2 * tan(10 * M_PI / 180) * depth);
}

static struct renderer_params adaptive(uint32_t side)
{
    struct renderer_params params = usual(PICTURE_RGBA16, side, side);
    params.look.size = choose(&sprite_sizing_registry, "adaptive");
    params.look.exposure.factor = 0.1;
    params.found.look.spacing = 1;
    return params;
}

static double mean_light(const struct picture *picture, uint32_t half)
{
    const uint32_t from = picture->layout.width / 2 - half;
    return spot_within(picture, 0, from, from, 2 * half, 2 * half).light / (4.0 * half * half);
}

/* A disk of even density, seen from above, with sprites of all sizes. */
static double core(uint32_t side, double distance, uint32_t half)
{
    struct renderer_params params = adaptive(side);
    struct picture picture;
    for (int i = 0; i < CLOUD; i++) {
        const double turn = 2.399963229728653 * i, reach = 7 * sqrt((i + 0.5) / CLOUD);
        place(i, 0, 0, 0, 0);
        float *at = view_of(CLOUD, 0)->position + 4 * (size_t)i;
        at[1] = (float)(reach * cos(turn));
        at[2] = (float)(reach * sin(turn));
        values_of(COLUMN_DISTANCE)[i] = (float)(0.3 * pow(1.3, i % 7));
    }
    params.camera.distance = distance;
    params.count = CLOUD;
    draw(&params, 0, &picture);
    const double light = mean_light(&picture, half);
    free(picture.data);
    return light;
}

TEST(left_alone_it_suits_the_bodies)
{
    static const struct {
        const char *size, *chosen;
        double point_size, radius;
        uint64_t count;
        bool kernels;
    } rows[] = {
        {"auto", "adaptive", 0, 0, SIZING_FEWEST, false},
        {"auto", "fixed", 0, 0, SIZING_FEWEST - 1, false},
        {"auto", "fixed", 4, 0, SIZING_FEWEST, true},
        {"auto", "fixed", 0, 0.1, SIZING_FEWEST, true},
        {"adaptive", "adaptive", 4, 0, 3, true},
        {"fixed", "fixed", 0, 0, SIZING_FEWEST, true},
        {"auto", "kernel", 0, 0, 3, true},
        {"kernel", "kernel", 4, 0, 3, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct look_params look = {.size = choose(&sprite_sizing_registry, rows[i].size),
                                         .point_size = rows[i].point_size,
                                         .radius = rows[i].radius};
        assert_string_equal(sizing_choose(&look, whole_of(rows[i].count), rows[i].kernels)->name,
                            rows[i].chosen);
    }
}

TEST(surface_brightness_stays)
{
    need_gl(state);
    const double before = core(SIDE, 100, 8);
    const double nearer = core(SIDE, 50, 16), farther = core(SIDE, 200, 4);
    const double larger = core(2 * SIDE, 100, 16), smaller = core(SIDE / 2, 100, 4);
    print_message("of %g: %g nearer, %g farther, %g larger, %g smaller\n", before, nearer / before,
                  farther / before, larger / before, smaller / before);
    assert_true(before > 0.05);
    assert_true(fabs(nearer / before - 1) < 0.02);
    assert_true(fabs(farther / before - 1) < 0.02);
    assert_true(fabs(larger / before - 1) < 0.02);
    assert_true(fabs(smaller / before - 1) < 0.02);
}

static struct picture one(double diameter, double x, bool quads)
{
    struct renderer_params params = adaptive(SIDE);
    struct picture picture;
    place(0, SIDE, SIDE, x, SIDE / 2.0);
    values_of(COLUMN_DISTANCE)[0] = (float)(diameter / 2 / pixels_per_unit(100, SIDE) / share);
    params.look.exposure.factor = 0.1 * diameter * diameter / 64;
    params.quads = quads;
    draw(&params, 0, &picture);
    return picture;
}

/* As its neighbours move away, a body's total light stays, and its middle fades with the area. */
TEST(no_level_shows)
{
    need_gl(state);
    /* GPUs place points on a grid of a 256th of a pixel. */
    const double rounding = drawn_by_software() ? 0.01 : 0.02;
    double light_before = 0, middle_before = 0;
    for (double diameter = 6; diameter < 70; diameter *= 1.1) {
        struct picture picture = one(diameter, SIDE / 2.0, false);
        const double sum = total_light(&picture) / (diameter * diameter);
        const double middle = mean_light(&picture, 1);
        if (light_before > 0 && fabs(sum / light_before - 1) > rounding)
            fail_msg("light %g at %g pixels, %g before", sum, diameter, light_before);
        if (middle_before > 0 && diameter > 12 && fabs(middle / middle_before - 1) > 0.02)
            fail_msg("middle %g at %g pixels, %g before", middle, diameter, middle_before);
        light_before = sum;
        middle_before = middle;
        free(picture.data);
    }
}

/* A wide sprite is round and in its place, without being cut off. */
TEST(wide_sprites_are_round)
{
    need_gl(state);
    for (double x = 60; x < 63; x += 0.83) {
        struct picture picture = one(70, x, false);
        const struct spot spot = spot_within(&picture, 0, 0, 0, SIDE, SIDE);
        assert_true(hypot(spot.x - x, spot.y - SIDE / 2.0) < 0.05);
        for (int i = 0; i < 16; i++) {
            const double turn = i * M_PI / 8;
            const uint32_t right = (uint32_t)(x + 20 * cos(turn)),
                           down = (uint32_t)(SIDE / 2.0 + 20 * sin(turn));
            const double off_x = right + 0.5 - x, off_y = down + 0.5 - SIDE / 2.0;
            const double inside = 1 - (off_x * off_x + off_y * off_y) / (35 * 35);
            const double expected = mean_light(&picture, 1) * inside * inside;
            if (fabs(light(&picture, right, down) / expected - 1) > 0.06)
                fail_msg("%g instead of %g at %g", light(&picture, right, down), expected, turn);
        }
        assert_int_equal(sample(&picture, 0, 4 * (uint32_t)(x + 49), SIDE / 2, 2), 0);
        free(picture.data);
    }
}

TEST(points_and_quads_draw_alike)
{
    need_gl(state);
    for (double diameter = 5; diameter < 80; diameter *= 2) {
        struct picture points = one(diameter, 61.3, false), quads = one(diameter, 61.3, true);
        assert_true(fabs(total_light(&points) / total_light(&quads) - 1) < 0.01);
        assert_true(fabs(mean_light(&points, 2) / mean_light(&quads, 2) - 1) < 0.02);
        free(points.data);
        free(quads.data);
    }
}

/* A body that approaches the camera fades before it covers the picture. */
TEST(near_bodies_fade)
{
    need_gl(state);
    double before = -1, most = 0;
    for (double depth = 60; depth > 1.1; depth /= 1.15) {
        struct renderer_params params = adaptive(SIDE);
        struct picture picture;
        place(0, SIDE, SIDE, SIDE / 2.0, SIDE / 2.0);
        view_of(1, 0)->position[0] = (float)(100 - depth);
        values_of(COLUMN_DISTANCE)[0] = 2;
        draw(&params, 0, &picture);
        const double middle = mean_light(&picture, 2);
        most = fmax(most, middle);
        if (before >= 0 && (middle > 1.03 * before || before - middle > 0.25 * most))
            fail_msg("%g at depth %g, %g before", middle, depth, before);
        before = middle;
        free(picture.data);
    }
    assert_true(most > 0.01 && before == 0);
    view_of(1, 0)->position[0] = 0;
}

/* Bodies with too few neighbours are visible, including those at one place. */
TEST(any_distance_is_drawn)
{
    need_gl(state);
    static const float distances[] = {0, 1e-30f, INFINITY, 1};
    for (int i = 0; i < 4; i++) {
        struct renderer_params params = adaptive(SIDE);
        struct picture picture;
        place(0, SIDE, SIDE, SIDE / 2.0, SIDE / 2.0);
        values_of(COLUMN_DISTANCE)[0] = distances[i];
        draw_measured(&params, 0, &picture);
        assert_int_equal(picture.light.broken, 0);
        assert_true(total_light(&picture) > 0.01);
        free(picture.data);
    }
    struct renderer_params params = adaptive(SIDE);
    struct picture picture;
    struct view view = *view_of(1, 0);
    view.column_count = 0; /* where no body is drawn */
    params.group_count = 0;
    draw_view(&params, &view, &picture);
    assert_true(total_light(&picture) == 0);
    free(picture.data);
}

TEST(levels_lie_apart)
{
    static const uint32_t sizes[][2] = {{64, 36}, {1280, 720}, {720, 1280}, {3872, 2192}, {1, 1}};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        struct sprite_levels levels;
        const uint32_t longer = sizes[s][0] > sizes[s][1] ? sizes[s][0] : sizes[s][1];
        sprite_levels_plan(&levels, LEVEL_SPRITE, sizes[s][0], sizes[s][1], longer);
        assert_true(levels.count >= 1 && levels.count <= LEVELS_MOST);
        assert_true((LEVEL_SPRITE << (levels.count - 1)) >= 4 * (int)longer);
        assert_int_equal(levels.at[0].width, sizes[s][0]);
        assert_int_equal(levels.at[0].height, sizes[s][1]);
        for (int a = 0; a < levels.count; a++) {
            const struct sprite_level *one_level = &levels.at[a];
            const int right = one_level->x + one_level->width + 2 * LEVEL_SPRITE;
            const int above = one_level->y + one_level->height + 2 * LEVEL_SPRITE;
            assert_true(right <= levels.width && above <= levels.height);
            for (int b = 0; b < a; b++) {
                const struct sprite_level *other = &levels.at[b];
                assert_true(other->x + other->width + 2 * LEVEL_SPRITE <= one_level->x ||
                            other->y + other->height + 2 * LEVEL_SPRITE <= one_level->y);
            }
        }
    }
}

TESTS(open_gl, NULL)
