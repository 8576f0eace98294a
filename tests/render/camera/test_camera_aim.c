/* The parts of a camera together: keyframes, moves and panels, and the tiles, eyes and faces of a
 * sphere of one aim. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "render/camera/camera.h"
#include "render/camera/project.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 640, HEIGHT = 360, FRAMES = 101 };

static void near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%.9g instead of %.9g", found, expected);
}

static void near3(const double found[3], double x, double y, double z, double tolerance)
{
    near(found[0], x, tolerance);
    near(found[1], y, tolerance);
    near(found[2], z, tolerance);
}

/* Pixels from the upper left corner of the whole picture, as in GL. */
static void seen(const struct camera_aim *aim, const struct camera_window *window,
                 const double point[3], double pixel[2])
{
    struct camera_pose pose;
    double clip[4];
    camera_project(&pose, aim, window);
    for (int row = 0; row < 4; row++) {
        clip[row] = pose.view_projection[12 + row];
        for (int k = 0; k < 3; k++)
            clip[row] += pose.view_projection[4 * k + row] * point[k];
    }
    const double columns = window->columns + 2.0 * window->margin;
    const double rows = window->rows + 2.0 * window->margin;
    pixel[0] = (clip[0] / clip[3] + 1) / 2 * columns - window->margin + window->x;
    pixel[1] = (1 - clip[1] / clip[3]) / 2 * rows - window->margin + window->y;
}

static const struct camera_window whole = {
    .width = WIDTH, .height = HEIGHT, .columns = WIDTH, .rows = HEIGHT};
static const struct camera_aim slanted = {
    .eye = {7, -4, 5}, .target = {1, 2, 3}, .up = {0.1, 0, 1}, .fov = 50};

TEST(tiles_show_what_the_whole_shows)
{
    static const struct camera_window tiles[] = {
        {WIDTH, HEIGHT, 0, 0, 100, 50, 0, 0},
        {WIDTH, HEIGHT, 540, 310, 100, 50, 7, 0},
        {WIDTH, HEIGHT, 200, 100, 333, 111, 33, 0},
    };
    static const double points[][3] = {{1, 2, 3}, {0, 0, 0}, {2, 2.5, 4}, {-30, 12, -9}};
    for (size_t t = 0; t < sizeof tiles / sizeof tiles[0]; t++)
        for (size_t p = 0; p < sizeof points / sizeof points[0]; p++) {
            double a[2], b[2];
            struct camera_pose pose, part;
            seen(&slanted, &whole, points[p], a);
            seen(&slanted, &tiles[t], points[p], b);
            near(b[0], a[0], 0.01);
            near(b[1], a[1], 0.01);
            camera_project(&pose, &slanted, &whole);
            camera_project(&part, &slanted, &tiles[t]);
            assert_true(pose.pixels_per_unit == part.pixels_per_unit);
        }
}

/* The target has no parallax: closer bodies are further to the left for the right eye. */
TEST(eyes_agree_on_the_target)
{
    const double shift = 0.4, distance = camera_aim_distance(&slanted);
    const double unit = HEIGHT / (2 * tan(25 * M_PI / 180)); /* pixels at distance 1 */
    double right[3], up[3], back[3];
    camera_aim_axes(&slanted, right, up, back);
    for (int depth = -2; depth <= 2; depth++) {
        double pixel[2][2], point[3];
        for (int i = 0; i < 3; i++)
            point[i] = slanted.target[i] + depth * back[i] + 0.3 * up[i] + 0.2 * right[i];
        for (int e = 0; e < 2; e++) {
            struct camera_aim eye = slanted;
            struct camera_window window = whole;
            window.shear = e ? shift : -shift;
            camera_aim_eye(&eye, window.shear);
            seen(&eye, &window, point, pixel[e]);
            double axes[3][3];
            camera_aim_axes(&eye, axes[0], axes[1], axes[2]);
            near3(axes[2], back[0], back[1], back[2], 1e-12);
        }
        const double parallax = 2 * shift * unit * (1 / distance - 1 / (distance - depth));
        near(pixel[1][0] - pixel[0][0], parallax, 0.02);
        near(pixel[1][1], pixel[0][1], 0.01);
        assert_true(depth == 0 ? fabs(parallax) < 1e-12 : (parallax < 0) == (depth > 0));
    }
}

