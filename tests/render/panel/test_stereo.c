/* Stereo pairs and whole spheres: positions of bodies, and no visible seam. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "tests/support/films/drawing.h"

#include <math.h>
#include <string.h>

enum { SIDE = 200, SPHERE_W = 512, SPHERE_H = 256 };
static const double eyes = 4, distance = 100;

static struct view view;
static float position[BODIES_MAX][4], velocity[BODIES_MAX][4];

/* In the camera's own axes: it looks along -x from (100, 0, 0), y is to the right and z up. */
static void body_at(int i, double ahead, double right, double up)
{
    position[i][0] = (float)(distance - ahead);
    position[i][1] = (float)right;
    position[i][2] = (float)up;
    position[i][3] = 1;
    view = (struct view){.memory = VIEW_HOST,
                         .device = -1,
                         .count = (size_t)i + 1,
                         .position = position[0],
                         .velocity = velocity[0]};
}

static struct renderer_params pair(const char *projection)
{
    const bool beside = strcmp(projection, "side-by-side") == 0;
    struct renderer_params params =
        usual(PICTURE_RGBA16, beside ? 2 * SIDE : SIDE, beside ? SIDE : 2 * SIDE);
    params.camera.projection = choose(&projection_registry, projection);
    params.camera.eye_distance = eyes;
    params.look.exposure.factor = 0.5;
    return params;
}

/* A body seen by either eye, in pixels of the eye's own picture. */
static void look_at(const struct renderer_params *params, struct spot *left, struct spot *right)
{
    const uint32_t over = params->width == SIDE;
    struct picture picture;
    draw_view(params, &view, &picture);
    *left = spot_within(&picture, 0, 0, 0, SIDE, SIDE);
    *right = spot_within(&picture, 0, over ? 0 : SIDE, over ? SIDE : 0, SIDE, SIDE);
    right->x -= over ? 0 : SIDE;
    right->y -= over ? SIDE : 0;
    free(picture.data);
}

TEST(parallax_follows_depth)
{
    need_gl(state);
    static const char *const projections[] = {"side-by-side", "over-under"};
    static const double depths[] = {50, 80, 100, 150, 400};
    const double focal = SIDE / (2 * tan(10 * M_PI / 180));
    for (int p = 0; p < 2; p++) {
        struct renderer_params params = pair(projections[p]);
        for (size_t d = 0; d < sizeof depths / sizeof depths[0]; d++) {
            struct spot left, right;
            const double depth = depths[d], shift = focal * eyes * (1 / distance - 1 / depth);
            body_at(0, depth, 0.03 * depth, 0.05 * depth);
            look_at(&params, &left, &right);
            const double x = SIDE / 2.0 + 0.03 * focal, y = SIDE / 2.0 - 0.05 * focal;
            if (fabs(left.x - (x - shift / 2)) > 0.1 || fabs(right.x - (x + shift / 2)) > 0.1)
                fail_msg("%s, depth %g: %g and %g instead of %g -+ %g", projections[p], depth,
                         left.x, right.x, x, shift / 2);
            assert_true(fabs(left.y - y) < 0.1 && fabs(right.y - y) < 0.1);
            assert_true(fabs(left.light - right.light) < 0.02 * left.light);
        }
    }
}

/* Rows of a plane of the pair begin `skip` bytes before those of the eye. */
static void assert_half(const struct picture *pair, const struct picture *eye, bool right)
{
    for (int p = 0; p < eye->layout.planes; p++) {
        const uint32_t bytes = eye->layout.plane[p].bytes, skip = right ? bytes : 0;
        for (uint32_t y = 0; y < eye->layout.plane[p].rows; y++)
            assert_memory_equal(pair->data + pair->layout.plane[p].offset +
                                    (size_t)y * pair->layout.plane[p].stride + skip,
                                eye->data + eye->layout.plane[p].offset +
                                    (size_t)y * eye->layout.plane[p].stride,
                                bytes);
    }
}

