/* Measured light: its sums, its hash, and that measuring changes nothing. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "tests/support/films/drawing.h"

#include <math.h>
#include <string.h>

TEST(measuring_changes_no_picture)
{
    need_gl(state);
    struct renderer_params params = usual(PICTURE_RGBA8, WIDTH, HEIGHT);
    struct picture measured, plain;
    colour_params(&params);
    params.look.bloom = 0.2;
    draw_measured(&params, 0, &measured);
    draw(&params, 0, &plain);
    assert_true(same_pixels(&measured, &plain));
    assert_string_equal(plain.light.hash, "");
    assert_int_equal(strlen(measured.light.hash), HASH_TEXT - 1);
    free(measured.data);
    free(plain.data);
}

TEST(light_is_before_glow_and_exposure)
{
    need_gl(state);
    struct renderer_params params = usual(PICTURE_RGBA8, WIDTH, HEIGHT);
    struct picture first, other;
    colour_params(&params);
    params.look.bloom = 0.2;
    draw_measured(&params, 0, &first);
    params.look.bloom = 0.4;
    params.look.exposure.factor = 3;
    draw_measured(&params, 0, &other);
    assert_false(same_pixels(&first, &other));
    assert_string_equal(first.light.hash, other.light.hash);
    assert_memory_equal(first.light.sum, other.light.sum, sizeof first.light.sum);
    free(first.data);
    free(other.data);
}

/* Two bodies have twice the light of one; the sums match the pictures. */
TEST(sums_add_up)
{
    need_gl(state);
    struct renderer_params params = usual(PICTURE_RGBA16, WIDTH, HEIGHT);
    struct picture one, two;
    params.look.exposure.factor = 0.25;
    place(0, WIDTH, HEIGHT, 20.5, 18.5);
    draw_measured(&params, 0, &one);
    place(1, WIDTH, HEIGHT, 45.5, 18.5);
    params.count = 2;
    draw_measured(&params, 0, &two);
    assert_string_not_equal(one.light.hash, two.light.hash);
    for (int c = 0; c < 3; c++) {
        assert_true(one.light.sum[c] > 0);
        assert_true(fabs(two.light.sum[c] / one.light.sum[c] - 2) < 1e-3);
    }
    assert_true(fabs(total_light(&one) / (0.25 * one.light.sum[0]) - 1) < 0.01);
    assert_int_equal(two.light.broken, 0);
    free(one.data);
    free(two.data);
}

/* Panels are hashed in their order, a sphere once it is whole. */
TEST(panels_and_spheres)
{
    need_gl(state);
    struct renderer_params params = usual(PICTURE_RGBA8, WIDTH, HEIGHT);
    struct picture flat, pair, sphere;
    colour_params(&params);
    draw_measured(&params, 0, &flat);
    params.camera.projection = choose(&projection_registry, "side-by-side");
    draw_measured(&params, 0, &pair);
    params.camera.projection = choose(&projection_registry, "equirect");
    params.width = 2 * HEIGHT;
    draw_measured(&params, 0, &sphere);
    assert_string_not_equal(flat.light.hash, pair.light.hash);
    assert_string_not_equal(flat.light.hash, sphere.light.hash);
    assert_true(pair.light.sum[1] > 0 && sphere.light.sum[1] > 0);
    free(flat.data);
    free(pair.data);
    free(sphere.data);
}

/* Each channel separately: light is a body's displayed colour to the power 2.2. */
TEST(channels_add_up)
{
    need_gl(state);
    struct renderer_params params = usual(PICTURE_RGBA8, WIDTH, HEIGHT);
    const struct draw_group group = {
        .count = 1, .light = 1, .tint = {1, 0.5f, 0.25f}, .given = true};
    struct picture picture;
    params.look.color = choose(&colour_registry, "galaxy");
    params.groups = &group;
    params.group_count = 1;
    place(0, WIDTH, HEIGHT, 30.5, 18.5);
    draw_measured(&params, 0, &picture);
    const double *sum = picture.light.sum;
    print_message("%g %g %g\n", sum[0], sum[1], sum[2]);
    assert_true(sum[0] > 0 && sum[1] > 0.1 * sum[0] && sum[1] < 0.6 * sum[0]);
    assert_true(fabs(sum[2] / sum[1] / (sum[1] / sum[0]) - 1) < 0.01);
    free(picture.data);
}

/* A body whose light is NaN, in all channels or in one of them. */
TEST(broken_light_is_counted)
{
    need_gl(state);
    for (int channel = -1; channel < 3; channel++) {
        struct renderer_params params = usual(PICTURE_RGBA8, WIDTH, HEIGHT);
        struct draw_group group = {.count = 1, .light = channel < 0 ? NAN : 1, .tint = {1, 1, 1}};
        struct picture picture;
        if (channel >= 0) {
            params.look.color = choose(&colour_registry, "galaxy");
            group.tint[channel] = INFINITY;
        }
        params.groups = &group;
        params.group_count = 1;
        place(0, WIDTH, HEIGHT, 30.5, 18.5);
        draw_measured(&params, 0, &picture);
        if (!(picture.light.broken > 0 && picture.light.broken < WIDTH * HEIGHT))
            fail_msg("channel %d: %d broken pixels", channel, (int)picture.light.broken);
        for (int c = 0; c < 3; c++)
            assert_true(isfinite(picture.light.sum[c]));
        free(picture.data);
    }
}

TESTS(open_gl, NULL)
