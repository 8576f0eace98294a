/* Dome masters: directions have their places, light is the same everywhere, and outside the circle
 * there is none. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "tests/support/films/drawing.h"

#include <math.h>

enum { SIDE = 300 };
static const double distance = 100;

static struct renderer_params dome(double field, double tilt, double height)
{
    struct renderer_params params = usual(PICTURE_RGBA16, SIDE, SIDE);
    params.camera.projection = choose(&projection_registry, "dome");
    params.camera.dome_field = field;
    params.camera.dome_tilt = tilt;
    params.camera.dome_height = height;
    params.look.exposure.factor = 0.5;
    params.look.point_size = 12.0 * 1080 / SIDE;
    return params;
}

/* Puts body `i` in a direction of the theatre: degrees above its horizon, and to the right of its
 * front. The camera at (100, 0, 0) looks along -x, `height` above the horizon; y is to its right
 * and z is up. */
static void put(int i, double above, double azimuth, double height)
{
    const double up = above * M_PI / 180, right = azimuth * M_PI / 180, low = height * M_PI / 180;
    const double front = cos(up) * cos(right), rise = sin(up);
    float *at = view_of((size_t)i + 1, 0)->position + 4 * i;
    place(i, SIDE, SIDE, 0, 0);
    at[0] = (float)(distance - distance * (front * cos(low) + rise * sin(low)));
    at[1] = (float)(distance * cos(up) * sin(right));
    at[2] = (float)(distance * (rise * cos(low) - front * sin(low)));
}

/* Where the direction is in the picture; returns its angle from the dome's axis, in degrees. */
static double see(double above, double azimuth, double field, double tilt, double at[2])
{
    const double up = above * M_PI / 180, right = azimuth * M_PI / 180, lean = tilt * M_PI / 180;
    const double front = cos(up) * cos(right), rise = sin(up), side = cos(up) * sin(right);
    const double axis = rise * cos(lean) + front * sin(lean);
    const double below = front * cos(lean) - rise * sin(lean);
    const double angle = acos(fmin(fmax(axis, -1), 1)) * 180 / M_PI;
    const double off = SIDE * angle / field, across = fmax(hypot(side, below), 1e-9);
    at[0] = SIDE / 2.0 + off * side / across;
    at[1] = SIDE / 2.0 + off * below / across;
    return angle;
}

/* Light by solid angle: towards the rim, the picture is stretched along it. */
static double dome_light(const struct picture *picture, double field)
{
    double sum = 0;
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++) {
            const double off = hypot(x + 0.5 - SIDE / 2.0, y + 0.5 - SIDE / 2.0);
            const double angle = off * field / SIDE * M_PI / 180;
            sum += light(picture, x, y) * sin(angle) / angle;
        }
    return sum;
}

TEST(directions_have_their_places)
{
    need_gl(state);
    static const double domes[][3] = {{180, 0, 40}, {180, 25, 0}, {200, 15, 30}, {220, 0, 90}};
    static const double degrees[][2] = {{90, 0},  {40, 0},   {10, 0},    {30, 50}, {30, -50},
                                        {60, 90}, {20, 180}, {45, -135}, {12, 85}, {70, 30}};
    for (size_t d = 0; d < sizeof domes / sizeof domes[0]; d++) {
        const double field = domes[d][0], tilt = domes[d][1], height = domes[d][2];
        struct renderer_params params = dome(field, tilt, height);
        double nominal = 0;
        for (size_t i = 0; i < sizeof degrees / sizeof degrees[0]; i++) {
            struct picture picture;
            double at[2];
            if (see(degrees[i][0], degrees[i][1], field, tilt, at) > field / 2 - 6)
                continue;
            put(0, degrees[i][0], degrees[i][1], height);
            draw(&params, 0, &picture);
            const struct spot spot = spot_within(&picture, 0, 0, 0, SIDE, SIDE);
            const double here = dome_light(&picture, field);
            free(picture.data);
            if (hypot(spot.x - at[0], spot.y - at[1]) > 0.5)
                fail_msg("%g, %g at %g, %g instead of %g, %g", degrees[i][0], degrees[i][1], spot.x,
                         spot.y, at[0], at[1]);
            nominal = nominal > 0 ? nominal : here;
            if (!(here > 1) || !(fabs(here - nominal) < 0.03 * nominal))
                fail_msg("light %g instead of %g towards %g, %g", here, nominal, degrees[i][0],
                         degrees[i][1]);
        }
    }
}

/* A body on the rim is cut by it, one beyond the rim reaches into the picture as far as it would,
 * and nothing but black is outside, whatever the background, stars and glow are. */
TEST(the_rim_cuts)
{
    need_gl(state);
    static const double above[] = {2, 0.5, -0.5, -2, -9};
    struct renderer_params params = dome(180, 0, 40);
    double before = INFINITY;
    for (int i = 0; i < 5; i++) {
        struct picture picture;
        put(0, above[i], 45, 40);
        draw(&params, 0, &picture);
        const double all = dome_light(&picture, 180);
        free(picture.data);
        assert_true(i == 4 ? all < 1e-9 : all > 0 && all < before);
        before = all;
    }
    put(0, 1, 45, 40);
    params.look.glow = params.look.bloom = 0.3;
    params.look.background_stars = 9000;
    params.look.background_light = 30;
    params.look.saturation = 1;
    for (int c = 0; c < 3; c++)
        params.look.background.shown[c] = 0.4;
    struct picture picture;
    int lit = 0;
    draw(&params, 0, &picture);
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++) {
            const bool outside = hypot(x + 0.5 - SIDE / 2.0, y + 0.5 - SIDE / 2.0) > SIDE / 2.0;
            const int shown = sample(&picture, 0, 4 * x, y, 2);
            if (outside ? shown > 1 : shown < 26000) /* 1: dither */
                fail_msg("%d at %u, %u", shown, x, y);
            lit += shown > 27000;
        }
    free(picture.data);
    assert_true(lit > 200);
}