/* Also where the right eye sees other light than the left, by which both are exposed. */
TEST(an_eye_alone_is_half_of_the_pair)
{
    need_gl(state);
    static const char *const names[] = {"left", "right"};
    static const enum picture_format formats[] = {PICTURE_RGBA16, PICTURE_NV12, PICTURE_YUV422P10};
    body_at(0, 100, 0, 0);
    body_at(1, 50, 3, 2);
    body_at(2, 20, -4, 0);
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        struct renderer_params params = pair("side-by-side");
        struct picture both, eye;
        params.format = formats[f];
        params.look.exposure.factor = 0;
        params.count = 3;
        draw_view(&params, &view, &both);
        for (int e = 0; e < 2; e++) {
            params.width = SIDE;
            params.camera.projection = choose(&projection_registry, names[e]);
            draw_view(&params, &view, &eye);
            assert_half(&both, &eye, e == 1);
            free(eye.data);
        }
        free(both.data);
    }
}

TEST(eyes_are_a_thirtieth_apart_by_default)
{
    need_gl(state);
    struct renderer_params params = pair("side-by-side");
    const double focal = SIDE / (2 * tan(10 * M_PI / 180));
    struct spot left, right;
    params.camera.eye_distance = 0;
    body_at(0, 50, 0, 0);
    look_at(&params, &left, &right);
    assert_true(fabs(right.x - left.x + focal * (distance / 30) * (1 / 50.0 - 1 / distance)) < 0.2);
}

/* A bright body that only the right eye sees does not affect the exposures. */
TEST(both_eyes_are_exposed_alike)
{
    need_gl(state);
    static const char *const ways[] = {"auto", "adapt"};
    const struct draw_group groups[] = {{.count = 1, .light = 1, .tint = {1, 1, 1}},
                                        {.first = 1, .count = 1, .light = 50, .tint = {1, 1, 1}}};
    for (int w = 0; w < 2; w++) {
        struct renderer_params params = pair("side-by-side");
        struct picture picture;
        params.look.exposure.factor = 0;
        params.look.exposure.adapts = w == 1;
        params.labels.fps = 30;
        params.groups = groups;
        params.group_count = 2;
        params.count = 2;
        body_at(0, 100, 0, 0);
        body_at(1, 20, -4, 0);
        view.frame = 8;
        draw_view(&params, &view, &picture);
        const struct spot left = spot_within(&picture, 0, SIDE / 2 - 10, SIDE / 2 - 10, 20, 20);
        const struct spot right =
            spot_within(&picture, 0, SIDE + SIDE / 2 - 10, SIDE / 2 - 10, 20, 20);
        const struct spot far_left = spot_within(&picture, 0, 0, 0, SIDE / 4, SIDE);
        const struct spot far_right = spot_within(&picture, 0, SIDE, 0, SIDE / 4, SIDE);
        if (fabs(left.light - right.light) > 1e-3 * left.light || !(left.light > 0))
            fail_msg("%s: %g and %g", ways[w], left.light, right.light);
        assert_true((far_left.light > 0) != (far_right.light > 0));
        free(picture.data);
    }
}

TEST(text_is_before_both_eyes)
{
    need_gl(state);
    static const char *const projections[] = {"side-by-side", "over-under"};
    for (int p = 0; p < 2; p++) {
        struct renderer_params params = pair(projections[p]);
        const uint32_t over = p == 1;
        struct picture picture;
        params.overlay =
            (struct overlay_params){.title = true,
                                    .size = 60,
                                    .font = "DejaVu Sans",
                                    .length_unit = choose(&length_unit_registry, "kpc")};
        params.labels.title = "Two eyes";
        params.look.exposure.factor = 1e-9;
        body_at(0, 100, 0, 0);
        draw_view(&params, &view, &picture);
        int lit = 0;
        for (uint32_t y = 0; y < SIDE; y++) {
            for (uint32_t x = 0; x < SIDE; x++) {
                const int left = sample(&picture, 0, 4 * x, y, 2);
                const int right =
                    sample(&picture, 0, 4 * (x + (over ? 0 : SIDE)), y + (over ? SIDE : 0), 2);
                assert_true(abs(left - right) <= 3); /* the dither differs */
                lit += left > 10000;
            }
        }
        assert_true(lit > 30);
        free(picture.data);
    }
}

