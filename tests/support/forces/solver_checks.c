#include "tests/support/test.h"
#include "tests/support/forces/solver_checks.h"
#include "tests/support/forces/sphere.h"
#include "tests/support/forces/potential.h"
#include "tests/support/forces/force_reference.h"
#include "sim/diagnostics.h"
#include "sim/integrators/integrator.h"
#include "sim/gravity/force.h"

#include <math.h>

struct solver *checks_open(const char *backend, const char *path, const struct bodies *bodies,
                           double softening)
{
    struct solver_params params = {.softening = softening, .force = &force_fast, .kernel = path};
    struct solver *solver = NULL;
    assert_ok(solver_open(backend, &params, bodies, &solver));
    assert_ok(solver->ops->accelerate(solver));
    return solver;
}

static void run(struct solver *solver, int steps, double dt)
{
    for (int s = 0; s < steps; s++)
        assert_ok(integrator_kdk.step(solver, dt, 1));
}

void check_accuracy(const char *backend, const char *path, size_t count, bool equal)
{
    const double softening = 0.02;
    struct bodies *bodies = sphere_make(count, equal, 99 + count);
    struct solver *solver = checks_open(backend, path, bodies, softening);
    double(*want)[3] = calloc(count, sizeof *want), *phi = calloc(count, sizeof *phi);
    double(*got)[3] = calloc(count, sizeof *got), energy = 1, want_energy = 0;
    assert_true(want && phi && got);
    force_reference(count, bodies->mass, (const double(*)[3])bodies->position, softening, want,
                    phi);
    assert_ok(solver->ops->accelerations(solver, got));
    assert_ok(solver->ops->potential(solver, &energy));
    for (size_t i = 0; i < count; i++)
        want_energy += bodies->mass[i] * phi[i] / 2;
    double error = relative_rms(3 * count, got[0], want[0]);
    if (!(error < 1e-6))
        fail_msg("%s (%s), N = %zu: error of the acceleration %g", backend, solver->kernel, count,
                 error);
    if (!(fabs(energy - want_energy) <= 1e-6 * fabs(want_energy)))
        fail_msg("%s (%s), N = %zu: potential energy %.9g instead of %.9g", backend, solver->kernel,
                 count, energy, want_energy);
    solver_close(&solver);
    bodies_destroy(&bodies);
    free(want);
    free(phi);
    free(got);
}

void check_repeats(const char *backend, const char *path, size_t count)
{
    struct bodies *bodies = sphere_make(count, false, 3), *end[2];
    for (int k = 0; k < 2; k++) {
        struct solver *solver = checks_open(backend, path, bodies, 0.05);
        end[k] = sphere_make(count, false, 3);
        run(solver, 4, 0.01);
        assert_ok(solver->ops->save(solver, end[k]));
        assert_true(solver->interactions == 5.0 * (double)count * (double)count);
        assert_true(solver->force_seconds > 0);
        solver_close(&solver);
    }
    assert_memory_equal(end[0]->position, end[1]->position, count * sizeof *bodies->position);
    assert_memory_equal(end[0]->velocity, end[1]->velocity, count * sizeof *bodies->velocity);
    assert_memory_not_equal(end[0]->position, bodies->position, sizeof *bodies->position);
    bodies_destroy(&bodies);
    bodies_destroy(&end[0]);
    bodies_destroy(&end[1]);
}

static const double PAIR_SOFTENING = 0.05;

/* The largest relative change of energy and angular momentum over a period. */
static void orbit_errors(const char *backend, double speed, int steps, double *energy,
                         double *momentum)
{
    double period;
    struct bodies *bodies = pair_make(PAIR_SOFTENING, speed, &period);
    struct solver *solver = checks_open(backend, "auto", bodies, PAIR_SOFTENING);
    struct diagnostics start, now;
    diagnostics_compute(bodies, potential_by_pairs(bodies, PAIR_SOFTENING), &start);
    *energy = *momentum = 0;
    for (int s = 0; s < steps; s++) {
        run(solver, 1, period / steps);
        assert_ok(solver->ops->save(solver, bodies));
        diagnostics_compute(bodies, potential_by_pairs(bodies, PAIR_SOFTENING), &now);
        *energy = fmax(*energy, fabs(now.energy / start.energy - 1));
        *momentum = fmax(*momentum, fabs(now.angular_momentum[2] / start.angular_momentum[2] - 1));
    }
    solver_close(&solver);
    bodies_destroy(&bodies);
}

