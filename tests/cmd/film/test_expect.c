/* A scene's limits on the physics against measured values. */
#include "tests/support/test.h"

#include "cmd/film/expect.h"
#include "tests/support/films/overlay_fixture.h"

#include <math.h>

static const struct diagnostics start = {
    .mass = 2, .kinetic = 4, .potential = -8, .energy = -4, .virial = 1};

static enum status check(const struct expect_params *expect, const struct diagnostics *now)
{
    const struct expect_run run = {&start, now, 3, 47};
    return expect_judge(expect, &run);
}

TEST(nothing_expected_is_nothing_judged)
{
    const struct expect_params none = {0};
    struct diagnostics now = {.energy = NAN, .virial = NAN};
    assert_false(expect_is_given(&none));
    assert_ok(check(&none, &now));
}

TEST(each_limit_is_judged)
{
    static const struct {
        struct expect_params expect;
        struct diagnostics inside, outside;
        const char *says;
    } cases[] = {
        {{.energy_drift = 0.01}, {.energy = -4.03}, {.energy = -4.06}, "expect.energy_drift"},
        {{.energy_drift = 0.01}, {.energy = -3.97}, {.energy = -3.94}, "expect.energy_drift"},
        {{.momentum_drift = 0.01},
         {.momentum = {0.03}},
         {.momentum = {0.05}},
         "expect.momentum_drift"},
        {{.angular_momentum_drift = 0.01},
         {.angular_momentum = {0, 0.01}},
         {.angular_momentum = {0, 0.03}},
         "expect.angular_momentum_drift"},
        {{.centre_drift = 0.01},
         {.centre = {0, 0, -0.009}},
         {.centre = {0, 0, -0.011}},
         "expect.centre_drift"},
        {{.virial_min = 0.5}, {.virial = 0.5}, {.virial = 0.49}, "expect.virial_min"},
        {{.virial_max = 0.5}, {.virial = 0.5}, {.virial = 0.51}, "expect.virial_max"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(expect_is_given(&cases[i].expect));
        assert_ok(check(&cases[i].expect, &cases[i].inside));
        assert_fails(check(&cases[i].expect, &cases[i].outside), STATUS_MISMATCH, cases[i].says);
        assert_says(status_text(), "frame 47");
    }
}

TEST(nan_is_within_no_limit)
{
    const struct expect_params all = {1, 1, 1, 1, 1, 2};
    struct diagnostics now = {.energy = NAN,
                              .virial = NAN,
                              .momentum = {NAN},
                              .angular_momentum = {NAN},
                              .centre = {NAN}};
    assert_int_equal(check(&all, &now), STATUS_MISMATCH);
    static const char *const keys[] = {"energy_drift", ".momentum_drift", "angular_momentum_drift",
                                       "centre_drift", "virial_min",      "virial_max"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        assert_says(status_text(), keys[i]);
}

static void warn(void *energy)
{
    const struct diagnostics now = {.energy = *(double *)energy};
    const struct simulation_params undamped = {.subset = 1};
    expect_warn(&undamped, &(struct expect_run){&start, &now, 3, 47});
}

/* A drift of a percent in either direction is reported, from a fifth on as a wrong motion. */
TEST(what_is_told_of_a_drift)
{
    static const struct {
        double drift;
        const char *says;
    } cases[] = {{0.009, NULL},     {-0.009, NULL},   {0.1, "preview"},
                 {-0.1, "preview"}, {0.3, "gravity"}, {-0.3, "gravity"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double energy = start.energy + fabs(start.energy) * cases[i].drift;
        char told[512];
        stderr_of(warn, &energy, told, sizeof told);
        if (!cases[i].says)
            assert_string_equal(told, "");
        else if (!has_words(told, cases[i].says) || !has_words(told, "frame 47"))
            fail_msg("of a drift of %g: %s", cases[i].drift, told);
    }
}

TESTS(NULL, NULL)
