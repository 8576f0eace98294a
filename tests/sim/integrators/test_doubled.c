/* Steps of twice the length for bodies of large softening, and longer ones for all pulls that
 * concern these bodies. */
#include "tests/support/choose.h"
#include "tests/support/forces/sphere.h"
#include "tests/support/test.h"
#include "sim/diagnostics.h"
#include "sim/frame_clock.h"
#include "sim/integrators/integrator.h"
#include "sim/simulation.h"
#include "sim/state.h"

#include <math.h>
#include <string.h>

enum { COUNT = 600, FRAMES = 3 };

static struct simulation_params params_of(double double_steps)
{
    return (struct simulation_params){.dt = 0.02,
                                      .softening = 0.05,
                                      .steps_per_frame = 5,
                                      .force = &force_tree,
                                      .force_error = 1e-5,
                                      .integrator = &integrator_kdk,
                                      .double_steps = double_steps};
}

/* A sphere, of which the second half is a halo of larger softening. */
static struct bodies *two_kinds(void)
{
    struct bodies *sphere = sphere_make(COUNT, false, 3), *bodies;
    assert_ok(bodies_create(&bodies, COUNT, 2));
    memcpy(bodies->mass, sphere->mass, COUNT * sizeof *bodies->mass);
    memcpy(bodies->position, sphere->position, COUNT * sizeof *bodies->position);
    memcpy(bodies->velocity, sphere->velocity, COUNT * sizeof *bodies->velocity);
    bodies->components[0].count = bodies->components[1].first = COUNT / 2;
    bodies->components[1].count = COUNT / 2;
    bodies->components[1].softening = 0.4;
    bodies_destroy(&sphere);
    return bodies;
}

static double run(const struct simulation_params *params, const struct bodies *bodies,
                  struct bodies *end)
{
    struct simulation *simulation;
    assert_ok(simulation_open(&simulation, params, "cpu", 0, bodies));
    assert_ok(simulation_advance(simulation, FRAMES, NULL));
    assert_ok(simulation_save(simulation, end));
    const double interactions = simulation_solver(simulation)->interactions;
    simulation_close(&simulation);
    return interactions;
}

/* The largest distance between the same bodies from `first` to `last` - 1. */
static double apart(const struct bodies *a, const struct bodies *b, size_t first, size_t last)
{
    double most = 0;
    for (size_t i = first; i < last; i++)
        for (int c = 0; c < 3; c++)
            most = fmax(most, fabs(a->position[i][c] - b->position[i][c]));
    return most;
}

TEST(which_bodies)
{
    struct bodies *bodies = two_kinds(), *plain, *doubled;
    assert_ok(bodies_copy(&plain, bodies));
    assert_ok(bodies_copy(&doubled, bodies));
    const struct simulation_params each = params_of(0), none = params_of(0.5);
    const double usual = run(&each, bodies, plain);
    /* with none of such a softening, the bits of equal steps */
    run(&none, bodies, doubled);
    assert_memory_equal(plain->position, doubled->position, COUNT * sizeof *plain->position);
    assert_memory_equal(plain->velocity, doubled->velocity, COUNT * sizeof *plain->velocity);
    /* half of the bodies: of a frame's five evaluations two are for the others alone */
    const struct simulation_params half = params_of(0.4);
    const double fewer = run(&half, bodies, doubled);
    assert_true(fewer < 0.9 * usual && fewer > 0.6 * usual);
    const double off = apart(plain, doubled, COUNT / 2, COUNT);
    assert_true(off > 0 && off < 1e-3);
    /* all of them: pairs of steps are steps of twice the length */
    struct simulation_params all = params_of(0.01), coarse = params_of(0);
    all.steps_per_frame = 4;
    coarse.steps_per_frame = 2;
    coarse.dt *= 2;
    run(&all, bodies, doubled);
    run(&coarse, bodies, plain);
    assert_true(apart(plain, doubled, 0, COUNT) < 1e-6);
    /* a force without steps per body makes equal steps */
    struct simulation_params one = params_of(0), two = params_of(0.4);
    one.force = two.force = choose(&force_registry, "exact");
    run(&one, bodies, plain);
    run(&two, bodies, doubled);
    assert_memory_equal(plain->position, doubled->position, COUNT * sizeof *plain->position);
    bodies_destroy(&bodies);
    bodies_destroy(&plain);
    bodies_destroy(&doubled);
}

