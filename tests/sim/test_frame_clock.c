#include "tests/support/choose.h"
#include "tests/support/test.h"
#include "tests/support/forces/sphere.h"
#include "sim/frame_clock.h"
#include "sim/simulation.h"

#include <math.h>
#include <string.h>

/* 120 frames' worth of even film, slow around 3 and, partly at once, around 5. */
static const struct frame_clock two = {
    .dt = 0.025,
    .steps_per_frame = 4,
    .slow_count = 2,
    .slow = {{.at = 3, .factor = 6, .span = 2}, {.at = 5, .factor = 2.5, .span = 4}},
};

TEST(even_without_slow_motion)
{
    const struct frame_clock clock = {.dt = 0.15, .steps_per_frame = 3};
    for (uint64_t f = 0; f < 1000; f++) {
        assert_true(frame_clock_time(&clock, f) == (double)(3 * f) * 0.15);
        assert_true(frame_clock_step(&clock, f) == 0.15);
        assert_near(frame_clock_frame(&clock, frame_clock_time(&clock, f)), (double)f, 1e-12 * 1e3);
    }
    assert_true(frame_clock_slowness(&clock, 7) == 1);
}

TEST(slowness_is_smooth_and_reaches_the_factor)
{
    assert_near(frame_clock_slowness(&two, 1.999), 1, 1e-15); /* outside both */
    assert_near(frame_clock_slowness(&two, 7.001), 1, 1e-15);
    assert_near(frame_clock_slowness(&two, 3), 6, 1e-12); /* where the second begins */
    assert_near(frame_clock_slowness(&two, 5), 2.5, 1e-12);
    /* Value, slope and curvature at both sides of every end of a span. */
    const double ends[] = {2, 3, 4, 7}, h = 1e-4;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        double curvature[2], slope[2];
        for (int side = 0; side < 2; side++) {
            double sign = side ? 1 : -1;
            double s0 = frame_clock_slowness(&two, ends[i]);
            double s1 = frame_clock_slowness(&two, ends[i] + sign * h);
            double s2 = frame_clock_slowness(&two, ends[i] + 2 * sign * h);
            slope[side] = sign * (-1.5 * s0 + 2 * s1 - 0.5 * s2) / h;
            curvature[side] = (s0 - 2 * s1 + s2) / (h * h);
        }
        assert_near(slope[0], slope[1], 1e-4);
        assert_near(curvature[0], curvature[1], 0.1); /* of as much as 30 within */
    }
}

/* Against an integration of dt/dF = T / s(t) that knows nothing of the closed form. */
TEST(times_are_the_integral_of_the_rate)
{
    enum { PARTS = 200 };
    double time = 0, before = -1;
    for (uint64_t f = 0; f <= 160; f++) {
        assert_near(frame_clock_time(&two, f), time, 1e-9);
        assert_near(frame_clock_frame(&two, frame_clock_time(&two, f)), (double)f, 1e-11);
        assert_true(frame_clock_time(&two, f) > before);
        before = frame_clock_time(&two, f);
        const double h = 0.1 / PARTS;
        for (int i = 0; i < PARTS; i++) {
            double k1 = 1 / frame_clock_slowness(&two, time);
            double k2 = 1 / frame_clock_slowness(&two, time + 0.5 * h * k1);
            double k3 = 1 / frame_clock_slowness(&two, time + 0.5 * h * k2);
            double k4 = 1 / frame_clock_slowness(&two, time + h * k3);
            time += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
        }
    }
    /* The slow motions take (factor - 1) * 16/35 of their spans more. */
    assert_near(frame_clock_frame(&two, 9), (9 + 16.0 / 35 * (5 * 2 + 1.5 * 4)) / 0.1, 1e-10);
}

