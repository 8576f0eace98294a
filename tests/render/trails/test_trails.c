/* The light along the paths of the last frames: smooth, fading to nothing, in the bodies' former
 * colours, and independent of how the picture is made. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "render/colour/colour.h"
#include "render/sprites/modes.h"
#include "render/trails/trails.h"
#include "tests/support/films/drawing.h"

#include <math.h>
#include <string.h>

enum { ACROSS = 256, ROWS = 128, FRAMES_MOST = 512 };
static const double distance = 100;

/* For one body, with room for all frames; the body itself is at the end of the trail. */
static struct trail_of_one {
    struct view_trail trail;
    double time[FRAMES_MOST];
    float rows[FRAMES_MOST][8];
} traced;

/* Length of a pixel at the target. */
static double unit(void)
{
    return 2 * tan(10 * M_PI / 180) * distance / ROWS;
}

typedef void path(double t, double at[3], double velocity[3]);

/* 160 pixels to the right in one unit of time, from 80 left of the middle. */
static void straight(double t, double at[3], double velocity[3])
{
    memcpy(at, (double[3]){0, (160 * t - 80) * unit(), 0}, 3 * sizeof *at);
    memcpy(velocity, (double[3]){0, 160 * unit(), 0}, 3 * sizeof *at);
}

/* Three quarters of a circle of 40 pixels. */
static void round_about(double t, double at[3], double velocity[3])
{
    const double turn = 1.5 * M_PI * t, radius = 40 * unit(), rate = 1.5 * M_PI * radius;
    memcpy(at, (double[3]){0, radius * cos(turn), radius * sin(turn)}, 3 * sizeof *at);
    memcpy(velocity, (double[3]){0, -rate * sin(turn), rate * cos(turn)}, 3 * sizeof *at);
}

/* From half the camera's distance to one and a half of it, through the target. */
static void away(double t, double at[3], double velocity[3])
{
    memcpy(at, (double[3]){50 - 100 * t, (60 * t - 30) * unit(), 10 * unit()}, 3 * sizeof *at);
    memcpy(velocity, (double[3]){-100, 60 * unit(), 0}, 3 * sizeof *at);
}

/* Around the camera, level with it, once. */
static void around(double t, double at[3], double velocity[3])
{
    const double turn = 2 * M_PI * t, rate = 2 * M_PI * distance;
    memcpy(at, (double[3]){distance - distance * cos(turn), distance * sin(turn), 0},
           3 * sizeof *at);
    memcpy(velocity, (double[3]){rate * sin(turn), rate * cos(turn), 0}, 3 * sizeof *at);
}

/* In this many frames, at times 0 .. 1. */
static struct view trace(path *follow, int frames)
{
    place(0, ACROSS, ROWS, 0, 0);
    struct view view = *view_of(1, 0);
    for (int k = 0; k < frames; k++) {
        double at[3], velocity[3];
        traced.time[k] = (double)k / (frames - 1);
        follow(traced.time[k], at, velocity);
        for (int c = 0; c < 3; c++) {
            traced.rows[k][c] = (float)at[c];
            traced.rows[k][4 + c] = (float)velocity[c];
        }
        traced.rows[k][3] = 1;
        traced.rows[k][7] = 0;
    }
    memcpy(view.position, traced.rows[frames - 1], 4 * sizeof(float));
    memcpy(view.velocity, traced.rows[frames - 1] + 4, 4 * sizeof(float));
    traced.trail = (struct view_trail){.bodies = 1,
                                       .frames = (size_t)frames,
                                       .room = FRAMES_MOST,
                                       .time = traced.time,
                                       .rows = traced.rows};
    view.trail = &traced.trail;
    return view;
}

/* The trail of everything that trace makes in so many frames. */
static struct renderer_params params_of(int frames)
{
    struct renderer_params params = usual(PICTURE_RGBA16, ACROSS, ROWS);
    params.labels.fps = frames - 1;
    params.look.trails = 1;
    params.look.exposure.factor = 0.5;
    params.look.point_size = 20.0 * 1080 / ROWS; /* of which a trail is a quarter wide */
    return params;
}

