#include "tests/support/test.h"

#include "tests/support/films/camera_at.h"
#include "tests/support/choose.h"

#include <math.h>

enum { WIDTH = 640, HEIGHT = 360 };

static const struct camera_params plain = {
    .target = {1, 2, 3}, .distance = 10, .zoom = 1, .fov = 40};

struct seen {
    double x, y; /* pixels of the inner picture from its upper left corner; pixel centres at .5 */
    double depth;
};

/* Follows GL: clip space, division, viewport of the picture and its margins. */
static struct seen project(const struct camera_pose *pose, const double point[3], uint32_t margin)
{
    double clip[4];
    for (int row = 0; row < 4; row++) {
        clip[row] = pose->view_projection[12 + row];
        for (int k = 0; k < 3; k++)
            clip[row] += pose->view_projection[4 * k + row] * point[k];
    }
    double width = WIDTH + 2.0 * margin, height = HEIGHT + 2.0 * margin;
    return (struct seen){
        .x = (clip[0] / clip[3] + 1) / 2 * width - margin,
        .y = (1 - clip[1] / clip[3]) / 2 * height - margin,
        .depth = clip[3],
    };
}

static struct seen look(const struct camera_params *params, double progress, double x, double y,
                        double z)
{
    struct camera_pose pose;
    camera_at(&pose, params, progress, WIDTH, HEIGHT, 0);
    return project(&pose, (double[3]){x, y, z}, 0);
}

static void near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%.6f instead of %.6f", found, expected);
}

TEST(target_is_in_the_middle)
{
    for (int azimuth = 0; azimuth < 360; azimuth += 45) {
        for (int elevation = -90; elevation <= 90; elevation += 45) {
            struct camera_params params = plain;
            params.azimuth = azimuth;
            params.elevation = elevation;
            struct seen seen = look(&params, 0.3, 1, 2, 3);
            near(seen.x, WIDTH / 2.0, 0.01);
            near(seen.y, HEIGHT / 2.0, 0.01);
            near(seen.depth, 10, 1e-4);
        }
    }
}

/* At azimuth 0 and elevation 0 the camera is at +x and looks along -x: +y is to the right. */
TEST(offsets_are_measured_in_pixels)
{
    double unit = HEIGHT / (2 * tan(20 * M_PI / 180) * 10);
    struct camera_pose pose;
    camera_at(&pose, &plain, 0, WIDTH, HEIGHT, 0);
    near(pose.pixels_per_unit, unit, 1e-4);
    near(pose.distance, 10, 1e-6);
    near(pose.position[0], 11, 1e-5);
    near(pose.position[1], 2, 1e-5);
    near(pose.position[2], 3, 1e-5);
    struct seen right = project(&pose, (double[3]){1, 4, 3}, 0);
    near(right.x, WIDTH / 2.0 + 2 * unit, 0.01);
    near(right.y, HEIGHT / 2.0, 0.01);
    struct seen up = project(&pose, (double[3]){1, 2, 4}, 0);
    near(up.x, WIDTH / 2.0, 0.01);
    near(up.y, HEIGHT / 2.0 - unit, 0.01);
    /* Half as far away: twice as large. */
    struct seen close = project(&pose, (double[3]){6, 2, 4}, 0);
    near(close.y, HEIGHT / 2.0 - 2 * unit, 0.01);
    near(close.depth, 5, 1e-4);
    /* Behind the camera. */
    assert_true(project(&pose, (double[3]){12, 2, 3}, 0).depth < 0);
}

TEST(margin_moves_nothing)
{
    struct camera_params params = plain;
    params.azimuth = 33;
    params.elevation = 21;
    static const double points[][3] = {{1, 2, 3}, {2, 2.5, 3.5}, {0, 0, 0}, {3, 4, 1}};
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        struct camera_pose bare, wide;
        camera_at(&bare, &params, 0.5, WIDTH, HEIGHT, 0);
        camera_at(&wide, &params, 0.5, WIDTH, HEIGHT, 37);
        struct seen a = project(&bare, points[i], 0), b = project(&wide, points[i], 37);
        near(b.x, a.x, 0.01);
        near(b.y, a.y, 0.01);
        near(bare.pixels_per_unit, wide.pixels_per_unit, 1e-4);
    }
}

/* Straight from above at azimuth 0: the camera's up is -x, its right +y. */
TEST(straight_down_works)
{
    struct camera_params params = plain;
    params.elevation = 90;
    double unit = HEIGHT / (2 * tan(20 * M_PI / 180) * 10);
    struct seen back = look(&params, 0, 0, 2, 3);
    near(back.x, WIDTH / 2.0, 0.01);
    near(back.y, HEIGHT / 2.0 - unit, 0.01);
    struct seen right = look(&params, 0, 1, 3, 3);
    near(right.x, WIDTH / 2.0 + unit, 0.01);
    near(right.y, HEIGHT / 2.0, 0.01);
    struct camera_pose pose;
    camera_at(&pose, &params, 0, WIDTH, HEIGHT, 0);
    near(pose.position[2], 13, 1e-5);
}