TEST(time_is_even_outside_and_smooth_within)
{
    int slow = 0;
    uint64_t before = 0;
    for (uint64_t f = 0; f < 200; f++) {
        double step = frame_clock_step(&two, f),
               ratio = frame_clock_duration(&two, f + 1) / frame_clock_duration(&two, f);
        double from = frame_clock_time(&two, f), to = frame_clock_time(&two, f + 1);
        uint64_t steps = frame_clock_steps(&two, f);
        assert_near((double)steps * step, to - from, 1e-13);
        assert_near(frame_clock_duration(&two, f), to - from, 1e-13);
        assert_true(ratio < 1.35 && ratio > 0.7);
        /* as few steps as dt allows */
        assert_true(step <= two.dt && (double)(steps - 1) * two.dt < to - from);
        assert_int_equal(frame_clock_steps_before(&two, f), before);
        before += steps;
        if (to <= 2 || from >= 7)
            assert_true(step == two.dt &&
                        steps == 4); /* the same bits: CUDA's recorded steps serve on */
        else
            slow++;
    }
    assert_true(slow > 100);
    assert_true(frame_clock_steps_before(&two, 1000000000200) == before + 4000000000000);
    const uint64_t slowest = (uint64_t)frame_clock_frame(&two, 3);
    assert_int_equal(frame_clock_steps(&two, slowest), 1);
    assert_near(frame_clock_step(&two, slowest), 4 * two.dt / 6, 0.08 * two.dt);
    /* Frames before the first slow motion are those of the even film. */
    for (uint64_t f = 0; f <= 20; f++)
        assert_true(frame_clock_time(&two, f) == (double)(4 * f) * two.dt);
}

TEST(hard_cases_end)
{
    const struct frame_clock clock = {
        .dt = 1e-3,
        .steps_per_frame = 1,
        .slow_count = 3,
        .slow = {{.at = 0, .factor = 1000, .span = 1e-6}, /* less than a step; at the start */
                 {.at = 50, .factor = 1000, .span = 100},
                 {.at = 50, .factor = 1000, .span = 0.01}},
    };
    double before = -1;
    for (uint64_t f = 0; f < 1000000; f = f < 50 ? f + 1 : f * 5 / 4) {
        double time = frame_clock_time(&clock, f);
        assert_true(isfinite(time) && time > before && time <= (double)f * clock.dt);
        assert_near(frame_clock_frame(&clock, time), (double)f, 1e-7);
        before = time;
    }
}

static struct simulation *start(const struct bodies *bodies, double adaptive)
{
    struct simulation_params params = {.dt = 0.02,
                                       .softening = 0.05,
                                       .steps_per_frame = 5,
                                       .force = choose(&force_registry, "double"),
                                       .integrator = choose(&integrator_registry, "kdk"),
                                       .adaptive = adaptive};
    struct simulation *simulation;
    assert_ok(simulation_open(&simulation, &params, "cpu", 0, bodies));
    return simulation;
}

static const struct frame_clock brief = {
    .dt = 0.02,
    .steps_per_frame = 5,
    .slow_count = 1,
    .slow = {{.at = 1, .factor = 5, .span = 1}},
};

static void save(struct simulation *simulation, struct bodies *bodies)
{
    assert_ok(simulation_save(simulation, bodies));
}

/* A clock without slow motion, and frames before it, change no bit. */
TEST(the_even_path_is_as_it_was)
{
    struct bodies *bodies = sphere_make(60, false, 2), *a = sphere_make(60, false, 2),
                  *b = sphere_make(60, false, 2);
    for (int adapts = 0; adapts < 2; adapts++) {
        struct simulation *plain = start(bodies, adapts ? 0.05 : 0);
        struct simulation *slow = start(bodies, adapts ? 0.05 : 0);
        simulation_set_clock(slow, &brief);
        for (uint64_t f = 1; f <= 12; f++) {
            assert_ok(simulation_advance(plain, f, NULL));
            assert_ok(simulation_advance(slow, f, NULL));
            save(plain, a);
            save(slow, b);
            bool same = memcmp(a->position, b->position, 60 * sizeof *a->position) == 0;
            assert_true(same == (f <= 5)); /* slow motion begins at 0.5 */
            assert_true((fabs(simulation_time(slow) - simulation_time(plain)) < 1e-15) == (f <= 5));
            assert_near(simulation_time(slow), frame_clock_time(&brief, f), 1e-14);
            if (!adapts)
                assert_int_equal(simulation_step(slow), frame_clock_steps_before(&brief, f));
        }
        simulation_close(&plain);
        simulation_close(&slow);
    }
    bodies_destroy(&bodies);
    bodies_destroy(&a);
    bodies_destroy(&b);
}

