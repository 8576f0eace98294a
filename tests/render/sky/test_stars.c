/* The stars and galaxies of look.background_stars and background_galaxies: infinitely far away,
 * behind light that they do not change. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "base/choice.h"
#include "render/camera/camera.h"
#include "render/camera/project.h"
#include "render/post/exposure.h"
#include "render/sky/sky.h"
#include "tests/support/films/drawing.h"

#include <math.h>
#include <stdlib.h>

enum { SIDE = 240, COUNT = 3000 };

static const struct draw_group dark = {.first = 0, .count = 1, .light = 0, .tint = {1, 1, 1}};

/* No light but that of white stars. */
static struct renderer_params stars(uint32_t width, uint32_t height)
{
    struct renderer_params params = usual(PICTURE_RGBA16, width, height);
    params.look.background_stars = COUNT;
    params.look.background_light = 1;
    params.look.saturation = 0;
    params.camera.fov = 60;
    params.groups = &dark;
    params.seed = 1;
    place(0, width, height, width / 2.0, height / 2.0);
    return params;
}

static bool same(const struct renderer_params *a, const struct renderer_params *b)
{
    struct picture one, other;
    draw(a, 0, &one);
    draw(b, 0, &other);
    assert_true(total_light(&one) > 0.5);
    const bool alike = same_pixels(&one, &other);
    free(one.data);
    free(other.data);
    return alike;
}

/* A spot's light for one of 1 in its middle, in squares of its deviation: the Gaussian is cut
 * softly at four of them. */
static double spot_light(void)
{
    double sum = 0;
    for (double r = 0.0005; r < 4; r += 0.001)
        sum += 2 * M_PI * r * 0.001 * exp(-0.5 * r * r) * pow(1 - r * r / 16, 2);
    return sum;
}

static double usual_light(void)
{
    return tone_filmic.light(0.12, 1);
}

/* The same of a galaxy, in squares of its scale length. */
static double disk_light(void)
{
    double sum = 0;
    for (double r = 0.0005; r < 4; r += 0.001)
        sum += 2 * M_PI * r * 0.001 * exp(0.2 - sqrt(r * r + 0.04)) * pow(1 - r * r / 16, 2);
    return sum;
}

/* Every star of the sky, or galaxy, is in the picture, with its light per solid angle. The sphere
 * is so wide that few overlap. */
TEST(a_sphere_holds_the_light_of_all)
{
    need_gl(state);
    enum { WIDE = 1920 };
    static struct sky_star sky[COUNT];
    for (int galaxies = 0; galaxies < 2; galaxies++) {
        const uint32_t count = galaxies ? 500 : COUNT;
        struct renderer_params params = stars(WIDE, WIDE / 2);
        struct picture picture;
        double found = 0, expected = 0;
        params.look.background_stars = galaxies ? 0 : count;
        params.look.background_galaxies = galaxies ? count : 0;
        params.camera.projection = choose(&projection_registry, "equirect");
        params.look.background_light = 0.2; /* so that 16 bits resolve the light */
        draw(&params, 0, &picture);
        for (uint32_t y = 0; y < WIDE / 2; y++)
            for (uint32_t x = 0; x < WIDE; x++)
                found += light(&picture, x, y) * cos(M_PI * ((y + 0.5) / (WIDE / 2) - 0.5));
        free(picture.data);
        (galaxies ? sky_galaxies : sky_catalogue)(sky, count, 1);
        for (uint32_t i = 0; i < count; i++)
            expected +=
                0.2 * usual_light() * sky[i].light *
                (galaxies ? disk_light() * sky[i].size * sky[i].size * sky[i].ratio : spot_light());
        const double part = WIDE / 4.0 / 1500; /* a spot's nominal deviation in pixels */
        expected *= part * part;
        print_message("light of the sky: %g of what was expected\n", found / expected);
        assert_true(fabs(found / expected - 1) < (galaxies ? 0.03 : 0.01));
    }
}

