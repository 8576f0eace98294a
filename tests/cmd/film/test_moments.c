/* Moments as texts, and what a scene's script makes of them. */
#include "tests/support/test.h"
#include "tests/support/sphere.h"
#include "cmd/film/film.h"
#include "cmd/film/moments.h"
#include "cmd/film/reach.h"

#include "base/log.h"
#include "sim/models/make.h"

#include <math.h>
#include <string.h>

static const struct frame_clock clock_of_test = {.dt = 0.125, .steps_per_frame = 2};

static void every_form_is_read(void **state)
{
    (void)state;
    static double track[] = {1, 1};
    struct pilot pilot = {
        .count = 2,
        .separation = track,
        .happened = {.pericentre_count = 2,
                     .apocentre_count = 1,
                     .pericentre = {{3, 1}, {8, 1}},
                     .apocentre = {{5, 9}},
                     .merges = true,
                     .merger = {9, 1}},
    };
    const struct moment_scale scale = {
        .fps = 10, .frames = 41, .clock = &clock_of_test, .pilot = &pilot};
    static const struct {
        const char *text;
        double frame;
        bool happens, late;
    } cases[] = {
        {"12.5", 125, false, false},
        {" .5 ", 5, false, false},
        {"1e1", 100, false, false},
        {"frame 7", 7, false, false},
        {"frame7", 7, false, false},
        {"t=2", 8, false, false},
        {"t = 2.5 + 1", 20, false, false},
        {"start", 0, false, false},
        {"end", 40, false, false},
        {"end - 1.5", 25, false, false},
        {"start-2", -20, false, false},
        {"3+2", 50, false, false},
        {"pericentre", 12, true, false},
        {"pericentre 1", 12, true, false},
        {"pericentre 2 - 0.1", 31, true, true},
        {"apocentre", 20, true, true},
        {"merger + .2", 38, true, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct moment moment;
        double frame = -1e9;
        assert_ok(moment_parse(cases[i].text, &moment));
        assert_ok(moment_frame(&moment, &scale, &frame));
        assert_near(frame, cases[i].frame, 1e-12);
        assert_true(moment_happens(&moment) == cases[i].happens);
        assert_true(moment_is_late(&moment) == cases[i].late);
    }
}

static void what_is_no_moment_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said;
    } wrong[] = {
        {"", "found ''"},
        {"soon", "found 'soon'"},
        {"pericenter", "found 'pericenter'; did you mean 'pericentre'?"},
        {"merge", "did you mean 'merger'?"},
        {"strat", "did you mean 'start'?"},
        {"-1", "found '-1'"},
        {"+1", "found '+1'"},
        {"1 2", "found '1 2'"},
        {"12,5", "found '12,5'"},
        {"0x10", "found '0x10'"},
        {"nan", "found 'nan'"},
        {"inf", "found 'inf'"},
        {"1e999", "found '1e999'"},
        {"frame", "found 'frame'"},
        {"frame 1.5", "found 'frame 1.5'"},
        {"frame -1", "found 'frame -1'"},
        {"t", "found 't'"},
        {"t 3", "found 't 3'"},
        {"t=", "found 't='"},
        {"start 2", "found 'start 2'"},
        {"merger 2", "found 'merger 2'"},
        {"pericentre 0", "found 'pericentre 0'"},
        {"pericentre 1.5", "found 'pericentre 1.5'"},
        {"end +", "found 'end +'"},
        {"end + two", "found 'end + two'"},
        {"end + 1 - 1", "found 'end + 1 - 1'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct moment moment;
        assert_fails(moment_parse(wrong[i].text, &moment), STATUS_USAGE, wrong[i].said);
        assert_non_null(strstr(status_text(), "expected seconds of the film"));
    }
}

