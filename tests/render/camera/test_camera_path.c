/* Keyframes: the path passes through them, and is continuous to second order. */
#include "tests/support/test.h"

#include "render/camera/camera.h"
#include "render/camera/project.h"

#include <math.h>
#include <string.h>

enum { KNOTS = 6, CHANNELS = 10 };

/* Uneven moments and distances, a sharp turn, and a stop between the fourth and the fifth. */
static const double moments[KNOTS] = {10, 22.5, 25, 60, 75.25, 100};
static struct keyframe_params places[KNOTS] = {
    {.position = {10, 0, 1}, .target = {0, 0, 0}, .up = {0, 0, 2}, .fov = 30},
    {.position = {8, 7, 2}, .target = {0, 1, 0}, .up = {0, 0.2, 1}, .fov = 0},
    {.position = {7, 9, 4}, .target = {-1, 0, 0}, .up = {0, 0, 1}, .fov = 50},
    {.position = {-9, 3, 4}, .target = {0, 0, 1}, .up = {0.1, 0, 1}, .fov = 20},
    {.position = {-9, 3, 4}, .target = {0, 0, 1}, .up = {0.1, 0, 1}, .fov = 20},
    {.position = {-20, -9, 9}, .target = {3, 0, 0}, .up = {0, 0, 1}, .fov = 60},
};
static const struct camera_params params = {
    .keyframes = places, .keyframe_count = KNOTS, .fov = 40};

static void at(const struct camera_path *path, double frame, double out[CHANNELS])
{
    struct camera_aim aim;
    camera_path_at(path, frame, &aim);
    memcpy(out, aim.eye, sizeof aim.eye);
    memcpy(out + 3, aim.target, sizeof aim.target);
    memcpy(out + 6, aim.up, sizeof aim.up);
    out[9] = aim.fov;
}

TEST(keyframes_are_met)
{
    struct camera_path *path;
    assert_ok(camera_path_open(&path, &params, moments));
    for (int k = 0; k < KNOTS; k++) {
        struct camera_aim aim;
        camera_path_at(path, moments[k], &aim);
        const double size = vector_length(places[k].up);
        for (int i = 0; i < 3; i++) {
            assert_true(aim.eye[i] == places[k].position[i]);
            assert_true(aim.target[i] == places[k].target[i]);
            assert_true(fabs(aim.up[i] - places[k].up[i] / size) < 1e-15);
        }
        assert_true(aim.fov == (places[k].fov > 0 ? places[k].fov : 40));
        assert_int_equal(camera_path_segment(path, moments[k]), k);
        assert_int_equal(camera_path_segment(path, moments[k] + 0.1), k);
    }
    assert_int_equal(camera_path_segment(path, 0), 0);
    camera_path_close(&path);
}

/* One-sided derivatives, by differences that are exact for polynomials of fifth degree. */
static void derivatives(const struct camera_path *path, double frame, double h, int channel,
                        double out[3])
{
    double value[6];
    for (int k = 0; k < 6; k++) {
        double all[CHANNELS];
        at(path, frame + k * h, all);
        value[k] = all[channel];
    }
    out[0] = value[0];
    out[1] = (-137 * value[0] + 300 * value[1] - 300 * value[2] + 200 * value[3] - 75 * value[4] +
              12 * value[5]) /
             (60 * h);
    out[2] = (45 * value[0] - 154 * value[1] + 214 * value[2] - 156 * value[3] + 61 * value[4] -
              10 * value[5]) /
             (12 * h * h);
}

TEST(path_is_smooth_to_second_order)
{
    struct camera_path *path;
    double fastest = 0, sharpest = 0;
    assert_ok(camera_path_open(&path, &params, moments));
    for (int k = 0; k < KNOTS; k++)
        for (int c = 0; c < CHANNELS; c++) {
            double after[3], before[3];
            derivatives(path, moments[k], 0.25, c, after);
            derivatives(path, moments[k], -0.25, c, before);
            assert_true(fabs(after[0] - before[0]) < 1e-12);
            assert_true(fabs(after[1] - before[1]) < 1e-9);
            assert_true(fabs(after[2] - before[2]) < 1e-8);
            fastest = fmax(fastest, fabs(after[1]));
            sharpest = fmax(sharpest, fabs(after[2]));
        }
    assert_true(fastest > 0.1 && sharpest > 0.01); /* it does move through its keyframes */
    camera_path_close(&path);
}

