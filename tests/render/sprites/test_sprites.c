/* Sizes of sprites, their total light, and that points and quads draw the same. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "render/sprites/modes.h"
#include "render/sprites/sprites.h"
#include "tests/support/films/drawing.h"

#include <math.h>

/* The camera of these pictures is at (100, 0, 0) and looks along -x. */
static double pixels_per_unit(double depth)
{
    return HEIGHT / (2 * tan(10 * M_PI / 180) * depth);
}

static struct renderer_params faint(void)
{
    struct renderer_params params = usual(PICTURE_RGBA16, WIDTH, HEIGHT);
    params.look.exposure.factor = 0.1;
    return params;
}

static double largest_difference(const struct picture *a, const struct picture *b, double *mean)
{
    double most = 0, sum = 0;
    const uint32_t numbers = 4 * a->layout.width;
    assert_int_equal(a->layout.size, b->layout.size);
    for (uint32_t y = 0; y < a->layout.height; y++)
        for (uint32_t i = 0; i < numbers; i++) {
            double off = fabs(sample(a, 0, i, y, 2) - (double)sample(b, 0, i, y, 2)) / 65535;
            most = fmax(most, off);
            sum += off;
        }
    *mean = sum / numbers / a->layout.height;
    return most;
}

static void assert_alike(const char *what, const struct renderer_params *a,
                         const struct renderer_params *b)
{
    struct picture first, second;
    double mean;
    draw(a, 0, &first);
    draw(b, 0, &second);
    assert_true(total_light(&first) > 0.05);
    double most = largest_difference(&first, &second, &mean);
    /* GPUs place points on a grid of a 256th of a pixel, and their edges may be a pixel off. */
    if (most > 0.02 || mean > 0.001)
        fail_msg("%s: pixels differ by %g at most and %g in the mean", what, most, mean);
    free(first.data);
    free(second.data);
}

TEST(points_and_quads_draw_alike)
{
    need_gl(state);
    static char *const modes[] = {"sprites", "sprites-plain", "activity"};
    static char *const tones[] = {"velocity-rgb", "density"};
    for (size_t m = 0; m < 3; m++)
        for (size_t c = 0; c < 2; c++) {
            struct renderer_params points = usual(PICTURE_RGBA16, WIDTH, HEIGHT), quads;
            colour_params(&points);
            points.look.exposure.factor = 0.3;
            points.look.mode = choose(&draw_mode_registry, modes[m]);
            points.look.color = choose(&colour_registry, tones[c]);
            points.look.plain[0] = 1;
            points.look.bloom = 0.3;
            quads = points;
            quads.quads = true;
            assert_alike(modes[m], &points, &quads);
        }
}

/* A square covers the same pixels either way; on the edge between pixels either result may be
 * right. */
TEST(squares_are_alike)
{
    need_gl(state);
    for (int size = 1; size <= 6; size++) {
        struct renderer_params points = faint(), quads;
        points.look.mode = choose(&draw_mode_registry, "points");
        points.look.point_size = size * 1080.0 / HEIGHT;
        place(0, WIDTH, HEIGHT, 30.3, 20.2);
        quads = points;
        quads.quads = true;
        assert_alike("points", &points, &quads);
    }
}

TEST(a_radius_is_a_length)
{
    need_gl(state);
    struct renderer_params by_size = faint(), by_radius = faint();
    place(0, WIDTH, HEIGHT, 32, 18);
    by_radius.look.radius = 4 / pixels_per_unit(100);
    assert_alike("at the target", &by_size, &by_radius);
    /* At half the distance, and without the growth limit much closer, it has its true width. */
    static const double depths[] = {50, 20, 200};
    for (size_t i = 0; i < 3; i++) {
        view_of(1, 0)->position[0] = (float)(100 - depths[i]);
        by_radius.look.radius = 6 / pixels_per_unit(depths[i]);
        struct renderer_params expected = faint();
        expected.look.point_size = 12 * 1080.0 / HEIGHT * depths[i] / 100;
        if (12 * depths[i] / 100 * 6 > 12) /* within the limit of growth */
            assert_alike("elsewhere", &expected, &by_radius);
    }
    view_of(1, 0)->position[0] = 0;
}