/* Whether the point in this direction, from the target, is well inside the picture, and where. */
static bool within(const struct renderer_params *params, const double direction[3], double at[2])
{
    const struct camera_window window = {
        .width = SIDE, .height = SIDE, .columns = SIDE, .rows = SIDE};
    struct camera *camera;
    struct camera_aim aim;
    struct camera_pose pose;
    double clip[4];
    assert_ok(camera_open_picture(&camera, params, 0));
    camera_aim(camera, view_of(1, 0), &aim);
    camera_close(&camera);
    camera_project(&pose, &aim, &window);
    for (int k = 0; k < 4; k++)
        clip[k] = (double)pose.view_projection[12 + k];
    for (int k = 0; k < 4; k++)
        for (int c = 0; c < 3; c++)
            clip[k] += (double)pose.view_projection[4 * c + k] *
                       (double)(pose.position[c] + 1000 * direction[c]);
    at[0] = (clip[0] / clip[3] + 1) / 2 * SIDE;
    at[1] = (1 - clip[1] / clip[3]) / 2 * SIDE;
    return clip[3] > 0 && at[0] > 30 && at[0] < SIDE - 30 && at[1] > 30 && at[1] < SIDE - 30;
}

/* A galaxy has the shape and the direction that the catalogue says. */
TEST(a_galaxy_is_a_disk)
{
    need_gl(state);
    int seen = 0;
    for (uint64_t seed = 1; seed < 400 && seen < 4; seed++) {
        struct renderer_params params = stars(SIDE, SIDE);
        struct sky_star galaxy;
        struct picture picture;
        double direction[3], along[3], at[2], next[2], mean[2] = {0}, sum = 0, xx = 0, xy = 0,
                                                       yy = 0;
        params.camera.fov = 12; /* of its pixels, the galaxy's scale length is 1 to 2 */
        params.look.background_stars = 0;
        params.look.background_galaxies = 1;
        params.seed = seed;
        sky_galaxies(&galaxy, 1, seed);
        for (int c = 0; c < 3; c++) {
            direction[c] = (double)galaxy.direction[c];
            along[c] = direction[c] + 1e-3 * (double)galaxy.axis[c];
        }
        params.camera.azimuth = 180 / M_PI * atan2(-direction[1], -direction[0]);
        params.camera.elevation = 180 / M_PI * asin(-direction[2]);
        if (!within(&params, direction, at) || galaxy.ratio > 0.6f)
            continue;
        within(&params, along, next);
        seen++;
        draw(&params, 0, &picture);
        for (int pass = 0; pass < 2; pass++)
            for (uint32_t y = 0; y < SIDE; y++)
                for (uint32_t x = 0; x < SIDE; x++) {
                    const double l = light(&picture, x, y);
                    const double dx = x + 0.5 - (pass ? mean[0] / sum : 0),
                                 dy = y + 0.5 - (pass ? mean[1] / sum : 0);
                    sum += pass ? 0 : l;
                    mean[0] += pass ? 0 : l * dx;
                    mean[1] += pass ? 0 : l * dy;
                    xx += pass ? l * dx * dx : 0;
                    xy += pass ? l * dx * dy : 0;
                    yy += pass ? l * dy * dy : 0;
                }
        free(picture.data);
        assert_true(hypot(mean[0] / sum - at[0], mean[1] / sum - at[1]) < 0.3);
        const double turned = 0.5 * atan2(2 * xy, xx - yy),
                     expected = atan2(next[1] - at[1], next[0] - at[0]);
        const double half = hypot(xx - yy, 2 * xy) / 2, middle = (xx + yy) / 2;
        const double ratio = sqrt((middle - half) / (middle + half));
        print_message("ratio %.3f of %.3f, turned by %.3f of %.3f\n", ratio, (double)galaxy.ratio,
                      turned, expected);
        assert_true(fabs(sin(turned - expected)) < 0.02);
        assert_true(fabs(ratio / (double)galaxy.ratio - 1) < 0.03);
    }
    assert_int_equal(seen, 4);
}

