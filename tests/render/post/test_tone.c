/* Tone curves: more light is never displayed darker, a colour keeps its hue at any light, and
 * mapped values are averaged. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "render/colour/legend.h"
#include "render/post/exposure.h"
#include "tests/support/films/drawing.h"

#include <math.h>
#include <string.h>

static const double knee = 0.7; /* from here on log rolls off to white */

static struct renderer_params toned(const char *tone)
{
    struct renderer_params params = usual(PICTURE_RGBA16, WIDTH, HEIGHT);
    params.look.tone = choose(&tone_registry, tone);
    place(0, WIDTH, HEIGHT, WIDTH / 2.0, HEIGHT / 2.0);
    return params;
}

/* Linear light as displayed in the picture's middle. */
static void middle(const struct renderer_params *params, double out[3])
{
    struct picture picture;
    draw(params, 0, &picture);
    for (uint32_t c = 0; c < 3; c++)
        out[c] = pow(sample(&picture, 0, 4 * (WIDTH / 2) + c, HEIGHT / 2, 2) / 65535.0, 2.2);
    free(picture.data);
}

TEST(more_light_is_brighter_in_the_same_colour)
{
    need_gl(state);
    static char *const names[] = {"log", "asinh", "agx", "linear"};
    const double hue[3] = {1, pow(0.5, 2.2), pow(0.25, 2.2)};
    for (size_t i = 0; i < 4; i++) {
        struct renderer_params params = toned(names[i]);
        double before = 0, shown[3], brightest = 0;
        params.look.mode = choose(&draw_mode_registry, "sprites-plain");
        memcpy(params.look.plain, (double[]){1, 0.5, 0.25}, sizeof params.look.plain);
        for (double exposure = 1e-3; exposure < 30; exposure *= 3) {
            params.look.exposure.factor = exposure;
            middle(&params, shown);
            if (!(shown[0] >= before))
                fail_msg("%s: %g at exposure %g, %g before", names[i], shown[0], exposure, before);
            const double paler = strcmp(names[i], "log") == 0     ? pow(knee, 2.4)
                                 : strcmp(names[i], "asinh") == 0 ? pow(knee, 2.2)
                                                                  : 1;
            for (int c = 1; c < 3 && strcmp(names[i], "agx") != 0; c++)
                if (shown[0] > 0.01 && shown[0] <= paler &&
                    fabs(shown[c] / shown[0] / hue[c] - 1) > 0.02)
                    fail_msg("%s: channel %d is %g of the first, not %g", names[i], c,
                             shown[c] / shown[0], hue[c]);
            assert_true(shown[0] >= shown[1] && shown[1] >= shown[2]);
            before = shown[0];
            brightest = fmax(brightest, shown[0]);
        }
        assert_true(brightest > 0.9);
    }
}

TEST(log_shows_three_decades_and_rolls_off)
{
    need_gl(state);
    struct renderer_params params = toned("log");
    double shown[3];
    for (double light = 10; light > 1e-4; light /= 10) {
        double part = log1p(EXPOSURE_CONTRAST * light) / log1p((double)EXPOSURE_CONTRAST);
        if (part > knee)
            part = 1 - (1 - knee) * exp(-(part - knee) / (1 - knee));
        const double expected = pow(part, 2.4 / 2.2);
        params.look.exposure.factor = light;
        params.look.point_size = 15.0 * 1080 / HEIGHT;
        middle(&params, shown);
        if (fabs(pow(shown[0], 1 / 2.2) - expected) > 0.01)
            fail_msg("%g of white is shown as %g, not %g", light, pow(shown[0], 1 / 2.2), expected);
    }
}

/* In proportion to faint light, by the logarithm of bright light. */
TEST(asinh_is_linear_and_then_logarithmic)
{
    need_gl(state);
    struct renderer_params params = toned("asinh");
    double shown[3];
    for (double light = 3; light > 1e-4; light /= 3) {
        double part = asinh(300 * light) / asinh(300.0);
        if (part > knee)
            part = 1 - (1 - knee) * exp(-(part - knee) / (1 - knee));
        params.look.exposure.factor = light;
        params.look.point_size = 15.0 * 1080 / HEIGHT;
        middle(&params, shown);
        if (fabs(pow(shown[0], 1 / 2.2) - part) > 0.01)
            fail_msg("%g of white is shown as %g, not %g", light, pow(shown[0], 1 / 2.2), part);
    }
}