TEST(outside_is_transparent)
{
    need_gl(state);
    struct renderer_params params = dome(180, 0, 40);
    struct picture picture;
    double inside = 0;
    params.format = picture_format_rgba(16, ALPHA_STRAIGHT);
    params.look.glow = 0.3;
    put(0, 2, 45, 40); /* at the rim */
    draw(&params, 0, &picture);
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++) {
            const int alpha = sample(&picture, 0, 4 * x + 3, y, 2);
            if (hypot(x + 0.5 - SIDE / 2.0, y + 0.5 - SIDE / 2.0) > SIDE / 2.0)
                assert_true(alpha <= 1); /* dither */
            else
                inside = fmax(inside, alpha);
        }
    free(picture.data);
    assert_true(inside > 20000);
}

/* All of the light of a body spreads around it, with the same total everywhere in the dome. */
TEST(glow_keeps_light)
{
    need_gl(state);
    static const double above[] = {90, 60, 40, 25};
    struct renderer_params params = dome(200, 0, 40);
    double ahead = 0;
    params.look.glow = 1;
    params.look.exposure.factor = 2;
    for (int i = 0; i < 4; i++) {
        struct picture picture;
        put(0, above[i], -70, 40);
        draw(&params, 0, &picture);
        const double all = dome_light(&picture, 200);
        free(picture.data);
        ahead = i == 0 ? all : ahead;
        assert_true(all > 1);
        if (fabs(all / ahead - 1) > 0.06)
            fail_msg("light %g of that ahead", all / ahead);
    }
}

/* The eyes turn to the target: it is in the same place of both pictures, nearer things are farther
 * to the right for the left eye. */
TEST(eyes_meet_at_the_target)
{
    need_gl(state);
    struct renderer_params params = dome(180, 20, 35);
    params.camera.projection = choose(&projection_registry, "dome-side-by-side");
    params.camera.eye_distance = 4;
    params.width = 2 * SIDE;
    for (int i = 0; i < 3; i++) {
        static const double share[] = {1, 0.5, 2};
        struct picture picture;
        double at[2];
        put(0, 35, 0, 35);
        float *where = view_of(1, 0)->position;
        where[0] = (float)(distance - distance * share[i]);
        see(35, 0, 180, 20, at);
        draw(&params, 0, &picture);
        const struct spot left = spot_within(&picture, 0, 0, 0, SIDE, SIDE),
                          right = spot_within(&picture, 0, SIDE, 0, SIDE, SIDE);
        free(picture.data);
        /* Along a circle around the axis, degrees appear wider than towards it. */
        const double lean = 35 * M_PI / 180;
        const double radian = SIDE / M_PI * lean / sin(lean);
        const double apart = radian * 4 / distance * (1 / share[i] - 1);
        if (fabs(left.x - (right.x - SIDE) - apart) > 0.1 || fabs(left.y - at[1]) > 0.2)
            fail_msg("%g pixels apart instead of %g; row %g instead of %g",
                     left.x - (right.x - SIDE), apart, left.y, at[1]);
        assert_true(fabs((left.x + right.x - SIDE) / 2 - at[0]) < 0.1);
    }
}

TEST(a_dome_is_square)
{
    need_gl(state);
    struct renderer_params params = dome(180, 0, 40);
    struct renderer *renderer;
    params.width = SIDE + 20;
    assert_int_equal(renderer_open(&renderer, &params), STATUS_USAGE);
    assert_says(status_text(), "320x300 --size 300x300");
    params.camera.projection = choose(&projection_registry, "dome-side-by-side");
    assert_int_equal(renderer_open(&renderer, &params), STATUS_USAGE);
    assert_says(status_text(), "320x300 --size 600x300");
}

/* Title, clock and captions stand at the lower front, upright, between 50 degrees to the left and
 * to the right. */
TEST(text_is_at_the_lower_front)
{
    need_gl(state);
    enum { LARGE = 1024 };
    struct renderer_params params = dome(180, 0, 40);
    struct caption_params captions[] = {{.text = "In front"}};
    static const struct caption_found times[] = {{.begins = 0, .ends = 99}};
    struct picture picture;
    params.width = params.height = LARGE;
    params.look.exposure.factor = 1e-9;
    params.overlay = (struct overlay_params){.title = true,
                                             .clock = true,
                                             .scale_bar = true,
                                             .captions = captions,
                                             .caption_count = 1,
                                             .size = 60,
                                             .font = "DejaVu Sans",
                                             .length_unit = choose(&length_unit_registry, "kpc")};
    params.labels.title = "Shown";
    params.labels.fps = 10;
    params.found.captions = times;
    put(0, 40, 0, 40);
    draw(&params, 0, &picture);
    double inside = 0, words[3] = {0};
    for (uint32_t y = LARGE / 2; y < LARGE; y++)
        for (uint32_t x = 0; x < LARGE; x++) {
            const double right = x + 0.5 - LARGE / 2, below = y + 0.5 - LARGE / 2;
            const double off = 180 * hypot(right, below) / LARGE;
            if (fabs(right) > below * tan(50 * M_PI / 180) && fabs(right) > 0.24 * LARGE)
                continue;
            inside += off > 20 && off < 82 ? light(&picture, x, y) : 0;
            words[below > 0.3 * LARGE ? 2 : right > 0] += light(&picture, x, y);
        }
    assert_true(words[0] > 1 && words[1] > 1 && words[2] > 1);
    assert_true(fabs(total_light(&picture) - inside) < 1e-6 * inside);
    free(picture.data);
}

TESTS(open_gl, NULL)