TEST(camera_rests_before_after_and_between_equals)
{
    static const double pairs[][2] = {{-5, 10},   {0, 10},  {100, 101},
                                      {100, 1e9}, {60, 66}, {60, 75}};
    struct camera_path *path;
    assert_ok(camera_path_open(&path, &params, moments));
    for (size_t p = 0; p < sizeof pairs / sizeof pairs[0]; p++) {
        double a[CHANNELS], b[CHANNELS];
        at(path, pairs[p][0], a);
        at(path, pairs[p][1], b);
        for (int c = 0; c < CHANNELS; c++)
            assert_true(fabs(a[c] - b[c]) < 1e-12);
    }
    camera_path_close(&path);
}

/* Keyframes on a line in order: the camera never turns back, for any moments. */
TEST(nothing_overshoots_on_a_line)
{
    uint64_t seed = 1;
    for (int run = 0; run < 300; run++) {
        struct keyframe_params line[7] = {0};
        double when[7], place = 0, moment = 0;
        for (int k = 0; k < 7; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            place += pow(10, (double)(seed >> 40) / (1 << 24) * 3);
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            moment += pow(10, (double)(seed >> 40) / (1 << 24) * 2);
            when[k] = moment;
            line[k].position[0] = line[k].target[0] = place;
            line[k].target[1] = 1;
            line[k].up[2] = 1;
        }
        const struct camera_params straight = {.keyframes = line, .keyframe_count = 7, .fov = 40};
        struct camera_path *path;
        struct camera_aim before, now;
        assert_ok(camera_path_open(&path, &straight, when));
        camera_path_at(path, 0, &before);
        const double end = line[6].position[0], step = (when[6] - when[0]) / 4000;
        for (double frame = when[0]; frame < when[6]; frame += step, before = now) {
            camera_path_at(path, frame, &now);
            if (!(now.eye[0] >= before.eye[0] - 1e-9 * end))
                fail_msg("run %d: at %g back from %.12g to %.12g", run, frame, before.eye[0],
                         now.eye[0]);
            assert_true(now.eye[1] == 0 && now.eye[2] == 0);
        }
        camera_path_close(&path);
    }
}

/* Eight keyframes around a circle: between them the path stays near it. */
TEST(a_circle_stays_round)
{
    struct keyframe_params circle[17] = {0};
    double when[17], least = 2, most = 0;
    for (int k = 0; k < 17; k++) {
        circle[k].position[0] = cos(k * M_PI / 4);
        circle[k].position[1] = sin(k * M_PI / 4);
        circle[k].up[2] = 1;
        when[k] = 30 * k;
    }
    const struct camera_params round = {.keyframes = circle, .keyframe_count = 17, .fov = 40};
    struct camera_path *path;
    assert_ok(camera_path_open(&path, &round, when));
    for (int frame = 30; frame <= 450; frame++) {
        struct camera_aim aim;
        camera_path_at(path, frame, &aim);
        const double r = hypot(aim.eye[0], aim.eye[1]);
        least = fmin(least, r);
        most = fmax(most, r);
    }
    camera_path_close(&path);
    assert_true(least > 0.985 && most < 1.001); /* chords would come to 0.924 */
}

TEST(wrong_keyframes_are_named)
{
    struct keyframe_params bad[KNOTS];
    const struct camera_params wrong = {.keyframes = bad, .keyframe_count = KNOTS, .fov = 40};
    struct camera_path *path;
    double when[KNOTS];
    memcpy(bad, places, sizeof bad);
    memcpy(when, moments, sizeof when);
    when[3] = when[2];
    assert_fails(camera_path_open(&path, &wrong, when), STATUS_USAGE,
                 "camera.keyframes[4] frame 25");
    assert_null(path);
    when[3] = NAN;
    assert_fails(camera_path_open(&path, &wrong, when), STATUS_USAGE, "camera.keyframes[4]");
    memcpy(bad[1].position, bad[1].target, sizeof bad[1].position);
    assert_fails(camera_path_open(&path, &wrong, moments), STATUS_USAGE,
                 "camera.keyframes[2].position target");
    memcpy(bad, places, sizeof bad);
    memset(bad[2].up, 0, sizeof bad[2].up);
    assert_fails(camera_path_open(&path, &wrong, moments), STATUS_USAGE,
                 "camera.keyframes[3].up zero");
    vector_add(bad[2].up, bad[2].position, -1, bad[2].target);
    assert_fails(camera_path_open(&path, &wrong, moments), STATUS_USAGE,
                 "camera.keyframes[3].up parallel line sight");
    memcpy(bad, places, sizeof bad);
    bad[5].fov = 0.5;
    assert_fails(camera_path_open(&path, &wrong, moments), STATUS_USAGE,
                 "camera.keyframes[6].fov 0.5 degrees");
    assert_null(path);
}

TESTS(NULL, NULL)