static struct picture drawn(const struct renderer_params *params, const struct view *view)
{
    struct picture picture;
    draw_view(params, view, &picture);
    return picture;
}

/* All light of columns left .. right - 1. */
static double within(const struct picture *picture, uint32_t left, uint32_t right)
{
    return spot_within(picture, 0, left, 0, right - left, picture->layout.height).light;
}

/* The part of a's light that b has elsewhere or lacks. */
static double elsewhere(const struct picture *a, const struct picture *b)
{
    double off = 0, all = 0;
    for (uint32_t y = 0; y < a->layout.height; y++)
        for (uint32_t x = 0; x < a->layout.width; x++) {
            off += fabs(light(a, x, y) - light(b, x, y));
            all += light(a, x, y);
        }
    return off / all;
}

TEST(a_trail_fades_to_nothing)
{
    need_gl(state);
    const struct renderer_params params = params_of(33);
    const struct view view = trace(straight, 33);
    struct picture picture = drawn(&params, &view);
    /* The path goes from column 48 to 208, where the body is. */
    const double first = within(&picture, 168, 188);
    assert_true(first > 1);
    for (uint32_t left = 48; left < 168; left += 20) {
        const double age = (208 - left - 10) / 160.0,
                     expected = trail_left(age) / trail_left(30 / 160.0);
        const double found = within(&picture, left, left + 20) / first;
        if (fabs(found - expected) > 0.01)
            fail_msg("%g of the light at %u, expected %g", found, left, expected);
    }
    assert_true(within(&picture, 0, 44) < 1e-3);
    /* Half as many seconds: only the second half of the path. */
    struct renderer_params half = params;
    half.look.trails = 0.5;
    struct picture shorter = drawn(&half, &view);
    assert_true(within(&shorter, 0, 124) < 1e-3 && within(&shorter, 130, 150) > 0.05);
    free(shorter.data);
    free(picture.data);
}

/* For any number of known frames and any speed of the body, the light depends on the path's length.
 * Chords instead of the curve would put half of the circle's light elsewhere; the remaining
 * difference is that such small sprites fall on whole pixels. */
TEST(trails_are_smooth_curves)
{
    need_gl(state);
    path *const paths[] = {straight, round_about, away};
    static const double tolerances[] = {0.01, 0.02, 0.02};
    for (int i = 0; i < 3; i++) {
        struct renderer_params few = params_of(9), many = params_of(257);
        struct view view = trace(paths[i], 9);
        struct picture coarse = drawn(&few, &view);
        view = trace(paths[i], 257);
        struct picture fine = drawn(&many, &view);
        const double off = elsewhere(&fine, &coarse);
        print_message("path %d: %.4f of the light elsewhere\n", i, off);
        if (!(off < tolerances[i]))
            fail_msg("path %d: %g of the light elsewhere", i, off);
        free(coarse.data);
        free(fine.data);
    }
}

/* A path twice as far away is half as long and half as wide. */
TEST(light_falls_as_that_of_bodies)
{
    need_gl(state);
    struct renderer_params params = params_of(33);
    const struct view view = trace(straight, 33);
    params.look.radius = 32 * unit();
    struct picture near = drawn(&params, &view);
    params.camera.distance *= 2;
    struct picture far = drawn(&params, &view);
    const double close = light(&near, ACROSS / 2, ROWS / 2),
                 apart = light(&far, ACROSS / 2, ROWS / 2);
    const double share = within(&far, 0, 145) / within(&near, 0, 162);
    print_message("%g and %g in the middle, %g of the light\n", close, apart, share);
    assert_true(fabs(apart / close - 1) < 0.03 && fabs(share - 0.25) < 0.01);
    free(near.data);
    free(far.data);
}

/* A line that does not fade has four tenths of the brightness in the middle of its body, and is a
 * quarter as wide. */
