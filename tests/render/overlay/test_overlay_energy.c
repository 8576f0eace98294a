/* The energy graph in pictures: its curves match the numbers, and it fills as the film runs. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "render/overlay/elements.h"
#include "render/overlay/ink.h"
#include "render/overlay/layout.h"
#include "render/overlay/overlay.h"
#include "tests/support/films/overlay_fixture.h"

#include <math.h>

enum { POINTS = 61 };
static const double duration = 90;

/* |E0| is 2; kinetic 3 .. 5.8 and potential -5 .. -7.8, so that the ends of the graph are 3 and -4
 * times |E0|; a total that grows by a quarter over the film. */
static void history(struct energy_point points[POINTS])
{
    for (int i = 0; i < POINTS; i++) {
        double part = i / (POINTS - 1.0), bump = sin(3 * part) * sin(3 * part);
        points[i] = (struct energy_point){duration * part, 3 + 2.8 * bump + 0.2 * part,
                                          -5 - 2.8 * bump + 0.3 * part};
    }
}

/* The graph's box, from the axis at its left: the longest upright stroke of the picture. */
static struct extent find_box(const struct picture *picture, uint32_t width, uint32_t height)
{
    struct extent box = {0};
    for (uint32_t x = width / 2; x < width; x++)
        for (uint32_t y = height / 2; y < height; y++) {
            uint32_t end = y;
            while (end < height && red(picture, x, end) > 90)
                end++;
            if (end - y > box.bottom - box.top)
                box = (struct extent){.left = x + 1, .top = y, .bottom = end};
            y = end;
        }
    box.right = ink_within(picture, box.left, box.top, width, box.bottom).right;
    return box;
}

enum curve { KINETIC, POTENTIAL, TOTAL };

static double strength(const double shown[3], enum curve curve)
{
    return curve == KINETIC     ? shown[0] - shown[2]
           : curve == POTENTIAL ? shown[2] - shown[0]
                                : fmin(fmin(shown[0], shown[1]), shown[2]);
}

/* The strongest within a pixel of (x, y). */
static double strength_near(const struct picture *picture, double x, double y, enum curve curve)
{
    double found = 0;
    for (int dy = -1; dy <= 1; dy++) {
        double shown[3];
        shown_at(picture, (uint32_t)x, (uint32_t)(y + dy), shown);
        found = fmax(found, strength(shown, curve));
    }
    return found;
}

static void check_curve(const struct picture *picture, const struct extent *box,
                        const struct energy_point *points, size_t count, enum curve curve)
{
    const double width = box->right - box->left, height = box->bottom - box->top;
    for (size_t i = 1; i + 1 < count; i++) {
        double energy = curve == KINETIC     ? points[i].kinetic
                        : curve == POTENTIAL ? points[i].potential
                                             : points[i].kinetic + points[i].potential;
        double x = box->left + width * points[i].time / duration;
        double y = box->top + height * (3 - energy / 2) / 7;
        if (strength_near(picture, x, y, curve) < 0.35)
            fail_msg("curve %d does not pass (%.1f, %.1f)", (int)curve, x, y);
        for (int side = -1; side <= 1; side += 2)
            if (strength_near(picture, x, y + side * 9, curve) > 0.3 && curve != TOTAL)
                fail_msg("curve %d is at (%.1f, %.1f) as well", (int)curve, x, y + side * 9);
    }
}

TEST(curves_go_where_the_numbers_say)
{
    need_gl(state);
    struct energy_point points[POINTS];
    history(points);
    static const size_t counts[] = {31, POINTS};
    for (size_t i = 0; i < 2; i++) {
        struct renderer_params params = dark(1280, 720);
        params.overlay.energy = true;
        struct view view = *view_of(1, 1);
        view.energy = points;
        view.energy_count = counts[i];
        struct picture picture;
        draw_view(&params, &view, &picture);
        struct extent box = find_box(&picture, 1280, 720);
        assert_in_range(box.bottom - box.top, 50, 100);
        assert_in_range(box.right, 1214, 1218);
        check_curve(&picture, &box, points, counts[i], KINETIC);
        check_curve(&picture, &box, points, counts[i], POTENTIAL);
        check_curve(&picture, &box, points, counts[i], TOTAL);
        struct extent curves = colour_within(&picture, box.left, box.top, box.right, box.bottom);
        double end = box.left + (box.right - box.left) * points[counts[i] - 1].time / duration;
        assert_true(fabs(curves.right - end) <= 2 && curves.left <= box.left + 1);
        free(picture.data);
    }
}

/* Under the graph: the total goes from -2 to -1.5, a quarter of |E0|. The line is as wide as that
 * text. */
