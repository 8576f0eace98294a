/* Texts of moments, and their frames. */
#include "tests/support/test.h"

#include "base/log.h"
#include "cmd/film/script/moments.h"
#include "scenes/value.h"
#include "tests/support/forces/sphere.h"

#include <math.h>

static const struct frame_clock clock_of_test = {.dt = 0.125, .steps_per_frame = 2};

TEST(every_form_has_its_frame)
{
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

/* Of matter alone, the age goes as a^1.5. The first frame is at z = 3. */
TEST(redshifts)
{
    const struct cosmology matter = {.matter = 1, .hubble = 0.01};
    struct moment_scale scale = {.fps = 10, .frames = 41, .clock = &clock_of_test};
    struct moment moment;
    double frame, time, at;
    assert_ok(moment_parse("z = 1 + 2", &moment));
    assert_fails(moment_frame(&moment, &scale, &frame), STATUS_USAGE, "z=1 expanding universe");
    scale.cosmology = matter;
    scale.age = 2 / 0.03 * pow(4, -1.5);
    assert_ok(moment_frame(&moment, &scale, &frame));
    time = 2 / 0.03 * (pow(2, -1.5) - pow(4, -1.5));
    assert_ok(moment_frame(&(struct moment){.kind = MOMENT_TIME, .value = time, .shift = 2}, &scale,
                           &at));
    assert_near(frame, at, 1e-6);
    assert_ok(moment_parse("z=3", &moment));
    assert_ok(moment_frame(&moment, &scale, &frame));
    assert_near(frame, 0, 1e-6);
    assert_ok(moment_parse("z=1e300", &moment));
    assert_fails(moment_frame(&moment, &scale, &frame), STATUS_USAGE, "redshift 1e+300 smaller");
}

TEST(what_does_not_happen_is_said)
{
    static double track[] = {1, 1};
    struct pilot pilot = {.separation = track, .touch = 2.5, .happened = {.pericentre_count = 1}};
    struct moment_scale scale = {.fps = 10, .frames = 41, .clock = &clock_of_test, .pilot = &pilot};
    struct moment moment;
    double frame;
    assert_ok(moment_parse("pericentre 2", &moment));
    assert_fails(moment_frame(&moment, &scale, &frame), STATUS_USAGE, "pericentre 2 film 4.1 1");
    assert_ok(moment_parse("apocentre", &moment));
    assert_fails(moment_frame(&moment, &scale, &frame), STATUS_USAGE,
                 "no apocentre: film 4.1 pericentre 1 at '0 s; give' '--frames N; --duration'");
    pilot.happened.pericentre[0].time = 10.125; /* frame 40.5: after the last one */
    assert_fails(moment_frame(&moment, &scale, &frame), STATUS_USAGE, "neither time");
    pilot.happened.pericentre_count = 0;
    pilot.happened.apocentre_count = ENCOUNTER_MAX;
    for (int i = 0; i < ENCOUNTER_MAX; i++)
        pilot.happened.apocentre[i].time = i + 0.5;
    assert_ok(moment_parse("apocentre 40", &moment));
    assert_fails(moment_frame(&moment, &scale, &frame), STATUS_USAGE,
                 "'no apocentre 40: ' 'apocentre 8 at 3 s and 2 more; give'");
    assert_ok(moment_parse("apocentre 1", &moment));
    pilot.happened.apocentre_count = 0;
    assert_ok(moment_parse("merger", &moment));
    assert_fails(moment_frame(&moment, &scale, &frame), STATUS_USAGE, "2.5");
    scale.pilot = NULL;
    assert_fails(moment_frame(&moment, &scale, &frame), STATUS_USAGE, "merger two galaxies");
    assert_ok(moment_within(0, &scale));
    assert_ok(moment_within(41, &scale)); /* the last frame's end */
    assert_fails(moment_within(41.5, &scale), STATUS_USAGE, "output.frames frame 42 film 40");
    assert_fails(moment_within(-5, &scale), STATUS_USAGE, "0.5 film");
}

int main(void)
{
    log_set_level(LOG_WARNING);
    return tests_run(__FILE__, NULL, NULL);
}