TEST(z_is_up)
{
    for (int azimuth = 0; azimuth < 360; azimuth += 30) {
        struct camera_params params = plain;
        params.azimuth = azimuth;
        params.elevation = 35;
        struct seen above = look(&params, 0, 1, 2, 4);
        near(above.x, WIDTH / 2.0, 0.01);
        assert_true(above.y < HEIGHT / 2.0 - 10);
    }
}

TEST(orbit_and_zoom_follow_the_film)
{
    struct camera_params params = plain;
    params.azimuth = 30;
    params.elevation = 10;
    params.orbit = 80;
    params.zoom = 4;
    struct camera_pose at, same;
    camera_at(&at, &params, 0.25, WIDTH, HEIGHT, 0);
    struct camera_params still = plain;
    still.azimuth = 30 + 20;
    still.elevation = 10;
    still.distance = 10 / sqrt(2);
    camera_at(&same, &still, 0, WIDTH, HEIGHT, 0);
    near(at.distance, same.distance, 1e-5);
    for (int i = 0; i < 16; i++)
        near(at.view_projection[i], same.view_projection[i], 1e-4);
    camera_at(&at, &params, 1, WIDTH, HEIGHT, 0);
    near(at.distance, 2.5, 1e-5);
    near(atan2(at.position[1] - 2, at.position[0] - 1) * 180 / M_PI, 110, 1e-3);
}

/* The frame after the last one would be the first again. */
TEST(a_loop_comes_round)
{
    enum { FRAMES = 12 };
    struct camera_params params = plain;
    params.orbit = 360;
    const struct camera_setup setup = {.params = &params, .frames = FRAMES, .loops = true};
    struct camera *camera;
    assert_ok(camera_open(&camera, &setup));
    for (uint64_t f = 0; f <= FRAMES; f++) {
        const struct view view = {.frame = f};
        struct camera_aim aim;
        camera_aim(camera, &view, &aim);
        const double turned = atan2(aim.eye[1] - 2, aim.eye[0] - 1) * 180 / M_PI;
        near(remainder(turned - params.azimuth - 360.0 * (double)f / FRAMES, 360), 0, 1e-9);
    }
    camera_close(&camera);
}

/* A sphere that fits touches the frame: seen from the fitting distance, its outline is a cone whose
 * half angle is half of the narrower field of view. */
TEST(fit_touches_the_frame)
{
    double half = 20 * M_PI / 180;
    near(camera_fit(&plain, 3, &(struct camera_frame){WIDTH, HEIGHT, 0}), 3 / sin(half), 1e-9);
    double narrow = atan(tan(half) * 0.5);
    near(camera_fit(&plain, 3, &(struct camera_frame){180, 360, 0}), 3 / sin(narrow), 1e-9);
    struct camera_params params = plain;
    params.distance = camera_fit(&plain, 3, &(struct camera_frame){WIDTH, HEIGHT, 0});
    /* The tangent point of the outline, above the target and towards the camera. */
    double forward = 3 * sin(half), up = 3 * cos(half);
    struct seen edge = look(&params, 0, 1 + forward, 2, 3 + up);
    near(edge.y, 0, 0.01);
}

/* Turned upright, the picture's width shows what its height showed before. */
TEST(field_spans_the_width_of_an_upright_picture)
{
    struct camera_pose wide, upright;
    camera_at(&wide, &plain, 0, WIDTH, HEIGHT, 0);
    const struct camera_setup setup = {
        .params = &plain, .found = {.stretch = (double)WIDTH / HEIGHT}, .frames = 2};
    const struct camera_window window = {
        .width = HEIGHT, .height = WIDTH, .columns = HEIGHT, .rows = WIDTH};
    const struct view view = {.frame = 0};
    struct camera *camera;
    struct camera_aim aim;
    assert_ok(camera_open(&camera, &setup));
    camera_aim(camera, &view, &aim);
    camera_project(&upright, &aim, &window);
    camera_close(&camera);
    near(tan(aim.fov * M_PI / 360), tan(20 * M_PI / 180) * WIDTH / HEIGHT, 1e-12);
    near(upright.pixels_per_unit, wide.pixels_per_unit, 1e-4);
    near(upright.distance, wide.distance, 1e-6);
    const struct camera_frame frame = {HEIGHT, WIDTH, setup.found.stretch};
    near(camera_fit(&plain, 3, &frame), 3 / sin(20 * M_PI / 180), 1e-9);
    struct camera_params around = plain;
    around.projection = choose(&projection_registry, "equirect");
    near(camera_fit(&around, 3, &(struct camera_frame){128, 64, 0}), 3 / sin(60 * M_PI / 180),
         1e-9);
}

TESTS(NULL, NULL)
