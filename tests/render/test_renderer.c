/* Positions of light, and its sums. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "tests/support/films/drawing.h"

#include <math.h>
#include <string.h>

TEST(a_body_is_drawn_where_it_is)
{
    need_gl(state);
    static const double centres[][2] = {{10.5, 7.5}, {50.5, 7.5}, {10.5, 30.5}, {32, 18}};
    for (size_t i = 0; i < sizeof centres / sizeof centres[0]; i++) {
        struct renderer_params params = usual(PICTURE_RGBA8, WIDTH, HEIGHT);
        struct picture picture;
        place(0, WIDTH, HEIGHT, centres[i][0], centres[i][1]);
        draw(&params, 0, &picture);
        double x_sum = 0, y_sum = 0, sum = 0;
        for (uint32_t y = 0; y < HEIGHT; y++) {
            for (uint32_t x = 0; x < WIDTH; x++) {
                double distance = hypot(x + 0.5 - centres[i][0], y + 0.5 - centres[i][1]);
                int value = red(&picture, x, y);
                if (distance > 4.01 && value != 0)
                    fail_msg("%d instead of black at %u,%u", value, x, y);
                if (distance < 2)
                    assert_true(value > 20);
                assert_int_equal(sample(&picture, 0, 4 * x + 3, y, 1), 255);
                sum += value;
                x_sum += value * (x + 0.5);
                y_sum += value * (y + 0.5);
            }
        }
        assert_true(fabs(x_sum / sum - centres[i][0]) < 0.05);
        assert_true(fabs(y_sum / sum - centres[i][1]) < 0.05);
        free(picture.data);
    }
}

TEST(light_adds_up)
{
    need_gl(state);
    struct renderer_params params = usual(PICTURE_RGBA16, WIDTH, HEIGHT);
    params.look.exposure.factor = 0.25;
    struct picture one, other, both;
    place(0, WIDTH, HEIGHT, 30.5, 18.5);
    draw(&params, 0, &one);
    place(0, WIDTH, HEIGHT, 33.5, 18.5);
    draw(&params, 0, &other);
    place(1, WIDTH, HEIGHT, 30.5, 18.5);
    params.count = 2;
    draw(&params, 0, &both);
    int lit_by_both = 0;
    for (uint32_t y = 0; y < HEIGHT; y++) {
        for (uint32_t x = 0; x < WIDTH; x++) {
            double a = light(&one, x, y), b = light(&other, x, y), sum = light(&both, x, y);
            if (fabs(a + b - sum) > 2e-3 * (a + b) + 1e-5)
                fail_msg("light %g and %g make %g at %u,%u", a, b, sum, x, y);
            lit_by_both += a > 0 && b > 0;
        }
    }
    assert_true(lit_by_both > 10);
    free(one.data);
    free(other.data);
    free(both.data);
}

/* A faint body twice as bright; a group that is not drawn; one with more light. */
TEST(groups_and_exposure_scale_light)
{
    need_gl(state);
    struct renderer_params params = usual(PICTURE_RGBA16, WIDTH, HEIGHT);
    params.look.exposure.factor = 0.2;
    params.count = 3;
    place(0, WIDTH, HEIGHT, 10.5, 18.5);
    place(1, WIDTH, HEIGHT, 30.5, 18.5);
    place(2, WIDTH, HEIGHT, 50.5, 18.5);
    const struct draw_group groups[] = {{.count = 1, .light = 1, .tint = {1, 1, 1}},
                                        {.first = 2, .count = 1, .light = 3, .tint = {1, 1, 1}}};
    params.groups = groups;
    params.group_count = 2;
    struct picture picture, brighter;
    draw(&params, 0, &picture);
    double nominal = light(&picture, 10, 18);
    assert_true(nominal > 0.05);
    assert_int_equal(sample(&picture, 0, 4 * 30, 18, 2), 0);
    assert_true(fabs(light(&picture, 50, 18) / nominal - 3) < 0.01);
    params.look.exposure.factor = 0.4;
    draw(&params, 0, &brighter);
    assert_true(fabs(light(&brighter, 10, 18) / nominal - 2) < 0.01);
    free(picture.data);
    free(brighter.data);
}