TEST(galaxies_are_counted_as_in_space)
{
    enum { MANY = 4000 };
    static struct sky_star sky[MANY];
    int larger[2] = {0};
    (void)state;
    sky_galaxies(sky, MANY, 3);
    for (int i = 0; i < MANY; i++) {
        double across = 0, length = 0;
        for (int c = 0; c < 3; c++) {
            across += (double)(sky[i].axis[c] * sky[i].direction[c]);
            length += (double)(sky[i].axis[c] * sky[i].axis[c]);
        }
        assert_true(fabs(across) < 1e-5 && fabs(length - 1) < 1e-5);
        assert_true(sky[i].ratio * sky[i].size > 0.999f && sky[i].ratio <= 1);
        larger[0] += sky[i].size > 3;
        larger[1] += sky[i].size > 6;
    }
    print_message("%d and %d\n", larger[0], larger[1]);
    assert_true(larger[1] > 60 && fabs(larger[0] / 8.0 / larger[1] - 1) < 0.3);
}

TEST(they_hold_as_much_light_at_any_size)
{
    need_gl(state);
    double first = 0;
    for (uint32_t side = SIDE; side <= 6 * SIDE; side *= side == SIDE ? 2 : 3) {
        struct renderer_params params = stars(side, side);
        struct picture picture;
        draw(&params, 0, &picture);
        const double mean = total_light(&picture) / side / side;
        free(picture.data);
        first = first > 0 ? first : mean;
        print_message("%u pixels: %.4f of the light\n", side, mean / first);
        assert_true(fabs(mean / first - 1) < 0.02);
    }
}

TEST(they_turn_and_do_not_move)
{
    need_gl(state);
    struct renderer_params params = stars(SIDE, SIDE), other = params;
    other.camera.target[0] = 20;
    other.camera.target[1] = -7;
    other.camera.distance *= 3;
    assert_true(same(&params, &other));
    other.camera.azimuth = 1;
    assert_false(same(&params, &other));
}

/* In the direction of a body, and therefore with the same orientation. */
TEST(they_lie_in_their_directions)
{
    need_gl(state);
    static struct sky_star sky[COUNT];
    struct renderer_params params = stars(SIDE, SIDE);
    const struct camera_window window = {
        .width = SIDE, .height = SIDE, .columns = SIDE, .rows = SIDE};
    struct camera *camera;
    struct camera_aim aim;
    struct camera_pose pose;
    struct picture picture;
    int seen = 0;
    params.camera.azimuth = 25;
    params.camera.elevation = 40;
    params.look.background_light = 4;
    draw(&params, 0, &picture);
    assert_ok(camera_open_picture(&camera, &params, 0));
    camera_aim(camera, view_of(1, 0), &aim);
    camera_close(&camera);
    camera_project(&pose, &aim, &window);
    sky_catalogue(sky, COUNT, params.seed);
    const double mean = total_light(&picture) / SIDE / SIDE;
    for (int i = 0; i < COUNT && seen < 10; i++) { /* the brightest first */
        double clip[4];
        for (int k = 0; k < 4; k++)
            clip[k] = (double)pose.view_projection[12 + k];
        for (int k = 0; k < 4; k++)
            for (int c = 0; c < 3; c++)
                clip[k] += (double)pose.view_projection[4 * c + k] *
                           (double)(pose.position[c] + 100 * sky[i].direction[c]);
        const double x = (clip[0] / clip[3] + 1) / 2 * SIDE, y = (1 - clip[1] / clip[3]) / 2 * SIDE;
        if (!(clip[3] > 0 && x > 4 && x < SIDE - 4 && y > 4 && y < SIDE - 4))
            continue;
        seen++;
        if (!(light(&picture, (uint32_t)x, (uint32_t)y) > 20 * mean))
            fail_msg("star %d is not at %g, %g", i, x, y);
    }
    free(picture.data);
    assert_int_equal(seen, 10);
}

/* As the camera turns by fractions of a pixel, the light of the sky stays constant. */
TEST(they_do_not_twinkle)
{
    need_gl(state);
    enum { WIDE = 480 };
    double least = INFINITY, most = 0;
    for (int step = 0; step < 8; step++) {
        struct renderer_params params = stars(WIDE, WIDE / 2);
        struct picture picture;
        double found = 0;
        params.camera.projection = choose(&projection_registry, "equirect");
        params.camera.azimuth = 0.11 * step; /* 0.15 pixels */
        params.look.background_light = 0.2;
        draw(&params, 0, &picture);
        for (uint32_t y = 0; y < WIDE / 2; y++)
            for (uint32_t x = 0; x < WIDE; x++)
                found += light(&picture, x, y) * cos(M_PI * ((y + 0.5) / (WIDE / 2) - 0.5));
        free(picture.data);
        least = fmin(least, found);
        most = fmax(most, found);
    }
    print_message("light of the sky from step to step: %.5f\n", most / least);
    assert_true(most / least < 1.005);
}

