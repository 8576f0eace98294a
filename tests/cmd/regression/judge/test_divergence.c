/* Round-off or changed equations: on synthetic growth, and on small real simulations with typical
 * mistakes of a program. */
#include "tests/support/test.h"
#include "tests/support/films/record_fixture.h"

#include "cmd/regression/judge/body_motion.h"
#include "kernels/pairs/force_cpu.h"

#include <math.h>

static const double FORCE = 2e-6;

/* ---- made up ---- */

/* Adds `size` of the system's size to the distance of frame i. */
static void part(struct record *now, uint64_t i, double size)
{
    for (int k = 0; k < RECORD_SKETCH; k++)
        now->frames[i].bodies[0].sketch[k] +=
            size * 2 * sqrt((double)now->bodies) * (k % 2 ? 1 : -1);
}

static struct divergence measure(double (*size)(double frame), struct record *before,
                                 struct record *now)
{
    struct divergence out;
    record_fixture_make(before, 48);
    record_fixture_make(now, 48);
    for (uint64_t i = 0; i < 48; i++)
        part(now, i, size((double)i));
    divergence_measure(before, now, 0, FORCE, &out);
    return out;
}

static double nothing(double frame)
{
    (void)frame;
    return 0;
}
static double exponential(double frame)
{
    return frame == 0 ? 0 : 1e-10 * exp(0.4 * frame);
}
static double quadratic(double frame)
{
    return 1e-10 * frame * frame;
}
static double equations(double frame)
{
    return 1e-6 * frame * frame;
}
static double jump(double frame)
{
    return quadratic(frame) + (frame >= 30 ? 1e-5 : 0);
}
static double late(double frame)
{
    return frame >= 30 ? 1e-5 : 0;
}
static double late_round_off(double frame)
{
    return frame >= 30 ? 1e-10 * (frame - 29) * (frame - 29) : 0;
}
static double broken(double frame)
{
    return frame == 20 ? NAN : 0;
}
static double apart(double frame)
{
    (void)frame;
    return 0.5;
}

TEST(test_growth)
{
    static const struct {
        const char *what;
        double (*size)(double frame);
        enum divergence_kind kind;
        int64_t first, frame;
    } cases[] = {
        {"nothing", nothing, DIVERGENCE_NONE, -1, -1},
        {"exponential", exponential, DIVERGENCE_ROUND_OFF, 1, -1},
        {"quadratic", quadratic, DIVERGENCE_ROUND_OFF, 1, -1},
        {"equations", equations, DIVERGENCE_EQUATIONS, 1, 1},
        {"jump", jump, DIVERGENCE_JUMP, 1, 30},
        {"late", late, DIVERGENCE_JUMP, 30, 30},
        {"late round-off", late_round_off, DIVERGENCE_ROUND_OFF, 30, -1},
        {"broken", broken, DIVERGENCE_UNKNOWN, 20, -1},
        {"apart", apart, DIVERGENCE_UNKNOWN, 0, -1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct record before, now;
        struct divergence d = measure(cases[i].size, &before, &now);
        if (d.kind != cases[i].kind || d.first != cases[i].first ||
            (d.kind != DIVERGENCE_UNKNOWN && d.frame != cases[i].frame))
            fail_msg("%s: kind %d, first %d, frame %d, excess %g", cases[i].what, (int)d.kind,
                     (int)d.first, (int)d.frame, d.excess);
        assert_true(d.count == 48 && d.crossings[0] == 0 && d.crossings[47] > 0);
        divergence_free(&d);
        record_free(&before);
        record_free(&now);
    }
}

TEST(test_horizon)
{
    struct record before, now;
    (void)state;
    struct divergence d = measure(exponential, &before, &now);
    assert_true(d.size == 2);
    assert_true(d.horizon > 1);
    const uint64_t horizon = (uint64_t)d.horizon;
    assert_true(d.distance[horizon] > 0.1 * before.softening);
    assert_true(d.distance[horizon - 1] <= 0.1 * before.softening);
    divergence_free(&d);
    record_free(&before);
    record_free(&now);
}

/* Two frames say nothing about forces, unless they are equal. */
TEST(test_few_frames)
{
    for (uint64_t frames = 0; frames <= 2; frames++)
        for (int differ = 0; differ < 2; differ++) {
            struct record before, now;
            struct divergence d;
            record_fixture_make(&before, frames);
            record_fixture_make(&now, frames);
            if (differ && frames > 1)
                part(&now, frames - 1, 1e-5);
            divergence_measure(&before, &now, 0, FORCE, &d);
            const bool unknown = frames == 0 || (differ && frames == 2);
            assert_int_equal(d.kind, unknown ? DIVERGENCE_UNKNOWN : DIVERGENCE_NONE);
            divergence_free(&d);
            record_free(&before);
            record_free(&now);
        }
}

/* ---- simulations ---- */

static struct stage_report judge(const struct record *before, const struct record *now)
{
    struct stage_report stage = {.first_frame = -1};
    struct limits *limits;
    limits_open(&limits);
    const struct comparison comparison = {
        .before = before, .now = now, .limits = limits, .substituted = true};
    assert_ok(judge_stage(&comparison, JUDGED_PHYSICS, &stage));
    limits_close(&limits);
    return stage;
}

static void stage_end(struct stage_report *stage)
{
    for (uint32_t i = 0; i < stage->finding_count; i++) {
        free(stage->findings[i].because);
        free(stage->findings[i].text);
    }
    free(stage->findings);
    free(stage->sentence);
}

/* Mistakes: each is detected on another platform, with a margin of 3, as changed equations. */
TEST(test_mistakes_are_named)
{
    static const struct {
        const char *what;
        struct record_run run;
    } cases[] = {
        {"dt x 1.001", {.dt = 1.001}},
        {"G x 1.0001", {.mass = 1.0001}},
        {"softening x 1.01", {.softening = 1.01}},
        {"dkd", {.integrator = "dkd"}},
        {"order 4", {.integrator = "yoshida4"}},
        {"8 sources left out", {.skipped = 8}},
        {"half of the sources", {.subset = 2}},
        {"state in float", {.rounded = true}},
    };
    struct record before;
    (void)state;
    record_fixture_run(&before, &(struct record_run){0});
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct record now;
        struct divergence d;
        record_fixture_run(&now, &cases[i].run);
        divergence_measure(&before, &now, 0, FORCE, &d);
        print_message("%-20s force %.1e, excess %.1e\n", cases[i].what, d.force, d.excess);
        if (d.kind != DIVERGENCE_EQUATIONS || !(d.excess > 3))
            fail_msg("%s: kind %d, excess %g", cases[i].what, (int)d.kind, d.excess);
        divergence_free(&d);
        record_fixture_text(&now.platform.physics, "another");
        struct stage_report stage = judge(&before, &now);
        assert_int_equal(stage.verdict, VERDICT_CHANGED);
        if (!has_words(stage.sentence, "equations 'first step'"))
            fail_msg("%s: %s", cases[i].what, stage.sentence);
        stage_end(&stage);
        record_free(&now);
    }
    record_free(&before);
}

