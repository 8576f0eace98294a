/* The story of a film stays when its rate, length or speed change. */
#include "tests/support/test.h"

#include "scenes/print.h"
#include "scenes/retime.h"
#include "scenes/scene.h"

#include <math.h>
#include <stdlib.h>

static const struct frame_rate thirty = {30, 1};

static struct scene *open_scene(const char *more)
{
    struct scene *scene;
    char text[1024];
    snprintf(text, sizeof text,
             "simulation: {dt: 0.15, steps_per_frame: 2}\noutput: {frames: 300}\n%s", more);
    assert_ok(scene_parse(&scene, text, "test"));
    return scene;
}

static void retime(struct scene *scene, const char *fps, double duration, double speed, bool given)
{
    assert_ok(scene_set(scene, "output.fps", fps, "--fps"));
    assert_ok(scene_retime(scene, &(struct retiming){thirty, duration, speed, given}, NULL));
}

static void expect(struct scene *scene, uint64_t frames, uint32_t steps, double dt)
{
    assert_int_equal(scene->output.frames, frames);
    assert_int_equal(scene->simulation.steps_per_frame, steps);
    if (fabs(scene->simulation.dt - dt) > 1e-12)
        fail_msg("dt %.17g instead of %.17g", scene->simulation.dt, dt);
    scene_close(&scene);
}

TEST(rate_changes_smoothness_only)
{
    struct scene *scene = open_scene("");
    retime(scene, "60", 0, 0, false);
    assert_true(scene->simulation.dt == 0.15); /* the same steps, to the bit */
    expect(scene, 600, 1, 0.15);
    scene = open_scene("");
    retime(scene, "24", 0, 0, false);
    expect(scene, 240, 3, 0.125); /* 0.375 per frame, in steps no longer than before */
    scene = open_scene("");
    retime(scene, "30", 0, 0, false);
    expect(scene, 300, 2, 0.15);
    scene = open_scene("");
    retime(scene, "60", 0, 0, true); /* with 300 frames: half of the story */
    expect(scene, 300, 1, 0.15);
}

TEST(duration_stretches_and_speed_presses)
{
    struct scene *scene = open_scene("");
    retime(scene, "30", 20, 0, false);
    expect(scene, 600, 1, 0.15);
    scene = open_scene("");
    retime(scene, "30", 5, 0, false);
    expect(scene, 150, 4, 0.15);
    scene = open_scene("");
    retime(scene, "30", 0, 2, false);
    expect(scene, 150, 4, 0.15);
    scene = open_scene("");
    retime(scene, "30", 0, 0.5, false);
    expect(scene, 600, 1, 0.15);
    scene = open_scene("");
    retime(scene, "30", 20, 1, false); /* at the scene's own speed: twice as much of the story */
    expect(scene, 600, 2, 0.15);
    scene = open_scene("");
    retime(scene, "60", 20, 0, false);
    expect(scene, 1200, 1, 0.075);
}

TEST(moments_stay_with_what_happens)
{
    struct scene *scene = open_scene(
        "overlay: {captions: [{text: a, from: 2, to: frame 90}, {text: b, from: t=3, to: end}, "
        "{text: c, from: pericentre - 1, to: merger}]}\n");
    assert_ok(scene_set(scene, "simulation.freeze_at", "8", "test"));
    retime(scene, "60", 20, 0, false);
    assert_float_equal(scene->simulation.freeze_at.value, 16, 1e-6);
    const struct caption_params *captions = scene->overlay.captions;
    assert_int_equal(captions[0].from.kind, MOMENT_SECONDS);
    assert_float_equal(captions[0].from.value, 4, 1e-6);
    assert_int_equal(captions[0].to.kind, MOMENT_SECONDS);
    assert_float_equal(captions[0].to.value, 6, 1e-6);
    assert_string_equal(captions[1].from.text, "t=3");
    assert_string_equal(captions[1].to.text, "end");
    assert_string_equal(captions[2].from.text, "pericentre - 2");
    assert_float_equal(captions[2].from.shift, -2, 1e-6);
    assert_string_equal(captions[2].to.text, "merger");
    char *text = scene_print(scene);
    struct scene *again;
    assert_ok(scene_parse(&again, text, "again")); /* what is printed reads back the same */
    assert_true(again->overlay.captions[0].to.value == captions[0].to.value);
    assert_true(again->overlay.captions[2].from.shift == captions[2].from.shift);
    assert_true(again->simulation.dt == scene->simulation.dt);
    free(text);
    scene_close(&again);
    scene_close(&scene);
}