TEST(seeds_decide)
{
    need_gl(state);
    struct renderer_params params = stars(SIDE, SIDE), other = params;
    assert_true(same(&params, &other));
    other.seed = 2;
    assert_false(same(&params, &other));
}

/* In a stereo pair, infinitely distant stars are as far apart as the eyes' rays, which meet at the
 * target, are at that distance. */
TEST(both_eyes_see_the_same)
{
    need_gl(state);
    struct renderer_params params = stars(2 * SIDE, SIDE);
    struct picture picture;
    enum { APART = 12 };
    const double focal = SIDE / (2 * tan(params.camera.fov * M_PI / 360));
    params.camera.projection = choose(&projection_registry, "side-by-side");
    params.camera.eye_distance = APART * params.camera.distance / focal;
    params.look.background_light = 4;
    draw(&params, 0, &picture);
    double worst = 0, most = 0;
    for (uint32_t y = 0; y < SIDE; y++) {
        for (uint32_t x = 0; x + APART < SIDE; x++) {
            const double left = light(&picture, x, y), right = light(&picture, SIDE + x + APART, y);
            worst = fmax(worst, fabs(left - right));
            most = fmax(most, left);
        }
    }
    free(picture.data);
    print_message("eyes differ by %g of %g\n", worst, most);
    assert_true(most > 0.05 && worst < 0.05 * most); /* spots lie on 64ths of a pixel */
}

static double exposed(const struct renderer_params *params)
{
    struct renderer *renderer;
    assert_ok(renderer_open(&renderer, params));
    assert_ok(renderer_bind(renderer));
    assert_ok(renderer_meter(renderer, view_of(params->count, 0)));
    const double exposure = renderer_exposure(renderer);
    renderer_unbind(renderer);
    renderer_close(&renderer);
    return exposure;
}

/* Neither the exposure nor the measured light of the bodies depends on them. */
TEST(the_light_of_the_bodies_is_left_alone)
{
    need_gl(state);
    struct renderer_params params = usual(PICTURE_RGBA8, WIDTH, HEIGHT), other;
    struct picture with, without;
    colour_params(&params);
    params.look.exposure.factor = 0;
    other = params;
    other.look.background_stars = COUNT;
    other.look.background_light = 10;
    struct draw_group all = *params.groups, all_others = all;
    all.count = all_others.count = params.count;
    params.groups = &all;
    other.groups = &all_others;
    assert_true(exposed(&params) == exposed(&other));
    draw_measured(&params, 0, &without);
    draw_measured(&other, 0, &with);
    assert_false(same_pixels(&with, &without));
    assert_string_equal(with.light.hash, without.light.hash);
    free(with.data);
    free(without.data);
}

/* In the middle of a bright star, whatever the exposure. */
static int brightest(const struct renderer_params *params)
{
    struct picture picture;
    int most = 0;
    draw(params, 0, &picture);
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++)
            most =
                sample(&picture, 0, 4 * x, y, 2) > most ? sample(&picture, 0, 4 * x, y, 2) : most;
    free(picture.data);
    return most;
}

TEST(the_exposure_does_not_change_them)
{
    need_gl(state);
    struct renderer_params params = stars(SIDE, SIDE);
    const int usual_one = brightest(&params);
    params.look.exposure.factor = 16;
    assert_in_range(brightest(&params), usual_one - 80, usual_one + 80);
}