TEST(test_a_mistake_in_the_middle_is_a_jump)
{
    struct record before, now;
    struct divergence d;
    (void)state;
    record_fixture_run(&before, &(struct record_run){.frames = 24});
    record_fixture_run(
        &now, &(struct record_run){.frames = 24, .skipped = 8, .from = 17, .force = "exact"});
    divergence_measure(&before, &now, 0, FORCE, &d);
    assert_int_equal(d.kind, DIVERGENCE_JUMP);
    assert_int_equal(d.frame, 17);
    assert_int_equal(d.first, 1);
    assert_true(d.excess > 3);
    divergence_free(&d);
    record_free(&before);
    record_free(&now);
}

/* Correct programs: within the limits on another platform, with a margin of 3, and classified as
 * chaos. */
TEST(test_round_off_is_not_flagged)
{
    static const struct {
        const char *what;
        struct record_run run;
    } cases[] = {
#if defined(__x86_64__)
        {"AVX2", {.kernel = "avx2"}},
        {"without vectors", {.kernel = "baseline"}},
#endif
        {"exact for fast", {.force = "exact"}},
        {"double for fast", {.force = "double"}},
        {"positions x (1 + 1e-14)", {.perturbed = 1e-14}},
    };
    (void)state;
    for (int film = 0; film < 3; film++) {
        const struct record_run usual = {.bodies = film == 2 ? 1100 : 0,
                                         .frames = film == 1 ? 60 : 16,
                                         .steps = film == 1 ? 16 : 4};
        struct record before;
        record_fixture_run(&before, &usual);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            struct record_run run = cases[i].run;
            struct record now;
            struct divergence d;
            if (run.kernel && !force_cpu_find(run.kernel))
                continue;
            run.bodies = usual.bodies;
            run.frames = usual.frames;
            run.steps = usual.steps;
            record_fixture_run(&now, &run);
            divergence_measure(&before, &now, 0, FORCE, &d);
            print_message("%-24s force %.1e, excess %.2f, horizon %d\n", cases[i].what, d.force,
                          d.excess, (int)d.horizon);
            if ((d.kind != DIVERGENCE_ROUND_OFF && d.kind != DIVERGENCE_NONE) || d.excess > 0.34)
                fail_msg("%s: kind %d, excess %g", cases[i].what, (int)d.kind, d.excess);
            divergence_free(&d);
            record_fixture_text(&now.platform.physics, "another");
            struct stage_report stage = judge(&before, &now);
            if (stage.verdict > VERDICT_WITHIN)
                fail_msg("%s: %s", cases[i].what, stage.sentence);
            stage_end(&stage);
            record_free(&now);
        }
        record_free(&before);
    }
}