/* Halving the steps divides the difference from short steps by 4. */
TEST(second_order)
{
    struct bodies *bodies = two_kinds(), *end[3];
    double error[2];
    for (int k = 2; k >= 0; k--) {
        struct simulation_params params = params_of(0.4);
        const uint32_t finer = k == 2 ? 16 : k == 1 ? 2 : 1;
        params.force_error = 1e-5;
        params.steps_per_frame = 4 * finer;
        params.dt = 0.01 / finer;
        assert_ok(bodies_copy(&end[k], bodies));
        run(&params, bodies, end[k]);
        if (k < 2)
            error[k] = apart(end[k], end[2], COUNT / 2, COUNT);
    }
    assert_true(error[0] / error[1] > 3 && error[0] / error[1] < 5);
    for (int k = 0; k < 3; k++)
        bodies_destroy(&end[k]);
    bodies_destroy(&bodies);
}

/* The largest drift of the energy at any frame of a collapse, in whose slow motion frames have one
 * to five steps of many lengths. */
static double drift_of(const struct simulation_params *params, const struct bodies *bodies)
{
    const struct frame_clock clock = {.dt = params->dt,
                                      .steps_per_frame = params->steps_per_frame,
                                      .slow_count = 1,
                                      .slow = {{.at = 0.5, .factor = 6, .span = 0.6}}};
    struct simulation *simulation;
    struct diagnostics start, now;
    double most = 0;
    assert_ok(simulation_open(&simulation, params, "cpu", 0, bodies));
    simulation_set_clock(simulation, &clock);
    assert_ok(simulation_diagnose(simulation, &start));
    for (uint64_t frame = 1; frame <= 16; frame++) {
        struct drift drift;
        assert_ok(simulation_advance(simulation, frame, NULL));
        assert_ok(simulation_diagnose(simulation, &now));
        drift_measure(&start, &now, 0, &drift);
        most = fmax(most, fabs(drift.energy));
    }
    simulation_close(&simulation);
    return most;
}

/* The energy drifts by at most four times as much as with equal steps, the square of twice the
 * step, also where a frame ends within a pair whose steps differ in length. */
TEST(energy)
{
    struct bodies *bodies = two_kinds();
    struct simulation_params equal = params_of(0), pairs = params_of(0.4), longer = params_of(0.4);
    equal.softening = pairs.softening = longer.softening = 0.2;
    longer.long_steps = 3;
    for (size_t i = 0; i < COUNT; i++)
        for (int c = 0; c < 3; c++)
            bodies->velocity[i][c] = -0.5 * bodies->position[i][c];
    const double usual = drift_of(&equal, bodies);
    assert_true(usual > 1e-6);
    assert_true(drift_of(&pairs, bodies) < 4 * usual);
    assert_true(drift_of(&longer, bodies) < 4 * usual);
    bodies_destroy(&bodies);
}

/* Pairs of steps do not depend on how steps are divided into frames, nor on a run that is saved and
 * continued within a pair. */