/* The brightness of the middle for a body of each tint with the given light. */
static double luma_of(const char *tone, float orange, float blue)
{
    struct renderer_params params = toned(tone);
    const struct draw_group groups[] = {
        {.count = 1, .light = orange, .tint = {1, 0.7f, 0.28f}},
        {.first = 1, .count = 1, .light = blue, .tint = {0.44f, 0.72f, 1}},
    };
    double shown[3];
    place(1, WIDTH, HEIGHT, WIDTH / 2.0, HEIGHT / 2.0);
    params.count = 2;
    params.groups = groups;
    params.group_count = 2;
    params.look.color = choose(&colour_registry, "galaxy");
    params.look.exposure.factor = 0.1;
    middle(&params, shown);
    return 0.2126 * shown[0] + 0.7152 * shown[1] + 0.0722 * shown[2];
}

/* Otherwise a pale seam would appear between galaxies of equal brightness. */
TEST(two_colours_are_no_brighter_than_either)
{
    need_gl(state);
    static const char *const names[] = {"log", "asinh", "agx", "linear"};
    for (size_t i = 0; i < 4; i++) {
        const double orange = luma_of(names[i], 1, 0), blue = luma_of(names[i], 0, 1);
        const double both = luma_of(names[i], 0.5f, 0.5f);
        if (!(both < 1.02 * fmax(orange, blue) && both > 0.95 * fmin(orange, blue)))
            fail_msg("%s: %g together, %g and %g alone", names[i], both, orange, blue);
    }
}

/* Many bodies of one value, and as many of another: the map's colour of their mean, however bright.
 */
TEST(a_core_is_on_the_map)
{
    need_gl(state);
    static const float speeds[2] = {0.9f, 0.5f};
    struct renderer_params params = toned("log");
    float expected[3];
    enum { BODIES = 40 };
    for (int i = 0; i < BODIES; i++) {
        place(i, WIDTH, HEIGHT, WIDTH / 2.0, HEIGHT / 2.0);
        view_of(BODIES, 0)->velocity[4 * i] = speeds[i % 2];
    }
    params.count = BODIES;
    params.look.color = choose(&colour_registry, "speed");
    params.look.map = choose(&colour_map_registry, "viridis");
    colour_map_at(params.look.map, 0.7f, expected);
    for (double bloom = 0; bloom < 1; bloom += 0.5) {
        double shown[3];
        params.look.bloom = bloom;
        params.look.exposure.factor = 1e4;
        middle(&params, shown);
        for (int c = 0; c < 3; c++)
            if (fabs(pow(shown[c], 1 / 2.2) - (double)expected[c]) > 0.01)
                fail_msg("channel %d is %g, not %g", c, pow(shown[c], 1 / 2.2),
                         (double)expected[c]);
    }
}

/* Stars do not affect the exposure: their light counts as if it were spread over their
 * surroundings. */
TEST(stars_count_by_the_light_around_them)
{
    enum { EDGE = 4 * 96, BLOCK = 4, STARS = EDGE * EDGE / BLOCK / BLOCK };
    static float light[EDGE][EDGE][4];
    need_gl(state);
    struct renderer_params params = usual(PICTURE_RGBA8, WIDTH, HEIGHT);
    struct renderer *renderer;
    struct exposure_reading even, starry;
    struct gl_target target;
    const struct tone *tone = choose(&tone_registry, "log");
    assert_ok(renderer_open(&renderer, &params));
    assert_ok(renderer_bind(renderer));
    assert_ok(gl_target_create(&target, GL_RGBA32F, EDGE, EDGE));
    for (int way = 0; way < 2; way++) {
        for (int i = 0; i < EDGE * EDGE; i++)
            light[i / EDGE][i % EDGE][3] = way == 0;
        for (int i = 0; i < STARS && way == 1; i++)
            light[BLOCK * (i / (EDGE / BLOCK)) + i % 3][BLOCK * (i % (EDGE / BLOCK)) + i % 4][3] =
                BLOCK * BLOCK;
        glBindTexture(GL_TEXTURE_2D, target.texture);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, EDGE, EDGE, GL_RGBA, GL_FLOAT, light);
        assert_ok(exposure_measure(&target, tone, &(struct look_found){0}, way ? &starry : &even));
    }
    assert_true(fabs(even.factor / tone->middle - 1) < 1e-12 && starry.factor == even.factor);
    gl_target_destroy(&target);
    renderer_unbind(renderer);
    renderer_close(&renderer);
}