/* Frames that are too long for the closest encounters: growth within them is ignored, but the first
 * frame still reveals changed equations. */
TEST(test_long_frames)
{
    struct record before, now;
    struct divergence d;
    (void)state;
    d = measure(jump, &before, &now);
    assert_true(d.resolved);
    divergence_free(&d);
    before.softening = 1e-4;
    divergence_measure(&before, &now, 0, FORCE, &d);
    assert_false(d.resolved);
    const struct walk walk = {.before = &before, .now = &now};
    assert_true(isinf(bodies_allowed(&walk, &d, 1)));
    divergence_free(&d);
    record_free(&before);
    record_free(&now);
    d = measure(jump, &before, &now); /* a single one of them is too long */
    divergence_free(&d);
    for (uint64_t i = 20; i < 48; i++) {
        before.frames[i].time += 1e3;
        now.frames[i].time += 1e3;
    }
    divergence_measure(&before, &now, 0, FORCE, &d);
    assert_false(d.resolved);
    divergence_free(&d);
    record_free(&before);
    record_free(&now);
    d = measure(equations, &before, &now);
    divergence_free(&d);
    before.softening = 1e-4;
    divergence_measure(&before, &now, 0, FORCE, &d);
    assert_int_equal(d.kind, DIVERGENCE_EQUATIONS);
    divergence_free(&d);
    record_free(&before);
    record_free(&now);
}

/* On the same platform the same round-off is a change, and is described as round-off. */
TEST(test_round_off_on_the_same_platform)
{
    struct record before, now;
    (void)state;
    record_fixture_run(&before, &(struct record_run){0});
    record_fixture_run(&now, &(struct record_run){.force = "exact"});
    struct stage_report stage = judge(&before, &now);
    assert_int_equal(stage.verdict, VERDICT_CHANGED);
    assert_true(stage.same_platform);
    assert_int_equal(stage.first_frame, 1);
    assert_says(stage.sentence, "grows round-off energy drift");
    stage_end(&stage);
    record_free(&before);
    record_free(&now);
}

/* Frames are short enough if two bodies in an encounter separate by less than a factor of 16, 4 m
 * t^2 / eps^3, in each. */
TEST(test_how_long_frames_may_be)
{
    for (int longer = 0; longer < 2; longer++) {
        struct record before, now;
        struct divergence d = measure(nothing, &before, &now);
        divergence_free(&d);
        const double mass = 1 / (double)before.bodies, t = 0.04;
        before.softening = cbrt(4 * mass * t * t / (longer ? 16.1 : 15.9));
        divergence_measure(&before, &now, 0, FORCE, &d);
        assert_int_equal(d.resolved, !longer);
        divergence_free(&d);
        record_free(&before);
        record_free(&now);
    }
}

/* Frames of half the duration from frame 29 on, as at the end of slow motion: evenly moving bodies
 * do not appear accelerated, and a jump there is not hidden. */
TEST(test_unequal_frames)
{
    struct record before, now;
    struct divergence d;
    (void)state;
    record_fixture_make(&before, 48);
    record_fixture_make(&now, 48);
    for (uint64_t i = 0; i < 48; i++) {
        const double t = i < 30 ? 0.04 * (double)i : 0.04 * 29 + 0.02 * (double)(i - 29);
        before.frames[i].time = now.frames[i].time = t;
        for (int k = 0; k < RECORD_SKETCH; k++)
            before.frames[i].bodies[0].sketch[k] = now.frames[i].bodies[0].sketch[k] =
                40 * sin(k + t) + t * t;
        if (i >= 30)
            part(&now, i, 1e-7 / sqrt((double)now.bodies));
    }
    divergence_measure(&before, &now, 0, FORCE, &d);
    print_message("excess %g at frame %d\n", d.excess, (int)d.frame);
    assert_int_equal(d.kind, DIVERGENCE_JUMP);
    assert_int_equal(d.frame, 30);
    divergence_free(&d);
    record_free(&before);
    record_free(&now);
}

/* docs/regression.md: from a millionth of the size by 1.5 e-folds a crossing time, which is twice
 * the half-mass radius over the RMS speed. */
