/* Steps of twice the length for bodies of large softening. */
#include "tests/support/choose.h"
#include "tests/support/forces/sphere.h"
#include "tests/support/test.h"
#include "sim/integrators/integrator.h"
#include "sim/simulation.h"
#include "sim/state.h"
#include "sim/gravity/tree/tree_force.h"

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

TEST(refused)
{
    struct simulation_params params = params_of(-1);
    assert_fails(integrator_check(&params), STATUS_USAGE, "simulation.double_steps at least 0");
    params = params_of(0.4);
    params.adaptive = 0.1;
    assert_fails(integrator_check(&params), STATUS_USAGE, "double_steps adaptive");
    params = params_of(0.4);
    params.integrator = choose(&integrator_registry, "yoshida4");
    assert_fails(integrator_check(&params), STATUS_USAGE, "double_steps yoshida4 kdk");
}

TESTS(NULL, NULL)