/* Two bodies on a known orbit: the film shows them where they are at the clock's times. */
TEST(bodies_are_where_the_clock_says)
{
    struct bodies *bodies, *now;
    assert_ok(bodies_create(&bodies, 2, 1));
    assert_ok(bodies_create(&now, 2, 1));
    bodies->components[0].count = 2;
    /* A circle of diameter 2, softened: v^2 = r a, a = m d / (d^2 + eps^2)^(3/2), m = 1. */
    const double a = 2 / pow(4 + 0.05 * 0.05, 1.5), omega = sqrt(a);
    for (int i = 0; i < 2; i++) {
        bodies->mass[i] = 1;
        bodies->position[i][0] = i ? -1 : 1;
        bodies->velocity[i][1] = (i ? -1 : 1) * omega;
    }
    for (int adapts = 0; adapts < 2; adapts++) {
        struct simulation *simulation = start(bodies, adapts ? 0.1 : 0);
        simulation_set_clock(simulation, &brief);
        struct diagnostics first, last;
        assert_ok(simulation_diagnose(simulation, &first));
        for (uint64_t f = 5; f <= 60; f += 5) {
            assert_ok(simulation_advance(simulation, f, NULL));
            save(simulation, now);
            double angle = omega * frame_clock_time(&brief, f);
            assert_near(now->position[0][0], cos(angle), 1e-3);
            assert_near(now->position[0][1], sin(angle), 1e-3);
        }
        assert_ok(simulation_diagnose(simulation, &last));
        assert_near(last.energy / first.energy, 1, 1e-5);
        simulation_close(&simulation);
    }
    bodies_destroy(&bodies);
    bodies_destroy(&now);
}

/* A body on its own is slowed by `damping` per dt of simulated time, also where steps are parts of
 * it. */
TEST(damping_follows_the_time)
{
    struct bodies *bodies;
    assert_ok(bodies_create(&bodies, 1, 1));
    bodies->components[0].count = 1;
    bodies->mass[0] = bodies->velocity[0][0] = 1;
    const struct simulation_params params = {.dt = 0.02,
                                             .damping = 0.98,
                                             .softening = 0.05,
                                             .steps_per_frame = 5,
                                             .force = choose(&force_registry, "double"),
                                             .integrator = choose(&integrator_registry, "euler")};
    struct simulation *simulation;
    assert_ok(simulation_open(&simulation, &params, "cpu", 0, bodies));
    simulation_set_clock(simulation, &brief);
    for (uint64_t f = 1; f <= 24; f++) {
        assert_ok(simulation_advance(simulation, f, NULL));
        save(simulation, bodies);
        assert_near(bodies->velocity[0][0], pow(0.98, simulation_time(simulation) / 0.02), 1e-13);
    }
    simulation_close(&simulation);
    bodies_destroy(&bodies);
}

/* A sphere that falls together: the energy wanders no further than without slow motion. */
TEST(energy_is_kept)
{
    struct bodies *bodies = sphere_make(100, true, 4);
    struct diagnostics first, last;
    double drift[2];
    for (int slow = 0; slow < 2; slow++) {
        struct simulation *simulation = start(bodies, 0);
        struct frame_clock clock = brief;
        clock.slow[0] = (struct slow_motion){.at = 1.5, .factor = 8, .span = 2};
        if (slow)
            simulation_set_clock(simulation, &clock);
        uint64_t frames = slow ? (uint64_t)ceil(frame_clock_frame(&clock, 3)) : 30;
        assert_ok(simulation_diagnose(simulation, &first));
        assert_ok(simulation_advance(simulation, frames, NULL));
        assert_ok(simulation_diagnose(simulation, &last));
        assert_near(simulation_time(simulation), 3, 0.1);
        drift[slow] = fabs(last.energy / first.energy - 1);
        simulation_close(&simulation);
    }
    assert_true(drift[1] < 2e-3);
    assert_true(drift[1] < 1.5 * drift[0] + 1e-4);
    bodies_destroy(&bodies);
}