/* Where a sprite is smaller than the smallest size, its light decreases with its area, without a
 * jump. */
TEST(light_falls_with_the_area)
{
    need_gl(state);
    double before = 0;
    for (double size = 8; size > 0.2; size /= 1.25) {
        struct renderer_params params = faint();
        struct picture picture;
        params.look.exposure.factor = 0.5;
        params.look.smallest = 4;
        params.look.radius = size / 2 / pixels_per_unit(100);
        place(0, WIDTH, HEIGHT, 32.3, 18.2);
        draw(&params, 0, &picture);
        double light = total_light(&picture) / (size * size);
        if (before > 0 && fabs(light / before - 1) > 0.04)
            fail_msg("light an area of %g at %g pixels, %g before", light, size, before);
        before = light;
        free(picture.data);
    }
}

/* As it approaches, a body grows beyond any point size, fades without a jump, and is dark before
 * the camera is within it. */
TEST(near_the_camera_nothing_jumps)
{
    need_gl(state);
    double before = -1, most = 0;
    for (double depth = 60; depth > 0.11; depth /= 1.05) {
        struct renderer_params params = faint();
        struct picture picture;
        params.look.exposure.factor = 0.02;
        params.look.radius = 8 / pixels_per_unit(100);
        place(0, WIDTH, HEIGHT, 32, 18);
        view_of(1, 0)->position[0] = (float)(100 - depth);
        draw(&params, 0, &picture);
        double light = total_light(&picture);
        most = fmax(most, light);
        if (before >= 0 && fabs(light - before) > 0.12 * most)
            fail_msg("light %g at depth %g, %g before", light, depth, before);
        before = light;
        free(picture.data);
    }
    assert_true(most > 1 && before == 0);
    view_of(1, 0)->position[0] = 0;
}

/* By the distance in radii: full light from 8 on, half at 5, none at 2, for any kind of radius. A
 * body as far as the target has full light. */
TEST(near_bodies_fade)
{
    need_gl(state);
    static const double part[][2] = {{8, 1}, {6.5, 0.84375}, {5, 0.5}, {3.5, 0.15625}, {2, 0}};
    for (int adapts = 0; adapts < 2; adapts++) {
        struct renderer_params params = usual(PICTURE_RGBA16, 120, 120);
        double whole = 0;
        params.look.exposure.factor = 0.1;
        params.look.radius = 0.7;
        params.found.look.spacing = 0.7;
        params.camera.fov = 120;
        if (adapts)
            params.look.size = choose(&sprite_sizing_registry, "adaptive");
        for (int i = -1; i < 5; i++) {
            struct picture picture;
            const double apart = i < 0 ? 12 : part[i][0];
            place(0, 120, 120, 60, 60);
            view_of(1, 0)->position[0] = (float)(100 - 0.7 * apart);
            values_of(COLUMN_DISTANCE)[0] = 1; /* of which 0.7 is the radius */
            draw(&params, 0, &picture);
            const double now = total_light(&picture) * apart * apart;
            free(picture.data);
            if (i < 0)
                whole = now;
            else if (!(fabs(now / whole - part[i][1]) < 0.02))
                fail_msg("%g of the light at %g radii", now / whole, apart);
        }
        assert_true(whole > 1);
    }
    view_of(1, 0)->position[0] = 0;
}

/* At the target a body has all its light, however much of the picture it covers. */
TEST(lonely_bodies_do_not)
{
    need_gl(state);
    double before = 0;
    for (double radius = 5; radius < 30; radius *= 1.5) {
        struct renderer_params params = usual(PICTURE_RGBA16, 120, 120);
        struct picture picture;
        params.camera.fov = 60;
        params.look.size = choose(&sprite_sizing_registry, "adaptive");
        params.look.exposure.factor = 0.1;
        params.found.look.spacing = 10;
        place(0, 120, 120, 60, 60);
        values_of(COLUMN_DISTANCE)[0] = (float)(radius / 0.7);
        draw(&params, 0, &picture);
        const double now = total_light(&picture);
        if (!(now > 1) || (before > 0 && fabs(now / before - 1) > 0.02))
            fail_msg("light %g at a radius of %g, %g before", now, radius, before);
        before = now;
        free(picture.data);
    }
}