TEST(a_line_is_fainter_and_thinner_than_its_body)
{
    need_gl(state);
    struct renderer_params params = params_of(65);
    const struct view view = trace(straight, 65);
    params.look.trails = 1000;
    params.look.point_size *= 2;
    struct picture with = drawn(&params, &view);
    params.look.trails = 0;
    struct picture without = drawn(&params, &view);
    const double line = light(&with, ACROSS / 2, ROWS / 2), body = light(&without, 208, ROWS / 2);
    double wide[2] = {0, 0};
    for (uint32_t y = 0; y < ROWS; y++) {
        wide[0] += light(&with, ACROSS / 2, y) / line;
        wide[1] += light(&without, 208, y) / body;
    }
    print_message("%g of the brightness, %g of the width\n", line / body, wide[0] / wide[1]);
    assert_true(fabs(line / body - 0.4) < 0.01 && fabs(wide[0] / wide[1] - 0.25) < 0.02);
    free(with.data);
    free(without.data);
}

/* Adaptive stars leave lines that are 4.5 pixels wide in a picture 1080 rows high, as bodies of 18
 * pixels do. The body itself is out of the picture. */
TEST(stars_leave_thin_lines)
{
    need_gl(state);
    struct renderer_params params = params_of(65);
    const struct view view = trace(straight, 65);
    params.height = params.whole_height = 1080;
    params.look.trails = 1000;
    params.look.size = &sizing_adaptive;
    params.look.point_size = 0;
    struct picture stars = drawn(&params, &view);
    params.look.size = &sizing_fixed;
    params.look.point_size = 18;
    struct picture bodies = drawn(&params, &view);
    double wide = 0;
    for (uint32_t y = 0; y < 1080; y++)
        wide += light(&stars, ACROSS / 2, y) / light(&stars, ACROSS / 2, 540);
    print_message("%g pixels wide, %g of the light elsewhere\n", wide, elsewhere(&bodies, &stars));
    assert_true(elsewhere(&bodies, &stars) < 1e-3 && wide > 1.5 && wide < 3);
    free(stars.data);
    free(bodies.data);
}

/* The trail of a body of three times the mean mass has three times the light, if light follows
 * mass. */
TEST(light_follows_mass)
{
    need_gl(state);
    struct renderer_params params = params_of(33);
    const struct view view = trace(straight, 33);
    params.found.look.mean_mass = 1;
    params.look.exposure.factor /= 4;
    double found[2][2];
    for (int by_mass = 0; by_mass < 2; by_mass++)
        for (int heavy = 0; heavy < 2; heavy++) {
            params.look.weight = by_mass ? &light_by_mass : &light_by_component;
            for (int k = 0; k < 33; k++)
                traced.rows[k][3] = heavy ? 3 : 1;
            struct picture picture = drawn(&params, &view);
            found[by_mass][heavy] = within(&picture, 48, 188);
            free(picture.data);
        }
    assert_true(fabs(found[1][1] / found[1][0] - 3) < 0.03);
    assert_true(found[0][1] == found[0][0]);
}

TEST(exposure_holds_for_trails)
{
    need_gl(state);
    struct renderer_params params = params_of(33);
    const struct view view = trace(round_about, 33);
    struct picture bright = drawn(&params, &view);
    params.look.exposure.factor /= 4;
    struct picture dim = drawn(&params, &view);
    assert_true(fabs(total_light(&bright) / total_light(&dim) - 4) < 0.02);
    free(bright.data);
    free(dim.data);
}