/* Stopped in the middle of a slow frame, saved and restored: the same film. */
TEST(a_slow_run_goes_on_from_its_state)
{
    struct bodies *bodies = sphere_make(60, false, 2), *a = sphere_make(60, false, 2),
                  *b = sphere_make(60, false, 2);
    for (int adapts = 0; adapts < 2; adapts++) {
        struct simulation *whole = start(bodies, adapts ? 0.05 : 0);
        struct simulation *part = start(bodies, adapts ? 0.05 : 0);
        struct simulation *rest = start(bodies, adapts ? 0.05 : 0);
        struct simulation_state saved;
        simulation_set_clock(whole, &brief);
        simulation_set_clock(part, &brief);
        simulation_set_clock(rest, &brief);
        assert_ok(simulation_advance(whole, 20, NULL));
        assert_ok(simulation_advance(part, 9, NULL));
        assert_ok(simulation_state_create(simulation_solver(part)->count, &saved));
        assert_ok(simulation_get_state(part, &saved));
        assert_ok(simulation_set_state(rest, &saved));
        assert_true(simulation_time(rest) == simulation_time(part));
        assert_ok(simulation_advance(rest, 20, NULL));
        save(whole, a);
        save(rest, b);
        assert_memory_equal(a->position, b->position, 60 * sizeof *a->position);
        simulation_state_free(&saved);
        simulation_close(&whole);
        simulation_close(&part);
        simulation_close(&rest);
    }
    bodies_destroy(&bodies);
    bodies_destroy(&a);
    bodies_destroy(&b);
}

/* Time stands still in even films and in slow motion, and a run that is resumed then stays there.
 */
TEST(time_can_stand_still)
{
    enum { STOP = 7 };
    struct bodies *bodies = sphere_make(60, false, 2), *a = sphere_make(60, false, 2),
                  *b = sphere_make(60, false, 2);
    for (int way = 0; way < 4; way++) {
        struct frame_clock clock = brief;
        struct simulation *part = start(bodies, way % 2 ? 0.05 : 0);
        struct simulation *rest = start(bodies, way % 2 ? 0.05 : 0);
        struct simulation_state saved;
        clock.slow_count = way < 2 ? 0 : clock.slow_count;
        const double moment = frame_clock_time(&clock, STOP);
        clock.freezes = true;
        clock.freeze_frame = STOP;
        simulation_set_clock(part, &clock);
        simulation_set_clock(rest, &clock);
        assert_true(frame_clock_step(&clock, STOP - 1) > 0 && frame_clock_step(&clock, STOP) == 0);
        assert_ok(simulation_advance(part, STOP, NULL));
        save(part, a);
        assert_near(simulation_time(part), moment, 1e-12);
        assert_ok(simulation_advance(part, STOP + 5, NULL));
        assert_int_equal(simulation_frame(part), STOP + 5);
        assert_true(frame_clock_time(&clock, STOP + 5) == frame_clock_time(&clock, STOP));
        assert_near(simulation_time(part), moment, 1e-12);
        assert_ok(simulation_state_create(simulation_solver(part)->count, &saved));
        assert_ok(simulation_get_state(part, &saved));
        assert_ok(simulation_set_state(rest, &saved));
        assert_ok(simulation_advance(rest, STOP + 9, NULL));
        save(rest, b);
        assert_near(simulation_time(rest), moment, 1e-12);
        assert_memory_equal(a->position, b->position, 60 * sizeof *a->position);
        simulation_state_free(&saved);
        simulation_close(&part);
        simulation_close(&rest);
    }
    bodies_destroy(&bodies);
    bodies_destroy(&a);
    bodies_destroy(&b);
}

TESTS(NULL, NULL)