/* Six squares that look in six directions at right angles, the horizon level in the first four. */
TEST(faces_cover_the_sphere)
{
    const struct camera_aim level = {
        .eye = {10, 0, 5}, .target = {0, 0, 0}, .up = {0, 0, 2}, .fov = 30};
    static const double ahead[6][3] = {{0, 1, 0},  {0, -1, 0}, {0, 0, 1},
                                       {0, 0, -1}, {-1, 0, 0}, {1, 0, 0}};
    static const double above[6][3] = {{0, 0, 1},  {0, 0, 1}, {1, 0, 0},
                                       {-1, 0, 0}, {0, 0, 1}, {0, 0, 1}};
    const struct camera_window square = {.width = 100, .height = 100, .columns = 100, .rows = 100};
    for (int face = 0; face < 6; face++) {
        struct camera_aim aim;
        double right[3], up[3], back[3], corner[2], point[3];
        camera_aim_face(&aim, &level, face);
        camera_aim_axes(&aim, right, up, back);
        near3(aim.eye, 10, 0, 5, 0);
        near3(back, -ahead[face][0], -ahead[face][1], -ahead[face][2], 1e-12);
        near3(up, above[face][0], above[face][1], above[face][2], 1e-12);
        near(aim.fov, 90, 0);
        /* The corner of the cube is the corner of the square. */
        for (int i = 0; i < 3; i++)
            point[i] = aim.eye[i] + 3 * (right[i] + up[i] - back[i]);
        seen(&aim, &square, point, corner);
        near(corner[0], 100, 1e-3);
        near(corner[1], 0, 1e-3);
    }
}

static const struct camera_params plain = {
    .distance = 10, .zoom = 1, .fov = 40, .target = {1, 2, 3}};

static void aim_at(const struct camera_setup *setup, uint64_t frame, struct camera_aim *aim)
{
    const struct view view = {.frame = frame};
    struct camera *camera;
    assert_ok(camera_open(&camera, setup));
    camera_aim(camera, &view, aim);
    camera_close(&camera);
}

static struct keyframe_params two[] = {
    {.position = {10, 0, 0}, .up = {0, 0, 1}},
    {.position = {0, 10, 0}, .up = {0, 0, 1}, .fov = 20},
};
static const double when[] = {0, 100};

TEST(all_parts_add_up)
{
    struct camera_params params = plain;
    struct move_params move = {.move = choose(&move_registry, "orbit"),
                               .turn = -90,
                               .ease = choose(&ease_registry, "smooth"),
                               .factor = 1};
    const double from = 0, to = 50;
    struct camera_setup setup = {.params = &params, .frames = FRAMES, .azimuth = 90, .zoom = 2};
    struct camera_aim aim;
    aim_at(&setup, 0, &aim); /* a panel's own direction and zoom */
    near3(aim.eye, 1, 7, 3, 1e-12);
    params.keyframes = two;
    params.keyframe_count = 2;
    setup.found.keyframe = when;
    aim_at(&setup, 0, &aim);
    near3(aim.eye, 0, 5, 0, 1e-12);
    near(aim.fov, 40, 0);
    params.moves = &move;
    params.move_count = 1;
    setup.found.move_from = &from;
    setup.found.move_to = &to;
    aim_at(&setup, 100, &aim); /* 90 by the keyframes, -90 by the move, 90 by the panel */
    near3(aim.eye, 0, 5, 0, 1e-12);
    near(aim.fov, 20, 0);
}

TEST(found_framing_takes_the_place_of_the_scenes)
{
    struct camera_framing framing[FRAMES];
    struct camera_params params = plain;
    params.zoom = 4;
    for (int f = 0; f < FRAMES; f++)
        framing[f] = (struct camera_framing){.distance = 5 + f, .shift = {0.5, 0.01 * f}};
    const struct camera_setup setup = {
        .params = &params, .frames = FRAMES, .found = {.framing = framing}};
    struct camera_aim aim;
    aim_at(&setup, 0, &aim);
    near(camera_aim_distance(&aim), 5, 1e-12);
    near3(aim.target, 1, 2.5, 3, 1e-12);
    aim_at(&setup, 50, &aim);
    near3(aim.target, 1, 2.5, 3.5, 1e-12);
    near(camera_aim_distance(&aim), 55 / 2.0, 1e-12);
    aim_at(&setup, 100, &aim);
    near(camera_aim_distance(&aim), 105 / 4.0, 1e-12);
}

TEST(blind_cameras_are_refused)
{
    struct keyframe_params wrong[2];
    struct camera_params params = plain;
    const struct camera_setup setup = {
        .params = &params, .frames = FRAMES, .found = {.keyframe = when}};
    struct camera *camera;
    memcpy(wrong, two, sizeof wrong);
    params.keyframes = wrong;
    params.keyframe_count = 2;
    memcpy(wrong[1].position, (const double[]){-10, 0, 0}, sizeof wrong[1].position);
    assert_fails(camera_open(&camera, &setup), STATUS_USAGE,
                 "camera.keyframes[1] lead camera target frame 50");
    memcpy(wrong[1].position, (const double[]){0, 10, 0}, sizeof wrong[1].position);
    memcpy(wrong[1].up, (const double[]){0, 0, -1}, sizeof wrong[1].up);
    assert_fails(camera_open(&camera, &setup), STATUS_USAGE, "camera.keyframes along frame 50");
    params = plain;
    params.distance = 1e-30;
    assert_fails(camera_open(&camera, &setup), STATUS_USAGE, "camera.distance");
    params.distance = 10;
    params.zoom = 1e30;
    assert_fails(camera_open(&camera, &setup), STATUS_USAGE, "camera.zoom");
    assert_null(camera);
    params.zoom = 1;
    params.move_count = 1;
    assert_fails(camera_open(&camera, &setup), STATUS_RUNTIME, "camera.moves");
}

TESTS(NULL, NULL)