static void what_does_not_happen_is_said(void **state)
{
    (void)state;
    static double track[] = {1, 1};
    struct pilot pilot = {.separation = track, .touch = 2.5, .happened = {.pericentre_count = 1}};
    struct moment_scale scale = {.fps = 10, .frames = 41, .clock = &clock_of_test, .pilot = &pilot};
    struct moment moment;
    double frame;
    assert_ok(moment_parse("pericentre 2", &moment));
    assert_fails(moment_frame(&moment, &scale, &frame), STATUS_USAGE,
                 "no pericentre 2: the film has 1;");
    assert_ok(moment_parse("apocentre", &moment));
    assert_fails(moment_frame(&moment, &scale, &frame), STATUS_USAGE,
                 "no apocentre 1: the film has 0;");
    assert_ok(moment_parse("merger", &moment));
    assert_fails(moment_frame(&moment, &scale, &frame), STATUS_USAGE, "within 2.5 of each other");
    scale.pilot = NULL;
    assert_fails(moment_frame(&moment, &scale, &frame), STATUS_USAGE, "merger needs two galaxies");
    assert_ok(moment_within(0, &scale));
    assert_ok(moment_within(41, &scale)); /* the last frame's end */
    assert_fails(moment_within(41.5, &scale), STATUS_USAGE,
                 "falls on frame 42, but the film ends with frame 40");
    assert_fails(moment_within(-5, &scale), STATUS_USAGE, "0.5 seconds before the film begins");
}

static enum status script_of(const char *text, struct script *script)
{
    struct scene *scene = NULL;
    struct bodies *bodies = NULL;
    *script = (struct script){0};
    enum status status = scene_parse(&scene, text, "film.yaml");
    if (status == STATUS_OK)
        status = scene_validate(scene);
    if (status == STATUS_OK)
        status = bodies_make(&scene->bodies, &bodies);
    if (status == STATUS_OK)
        status = script_open(script, &(struct script_source){scene, bodies, "cpu", 0});
    bodies_destroy(&bodies);
    scene_close(&scene);
    return status;
}

#define FILM                                                                                       \
    "bodies: {count: 400, separation: 6, pericentre: 1}\n"                                         \
    "output: {size: 64x64, fps: 10, frames: 101}\n"                                                \
    "camera:\n"                                                                                    \
    "  moves: [{move: orbit, from: 1, to: t=2}]\n"                                                 \
    "  keyframes:\n"                                                                               \
    "  - {at: start, position: [9, 0, 0]}\n"                                                       \
    "  - {at: frame 30, position: [0, 9, 0]}\n"                                                    \
    "overlay:\n  captions: [{text: a}, {text: b, from: end - 1, to: 99}]\n"

static void a_script_has_all_moments(void **state)
{
    (void)state;
    struct script script;
    assert_ok(script_of(FILM "simulation: {dt: 0.02, steps_per_frame: 2}\n", &script));
    assert_true(script.clock.slow_count == 0);
    assert_near(script.duration, 4, 1e-12);
    assert_true(script.keyframe[0] == 0 && script.keyframe[1] == 30);
    assert_near(script.move_from[0], 10, 1e-12);
    assert_near(script.move_to[0], 50, 1e-9);
    assert_near(script.captions[0].begins, 0, 0);
    assert_near(script.captions[0].ends, 5, 1e-12);
    assert_near(script.captions[1].begins, 9, 1e-12);
    assert_near(script.captions[1].ends, 99, 1e-12); /* captions may outlast the film */
    assert_null(script.radius);
    script_close(&script);
    script_close(&script);

    /* Slow motion: its own moment counts in even time, all others by the clock that it makes. */
    assert_ok(script_of(FILM "simulation:\n  dt: 0.02\n  steps_per_frame: 2\n"
                             "  slow: [{at: 2.5, factor: 3, span: 1}]\n",
                        &script));
    assert_true(script.clock.slow_count == 1);
    assert_near(script.clock.slow[0].at, 1, 1e-12); /* frame 25 of the even film */
    assert_near(script.move_to[0], 50 + 16.0 / 35 * 2 * 1 / 0.04, 1e-9);
    assert_near(script.duration, 4 - 16.0 / 35 * 2 * 1, 1e-9);
    assert_near(frame_clock_slowness(&script.clock, 1), 3, 1e-12);
    script_close(&script);
}