static double light_at(const struct renderer_params *params, double x)
{
    struct picture picture;
    place(0, WIDTH, HEIGHT, x, 18.3);
    draw(params, 0, &picture);
    double light = total_light(&picture);
    free(picture.data);
    return light;
}

/* However drawn, sprites leave gradually: a step of half a pixel removes at most the light of one
 * column of the sprite. */
TEST(edges_are_crossed_smoothly)
{
    need_gl(state);
    static const struct {
        char *mode;
        bool quads;
        double size, radius, column;
    } cases[] = {
        {"sprites", false, 12, 0, 0.08}, {"sprites", true, 12, 0, 0.08},
        {"points", false, 6, 0, 0.17},   {"points", true, 6, 0, 0.17},
        {"sprites", false, 0, 6, 0.08},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct renderer_params params = faint();
        params.look.mode = choose(&draw_mode_registry, cases[i].mode);
        params.quads = cases[i].quads;
        params.look.point_size = cases[i].size * 1080 / HEIGHT;
        params.look.radius = cases[i].radius / pixels_per_unit(100);
        double whole = light_at(&params, 32.1), before = 0;
        for (double x = WIDTH + 7; x > WIDTH - 8; x -= 0.5) {
            double now = light_at(&params, x + 0.1);
            if (fabs(now - before) > (cases[i].column + 0.02) * whole ||
                now < before - 0.03 * whole)
                fail_msg("case %zu: light %g at %g, %g before, %g in all", i, now, x, before,
                         whole);
            before = now;
        }
        assert_true(fabs(before / whole - 1) < 0.03);
    }
}

TEST(profiles_hold_the_same_light)
{
    need_gl(state);
    double soft = 0, soft_middle = 0, middle = 0;
    const struct sprite_profile *profile;
    for (size_t i = 0; (profile = choice_at(&sprite_profile_registry, i)); i++) {
        struct renderer_params params = usual(PICTURE_RGBA16, 128, 128);
        struct picture picture;
        params.look.exposure.factor = 0.05;
        params.look.point_size = 60.0 * 1080 / 128;
        params.look.profile = profile;
        place(0, 128, 128, 64, 64);
        draw(&params, 0, &picture);
        double total = total_light(&picture);
        if (i == 0) {
            soft = total;
            soft_middle = light(&picture, 64, 64);
            assert_true(fabs(total / (0.05 * M_PI / 3 * 30 * 30) - 1) < 0.01);
        } else {
            assert_true(fabs(total / soft - 1) < 0.01);
            assert_true(light(&picture, 64, 64) > 1.2 * fmax(middle, soft_middle));
        }
        middle = light(&picture, 64, 64);
        assert_true(light(&picture, 64 + 28, 64) < 0.02 * middle); /* no step at the edge */
        assert_int_equal(sample(&picture, 0, 4 * 95, 64, 2), 0);
        assert_ptr_equal(choice_find(&sprite_profile_registry, profile->name), profile);
        free(picture.data);
    }
    assert_null(choice_find(&sprite_profile_registry, "square"));
}

TEST(heavy_bodies_shine_more)
{
    need_gl(state);
    struct renderer_params params = faint();
    struct picture picture;
    for (int i = 0; i < 3; i++)
        place(i, WIDTH, HEIGHT, 12.5 + 18 * i, 18.5);
    float *position = view_of(3, 0)->position;
    position[3] = 6;
    position[4 + 3] = 0;
    position[8 + 3] = 3;
    params.count = 3;
    params.look.weight = choose(&light_weight_registry, "mass");
    params.found.look.mean_mass = 3;
    draw(&params, 0, &picture);
    double heavy = light(&picture, 12, 18), mean = light(&picture, 48, 18);
    assert_true(fabs(heavy / mean - 2) < 0.01);
    assert_int_equal(sample(&picture, 0, 4 * 30, 18, 2), 0);
    free(picture.data);
    params.look.weight = choose(&light_weight_registry, "component");
    draw(&params, 0, &picture);
    assert_true(fabs(light(&picture, 12, 18) / mean - 1) < 0.01);
    free(picture.data);
    struct renderer *renderer;
    params.look.weight = choose(&light_weight_registry, "mass");
    params.found.look.mean_mass = 0;
    assert_fails(renderer_open(&renderer, &params), STATUS_USAGE, "look.weight mass");
}