TEST(the_drift_is_told_in_percent)
{
    need_gl(state);
    struct energy_point points[POINTS];
    history(points);
    struct renderer_params params = dark(1280, 720);
    params.overlay.energy = true;
    struct view view = *view_of(1, 1);
    view.energy = points;
    view.energy_count = POINTS;
    struct picture picture;
    draw_view(&params, &view, &picture);
    const struct extent box = find_box(&picture, 1280, 720);
    const struct extent line = ink_within(&picture, box.left - 4, box.bottom + 4, 1280, 720);
    free(picture.data);
    struct overlay_layout layout;
    struct ink *ink;
    overlay_lay_out(&layout, &params.overlay, 1280, 720);
    assert_ok(ink_create(&ink, params.overlay.font, 4));
    ink_role(ink, INK_NUMBER);
    const double whole = ink_width(ink, layout.size, "drift of total +25 %");
    const double other = ink_width(ink, layout.size, "drift of total +0.25 %");
    ink_destroy(&ink);
    const double found = (double)line.right - line.left;
    print_message("%g pixels wide; %g wanted\n", found, whole);
    assert_true(fabs(found - whole) < (other - whole) / 2);
}

TEST(graph_is_painted_when_it_grows)
{
    need_gl(state);
    struct renderer_params params = dark(640, 360);
    params.overlay.energy = params.overlay.legend = true;
    params.look.color = choose(&colour_registry, "speed");
    struct overlay *overlay;
    struct bare_display display;
    bare_display_open(&display, 640, 360);
    assert_ok(overlay_create(&overlay, &params));
    struct energy_point points[POINTS];
    history(points);
    struct camera_pose pose = {.pixels_per_unit = 10};
    static const struct {
        size_t points;
        unsigned paintings; /* after this frame */
    } steps[] = {{0, 1}, {0, 1}, {1, 2}, {1, 2}, {2, 3}, {5, 4}, {5, 4}, {5, 4}, {POINTS, 5}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct view view = *view_of(1, i);
        view.energy = points;
        view.energy_count = steps[i].points;
        assert_ok(overlay_draw(overlay, &view, &pose, &display.target, 0, 0));
        assert_int_equal(overlay_paintings(overlay), steps[i].paintings);
    }
    assert_ok(gl_check("the test"));
    overlay_destroy(&overlay);
    bare_display_close(&display);
}

TEST(odd_histories_are_drawn)
{
    need_gl(state);
    static struct energy_point many[700];
    for (int i = 0; i < 700; i++)
        many[i] = (struct energy_point){i * duration / 699, 1 + i % 3, -1};
    const struct energy_point zero = {0, 0, 0}, unbound = {0, 2, 0}, balanced = {0, 1, -1},
                              huge = {0, 1e300, -1e-300};
    const struct energy_point *const histories[] = {&zero, &unbound, &balanced, &huge, many};
    struct renderer_params params = dark(640, 360);
    params.overlay.energy = true;
    for (size_t i = 0; i < 5; i++)
        for (int still = 0; still < 2; still++) {
            struct view view = *view_of(1, 1);
            struct picture picture;
            view.energy = histories[i];
            view.energy_count = i == 4 ? 700 : 1;
            params.found.duration = still ? 0 : duration;
            draw_view(&params, &view, &picture);
            struct extent box = find_box(&picture, 640, 360);
            assert_in_range(box.bottom - box.top, 30, 60);
            free(picture.data);
        }
}

TEST(ends_are_round_and_hold_all)
{
    static const struct {
        struct energy_point point;
        double low, high;
    } cases[] = {
        {{0, 1, -2}, -2, 1},     {{0, 1.01, -2.01}, -3, 1.5}, {{0, 0, -5}, -1, 0},
        {{0, 30, -31}, -40, 30}, {{0, 7, 0}, 0, 1},           {{0, 0, 0}, 0, 1},
        {{0, 1, -1}, -1, 1},     {{0, 5.5, -6.5}, -8, 6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double low, high;
        overlay_energy_limits(&cases[i].point, 1, &low, &high);
        assert_true(fabs(low - cases[i].low) < 1e-9 && fabs(high - cases[i].high) < 1e-9);
    }
    /* what rounding has left above a step is not another one */
    const struct energy_point pair[] = {{0, 1, -2}, {1, 1.5 * (1 + 1e-12), -2.5}};
    double lowest, highest;
    overlay_energy_limits(pair, 2, &lowest, &highest);
    assert_true(lowest == -3 && highest == 1.5);
    struct energy_point points[POINTS];
    double low = 0, high = 0, before_low = 0, before_high = 0;
    int changes = 0;
    history(points);
    for (size_t count = 1; count <= POINTS; count++) {
        overlay_energy_limits(points, count, &low, &high);
        assert_true(low <= before_low && high >= before_high);
        assert_true(low * 2 <= points[count - 1].potential);
        assert_true(high * 2 >= points[count - 1].kinetic);
        changes += low != before_low || high != before_high;
        before_low = low;
        before_high = high;
    }
    assert_true(low == -4 && high == 3);
    assert_in_range(changes, 2, 4);
}

TESTS(open_gl, NULL)