TEST(pairs_across_frames)
{
    struct bodies *bodies = two_kinds(), *whole, *cut;
    struct simulation *simulation;
    struct simulation_state saved = {0};
    assert_ok(bodies_copy(&whole, bodies));
    assert_ok(bodies_copy(&cut, bodies));
    struct simulation_params params = params_of(0.4);
    params.steps_per_frame = 4;
    const double usual = run(&params, bodies, whole);
    params.steps_per_frame = 1;
    assert_ok(simulation_state_create(COUNT, &saved));
    assert_ok(simulation_open(&simulation, &params, "cpu", 0, bodies));
    assert_ok(simulation_advance(simulation, 3, NULL));
    assert_ok(simulation_get_state(simulation, &saved));
    double interactions = simulation_solver(simulation)->interactions;
    simulation_close(&simulation);
    assert_ok(simulation_open(&simulation, &params, "cpu", 0, bodies));
    interactions -= simulation_solver(simulation)->interactions; /* of the first evaluation */
    assert_ok(simulation_set_state(simulation, &saved));
    assert_ok(simulation_advance(simulation, 4 * FRAMES, NULL));
    assert_ok(simulation_save(simulation, cut));
    assert_true(interactions + simulation_solver(simulation)->interactions == usual);
    assert_memory_equal(whole->position, cut->position, COUNT * sizeof *whole->position);
    assert_memory_equal(whole->velocity, cut->velocity, COUNT * sizeof *whole->velocity);
    simulation_close(&simulation);
    simulation_state_free(&saved);
    bodies_destroy(&bodies);
    bodies_destroy(&whole);
    bodies_destroy(&cut);
}

/* A saved state may lie between the two steps of a pair. */
TEST(states_within_a_frame)
{
    const struct frame_span frame = {.first = 10, .steps = 5, .dt = 0.1};
    const struct integrator_state none = {0};
    struct integration integration = {.pacing = &pacing_doubled};
    assert_ok(pacing_doubled.load(&integration, &frame, 10, &none));
    assert_ok(pacing_doubled.load(&integration, &frame, 13, &none));
    assert_int_equal(integration.steps, 13);
    assert_fails(pacing_doubled.load(&integration, &frame, 15, &none), STATUS_USAGE, "step 15");
    assert_int_equal(integration.steps, 13);
}

static struct simulation_params split_of(uint32_t long_steps)
{
    struct simulation_params params = params_of(0.4);
    params.long_steps = long_steps;
    return params;
}

static void momentum_of(const struct bodies *bodies, double momentum[3])
{
    memset(momentum, 0, sizeof(double[3]));
    for (size_t i = 0; i < COUNT; i++)
        for (int c = 0; c < 3; c++)
            momentum[c] += bodies->mass[i] * bodies->velocity[i][c];
}

/* Of a frame's five evaluations three are for some of the bodies' pulls on each other alone;
 * momentum is kept to the tree's rounding, unlike with steps of twice the length. */
TEST(long_steps)
{
    struct bodies *bodies = two_kinds(), *plain, *split, *doubled;
    assert_ok(bodies_copy(&plain, bodies));
    assert_ok(bodies_copy(&split, bodies));
    assert_ok(bodies_copy(&doubled, bodies));
    const struct simulation_params usual = params_of(0), pairs = params_of(0.4),
                                   longer = split_of(3);
    const double all = run(&usual, bodies, plain), two = run(&pairs, bodies, doubled),
                 some = run(&longer, bodies, split);
    assert_true(some < 0.65 * all && some < 0.9 * two && two < 0.9 * all);
    const double off = apart(plain, split, 0, COUNT);
    assert_true(off > 0 && off < 1e-3);
    double before[3], after[3], other[3], moved = 0, drifted = 0;
    momentum_of(bodies, before);
    momentum_of(split, after);
    momentum_of(doubled, other);
    for (int c = 0; c < 3; c++) {
        moved = fmax(moved, fabs(after[c] - before[c]));
        drifted = fmax(drifted, fabs(other[c] - before[c]));
    }
    assert_true(moved < 1e-7 && moved < 0.1 * drifted);
    /* of bodies that are all alike, none has longer steps than the others */
    struct simulation_params none = split_of(3), alike = params_of(0.5);
    none.double_steps = 0.5;
    run(&none, bodies, split);
    run(&alike, bodies, doubled);
    assert_memory_equal(split->position, doubled->position, COUNT * sizeof *split->position);
    bodies_destroy(&bodies);
    bodies_destroy(&plain);
    bodies_destroy(&split);
    bodies_destroy(&doubled);
}