static struct renderer_params sphere(void)
{
    struct renderer_params params = usual(PICTURE_RGBA16, SPHERE_W, SPHERE_H);
    params.camera.projection = choose(&projection_registry, "equirect");
    params.look.exposure.factor = 0.5;
    params.look.point_size = 12.0 * 1080 / SPHERE_H;
    return params;
}

static void body_towards(int i, double longitude, double latitude)
{
    body_at(i, distance * cos(latitude) * cos(longitude), distance * cos(latitude) * sin(longitude),
            distance * sin(latitude));
}

/* Light by solid angle: what a row shows of the sphere is narrower towards the poles. */
static double sphere_light(const struct picture *picture)
{
    double sum = 0;
    for (uint32_t y = 0; y < SPHERE_H; y++)
        sum += spot_within(picture, 0, 0, y, SPHERE_W, 1).light *
               cos(((y + 0.5) / SPHERE_H - 0.5) * M_PI);
    return sum;
}

TEST(directions_have_their_places)
{
    need_gl(state);
    static const double degrees[][2] = {{0, 0},    {90, 0},    {-90, 0},   {30, 20},  {45, 0},
                                        {-45, 20}, {120, -50}, {-160, 10}, {44, -30}, {0, 46}};
    struct renderer_params params = sphere();
    double nominal = 0;
    for (size_t i = 0; i < sizeof degrees / sizeof degrees[0]; i++) {
        const double longitude = degrees[i][0] * M_PI / 180, latitude = degrees[i][1] * M_PI / 180;
        const double x = SPHERE_W * (0.5 + longitude / (2 * M_PI)),
                     y = SPHERE_H * (0.5 - latitude / M_PI);
        struct picture picture;
        body_towards(0, longitude, latitude);
        draw_view(&params, &view, &picture);
        const struct spot spot = spot_within(&picture, 0, 0, 0, SPHERE_W, SPHERE_H);
        const double light_here = sphere_light(&picture);
        if (hypot(spot.x - x, spot.y - y) > 0.5)
            fail_msg("%g, %g at %g, %g instead of %g, %g", degrees[i][0], degrees[i][1], spot.x,
                     spot.y, x, y);
        if (i == 0)
            nominal = light_here;
        if (!(fabs(light_here - nominal) < 0.08 * nominal))
            fail_msg("light %g instead of %g towards %g, %g", light_here, nominal, degrees[i][0],
                     degrees[i][1]);
        free(picture.data);
    }
}

/* Straight behind, a body is as much on the left edge as on the right; at a pole, all around. */
TEST(edges_and_poles_are_whole)
{
    need_gl(state);
    struct renderer_params params = sphere();
    struct picture picture;
    body_towards(0, M_PI, 0);
    draw_view(&params, &view, &picture);
    const struct spot left = spot_within(&picture, 0, 0, 0, SPHERE_W / 2, SPHERE_H);
    const struct spot right = spot_within(&picture, 0, SPHERE_W / 2, 0, SPHERE_W / 2, SPHERE_H);
    assert_true(left.light > 1 && fabs(left.light - right.light) < 0.02 * left.light);
    assert_true(left.x < 10 && right.x > SPHERE_W - 10);
    for (uint32_t y = SPHERE_H / 2 - 3; y < SPHERE_H / 2 + 3; y++)
        assert_true(fabs(light(&picture, 0, y) - light(&picture, SPHERE_W - 1, y)) <
                    0.02 * light(&picture, 0, y) + 1e-4);
    free(picture.data);
    for (int pole = -1; pole <= 1; pole += 2) {
        const uint32_t row = pole > 0 ? 0 : SPHERE_H - 1;
        double least = 1e9, most = 0;
        body_towards(0, 0.3, pole * M_PI / 2);
        draw_view(&params, &view, &picture);
        for (uint32_t x = 0; x < SPHERE_W; x++) {
            least = fmin(least, light(&picture, x, row));
            most = fmax(most, light(&picture, x, row));
        }
        assert_true(least > 0.1 && most < 1.05 * least);
        free(picture.data);
    }
}