TEST(the_exposure_is_of_the_light)
{
    enum { EDGE = 20 };
    static float light[EDGE * EDGE][4];
    need_gl(state);
    struct renderer_params params = usual(PICTURE_RGBA8, WIDTH, HEIGHT);
    struct renderer *renderer;
    struct exposure_reading reading;
    struct gl_target target;
    const struct tone *tone = choose(&tone_registry, "agx");
    assert_ok(renderer_open(&renderer, &params));
    assert_ok(renderer_bind(renderer));
    assert_ok(gl_target_create(&target, GL_RGBA32F, EDGE, EDGE));
    glBindTexture(GL_TEXTURE_2D, target.texture);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, EDGE, EDGE, GL_RGBA, GL_FLOAT, light);
    assert_ok(exposure_measure(&target, tone, &(struct look_found){0}, &reading));
    assert_true(reading.factor == 1 && reading.contrast == EXPOSURE_CONTRAST);
    /* What is faint holds 28 percent of the light, and one pixel 72, so that it is the median. */
    for (int i = 0; i < EDGE * EDGE; i++) {
        light[i][3] = i == 7 ? 1000 : 1;
        light[i][0] = 1e6f;
    }
    glBindTexture(GL_TEXTURE_2D, target.texture);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, EDGE, EDGE, GL_RGBA, GL_FLOAT, light);
    assert_ok(exposure_measure(&target, tone, &(struct look_found){0}, &reading));
    assert_true(fabs(reading.factor * 1000 / tone->middle - 1) < 1e-12);
    assert_true(fabs(reading.contrast * tone->middle / 1000 - 1) < 1e-12);
    const struct look_found found = {.brightest = 3, .middle = 2, .faintest = 4};
    assert_ok(exposure_measure(&target, tone, &found, &reading));
    assert_true(fabs(reading.factor * 2000 / tone->middle - 1) < 1e-12);
    assert_true(fabs(reading.contrast * tone->middle / 500 - 1) < 1e-12);
    const struct look_found fainter = {.faintest = 1e-3}; /* the least is a part in 10,000 */
    assert_ok(exposure_measure(&target, tone, &fainter, &reading));
    assert_true(reading.contrast == 1e4);
    const struct look_found nearer = {.faintest = 1e3};
    assert_ok(exposure_measure(&target, tone, &nearer, &reading));
    assert_true(reading.contrast == EXPOSURE_CONTRAST);
    tone = choose(&tone_registry, "linear");
    for (int i = 0; i < EDGE * EDGE; i++) /* the brightest pixel has half a percent: it is white */
        light[i][3] = i == 7 ? 2 : 1;
    glBindTexture(GL_TEXTURE_2D, target.texture);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, EDGE, EDGE, GL_RGBA, GL_FLOAT, light);
    assert_ok(exposure_measure(&target, tone, &(struct look_found){0}, &reading));
    assert_true(fabs(reading.factor * 2 - 1) < 1e-12);
    gl_target_destroy(&target);
    renderer_unbind(renderer);
    renderer_close(&renderer);
}

static void show(struct renderer *renderer, struct picture **picture)
{
    assert_ok(renderer_picture_create(renderer, picture));
    assert_ok(renderer_submit(renderer, view_of(1, 1), *picture));
    assert_ok(renderer_wait(renderer));
}

/* A film that continues elsewhere is exposed as before, whatever is visible there. */
TEST(what_was_metered_goes_on)
{
    need_gl(state);
    struct renderer_params params = toned("log");
    struct renderer *renderer[2];
    struct picture *picture[2];
    double metered[RENDERER_STATE];
    params.look.exposure.factor = 0;
    params.look.point_size = 15.0 * 1080 / HEIGHT;
    for (int i = 0; i < 2; i++) {
        assert_ok(renderer_open(&renderer[i], &params));
        assert_ok(renderer_bind(renderer[i]));
        if (i == 0) {
            assert_ok(renderer_meter(renderer[0], view_of(1, 0)));
            renderer_state(renderer[0], metered);
        } else {
            renderer_resume(renderer[1], metered);
        }
        show(renderer[i], &picture[i]);
        renderer_unbind(renderer[i]);
    }
    assert_true(same_pixels(picture[0], picture[1]));
    assert_true(red(picture[0], 0, 0) == 0 && light(picture[0], WIDTH / 2, HEIGHT / 2) > 1);
    for (int i = 0; i < 2; i++) {
        assert_ok(renderer_bind(renderer[i]));
        renderer_picture_destroy(renderer[i], &picture[i]);
        renderer_unbind(renderer[i]);
        renderer_close(&renderer[i]);
    }
}

TESTS(open_gl, NULL)