TEST(long_steps_are_of_second_order)
{
    struct bodies *bodies = two_kinds(), *end[3];
    double error[2];
    for (int k = 2; k >= 0; k--) {
        struct simulation_params params = split_of(4);
        const uint32_t finer = k == 2 ? 16 : k == 1 ? 2 : 1;
        params.steps_per_frame = 4 * finer;
        params.dt = 0.01 / finer;
        assert_ok(bodies_copy(&end[k], bodies));
        run(&params, bodies, end[k]);
        if (k < 2)
            error[k] = apart(end[k], end[2], 0, COUNT);
    }
    assert_true(error[0] / error[1] > 3 && error[0] / error[1] < 5);
    for (int k = 0; k < 3; k++)
        bodies_destroy(&end[k]);
    bodies_destroy(&bodies);
}

/* A state continues to the same bits as the run that it was saved from. */
TEST(long_steps_are_continued)
{
    struct bodies *bodies = two_kinds(), *whole, *resumed;
    assert_ok(bodies_copy(&whole, bodies));
    assert_ok(bodies_copy(&resumed, bodies));
    const struct simulation_params params = split_of(3);
    struct simulation_state at;
    struct simulation *one, *two;
    assert_ok(simulation_state_create(COUNT, &at));
    assert_ok(simulation_open(&one, &params, "cpu", 0, bodies));
    assert_ok(simulation_advance(one, 1, NULL));
    assert_ok(simulation_get_state(one, &at));
    assert_int_equal(at.integrator.size, COUNT / 2 * sizeof(double[3]));
    assert_ok(simulation_advance(one, 2, NULL));
    assert_ok(simulation_save(one, whole));
    simulation_close(&one);
    assert_ok(simulation_open(&two, &params, "cpu", 0, bodies));
    assert_ok(simulation_advance(two, 2, NULL)); /* the state takes the place of this one */
    assert_ok(simulation_set_state(two, &at));
    assert_ok(simulation_advance(two, 2, NULL));
    assert_ok(simulation_save(two, resumed));
    assert_memory_equal(whole->position, resumed->position, COUNT * sizeof *whole->position);
    assert_memory_equal(whole->velocity, resumed->velocity, COUNT * sizeof *whole->velocity);
    /* damaged ones */
    at.integrator.size -= sizeof(double[3]);
    assert_fails(simulation_set_state(two, &at), STATUS_USAGE, "299 300");
    at.integrator.size -= 1;
    assert_fails(simulation_set_state(two, &at), STATUS_USAGE, "never reaches");
    simulation_close(&two);
    simulation_state_free(&at);
    bodies_destroy(&bodies);
    bodies_destroy(&whole);
    bodies_destroy(&resumed);
}

/* Five steps are two long ones, of two and of three. */
TEST(states_between_long_steps)
{
    struct bodies *bodies = two_kinds();
    const struct simulation_params params = split_of(3);
    struct simulation *simulation;
    struct simulation_state at;
    assert_ok(simulation_state_create(COUNT, &at));
    assert_ok(simulation_open(&simulation, &params, "cpu", 0, bodies));
    assert_ok(simulation_get_state(simulation, &at));
    static const bool ends[] = {true, false, true, false, false};
    for (uint64_t step = 0; step < 5; step++) {
        at.step = step;
        if (ends[step])
            assert_ok(simulation_set_state(simulation, &at));
        else
            assert_fails(simulation_set_state(simulation, &at), STATUS_USAGE, "never reaches");
    }
    simulation_state_free(&at);
    simulation_close(&simulation);
    bodies_destroy(&bodies);
}

TEST(refused)
{
    struct simulation_params params = params_of(-1);
    assert_fails(integrator_check(&params), STATUS_USAGE, "simulation.double_steps at least 0");
    params = params_of(0.4);
    params.integrator = choose(&integrator_registry, "yoshida4");
    assert_fails(integrator_check(&params), STATUS_USAGE, "double_steps yoshida4 kdk");
}

TESTS(NULL, NULL)