static void the_key_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said;
    } wrong[] = {
        {"simulation:\n  slow:\n  - {at: pericenter}\n",
         "film.yaml:3: simulation.slow[1].at: expected seconds of the film"},
        {"output: {frames: 100}\nsimulation:\n  slow:\n  - at: end\n",
         "film.yaml:4: simulation.slow[1].at: slow motion takes frames, so that the film ends with "
         "frame 99 before"},
        {"camera:\n  keyframes:\n  - {at: 11, position: [9, 0, 0]}\n",
         "film.yaml:3: camera.keyframes[1].at: the moment falls on frame 330, but the film"},
        {"camera:\n  moves:\n  - {move: zoom}\n  - {move: orbit, to: start - 1}\n",
         "film.yaml:4: camera.moves[2].to: the moment is 1 seconds before"},
        {"overlay:\n  captions:\n  - {text: a, from: 3, to: 3}\n",
         "film.yaml:3: overlay.captions[1]: expected its end after its beginning, found from 3 to "
         "3"},
        {"overlay:\n  captions:\n  - {text: a, from: start - 1}\n",
         "film.yaml:3: overlay.captions[1].from: the moment is 1 seconds before the film"},
        {"bodies: {model: plummer, count: 20}\noverlay:\n  captions:\n  - {text: a, to: merger}\n",
         "film.yaml:4: overlay.captions[1].to: merger needs two galaxies"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct script script;
        char text[512];
        snprintf(text, sizeof text, "%s%s", wrong[i].text,
                 strstr(wrong[i].text, "bodies:") ? "" : "bodies: {count: 50}\n");
        assert_fails(script_of(text, &script), STATUS_USAGE, wrong[i].said);
        assert_null(script.keyframe);
    }
}

static void a_passage_is_found_in_a_scene(void **state)
{
    (void)state;
    struct script script;
    assert_ok(
        script_of("bodies: {count: 400, separation: 6, pericentre: 1, galaxies: [{name: a, "
                  "halo_scale: 1}, {name: b, halo_scale: 1}]}\n"
                  "output: {size: 64x64, fps: 10, frames: 101}\n"
                  "simulation: {dt: 0.02, softening: 0.2, steps_per_frame: 2}\n"
                  "overlay: {captions: [{text: near, from: pericentre, to: pericentre + 1}]}\n"
                  "camera: {frame: auto}\n",
                  &script));
    const double near = script.captions[0].begins;
    assert_true(near > 1 && near < 6);
    assert_near(script.captions[0].ends, near + 1, 1e-9);
    assert_non_null(script.radius);
    /* Nearest together, the bodies need least room; from frame to frame it never jumps. */
    const size_t at = (size_t)(10 * near);
    assert_true(script.radius[at] < 0.9 * script.radius[0]);
    for (size_t f = 1; f < 100; f++) {
        const double *r = &script.radius[f];
        assert_true(fabs(r[1] - 2 * r[0] + r[-1]) < 0.02 * r[0]);
    }
    script_close(&script);
}

static void reach_holds_every_frame_smoothly(void **state)
{
    (void)state;
    enum { FRAMES = 200 };
    double raw[FRAMES], *smooth = NULL;
    for (int k = 0; k < FRAMES; k++) /* with jumps and single spikes */
        raw[k] = 5 + 2 * sin(0.05 * k) + (k > 120 ? 3 : 0) + (k % 37 == 0 ? 1 : 0);
    const struct pilot pilot = {.count = FRAMES, .interval = 0.25, .radius = raw};
    const struct moment_scale scale = {.fps = 10, .frames = FRAMES, .clock = &clock_of_test};
    smooth = reach_smooth(&pilot, &scale);
    for (int f = 0; f < FRAMES; f++) {
        assert_true(smooth[f] >= raw[f] - 1e-12);
        assert_true(smooth[f] <= 11);
        if (f > 1)
            assert_true(fabs(smooth[f] - 2 * smooth[f - 1] + smooth[f - 2]) < 0.1);
    }
    free(smooth);
    for (int k = 0; k < FRAMES; k++)
        raw[k] = 4;
    smooth = reach_smooth(&pilot, &scale);
    for (int f = 0; f < FRAMES; f++)
        assert_near(smooth[f], 4, 1e-12);
    free(smooth);
}

int main(void)
{
    log_set_level(LOG_WARNING);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_is_read),
        cmocka_unit_test(what_is_no_moment_is_refused),
        cmocka_unit_test(what_does_not_happen_is_said),
        cmocka_unit_test(a_script_has_all_moments),
        cmocka_unit_test(the_key_is_named),
        cmocka_unit_test(a_passage_is_found_in_a_scene),
        cmocka_unit_test(reach_holds_every_frame_smoothly),
    };
    return cmocka_run_group_tests_name("moments", tests, NULL, NULL);
}