/* Over motions within a pixel, the light of a tiny body is steadier with many samples. */
TEST(samples_are_the_mean_of_places)
{
    need_gl(state);
    double spread[2];
    for (int many = 0; many < 2; many++) {
        double least = INFINITY, most = 0;
        for (int i = 0; i < 8; i++) {
            struct renderer_params params = faint();
            struct picture picture;
            params.look.exposure.factor = 0.3;
            params.look.smallest = 1.5;
            params.look.point_size = 1.5 * 1080 / HEIGHT;
            params.look.samples = many ? 16 : 1;
            place(0, WIDTH, HEIGHT, 32 + 0.125 * i, 18.4);
            draw(&params, 0, &picture);
            const struct spot spot = spot_within(&picture, 0, 0, 0, WIDTH, HEIGHT);
            if (many && hypot(spot.x - 32 - 0.125 * i, spot.y - 18.4) > 0.1)
                fail_msg("the light's centre is %g, %g", spot.x, spot.y);
            least = fmin(least, spot.light);
            most = fmax(most, spot.light);
            free(picture.data);
        }
        spread[many] = most / least - 1;
    }
    assert_true(spread[0] > 0.15);
    assert_true(spread[1] < 0.05);
}

TEST(the_pattern_is_even)
{
    for (unsigned count = 1; count <= SPRITE_SAMPLES_MAX; count++) {
        struct sprite_sample samples[SPRITE_SAMPLES_MAX];
        double x = 0, y = 0, moment = 0, together = 0;
        bool taken[SPRITE_SAMPLES_MAX] = {false};
        sprite_samples_make(samples, count);
        for (unsigned i = 0; i < count; i++) {
            const struct sprite_sample *s = &samples[i];
            unsigned part = (unsigned)((s->moment + 0.5) * (float)count);
            x += s->x;
            y += s->y;
            moment += s->moment;
            together += s->x * s->moment;
            assert_true(fabs(s->x) < 0.5 && fabs(s->y) < 0.65 && fabs(s->moment) < 0.5);
            assert_true(part < count && !taken[part]);
            taken[part] = true;
        }
        assert_true(fabs(x) < 1e-4 && fabs(y) < 1e-4 && fabs(moment) < 1e-4);
        /* Position and moment are uncorrelated. */
        assert_true(count < 8 || fabs(12 * together / count) < 0.4);
    }
}

/* A body that moves by 20 pixels from frame to frame, seen through a shutter open half the time. */
TEST(the_shutter_shows_motion)
{
    need_gl(state);
    struct renderer_params params = faint();
    struct picture picture, still;
    struct view view;
    params.look.exposure.factor = 0.5;
    params.look.samples = 32;
    params.look.point_size = 4.0 * 1080 / HEIGHT;
    place(0, WIDTH, HEIGHT, 32, 18);
    view = *view_of(1, 0);
    view.interval = 0.25;
    view.velocity[1] = (float)(20 / pixels_per_unit(100) / view.interval);
    draw_view(&params, &view, &still);
    params.look.shutter = 0.5;
    draw_view(&params, &view, &picture);
    assert_true(fabs(total_light(&picture) / total_light(&still) - 1) < 0.02);
    const struct spot spot = spot_within(&picture, 0, 0, 0, WIDTH, HEIGHT);
    assert_true(hypot(spot.x - 32, spot.y - 18) < 0.05);
    /* From 27 to 37, evenly, and nowhere else. */
    double middle = light(&picture, 32, 17);
    for (uint32_t x = 29; x < 35; x++)
        assert_true(fabs(light(&picture, x, 17) / middle - 1) < 0.12);
    assert_true(light(&picture, 24, 17) == 0 && light(&picture, 40, 17) == 0);
    assert_true(light(&still, 28, 17) == 0);
    free(picture.data);
    free(still.data);
}

TESTS(open_gl, NULL)