void check_two_bodies(const char *backend)
{
    double energy, finer, momentum;
    orbit_errors(backend, 1, 400, &energy, &momentum);
    assert_true(energy < 2e-5 && momentum < 1e-6);
    orbit_errors(backend, 0.8, 100, &energy, &momentum);
    orbit_errors(backend, 0.8, 200, &finer, &momentum);
    assert_true(momentum < 1e-6);
    assert_true(energy > 1e-4 && energy / finer > 3.6 && energy / finer < 4.4);
}

void check_reversal(const char *backend)
{
    const size_t n = 64;
    struct bodies *bodies = sphere_make(n, false, 11), *end = sphere_make(n, false, 11);
    struct solver *solver = checks_open(backend, "auto", bodies, 0.1);
    run(solver, 100, 0.01);
    assert_ok(solver->ops->save(solver, end));
    assert_true(relative_rms(3 * n, end->position[0], bodies->position[0]) > 0.05);
    run(solver, 100, -0.01);
    assert_ok(solver->ops->save(solver, end));
    assert_true(relative_rms(3 * n, end->position[0], bodies->position[0]) < 1e-6);
    solver_close(&solver);
    bodies_destroy(&bodies);
    bodies_destroy(&end);
}

void check_broken(const char *backend)
{
    const size_t n = 10000;
    struct bodies *bodies = sphere_make(n, false, 8);
    bodies->velocity[217][1] = 1e300;
    bodies->velocity[n - 1][2] = 1e300;
    struct solver *solver = checks_open(backend, "auto", bodies, 0.1);
    size_t body = 0;
    assert_ok(solver->ops->find_broken(solver, &body));
    assert_true(body == SOLVER_NONE);
    assert_ok(solver->ops->drift(solver, 1e300));
    assert_ok(solver->ops->find_broken(solver, &body));
    assert_true(body == 217);
    solver_close(&solver);
    bodies_destroy(&bodies);
}

void check_repeat_verb(const char *backend, size_t count)
{
    struct bodies *bodies = sphere_make(count, false, 5), *end[2];
    double interactions[2];
    for (int repeated = 0; repeated < 2; repeated++) {
        struct solver *solver = checks_open(backend, "auto", bodies, 0.05);
        const struct integrator *kdk = &integrator_kdk;
        for (int half = 0; half < 2; half++) {
            double dt = half ? 0.002 : 0.005;
            uint64_t done = 0;
            if (repeated)
                assert_ok(solver_repeat(solver, kdk->step, dt, 1, 40, NULL, &done));
            for (; done < 40; done++)
                assert_ok(kdk->step(solver, dt, 1));
            assert_int_equal(done, 40);
        }
        volatile int stop = 1;
        uint64_t done = 7;
        assert_int_equal(solver_repeat(solver, kdk->step, 1, 1, 3, &stop, &done), STATUS_STOPPED);
        assert_int_equal(done, 0);
        end[repeated] = sphere_make(count, false, 5);
        assert_ok(solver->ops->save(solver, end[repeated]));
        interactions[repeated] = solver->interactions;
        solver_close(&solver);
    }
    assert_memory_equal(end[0]->position, end[1]->position, count * sizeof *end[0]->position);
    assert_memory_equal(end[0]->velocity, end[1]->velocity, count * sizeof *end[0]->velocity);
    assert_memory_not_equal(end[0]->position, bodies->position, count * sizeof *bodies->position);
    assert_true(interactions[0] == interactions[1]);
    bodies_destroy(&bodies);
    bodies_destroy(&end[0]);
    bodies_destroy(&end[1]);
}