/* Red, green, blue from the velocity's x, y, z: along a circle they change. */
TEST(colours_are_those_of_the_place)
{
    need_gl(state);
    struct renderer_params params = params_of(65);
    struct view view = trace(round_about, 65);
    params.look.color = choose(&colour_registry, "velocity-rgb");
    params.look.speed = 1.5 * M_PI * 40 * unit();
    struct picture picture = drawn(&params, &view);
    /* To the left at the top, a third of the way, and down at the left, two thirds of it. */
    const struct spot top = spot_within(&picture, 1, ACROSS / 2 - 4, 0, 8, ROWS / 2),
                      left = spot_within(&picture, 1, 0, ROWS / 2 - 4, ACROSS / 2, 8),
                      falling = spot_within(&picture, 2, 0, ROWS / 2 - 4, ACROSS / 2, 8),
                      level = spot_within(&picture, 2, ACROSS / 2 - 4, 0, 8, ROWS / 2);
    print_message("top %g %g, left %g %g\n", top.light, level.light, left.light, falling.light);
    assert_true(level.light > 4 * top.light && left.light > 4 * falling.light);
    /* By a column of the body: the body's own colour. */
    params.look.color = choose(&colour_registry, "quantity");
    struct picture mapped = drawn(&params, &view);
    struct picture other;
    values_of(COLUMN_QUANTITY)[0] = 1;
    other = drawn(&params, &view);
    assert_true(elsewhere(&mapped, &other) > 0.2);
    free(picture.data);
    free(mapped.data);
    free(other.data);
}

TEST(absent_bodies_have_no_trail)
{
    need_gl(state);
    const struct renderer_params params = params_of(33);
    const struct view view = trace(straight, 33);
    for (int k = 0; k < 17; k++)
        traced.rows[k][7] = 1;
    struct picture picture = drawn(&params, &view);
    assert_true(within(&picture, 0, 129) < 1e-3 && within(&picture, 134, 150) > 0.1);
    free(picture.data);
}

/* At rest, but for one step from the left to the right. */
static void step(double t, double at[3], double velocity[3])
{
    memcpy(at, (double[3]){0, (t < 0.5 ? -60 : 60) * unit(), 0}, 3 * sizeof *at);
    memset(velocity, 0, 3 * sizeof *velocity);
}

/* A body that crosses the edge of a periodic box leaves no line through the box. */
TEST(no_trail_across_a_box)
{
    need_gl(state);
    struct renderer_params params = params_of(32);
    params.look.trails = 1000;
    const struct view view = trace(step, 32);
    for (int k = 0; k < 2; k++) {
        params.found.universe.edge[1] = (k ? 250 : 119) * unit(); /* it has moved by 120 */
        struct picture picture = drawn(&params, &view);
        const double middle = within(&picture, 90, 160);
        assert_true(k ? middle > 0.1 : middle < 1e-3);
        free(picture.data);
    }
}

/* A tile, and each eye of a pair, has its part of the line. */
TEST(tiles_are_the_whole)
{
    need_gl(state);
    enum { TILE = 64 };
    struct renderer_params params = params_of(33), tile = params;
    const struct view view = trace(round_about, 33);
    const struct draw_group group = {.first = 0, .count = 1, .light = 1, .tint = {1, 1, 1}};
    struct picture whole = drawn(&params, &view), *part;
    struct renderer *renderer;
    tile.groups = &group;
    tile.whole_width = ACROSS;
    tile.whole_height = ROWS;
    tile.width = tile.height = TILE;
    assert_ok(renderer_open(&renderer, &tile));
    assert_ok(renderer_bind(renderer));
    assert_ok(renderer_picture_create(renderer, &part));
    double off = 0, all = 0;
    for (uint32_t y = 0; y < ROWS; y += TILE)
        for (uint32_t x = 0; x < ACROSS; x += TILE) {
            renderer_set_tile(renderer, x, y);
            assert_ok(renderer_submit(renderer, &view, part));
            assert_ok(renderer_wait(renderer));
            for (uint32_t i = 0; i < TILE * TILE; i++) {
                const double one = light(part, i % TILE, i / TILE),
                             same = light(&whole, x + i % TILE, y + i / TILE);
                off = fmax(off, fabs(one - same));
                all += same;
            }
        }
    print_message("%g of the light differs most\n", off);
    assert_true(all > 10 && off < 0.002);
    renderer_picture_destroy(renderer, &part);
    renderer_unbind(renderer);
    renderer_close(&renderer);
    free(whole.data);
}

