/* Orbits, zooms and pans: their results, how they begin and end, and that they accumulate. */
#include "tests/support/choose.h"
#include "tests/support/test.h"
#include "render/camera/keyed.h"

#include "render/camera/camera.h"
#include "render/camera/project.h"

#include <math.h>
#include <string.h>

static const struct camera_aim straight = {.eye = {10, 0, 0}, .up = {0, 0, 1}, .fov = 40};

static void near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%.12g instead of %.12g", found, expected);
}

static void near3(const double found[3], double x, double y, double z)
{
    near(found[0], x, 1e-12);
    near(found[1], y, 1e-12);
    near(found[2], z, 1e-12);
}

static struct camera_aim moved(struct move_params *moves, uint32_t count, const double *from,
                               const double *to, double frame)
{
    const struct camera_params params = {.moves = moves, .move_count = count};
    struct camera_aim aim = straight;
    struct camera_moves *list;
    assert_ok(camera_moves_open(&list, &params, from, to));
    camera_moves_apply(list, frame, &aim);
    camera_moves_close(&list);
    return aim;
}

TEST(orbits_turn_and_tilt)
{
    struct move_params turn = {.move = choose(&move_registry, "orbit"),
                               .turn = 90,
                               .ease = choose(&ease_registry, "smooth"),
                               .factor = 1};
    const double from = 20, to = 60;
    near3(moved(&turn, 1, &from, &to, 20).eye, 10, 0, 0);
    near3(moved(&turn, 1, &from, &to, 3).eye, 10, 0, 0);
    near3(moved(&turn, 1, &from, &to, 40).eye, 10 / sqrt(2), 10 / sqrt(2), 0);
    near3(moved(&turn, 1, &from, &to, 60).eye, 0, 10, 0);
    near3(moved(&turn, 1, &from, &to, 1e6).eye, 0, 10, 0);
    turn.turn = 0;
    turn.tilt = 30;
    struct camera_aim tilted = moved(&turn, 1, &from, &to, 60);
    near3(tilted.eye, 10 * cos(M_PI / 6), 0, 5);
    near(tilted.fov, 40, 0);
    double right[3], up[3], back[3];
    near(camera_aim_axes(&tilted, right, up, back), 10, 1e-12);
    near3(right, 0, 1, 0);
}

/* Past the pole the horizontal stays: no jump, and upside down beyond it. */
TEST(tilts_go_on_over_the_poles)
{
    double right[3], up[3], back[3];
    for (int sign = -1; sign <= 1; sign += 2)
        for (int tilt = 0; tilt <= 360; tilt += 5) {
            struct camera_aim aim = straight;
            camera_aim_orbit(&aim, 30, sign * tilt);
            camera_aim_axes(&aim, right, up, back);
            near3(right, -sin(M_PI / 6), cos(M_PI / 6), 0);
            near(up[2], cos(tilt * M_PI / 180), 1e-12);
        }
}

TEST(zooms_change_the_distance)
{
    struct move_params zoom = {.move = choose(&move_registry, "zoom"),
                               .factor = 4,
                               .ease = choose(&ease_registry, "linear")};
    const double from = 0, to = 10;
    near3(moved(&zoom, 1, &from, &to, 5).eye, 5, 0, 0);
    near3(moved(&zoom, 1, &from, &to, 10).eye, 2.5, 0, 0);
}

TEST(pans_shift_along_the_cameras_axes)
{
    struct move_params both[] = {
        {.move = choose(&move_registry, "orbit"),
         .turn = 90,
         .ease = choose(&ease_registry, "smooth"),
         .factor = 1},
        {.move = choose(&move_registry, "pan"),
         .shift = {1, 2, 3},
         .ease = choose(&ease_registry, "smooth"),
         .factor = 1},
    };
    const double from[] = {0, 0}, to[] = {10, 10};
    /* Seen from +x, right is +y and forwards is -x. */
    struct camera_aim aim = moved(both + 1, 1, from, to, 10);
    near3(aim.target, -3, 1, 2);
    near3(aim.eye, 7, 1, 2);
    /* In the order of the list: the pan's axes are those of the turned camera at +y. */
    aim = moved(both, 2, from, to, 10);
    near3(aim.target, -1, -3, 2);
    near3(aim.eye, -1, 7, 2);
    /* The other way round the camera turns around the shifted target. */
    const struct move_params first = both[0];
    both[0] = both[1];
    both[1] = first;
    aim = moved(both, 2, from, to, 10);
    near3(aim.target, -3, 1, 2);
    near3(aim.eye, -3, 11, 2);
}

TEST(moves_add_up)
{
    struct move_params three[] = {
        {.move = choose(&move_registry, "orbit"),
         .turn = 40,
         .tilt = 10,
         .ease = choose(&ease_registry, "in"),
         .factor = 1},
        {.move = choose(&move_registry, "zoom"),
         .factor = 2,
         .ease = choose(&ease_registry, "out")},
        {.move = choose(&move_registry, "orbit"),
         .turn = -10,
         .tilt = 15,
         .ease = choose(&ease_registry, "linear"),
         .factor = 1},
    };
    const double from[] = {0, 5, 2}, to[] = {10, 20, 30};
    struct camera_aim once = straight, aim = moved(three, 3, from, to, 30);
    camera_aim_orbit(&once, 30, 25);
    camera_aim_zoom(&once, 2);
    for (int i = 0; i < 3; i++) {
        near(aim.eye[i], once.eye[i], 1e-12);
        near(aim.up[i], once.up[i], 1e-12);
    }
}