/* One pixel of known light through every tone: it is displayed as requested. */
TEST(tones_know_their_light)
{
    need_gl(state);
    static const double shown[] = {0.02, 0.12, 0.6};
    for (size_t t = 0; choice_at(&tone_registry, t); t++) {
        struct renderer_params params = usual(PICTURE_RGBA16, WIDTH, HEIGHT);
        params.look.tone = choice_at(&tone_registry, t);
        params.look.mode = choose(&draw_mode_registry, "points");
        place(0, WIDTH, HEIGHT, WIDTH / 2 + 0.5, HEIGHT / 2 + 0.5);
        for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
            struct picture picture;
            params.look.exposure.factor = params.look.tone->light(shown[i], EXPOSURE_CONTRAST);
            draw(&params, 0, &picture);
            const double code = sample(&picture, 0, 4 * (WIDTH / 2), HEIGHT / 2, 2) / 65535.0;
            const double found = pow(code, 2.2);
            free(picture.data);
            /* Filmic light far above white loses its colour; white has none to lose. */
            if (!(fabs(found / shown[i] - 1) < 0.01))
                fail_msg("%s shows %g instead of %g", params.look.tone->name, found, shown[i]);
        }
    }
}

/* If colours are values, a star is white and does not change the values. */
TEST(values_stay_values)
{
    need_gl(state);
    struct renderer_params params = usual(PICTURE_RGBA16, SIDE, SIDE);
    struct picture with, without;
    int changed = 0, coloured = 0;
    params.look.tone = choose(&tone_registry, "linear");
    params.look.color = choose(&colour_registry, "speed");
    params.look.map = choose(&colour_map_registry, "viridis");
    params.look.mode = choose(&draw_mode_registry, "points");
    params.look.point_size = 100.0 * 1080 / SIDE;
    params.seed = 1;
    place(0, SIDE, SIDE, SIDE / 2, SIDE / 2);
    draw(&params, 0, &without);
    params.look.background_stars = 40000;
    params.look.background_light = 0.3;
    draw(&params, 0, &with);
    for (uint32_t y = 0; y < SIDE; y++) {
        for (uint32_t x = 0; x < SIDE; x++) {
            int a[3], b[3], grey = 0, same_one = 1;
            for (uint32_t c = 0; c < 3; c++) {
                a[c] = sample(&without, 0, 4 * x + c, y, 2);
                b[c] = sample(&with, 0, 4 * x + c, y, 2);
                grey = abs(b[c] - b[0]) > grey ? abs(b[c] - b[0]) : grey;
                same_one = same_one && abs(a[c] - b[c]) < 64;
            }
            const bool empty = a[0] + a[1] + a[2] == 0;
            if (empty && grey > 256)
                coloured++;
            changed += !same_one && !empty;
        }
    }
    free(with.data);
    free(without.data);
    print_message("%d coloured beside the body, %d changed before it\n", coloured, changed);
    assert_int_equal(coloured, 0);
    assert_true(changed < 2000); /* of 10,000 pixels: only those with stars behind them */
}

/* The effect of stars on a picture with a body in its middle: pixels within the body and beside it.
 */
static void count_changes(double exposure, int *within, int *beside)
{
    struct renderer_params params = usual(PICTURE_RGBA16, SIDE, SIDE);
    struct picture with, without;
    params.look.color = choose(&colour_registry, "constant");
    params.look.mode = choose(&draw_mode_registry, "points");
    params.look.point_size = 100.0 * 1080 / SIDE;
    params.look.exposure.factor = exposure;
    params.seed = 1;
    place(0, SIDE, SIDE, SIDE / 2, SIDE / 2);
    draw(&params, 0, &without);
    params.look.background_stars = 40000;
    params.look.background_light = 1;
    draw(&params, 0, &with);
    *within = *beside = 0;
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++) {
            const int before = sample(&without, 0, 4 * x, y, 2);
            const bool changed = sample(&with, 0, 4 * x, y, 2) > before + 64;
            *(before > 0 ? within : beside) += changed;
        }
    free(with.data);
    free(without.data);
}

/* Stars behind brighter light are invisible. */
TEST(bright_bodies_hide_them)
{
    need_gl(state);
    int within_faint, within, beside_faint, beside;
    count_changes(1e-6, &within_faint, &beside_faint);
    count_changes(1, &within, &beside);
    print_message("%d stars' pixels in a faint body, %d in a bright one, %d beside it\n",
                  within_faint, within, beside);
    assert_true(within_faint > 500 && beside > 500);
    assert_true(within < within_faint / 20);
}

TESTS(open_gl, NULL)