/* Bodies all around, close enough to melt into one even light. */
TEST(no_seam_shows)
{
    need_gl(state);
    struct renderer_params params = sphere();
    struct picture picture;
    params.look.point_size = 40.0 * 1080 / SPHERE_H;
    params.look.exposure.factor = 0.02;
    params.count = BODIES_MAX;
    for (int i = 0; i < BODIES_MAX; i++)
        body_towards(i, 2.39996322973 * i, asin(1 - (2 * i + 1.0) / BODIES_MAX));
    struct draw_group group = *params.groups;
    group.count = BODIES_MAX;
    params.groups = &group;
    draw_view(&params, &view, &picture);
    double least = 1e9, most = 0;
    for (uint32_t y = 0; y < SPHERE_H; y++) {
        for (uint32_t x = 0; x < SPHERE_W; x++) {
            least = fmin(least, light(&picture, x, y));
            most = fmax(most, light(&picture, x, y));
        }
    }
    assert_true(least > 0.1 && most < 1.08 * least);
    /* Differences between columns, averaged over the rows that the side faces share. */
    for (uint32_t x = 0; x < SPHERE_W; x++) {
        double here = 0, beside = 0;
        for (uint32_t y = SPHERE_H / 3; y < SPHERE_H * 2 / 3; y++) {
            here += light(&picture, x, y);
            beside += light(&picture, (x + 1) % SPHERE_W, y);
        }
        if (fabs(beside - here) > 0.003 * here)
            fail_msg("light %g beside %g at column %u", here, beside, x);
    }
    free(picture.data);
}

TEST(a_sphere_is_twice_as_wide_as_high)
{
    need_gl(state);
    struct renderer_params params = sphere();
    struct renderer *renderer;
    params.width = 300;
    assert_int_equal(renderer_open(&renderer, &params), STATUS_USAGE);
    assert_says(status_text(), "300x256 --size 512x256");
}

/* Captions stand in the middle, where a player looks first, as in a flat picture; title, clock and
 * scale bar would stand before the bodies, and are left out. */
TEST(text_on_a_sphere_is_ahead)
{
    need_gl(state);
    struct renderer_params params = usual(PICTURE_RGBA16, 1024, 512);
    struct picture picture;
    params.camera.projection = choose(&projection_registry, "equirect");
    struct caption_params captions[] = {{.text = "Ahead"}};
    static const struct caption_found times[] = {{.begins = 0, .ends = 99}};
    params.overlay = (struct overlay_params){.title = true,
                                             .clock = true,
                                             .scale_bar = true,
                                             .size = 60,
                                             .font = "DejaVu Sans",
                                             .length_unit = choose(&length_unit_registry, "kpc")};
    params.labels.title = "Not shown";
    params.labels.fps = 10;
    params.look.exposure.factor = 1e-9;
    body_at(0, 100, 0, 0);
    draw_view(&params, &view, &picture);
    assert_true(total_light(&picture) < 1e-6);
    free(picture.data);
    params.overlay.captions = captions;
    params.overlay.caption_count = 1;
    params.found.captions = times;
    draw_view(&params, &view, &picture);
    const struct spot text = spot_within(&picture, 0, 384, 184, 256, 144);
    assert_true(text.light > 1);
    assert_true(fabs(total_light(&picture) - text.light) < 1e-6 * text.light);
    free(picture.data);
}

TESTS(open_gl, NULL)