TEST(eases_begin_and_end_as_they_say)
{
    static const char *const names[] = {"smooth", "in", "out", "linear"};
    /* Velocity at the two ends; accelerations vanish at both in all of them. */
    static const double speed[4][2] = {{0, 0}, {0, 2}, {2, 0}, {1, 1}};
    const double h = 1e-4;
    for (int k = 0; k < 4; k++) {
        const struct ease *ease = choose(&ease_registry, names[k]);
        double before = 0;
        assert_true(ease_at(ease, -1) == 0 && ease_at(ease, 0) == 0);
        assert_true(ease_at(ease, 1) == 1 && ease_at(ease, 7) == 1);
        for (int i = 1; i <= 100; i++) {
            const double now = ease_at(ease, i / 100.0);
            assert_true(now > before);
            before = now;
        }
        near(ease_at(ease, h) / h, speed[k][0], 1e-6);
        near((1 - ease_at(ease, 1 - h)) / h, speed[k][1], 1e-6);
        near((ease_at(ease, 2 * h) - 2 * ease_at(ease, h)) / (h * h), 0, 0.02);
        near((1 + ease_at(ease, 1 - 2 * h) - 2 * ease_at(ease, 1 - h)) / (h * h), 0, 0.02);
    }
    near(ease_at(choose(&ease_registry, "smooth"), 0.25), 0.103515625, 1e-15);
    near(ease_at(choose(&ease_registry, "in"), 0.5) + ease_at(choose(&ease_registry, "out"), 0.5),
         1, 1e-15);
}

/* Names are compared as a whole: a name with the same beginning is unknown, and not the default. */
TEST(names_are_whole)
{
    assert_null(choice_find(&move_registry, "orbit-and-more"));
    assert_null(choice_find(&move_registry, "orb"));
    assert_null(choice_find(&move_registry, ""));
    assert_null(choice_find(&ease_registry, "linear-and-more"));
    const struct choice *found;
    assert_fails(choice_require(&move_registry, "panorama", &found), STATUS_USAGE, "panorama");
    assert_null(found);
}

/* Each does something else, using its own parameters. */
TEST(every_move_is_its_own)
{
    const double from = 0, to = 10;
    const struct move_kind *kind, *other;
    for (size_t i = 0; (kind = choice_at(&move_registry, i)); i++) {
        struct move_params move = {.move = kind,
                                   .turn = 20,
                                   .tilt = 10,
                                   .factor = 3,
                                   .shift = {1, 2, 3},
                                   .ease = choose(&ease_registry, "linear")};
        const struct camera_aim aim = moved(&move, 1, &from, &to, 10);
        assert_true(memcmp(&aim, &straight, sizeof aim) != 0);
        for (size_t k = 0; k < i && (other = choice_at(&move_registry, k)); k++) {
            move.move = other;
            const struct camera_aim before = moved(&move, 1, &from, &to, 10);
            assert_true(memcmp(&aim, &before, sizeof aim) != 0);
        }
    }
}

TEST(wrong_moves_are_named)
{
    struct move_params two[] = {{.move = choose(&move_registry, "zoom"),
                                 .factor = 2,
                                 .ease = choose(&ease_registry, "smooth")},
                                {.move = choose(&move_registry, "zoom"),
                                 .factor = 2,
                                 .ease = choose(&ease_registry, "smooth")}};
    const struct camera_params params = {.moves = two, .move_count = 2};
    const double from[] = {0, 30};
    struct camera_moves *moves;
    assert_fails(camera_moves_open(&moves, &params, from, (double[]){10, 30}), STATUS_USAGE,
                 "camera.moves[2] frame 30");
    assert_fails(camera_moves_open(&moves, &params, from, (double[]){10, NAN}), STATUS_USAGE,
                 "camera.moves[2]");
    assert_null(moves);
}

/* Keyframes of numbers: values between them, and where they rest. */
TEST(numbers_between_keyframes)
{
    const struct ease *linear = choice_find(&ease_registry, "linear");
    const struct keyed_point points[] = {{10, 2, NULL}, {20, 6, linear}, {40, -4, linear}};
    const struct keyed keyed[] = {
        {KEYED_CAMERA, offsetof(struct camera_params, fov), 3, points},
        {KEYED_LOOK, offsetof(struct look_params, dust), 1, points},
    };
    static const double at[][2] = {{-5, 2}, {10, 2},  {12.5, 3}, {20, 6},
                                   {30, 1}, {40, -4}, {1e6, -4}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        assert_true(keyed_at(&keyed[0], at[i][0]) == at[i][1]);
    struct camera_params camera = {.fov = 3, .azimuth = 7};
    struct look_params look = {.dust = 2};
    assert_true(!keyed_apply(keyed, 2, KEYED_CAMERA, 12.5, &camera) && camera.fov == 3);
    assert_true(keyed_apply(keyed, 2, KEYED_CAMERA, 30, &camera) && camera.fov == 1);
    assert_true(camera.azimuth == 7 && !keyed_apply(keyed, 2, KEYED_LOOK, 0, &look));
    assert_true(keyed_has(keyed, 2, KEYED_LOOK) && !keyed_has(keyed, 2, KEYED_OVERLAY));
}

TESTS(NULL, NULL)