TEST(both_eyes_see_them)
{
    need_gl(state);
    struct renderer_params params = params_of(33);
    params.camera.projection = choose(&projection_registry, "side-by-side");
    params.camera.eye_distance = 12 * unit();
    const struct view view = trace(away, 33);
    struct picture with = drawn(&params, &view);
    params.look.trails = 0;
    struct picture without = drawn(&params, &view);
    double eyes[2], bare[2];
    for (uint32_t eye = 0; eye < 2; eye++) {
        eyes[eye] = within(&with, eye * ACROSS / 2, (eye + 1) * ACROSS / 2);
        bare[eye] = within(&without, eye * ACROSS / 2, (eye + 1) * ACROSS / 2);
    }
    print_message("%g and %g, without %g and %g\n", eyes[0], eyes[1], bare[0], bare[1]);
    assert_true(eyes[0] > 1.2 * bare[0] && eyes[1] > 1.2 * bare[1]);
    assert_true(fabs(eyes[0] / eyes[1] - 1) < 0.1 && eyes[0] != eyes[1]);
    free(with.data);
    free(without.data);
}

/* Once around the camera, over four edges of the cube's faces: without gaps or overlaps. */
TEST(a_sphere_shows_them_unbroken)
{
    need_gl(state);
    struct renderer_params params = params_of(129);
    params.camera.projection = choose(&projection_registry, "equirect");
    params.look.trails = 1000; /* nothing fades */
    params.look.point_size *= 3;
    params.labels.fps = 128;
    const struct view view = trace(around, 129);
    struct picture picture = drawn(&params, &view);
    double least = INFINITY, most = 0;
    for (uint32_t x = 0; x < ACROSS; x++) {
        const double column = within(&picture, x, x + 1);
        const bool at_body = abs((int)x - ACROSS / 2) < 40;
        least = at_body ? least : fmin(least, column);
        most = at_body ? most : fmax(most, column);
    }
    print_message("%g to %g in a column\n", least, most);
    assert_true(least > 0.01 && most < 1.05 * least);
    free(picture.data);
}

TEST(what_has_no_trails)
{
    need_gl(state);
    struct renderer *renderer;
    static const char *const colours[] = {"density", "temperature"};
    for (int i = 0; i < 2; i++) {
        struct renderer_params params = params_of(33);
        params.look.color = choose(&colour_registry, colours[i]);
        assert_fails(renderer_open(&renderer, &params), STATUS_USAGE, "look.color along trails");
    }
    struct renderer_params params = params_of(33);
    params.look.mode = choose(&draw_mode_registry, "activity");
    assert_fails(renderer_open(&renderer, &params), STATUS_USAGE, "look.mode no light");
}

/* Ends and velocities match the rows; a sharp turn within a frame makes no loop. */
TEST(spans)
{
    const float from[8] = {1, 2, 3, 5, 4, 0, 0, 1}, to[8] = {2, 2, 4, 5, 0, 0, 2, 3};
    struct trail_span span;
    float row[8];
    trail_span_make(&span, from, to, 0.5);
    assert_true(fabs(trail_span_at(&span, 0, row) - 2) < 1e-6);
    assert_memory_equal(row, from, sizeof row);
    assert_true(fabs(trail_span_at(&span, 1, row) - 1) < 1e-6);
    assert_memory_equal(row, to, sizeof row);
    for (int i = 0; i <= 20; i++)
        assert_true(trail_span_at(&span, i / 20.0, row) <= span.fastest * (1 + 1e-9));
    const float in[8] = {0, 0, 0, 1, 500, 0, 0, 0}, out[8] = {0, 0.1f, 0, 1, -500, 0, 0, 0};
    trail_span_make(&span, in, out, 1);
    for (int i = 0; i <= 20; i++) {
        trail_span_at(&span, i / 20.0, row);
        assert_true(fabsf(row[0]) < 0.1f && row[1] >= 0 && row[1] <= 0.1f);
    }
    assert_true(trail_left(0) == 1 && trail_left(1) == 0 && trail_left(7) == 0);
    assert_true(trail_left(0.5) == 0.25);
}

TESTS(open_gl, NULL)
