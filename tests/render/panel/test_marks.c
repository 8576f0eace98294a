/* Marks lie where their bodies are seen, in every projection, and have their colours. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "tests/support/films/drawing.h"

#include "render/sprites/modes.h"

#include <math.h>
#include <string.h>

static double body[3];
static struct mark_params look = {
    .of = "", .color = {.shown = {1, 0, 0}}, .size = 24, .brightness = 0.8};

static bool at(const struct tracked *tracked, const struct view *view, double out[3])
{
    (void)tracked;
    (void)view;
    memcpy(out, body, sizeof body);
    return true;
}

static const struct tracked marked = {.at = at};

static struct renderer_params params_of(uint32_t width, uint32_t height, const char *projection)
{
    struct renderer_params params = usual(PICTURE_RGBA16, width, height);
    place(0, width, height, -10.0 * width, 0);
    params.camera.projection = choose(&projection_registry, projection);
    params.look.marks = &look;
    params.look.mark_count = 1;
    params.marked = &marked;
    params.marked_count = 1;
    return params;
}

/* Where the camera at x = 100, which looks along -x, sees the body in a picture or, with `eye` -1
 * or 1, in that of an eye. */
static void see(double width, double height, double eye, bool sphere, double out[2])
{
    const double shift = eye * 0.5 * 100 / 30, depth = 100 - body[0];
    const double focal = height / 2 / tan(10 * M_PI / 180), radian = width / (2 * M_PI);
    out[0] = width / 2 + focal * ((body[1] - shift) / depth + shift / 100);
    out[1] = height / 2 - focal * body[2] / depth;
    if (!sphere)
        return;
    out[0] = width / 2 + radian * atan2(body[1], depth);
    out[1] = height / 2 - radian * atan2(body[2], hypot(body[1], depth));
}

/* The same in a dome with an axis 35 degrees above the camera's line of sight. */
static void see_in_dome(const struct renderer_params *params, double eye, double out[2])
{
    const double shift = eye * 0.5 * 100 / 30, turn = atan(shift / 100), lean = 35 * M_PI / 180;
    const double x = body[1] - shift, y = 100 - body[0];
    const double right = x * cos(turn) + y * sin(turn), ahead = y * cos(turn) - x * sin(turn);
    const double up = body[2] * cos(lean) - ahead * sin(lean);
    const double along = ahead * cos(lean) + body[2] * sin(lean), across = hypot(right, up);
    const double off = 360 / (params->camera.dome_field * M_PI / 180) * atan2(across, along);
    out[0] = 180 + off * right / across;
    out[1] = 180 - off * up / across;
}

static void assert_at(const struct picture *picture, uint32_t left, uint32_t top,
                      const double want[2])
{
    enum { NEAR = 16 }; /* elsewhere may be the only body, far to the left */
    const uint32_t x = left + (uint32_t)want[0] - NEAR, y = top + (uint32_t)want[1] - NEAR;
    const struct spot red = spot_within(picture, 0, x, y, 2 * NEAR, 2 * NEAR);
    const struct spot blue = spot_within(picture, 2, x, y, 2 * NEAR, 2 * NEAR);
    if (!(red.light > 5) || hypot(red.x - left - want[0], red.y - top - want[1]) > 0.1)
        fail_msg("light %g at %.2f, %.2f instead of %.2f, %.2f", red.light, red.x - left,
                 red.y - top, want[0], want[1]);
    assert_true(blue.light < 0.05 * red.light);
}

static void assert_seen(const struct picture *picture, uint32_t left, uint32_t top, uint32_t width,
                        uint32_t height, double eye, bool sphere)
{
    double want[2];
    see(width, height, eye, sphere, want);
    assert_at(picture, left, top, want);
}

