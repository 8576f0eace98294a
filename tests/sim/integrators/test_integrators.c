#include "tests/support/choose.h"
#include "tests/support/test.h"
#include "tests/support/forces/mode_checks.h"
#include "tests/support/forces/sphere.h"
#include "tests/support/forces/potential.h"
#include "sim/integrators/integrator.h"

#include <math.h>
#include <string.h>

TEST(test_orders)
{
    check_integrators("cpu");
}

/* The longest step 2^-k of a frame that is at most eta sqrt(softening / a). */
TEST(test_criterion)
{
    static const double just[] = {1.05, 1.95, 0.95};
    static const uint64_t steps[] = {8, 8, 16};
    const double softening = 0.1, frame = 0.1, a = 0.5 / pow(1 + softening * softening, 1.5);
    for (int k = 0; k < 3; k++) {
        double period;
        struct bodies *bodies = pair_make(softening, 1, &period);
        const struct simulation_params params = {.dt = frame,
                                                 .softening = softening,
                                                 .steps_per_frame = 1,
                                                 .force = choose(&force_registry, "double"),
                                                 .integrator = choose(&integrator_registry, "kdk"),
                                                 .adaptive =
                                                     just[k] * frame / 8 / sqrt(softening / a)};
        struct simulation *simulation;
        assert_ok(simulation_open(&simulation, &params, "cpu", 0, bodies));
        assert_ok(simulation_advance(simulation, 1, NULL));
        assert_int_equal(simulation_step(simulation), steps[k]);
        simulation_close(&simulation);
        bodies_destroy(&bodies);
    }
}

/* The shortest possible step. */
TEST(test_shortest)
{
    static const double just[] = {1.05, 0.95};
    const double softening = 0.1, frame = 0.1, a = 0.5 / pow(1 + softening * softening, 1.5);
    const struct solver_params params = {
        .softening = softening, .force = choose(&force_registry, "double"), .keeps = true};
    for (int k = 0; k < 2; k++) {
        double period;
        bool done;
        struct bodies *bodies = pair_make(softening, 1, &period);
        struct solver *solver;
        assert_ok(solver_open("cpu", &params, bodies, &solver));
        assert_ok(solver->ops->accelerate(solver));
        struct adaptive adaptive = {.eta = ldexp(just[k] * frame, -RUNG_MOST) / sqrt(softening / a),
                                    .softening = softening,
                                    .frame_time = frame};
        const enum status status = adaptive_step(&adaptive, solver, integrator_kdk.step, 1, &done);
        assert_int_equal(status, k == 0 ? STATUS_OK : STATUS_RUNTIME);
        assert_int_equal(adaptive.tick, k == 0 ? 1 : 0);
        assert_true(k != 0 || !done);
        solver_close(&solver);
        bodies_destroy(&bodies);
    }
}

TEST(test_adaptive)
{
    check_adaptive("cpu", 320);
}

static struct bodies *read_three(const char *name)
{
    const char *path = test_data(name);
    FILE *file = fopen(path, "r");
    struct bodies *bodies;
    assert_non_null(file);
    assert_ok(bodies_create(&bodies, 3, 1));
    bodies->components[0].count = 3;
    assert_int_equal(fscanf(file, "%*d %*f"), 0);
    for (int i = 0; i < 3; i++) {
        double *x = bodies->position[i], *v = bodies->velocity[i];
        assert_int_equal(fscanf(file, "%lf %lf %lf %lf %lf %lf %lf", &bodies->mass[i], &x[0], &x[1],
                                &x[2], &v[0], &v[1], &v[2]),
                         7);
    }
    fclose(file);
    return bodies;
}

/* The period's last digit and the data's eight digits limit the accuracy of this test. */
TEST(test_figure_eight)
{
    const double period = 6.32591398;
    struct bodies *bodies = read_three("smalln/figure8.mpv"),
                  *end = read_three("smalln/figure8.mpv");
    const struct integrator *integrator;
    for (size_t i = 0; (integrator = choice_at(&integrator_registry, i)); i++) {
        if (!integrator->step)
            continue;
        int steps = integrator->order == 4 ? 1000 : integrator->order == 2 ? 20000 : 200000;
        double tolerance = integrator->order == 1 ? 1e-3 : 2e-6;
        struct solver *solver = mode_open("cpu", "auto", "double", 1, bodies, 1e-5);
        for (int s = 0; s < steps; s++)
            assert_ok(integrator->step(solver, period / steps, 1));
        assert_ok(solver->ops->save(solver, end));
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < 3; c++) {
                assert_near(end->position[k][c], bodies->position[k][c], tolerance);
                assert_near(end->velocity[k][c], bodies->velocity[k][c], tolerance);
            }
        solver_close(&solver);
    }
    bodies_destroy(&bodies);
    bodies_destroy(&end);
}

/* The classical Runge-Kutta rule on three free bodies, state as x y vx vy a body. */
static void runge_kutta(const double mass[3], double state[12], double h)
{
    double k[4][12], at[12];
    for (int stage = 0; stage < 4; stage++) {
        static const double share[] = {0, 0.5, 0.5, 1};
        for (int n = 0; n < 12; n++)
            at[n] = state[n] + (stage ? share[stage] * h * k[stage - 1][n] : 0);
        for (int i = 0; i < 3; i++) {
            double *rate = &k[stage][4 * i];
            rate[0] = at[4 * i + 2];
            rate[1] = at[4 * i + 3];
            rate[2] = rate[3] = 0;
            for (int j = 0; j < 3; j++) {
                double dx = at[4 * j] - at[4 * i], dy = at[4 * j + 1] - at[4 * i + 1];
                double r = hypot(dx, dy);
                rate[2] += i == j ? 0 : mass[j] * dx / (r * r * r);
                rate[3] += i == j ? 0 : mass[j] * dy / (r * r * r);
            }
        }
    }
    for (int n = 0; n < 12; n++)
        state[n] += h / 6 * (k[0][n] + 2 * k[1][n] + 2 * k[2][n] + k[3][n]);
}