TEST(test_round_off_may_grow)
{
    struct record before, now;
    (void)state;
    struct divergence d = measure(exponential, &before, &now);
    const struct walk walk = {.before = &before, .now = &now};
    before.softening = 1e6;
    double crossings = 0;
    for (uint64_t i = 0; i < d.count; i++) {
        const struct frame_record *frame = &before.frames[i];
        if (i > 0)
            crossings +=
                (frame->time - before.frames[i - 1].time) *
                sqrt(2 * frame->bodies[0].diagnostics.kinetic / frame->bodies[0].diagnostics.mass) /
                (2 * frame->bodies[0].half_mass);
        const double allowed = bodies_allowed(&walk, &d, i);
        if (!(fabs(allowed / (1e-6 * d.size * exp(1.5 * crossings)) - 1) < 1e-12))
            fail_msg("%g is allowed after %g crossing times", allowed, crossings);
    }
    divergence_free(&d);
    record_free(&before);
    record_free(&now);
}

/* Just within and just beyond a rule's own limit and the additional allowance. */
static void check_allowed(struct walk *walk, const struct divergence *d, struct frame_record *frame,
                          double allowed)
{
    const double before = frame->bodies[0].half_mass,
                 limit = allowed + limits_fail(walk->limits, &rules[RULE_PHYSICS_HALF_MASS]);
    for (int broken = 0; broken < 2; broken++) {
        struct stage_report stage = {0};
        walk->stage = &stage;
        frame->bodies[0].half_mass = before * (1 + limit / 100 * (broken ? 1.01 : 0.99));
        const int64_t over = bodies_statistics(walk, d);
        if (over != (broken ? (int64_t)frame->frame : -1))
            fail_msg("%g %% allowed, and %g %% is found beyond it at frame %d", limit,
                     100 * (frame->bodies[0].half_mass / before - 1), (int)over);
        stage_end(&stage);
    }
    frame->bodies[0].half_mass = before;
}

/* Eight times the film's own largest drift so far, even if the drift has decreased since. */
TEST(what_a_film_has_lost_is_allowed)
{
    static const enum rule_name names[] = {RULE_PHYSICS_ENERGY, RULE_PHYSICS_MOMENTUM,
                                           RULE_PHYSICS_ANGULAR_MOMENTUM, RULE_PHYSICS_CENTRE};
    (void)state;
    for (int k = 0; k < 4; k++)
        for (int broken = 0; broken < 2; broken++) {
            struct record before, now;
            struct limits *limits;
            struct stage_report stage = {0};
            struct divergence d = measure(nothing, &before, &now);
            divergence_free(&d);
            before.softening = 1e-4; /* nothing follows from distances */
            divergence_measure(&before, &now, 0, FORCE, &d);
            limits_open(&limits);
            for (int frame = 10; frame <= 40; frame += 30)
                for (int film = frame == 40; film < 2; film++) {
                    struct diagnostics *at =
                        &(film ? &now : &before)->frames[frame].bodies[0].diagnostics;
                    double *const number[] = {&at->energy, &at->momentum[0],
                                              &at->angular_momentum[0], &at->centre[0]};
                    /* energy, M v, M v R, R */
                    const double scale[] = {0.25, sqrt(0.5), 2 * sqrt(0.5), 2};
                    *number[k] += 1e-3 * scale[k] * (frame == 10 ? 1 : broken ? 8.4 : 7.6);
                }
            struct walk walk = {.before = &before, .now = &now, .limits = limits, .stage = &stage};
            const int64_t over = bodies_statistics(&walk, &d);
            if (over != (broken ? 40 : -1))
                fail_msg("%s: beyond it at frame %d", rules[names[k]].name, (int)over);
            stage_end(&stage);
            limits_close(&limits);
            divergence_free(&d);
            record_free(&before);
            record_free(&now);
        }
}

/* docs/regression.md: radii may differ by 30 times the relative distance of the bodies, but at most
 * by 15 / sqrt(N). */
TEST(what_statistics_allow)
{
    struct record before, now;
    struct limits *limits;
    (void)state;
    struct divergence d = measure(nothing, &before, &now);
    limits_open(&limits);
    assert_true(d.resolved);
    struct walk walk = {.before = &before, .now = &now, .limits = limits};
    d.distance[40] = 2e-4 * d.size;
    check_allowed(&walk, &d, &now.frames[40], 100 * 30 * 2e-4);
    d.distance[40] = d.size;
    before.bodies = now.bodies = 1000000;
    check_allowed(&walk, &d, &now.frames[40], 100 * 15 * 1e-3);
    limits_close(&limits);
    divergence_free(&d);
    record_free(&before);
    record_free(&now);
}

TESTS(NULL, NULL)