/* Found values apply only where the scene gives none. */
TEST(found_values_stand_in)
{
    need_gl(state);
    static const char *const colours[] = {"velocity-rgb", "acceleration"};
    for (size_t i = 0; i < 2; i++) {
        struct renderer_params params = usual(PICTURE_RGBA8, WIDTH, HEIGHT);
        struct picture asked, found, both, other;
        colour_params(&params);
        params.look.color = choose(&colour_registry, colours[i]);
        params.look.speed = params.look.acceleration = 3;
        params.camera.distance = 80;
        draw(&params, 0, &asked);
        params.found.look.speed = params.found.look.acceleration = 0.5;
        params.found.camera.distance = 40;
        draw(&params, 0, &both);
        params.look.speed = params.look.acceleration = params.camera.distance = 0;
        draw(&params, 0, &other);
        params.found.look.speed = params.found.look.acceleration = 3;
        params.found.camera.distance = 80;
        draw(&params, 0, &found);
        assert_true(same_pixels(&asked, &found));
        assert_true(same_pixels(&asked, &both));
        assert_false(same_pixels(&asked, &other));
        free(asked.data);
        free(found.data);
        free(both.data);
        free(other.data);
    }
}

/* A sprite that leaves the picture loses its light gradually. */
TEST(edges_fade)
{
    need_gl(state);
    struct renderer_params params = usual(PICTURE_RGBA16, WIDTH, HEIGHT);
    params.look.exposure.factor = 0.25;
    struct picture picture;
    place(0, WIDTH, HEIGHT, 32.5, 18.5);
    draw(&params, 0, &picture);
    double whole = total_light(&picture), before = -1, outside = 0;
    free(picture.data);
    for (double x = -5; x <= 5; x += 0.5) {
        place(0, WIDTH, HEIGHT, x + 0.001, 18.5);
        draw(&params, 0, &picture);
        double now = total_light(&picture);
        free(picture.data);
        if (before >= 0) {
            assert_true(now >= before - 0.03 * whole); /* the pixel grid moves by half a pixel */
            assert_true(now - before < 0.25 * whole);
        } else {
            assert_true(now == 0);
        }
        if (x == -1)
            outside = now;
        before = now;
    }
    assert_true(outside > 0.1 * whole && outside < 0.5 * whole);
    assert_true(fabs(before - whole) < 0.03 * whole);
}

static double peak(const struct picture *picture)
{
    double most = 0;
    for (uint32_t y = 0; y < picture->layout.height; y++)
        for (uint32_t x = 0; x < picture->layout.width; x++)
            most = fmax(most, light(picture, x, y));
    return most;
}

/* Set once, from the first view: with more bodies later, pictures become brighter. */
TEST(exposure_stays)
{
    need_gl(state);
    struct renderer_params params = usual(PICTURE_RGBA16, WIDTH, HEIGHT);
    params.look.exposure.factor = 0;
    params.count = 4;
    const struct draw_group group = {.count = 4, .light = 1, .tint = {1, 1, 1}};
    params.groups = &group;
    struct renderer *renderer;
    struct picture *first, *again, *crowded;
    assert_ok(renderer_open(&renderer, &params));
    assert_ok(renderer_bind(renderer));
    assert_ok(renderer_picture_create(renderer, &first));
    assert_ok(renderer_picture_create(renderer, &again));
    assert_ok(renderer_picture_create(renderer, &crowded));
    for (int i = 0; i < 4; i++)
        place(i, WIDTH, HEIGHT, 8.5 + 16 * i, 18.5);
    assert_ok(renderer_meter(renderer, view_of(4, 0)));
    double exposure = renderer_exposure(renderer);
    assert_true(exposure > 0);
    /* Two pictures in flight come back in order. */
    assert_ok(renderer_submit(renderer, view_of(4, 0), first));
    struct view view = *view_of(4, 0);
    assert_ok(renderer_submit(renderer, &view, again));
    assert_ok(renderer_wait(renderer));
    assert_ok(renderer_wait(renderer));
    assert_true(same_pixels(first, again));
    for (int i = 0; i < 4; i++)
        place(i, WIDTH, HEIGHT, i < 2 ? 8.5 : 40.5, 18.5);
    assert_ok(renderer_submit(renderer, view_of(4, 0), crowded));
    assert_ok(renderer_wait(renderer));
    assert_true(renderer_exposure(renderer) == exposure);
    assert_true(peak(first) > 0.3);
    double ratio = light(crowded, 8, 20) / light(first, 8, 20);
    assert_true(fabs(ratio - 2) < 0.05);
    renderer_picture_destroy(renderer, &first);
    renderer_picture_destroy(renderer, &again);
    renderer_picture_destroy(renderer, &crowded);
    renderer_unbind(renderer);
    renderer_close(&renderer);
}