TEST(moments_of_options_stay)
{
    struct retimed told;
    struct scene *scene = open_scene("overlay: {captions: [{text: a, from: 0.5, to: 2}]}\n"
                                     "camera: {moves: [{move: orbit, from: pericentre - 1}]}\n");
    assert_ok(scene_set(scene, "camera.keyframes", "[{at: 3, position: [9, 0, 0]}]", "--set"));
    assert_ok(scene_retime(scene, &(struct retiming){thirty, 2, 0, false}, &told));
    assert_string_equal(told.before, "pericentre - 1 s"); /* in the keys' order */
    assert_string_equal(told.after, "pericentre - 0.2 s");
    assert_float_equal(scene->overlay.captions[0].from.value, 0.1, 1e-6);
    assert_float_equal(scene->camera.keyframes[0].at.value, 3, 1e-6);
    assert_string_equal(scene->camera.keyframes[0].at.text, "3");
    assert_ok(scene_set(scene, "overlay.captions", "[{text: a, from: 0.5, to: end}]", "--set"));
    assert_ok(scene_set(scene, "camera.moves", "[{move: orbit}]", "--set"));
    assert_ok(scene_retime(scene, &(struct retiming){thirty, 0, 2, false}, &told));
    assert_float_equal(scene->overlay.captions[0].from.value, 0.5, 1e-6);
    assert_string_equal(told.before, ""); /* nothing was moved */
    scene_close(&scene);
    scene = open_scene("overlay: {captions: [{text: a, from: frame 15}]}\n");
    assert_ok(scene_retime(scene, &(struct retiming){thirty, 2, 0, false}, &told));
    assert_string_equal(told.before, "frame 15");
    assert_string_equal(told.after, "0.1 s");
    scene_close(&scene);
    scene = open_scene("");
    assert_ok(scene_set(scene, "overlay.captions", "[{text: a, from: frame 15}]", "--set"));
    assert_ok(scene_set(scene, "output.fps", "60", "--fps")); /* frames of the scene's rate */
    assert_ok(scene_retime(scene, &(struct retiming){thirty, 0, 0, false}, &told));
    assert_float_equal(scene->overlay.captions[0].from.value, 0.5, 1e-6);
    assert_string_equal(told.before, "");
    scene_close(&scene);
}

TEST(damping_is_that_of_the_time)
{
    struct scene *scene = open_scene("");
    scene->simulation.damping = 0.81;
    retime(scene, "60", 20, 0, false);
    assert_float_equal(scene->simulation.damping, 0.9, 1e-6);
    scene_close(&scene);
}

TEST(what_cannot_be_is_refused)
{
    struct scene *scene = open_scene("");
    assert_fails(scene_retime(scene, &(struct retiming){thirty, 20, 0, true}, NULL), STATUS_USAGE,
                 "duration frames --speed");
    assert_fails(scene_retime(scene, &(struct retiming){thirty, 1e9, 0, false}, NULL), STATUS_USAGE,
                 "output.frames 3e+10");
    assert_fails(scene_retime(scene, &(struct retiming){thirty, 0, 1e6, true}, NULL), STATUS_USAGE,
                 "simulation.steps_per_frame 2e+06");
    expect(scene, 300, 2, 0.15);
}

/* Fades and title card of a film, by its length and the length that its scene is made for. */
TEST(fades_of_short_films)
{
    static const struct {
        double made_for, seconds, in, out, card;
    } cases[] = {
        {10, 10, 0.6, 1, 2.5},   {10, 20, 0.6, 1, 2.5},      {30, 16, 0.6, 1, 2.5},
        {10, 5, 0.3, 0.5, 1.25}, {30, 4, 0.15, 0.25, 0.625}, {4, 4, 0.6, 1, 2.5},
        {4, 2, 0.3, 0.5, 1.25},  {10, 2, 0.12, 0.2, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scene *scene;
        char text[16];
        assert_ok(scene_parse(&scene, "look: {fade_in: 0.6, fade_out: 1}\noverlay: {card: 2.5}\n",
                              "film.yaml"));
        snprintf(text, sizeof text, "%.0f", 30 * cases[i].seconds);
        assert_ok(scene_set(scene, "output.frames", text, "--frames"));
        const bool shorter = scene_shorten_fades(scene, cases[i].made_for);
        assert_int_equal(shorter, cases[i].in < 0.6);
        assert_true(fabs(scene->look.fade_in - cases[i].in) < 1e-12);
        assert_true(fabs(scene->look.fade_out - cases[i].out) < 1e-12);
        assert_true(fabs(scene->overlay.card - cases[i].card) < 1e-12);
        scene_close(&scene);
    }
    struct scene *scene; /* what an option gives stays */
    assert_ok(scene_parse(&scene, "look: {fade_out: 1}\noutput: {frames: 30}\n", "film.yaml"));
    assert_ok(scene_set(scene, "look.fade_in", "0.8", "--set"));
    assert_true(scene_shorten_fades(scene, 10));
    assert_true(scene->look.fade_in == 0.8 && fabs(scene->look.fade_out - 0.1) < 1e-12);
    scene_close(&scene);
}

TESTS(NULL, NULL)