TEST(marks_are_where_their_bodies_are)
{
    need_gl(state);
    for (int frame = 0; frame < 4; frame++) {
        struct picture picture;
        body[0] = 20 - 11 * frame;
        body[1] = 5.3 * frame - 8;
        body[2] = 4.1 - 2.7 * frame;
        struct renderer_params params = params_of(640, 360, "flat");
        draw(&params, 0, &picture);
        assert_seen(&picture, 0, 0, 640, 360, 0, false);
        free(picture.data);
        params = params_of(640, 180, "side-by-side");
        draw(&params, 0, &picture);
        assert_seen(&picture, 0, 0, 320, 180, -1, false);
        assert_seen(&picture, 320, 0, 320, 180, 1, false);
        free(picture.data);
        params = params_of(320, 360, "over-under");
        draw(&params, 0, &picture);
        assert_seen(&picture, 0, 0, 320, 180, -1, false);
        assert_seen(&picture, 0, 180, 320, 180, 1, false);
        free(picture.data);
        params = params_of(720, 360, "equirect");
        draw(&params, 0, &picture);
        assert_seen(&picture, 0, 0, 720, 360, 0, true);
        free(picture.data);
        for (int eye = -1; eye <= 1; eye++) {
            const uint32_t width = eye ? 720 : 360, left = eye > 0 ? 360 : 0;
            double want[2];
            params = params_of(width, 360, eye ? "dome-side-by-side" : "dome");
            params.camera.dome_field = 200;
            params.camera.dome_tilt = 20;
            params.camera.dome_height = 35;
            see_in_dome(&params, eye, want);
            draw(&params, 0, &picture);
            assert_at(&picture, left, 0, want);
            free(picture.data);
        }
    }
}

/* Brightness and size are those of the picture, whatever the exposure and its size are. */
TEST(marks_do_not_depend_on_the_exposure)
{
    need_gl(state);
    double shown[2][2];
    memset(body, 0, sizeof body);
    for (int e = 0; e < 2; e++)
        for (int s = 0; s < 2; s++) {
            struct renderer_params params = params_of(320 << s, 180 << s, "flat");
            struct picture picture;
            params.look.exposure.factor = e ? 0.01 : 3;
            draw(&params, 0, &picture);
            shown[e][s] = total_light(&picture) / (1 << 2 * s);
            free(picture.data);
        }
    for (int s = 0; s < 2; s++)
        assert_true(fabs(shown[0][s] / shown[1][s] - 1) < 0.02);
    assert_true(fabs(shown[0][1] / shown[0][0] - 1) < 0.05);
}

/* The path is a line behind the body, which fades. */
TEST(trails_of_marks)
{
    need_gl(state);
    enum { FRAMES = 5 };
    static float rows[FRAMES][8];
    static double time[FRAMES];
    for (int f = 0; f < FRAMES; f++) {
        rows[f][1] = (float)(3 * f - 6);
        rows[f][5] = 3;
        time[f] = f;
    }
    struct view_trail trail = {
        .bodies = 1, .frames = FRAMES, .room = FRAMES, .time = time, .rows = rows};
    struct renderer_params params = params_of(640, 360, "flat");
    struct view view = *view_of(1, 0);
    struct picture picture;
    body[0] = body[2] = 0;
    body[1] = 6;
    look.trail = FRAMES - 1;
    params.labels.fps = 1;
    view.trail = &trail;
    draw_view(&params, &view, &picture);
    look.trail = 0;
    double before = 0;
    for (int i = 0; i < 6; i++) { /* from the oldest to the newest part */
        double place[2];
        body[1] = 2 * i - 5.5;
        see(640, 360, 0, false, place);
        const struct spot spot =
            spot_within(&picture, 0, (uint32_t)place[0] - 2, (uint32_t)place[1] - 8, 4, 16);
        assert_true(spot.light > before && fabs(spot.y - place[1]) < 0.5);
        before = spot.light;
    }
    free(picture.data);
}

/* A mark is seen as long as its body is within the slab across the line of sight. */
TEST(the_slab_cuts_marks)
{
    need_gl(state);
    static const double across[] = {-5.1, -4.9, 0, 4.9, 5.1};
    for (size_t k = 0; k < sizeof across / sizeof *across; k++) {
        struct picture picture;
        struct renderer_params params = params_of(320, 180, "flat");
        params.look.slab = 10;
        params.look.slab_axis = choose(&slab_axis_registry, "view");
        body[0] = across[k];
        body[1] = body[2] = 0;
        draw(&params, 0, &picture);
        assert_int_equal(spot_within(&picture, 0, 140, 70, 40, 40).light > 5, fabs(across[k]) < 5);
        free(picture.data);
    }
}

TESTS(open_gl, NULL)