static enum status find_half(void *user, struct found *found)
{
    *(int *)user += 1;
    found->look.middle = 0.5;
    return STATUS_OK;
}

static enum status find_nothing(void *user, struct found *found)
{
    (void)user;
    (void)found;
    return status_fail(STATUS_RUNTIME, "the pilot run sees nothing");
}

/* The exposure is the one that values known from the start would have given. */
TEST(what_is_found_late_sets_the_exposure)
{
    need_gl(state);
    struct renderer_params params = usual(PICTURE_RGBA8, WIDTH, HEIGHT);
    struct renderer *renderer;
    double exposure[3];
    int calls = 0;
    params.look.exposure.factor = 0;
    params.look.tone = choose(&tone_registry, "agx");
    for (int i = 0; i < 4; i++)
        place(i, WIDTH, HEIGHT, 8.5 + 16 * i, 18.5);
    for (int i = 0; i < 3; i++) {
        params.found.look.middle = i == 1 ? 0.5 : 1;
        params.find = i == 2 ? find_half : NULL;
        params.find_user = &calls;
        assert_ok(renderer_open(&renderer, &params));
        assert_ok(renderer_bind(renderer));
        assert_ok(renderer_meter(renderer, view_of(4, 0)));
        exposure[i] = renderer_exposure(renderer);
        renderer_unbind(renderer);
        renderer_close(&renderer);
    }
    assert_int_equal(calls, 1);
    assert_true(exposure[1] == 2 * exposure[0]);
    assert_true(exposure[2] == exposure[1]);
    params.find = find_nothing;
    assert_fails(renderer_open(&renderer, &params), STATUS_RUNTIME, "pilot run sees nothing");
    assert_null(renderer);
}

/* The light that was metered is that of the picture, except where dust dims it by the exposure. */
TEST(metered_light_is_drawn_once)
{
    need_gl(state);
    static const struct {
        double dust, glow, stars;
    } looks[] = {{0}, {.glow = 0.2}, {.stars = 50}, {.dust = 1}};
    const struct draw_group groups[] = {
        {.count = 3, .light = 1, .tint = {1, 1, 1}},
        {.first = 3, .count = 1, .light = 1, .tint = {1, 1, 1}, .dusty = true}};
    for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++) {
        struct renderer_params params = usual(PICTURE_RGBA16, WIDTH, HEIGHT);
        params.look.exposure.factor = 0;
        params.look.dust = looks[i].dust;
        params.look.glow = looks[i].glow;
        params.look.background_stars = (uint32_t)looks[i].stars;
        params.count = 4;
        params.groups = groups;
        params.group_count = 2;
        struct renderer *renderer;
        struct picture *metered, *again;
        assert_ok(renderer_open(&renderer, &params));
        assert_ok(renderer_bind(renderer));
        assert_ok(renderer_picture_create(renderer, &metered));
        assert_ok(renderer_picture_create(renderer, &again));
        for (int k = 0; k < 4; k++)
            place(k, WIDTH, HEIGHT, 8.5 + 12 * k, 18.5);
        assert_ok(renderer_meter(renderer, view_of(4, 0)));
        assert_ok(renderer_submit_metered(renderer, view_of(4, 0), metered));
        assert_ok(renderer_wait(renderer));
        assert_ok(renderer_submit(renderer, view_of(4, 0), again));
        assert_ok(renderer_wait(renderer));
        assert_true(peak(metered) > 0.1);
        assert_true(same_pixels(metered, again));
        renderer_picture_destroy(renderer, &metered);
        renderer_picture_destroy(renderer, &again);
        renderer_unbind(renderer);
        renderer_close(&renderer);
    }
}