/* Burrau's problem: masses 3, 4, 5 at rest; until shortly before the first close encounter. */
TEST(test_pythagorean)
{
    const double until = 1.5;
    struct bodies *bodies = read_three("smalln/pyth.mpv"), *end = read_three("smalln/pyth.mpv");
    double want[12];
    assert_near(potential_by_pairs(bodies, 0), -769.0 / 60, 1e-12);
    for (int i = 0; i < 3; i++) {
        memcpy(&want[4 * i], bodies->position[i], sizeof(double[2]));
        memcpy(&want[4 * i + 2], bodies->velocity[i], sizeof(double[2]));
    }
    for (int s = 0; s < 20000; s++)
        runge_kutta(bodies->mass, want, until / 20000);
    assert_true(hypot(want[0] - bodies->position[0][0], want[1] - bodies->position[0][1]) > 0.5);
    static const struct {
        const char *integrator, *mode;
        int steps;
        double tolerance;
    } runs[] = {{"kdk", "double", 20000, 1e-6},
                {"dkd", "exact", 20000, 2e-5},
                {"yoshida4", "double", 1500, 1e-6}};
    for (size_t r = 0; r < sizeof runs / sizeof *runs; r++) {
        const struct integrator *integrator = choice_find(&integrator_registry, runs[r].integrator);
        struct solver *solver = mode_open("cpu", "auto", runs[r].mode, 1, bodies, 1e-5);
        for (int s = 0; s < runs[r].steps; s++)
            assert_ok(integrator->step(solver, until / runs[r].steps, 1));
        assert_ok(solver->ops->save(solver, end));
        for (int i = 0; i < 3; i++)
            for (int c = 0; c < 2; c++)
                assert_near(end->position[i][c], want[4 * i + c], runs[r].tolerance);
        solver_close(&solver);
    }
    bodies_destroy(&bodies);
    bodies_destroy(&end);
}

/* A Plummer sphere of unit mass and length has W = -3 pi / 32; this one is cut at 99.1 % of its
 * mass. */
TEST(test_plummer)
{
    const size_t n = 8192;
    struct bodies *bodies = sphere_make(n, true, 1);
    static const char *const modes[] = {"fast", "exact", "double"};
    double energy[3];
    for (int m = 0; m < 3; m++) {
        struct solver *solver = mode_open("cpu", "auto", modes[m], 1, bodies, 1e-3);
        assert_ok(solver->ops->potential(solver, &energy[m]));
        solver_close(&solver);
        assert_near(energy[m] / (-3 * M_PI / 32), 1, 0.03);
        assert_near(energy[m] / energy[0], 1, 1e-6);
    }
    bodies_destroy(&bodies);
}

static struct simulation_params good_params(void)
{
    return (struct simulation_params){.dt = 0.01,
                                      .softening = 0.1,
                                      .steps_per_frame = 2,
                                      .force = choose(&force_registry, "fast"),
                                      .integrator = choose(&integrator_registry, "kdk")};
}

TEST(test_choices)
{
    struct bodies *bodies = sphere_make(20, true, 1), *one = sphere_make(20, true, 1),
                  *two = sphere_make(20, true, 1);
    struct simulation *simulation = NULL;
    struct simulation_params params = good_params();
    params.damping = 0.5;
    assert_fails(simulation_open(&simulation, &params, "cpu", 0, bodies), STATUS_USAGE,
                 "simulation.damping 0.5 kdk euler");
    params.damping = 1.5;
    assert_fails(simulation_open(&simulation, &params, "cpu", 0, bodies), STATUS_USAGE,
                 "simulation.damping damping 1.5");
    params = good_params();
    params.adaptive = 0.1;
    params.integrator = choose(&integrator_registry, "dkd");
    assert_fails(simulation_open(&simulation, &params, "cpu", 0, bodies), STATUS_USAGE,
                 "simulation.adaptive dkd kdk");
    params = good_params();
    params.adaptive = 0.1;
    params.subset = 2;
    assert_fails(simulation_open(&simulation, &params, "cpu", 0, bodies), STATUS_USAGE,
                 "simulation.subset 1");
    params = good_params();
    params.adaptive = 1e-9;
    assert_ok(simulation_open(&simulation, &params, "cpu", 0, bodies));
    assert_fails(simulation_advance(simulation, 1, NULL), STATUS_RUNTIME,
                 "step simulation.adaptive simulation.softening");
    simulation_close(&simulation);

    params = good_params();
    params.integrator = choose(&integrator_registry, "euler");
    assert_ok(simulation_open(&simulation, &params, "cpu", 0, bodies));
    assert_ok(simulation_advance(simulation, 1, NULL));
    assert_ok(simulation_save(simulation, one));
    simulation_close(&simulation);
    params.damping = 0.5;
    assert_ok(simulation_open(&simulation, &params, "cpu", 0, bodies));
    assert_ok(simulation_advance(simulation, 1, NULL));
    assert_ok(simulation_save(simulation, two));
    simulation_close(&simulation);
    assert_near(relative_rms(60, two->velocity[0], one->velocity[0]), 0.75, 0.02);
    bodies_destroy(&bodies);
    bodies_destroy(&one);
    bodies_destroy(&two);
}

TESTS(NULL, NULL)