/* Pictures allocated in one block are separate: each has the content that it would have alone. */
TEST(pictures_share_a_block)
{
    need_gl(state);
    enum { COUNT = 3 };
    const struct renderer_params params = usual(PICTURE_YUV420P, WIDTH - 1, HEIGHT - 1);
    struct renderer *renderer;
    struct picture *picture[COUNT], *alone;
    assert_ok(renderer_open(&renderer, &params));
    assert_ok(renderer_bind(renderer));
    assert_ok(renderer_pictures_create(renderer, COUNT, picture));
    assert_ok(renderer_picture_create(renderer, &alone));
    assert_int_equal(alone->layout.size, renderer_picture_bytes(renderer));
    for (int i = 0; i < COUNT; i++)
        memset(picture[i]->data, i + 1, picture[i]->layout.size);
    place(0, WIDTH, HEIGHT, 8.5, 18.5);
    assert_ok(renderer_submit(renderer, view_of(1, 0), picture[1]));
    assert_ok(renderer_submit(renderer, view_of(1, 0), alone));
    assert_ok(renderer_wait(renderer));
    assert_ok(renderer_wait(renderer));
    assert_memory_equal(picture[1]->data, alone->data, alone->layout.size);
    for (int i = 0; i < COUNT; i += 2)
        for (size_t b = 0; b < picture[i]->layout.size; b++)
            assert_int_equal(picture[i]->data[b], i + 1);
    for (int i = 0; i < COUNT; i++)
        renderer_picture_destroy(renderer, &picture[i]);
    renderer_picture_destroy(renderer, &alone);
    renderer_unbind(renderer);
    renderer_close(&renderer);
}

/* A glow spreads light evenly to all sides and nearly conserves it. */
TEST(bloom_keeps_light)
{
    need_gl(state);
    static const uint32_t sides[] = {256, 255, 257};
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        uint32_t side = sides[i], at = 208;
        struct renderer_params params = usual(PICTURE_RGBA16, side, side);
        params.look.exposure.factor = 0.25;
        place(0, side, side, at, at);
        struct picture sharp, soft;
        draw(&params, 0, &sharp);
        params.look.bloom = 0.5;
        draw(&params, 0, &soft);
        double before = total_light(&sharp), after = total_light(&soft);
        if (fabs(after / before - 1) > 0.1)
            fail_msg("light %g with glow, %g without", after, before);
        assert_true(light(&soft, at, at) < light(&sharp, at, at));
        assert_true(light(&soft, at + 12, at) > 0 && light(&sharp, at + 12, at) == 0);
        for (uint32_t k = 5; k < 15; k += 3) {
            double right = light(&soft, at + k, at), left = light(&soft, at - 1 - k, at);
            double below = light(&soft, at, at + k), above = light(&soft, at, at - 1 - k);
            if (fabs(log(right / left)) > 0.1 || fabs(log(below / above)) > 0.1)
                fail_msg("%ux%u, %u pixels off: left %g, right %g, above %g, below %g", side, side,
                         k, left, right, above, below);
        }
        free(sharp.data);
        free(soft.data);
    }
}

TEST(wrong_requests_are_refused)
{
    need_gl(state);
    struct renderer *renderer;
    struct renderer_params params = usual(PICTURE_RGBA8, WIDTH, HEIGHT);
    params = usual(PICTURE_RGBA8, 1 << 20, 16);
    assert_fails(renderer_open(&renderer, &params), STATUS_USAGE, "--size");
    assert_null(renderer);
}

TESTS(open_gl, NULL)
