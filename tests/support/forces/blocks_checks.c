#include "tests/support/forces/blocks_checks.h"
#include "tests/support/forces/sphere.h"
#include "tests/support/test.h"
#include "sim/diagnostics.h"
#include "sim/integrators/integrator.h"
#include "sim/simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double softening = 0.01;

struct bodies *cusp_make(size_t count, uint64_t seed)
{
    struct bodies *bodies = sphere_make(count, true, seed);
    for (size_t i = 0; i < count; i++) {
        double *x = bodies->position[i], *v = bodies->velocity[i];
        const double radius = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
        const double wanted = ((double)i + 0.5) / (double)count;
        const double turn = sqrt(1 / (x[0] * x[0] + x[1] * x[1] + 1e-12));
        for (int c = 0; c < 3; c++)
            x[c] *= wanted / radius;
        v[0] = -x[1] / wanted * radius * turn;
        v[1] = x[0] / wanted * radius * turn;
        v[2] = 0;
    }
    return bodies;
}

static struct solver *open_tree(const char *backend, const struct bodies *bodies, double error)
{
    struct solver *solver;
    const struct solver_params params = {
        .softening = softening, .force = &force_tree, .force_error = error, .keeps = true};
    assert_ok(solver_open(backend, &params, bodies, &solver));
    assert_ok(solver->ops->accelerate(solver));
    return solver;
}

static void *room(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    assert_non_null(memory);
    return memory;
}

/* Some are shallow, few are deep, in all kinds of places; the last body alone is on RUNG_MOST. */
static void spread_rungs(size_t count, uint8_t *rungs)
{
    for (size_t i = 0; i < count; i++)
        rungs[i] = (uint8_t)(i * 2654435761u >> 7 & 1 ? 0 : 1 + i * 9 / count);
    rungs[count - 1] = RUNG_MOST;
}

void check_partial(const char *backend, const struct bodies *bodies, double error)
{
    static const int from[] = {0, 1, 4, 9, 10, RUNG_MOST};
    const size_t n = bodies->count;
    struct bodies *start;
    double(*before)[3] = room(n, sizeof *before), (*whole)[3] = room(n, sizeof *whole);
    double(*got)[3] = room(n, sizeof *got);
    uint8_t *rungs = room(n, 1);
    assert_ok(bodies_copy(&start, bodies));
    struct solver *solver = open_tree(backend, bodies, error);
    const struct solver_blocks *blocks = solver->ops->blocks;
    spread_rungs(n, rungs);
    assert_ok(blocks->load(solver, rungs));
    assert_ok(solver->ops->drift(solver, 1e-3));
    assert_ok(solver->ops->save(solver, start));
    assert_ok(solver->ops->accelerations(solver, before));
    assert_ok(solver->ops->accelerate(solver));
    assert_ok(solver->ops->accelerations(solver, whole));
    for (size_t k = 0; k < sizeof from / sizeof *from; k++) {
        size_t asked = 0;
        assert_ok(solver->ops->load(solver, (const double(*)[3])start->position,
                                    (const double(*)[3])start->velocity,
                                    (const double(*)[3])before));
        assert_ok(blocks->accelerate(solver, from[k]));
        assert_ok(solver->ops->accelerations(solver, got));
        for (size_t i = 0; i < n; i++) {
            const double *want = rungs[i] >= from[k] ? whole[i] : before[i];
            asked += rungs[i] >= from[k];
            if (memcmp(got[i], want, sizeof got[i]) != 0)
                fail_msg("body %zu on rung %d, from rung %d: %.17g instead of %.17g", i, rungs[i],
                         from[k], got[i][0], want[0]);
        }
        assert_true(asked > 0 && (k > 0) == (asked < n));
    }
    assert_memory_not_equal(whole, before, n * sizeof *whole);
    solver_close(&solver);
    bodies_destroy(&start);
    free(before);
    free(whole);
    free(got);
    free(rungs);
}

void check_rungs(const char *backend, const struct bodies *bodies)
{
    enum { FROM = 3 };
    const size_t n = bodies->count;
    struct bodies *after;
    double(*a)[3] = room(n, sizeof *a);
    uint8_t *old = room(n, 1), *rungs = room(n, 1);
    uint64_t count[RUNGS + 1], want[RUNGS + 1] = {0};
    const struct rung_rule rule = {.eta = 0.3, .frame_time = 0.7};
    assert_ok(bodies_copy(&after, bodies));
    struct solver *solver = open_tree(backend, bodies, 1e-3);
    const struct solver_blocks *blocks = solver->ops->blocks;
    spread_rungs(n, old);
    assert_ok(blocks->load(solver, old));
    assert_ok(blocks->choose(solver, &rule, FROM, count));
    assert_ok(blocks->save(solver, rungs));
    assert_ok(solver->ops->accelerations(solver, a));
    assert_ok(blocks->kick_half(solver, rule.frame_time, FROM + 1));
    assert_ok(solver->ops->save(solver, after));
    for (size_t i = 0; i < n; i++) {
        const double size = sqrt(a[i][0] * a[i][0] + a[i][1] * a[i][1] + a[i][2] * a[i][2]);
        const int least = rung_for(&rule, softening, size), own = least > FROM ? least : FROM;
        assert_int_equal(rungs[i], old[i] < FROM ? old[i] : own);
        want[rungs[i]] += old[i] >= FROM;
        for (int c = 0; c < 3; c++) {
            const double way = a[i][c] * (ldexp(rule.frame_time, -rungs[i]) / 2);
            const double v = bodies->velocity[i][c] + (rungs[i] > FROM ? way : 0);
            assert_near(after->velocity[i][c], v, 1e-15 * (fabs(v) + fabs(way)));
        }
    }
    assert_memory_equal(count, want, sizeof want);
    const struct rung_rule none = {.eta = 1e-9, .frame_time = 0.7};
    assert_ok(blocks->choose(solver, &none, 0, count));
    assert_int_equal(count[RUNGS], n);
    solver_close(&solver);
    bodies_destroy(&after);
    free(a);
    free(old);
    free(rungs);
}

static struct simulation *open_run(const char *backend, const struct bodies *bodies, double eta)
{
    struct simulation *simulation;
    const struct simulation_params params = {.dt = 0.02,
                                             .softening = softening,
                                             .steps_per_frame = 1,
                                             .force = &force_tree,
                                             .force_error = 1e-3,
                                             .integrator = &integrator_kdk,
                                             .adaptive = eta};
    assert_ok(simulation_open(&simulation, &params, backend, 0, bodies));
    assert_non_null(simulation_rungs(simulation));
    return simulation;
}

static void assert_same_state(struct simulation *one, struct simulation *two, size_t count)
{
    struct simulation_state a, b;
    assert_ok(simulation_state_create(count, &a));
    assert_ok(simulation_state_create(count, &b));
    assert_ok(simulation_get_state(one, &a));
    assert_ok(simulation_get_state(two, &b));
    assert_true(a.step == b.step && a.frame == b.frame);
    assert_memory_equal(a.position, b.position, count * sizeof *a.position);
    assert_memory_equal(a.velocity, b.velocity, count * sizeof *a.velocity);
    assert_memory_equal(a.acceleration, b.acceleration, count * sizeof *a.acceleration);
    simulation_state_free(&a);
    simulation_state_free(&b);
}

/* The state after `steps` of a solver that is stepped by hand, as a simulation saves it. */
static void stop_within(const char *backend, const struct bodies *bodies, double eta, int steps,
                        struct simulation_state *at)
{
    struct solver *solver = open_tree(backend, bodies, 1e-3);
    struct adaptive adaptive = {.eta = eta, .softening = softening, .frame_time = 0.02};
    struct bodies *now;
    uint64_t made[RUNGS] = {0};
    bool done;
    assert_ok(bodies_copy(&now, bodies));
    for (int s = 0; s < steps; s++)
        assert_ok(blocks_step(&adaptive, solver, made, &done));
    assert_true(!done && adaptive.tick > 0);
    assert_ok(solver->ops->save(solver, now));
    assert_ok(solver->ops->accelerations(solver, at->acceleration));
    free(at->integrator.bytes);
    at->integrator.size = TICK_BYTES + now->count;
    at->integrator.bytes = room(at->integrator.size, 1);
    for (int k = 0; k < TICK_BYTES; k++)
        at->integrator.bytes[k] = (uint8_t)(adaptive.tick >> 8 * k);
    assert_ok(solver->ops->blocks->save(solver, at->integrator.bytes + TICK_BYTES));
    memcpy(at->mass, now->mass, now->count * sizeof *at->mass);
    memcpy(at->position, now->position, now->count * sizeof *at->position);
    memcpy(at->velocity, now->velocity, now->count * sizeof *at->velocity);
    at->frame = 0;
    at->step = (uint64_t)steps;
    at->turn = solver->turn;
    solver_close(&solver);
    bodies_destroy(&now);
}

void check_blocks_resume(const char *backend, const struct bodies *bodies)
{
    const size_t n = bodies->count;
    const double eta = 0.2;
    struct simulation *whole = open_run(backend, bodies, eta);
    struct simulation_state at;
    assert_ok(simulation_state_create(n, &at));
    assert_ok(simulation_advance(whole, 1, NULL));
    assert_ok(simulation_get_state(whole, &at));
    assert_ok(simulation_advance(whole, 2, NULL));
    for (int within = 0; within < 2; within++) {
        struct simulation *resumed = open_run(backend, bodies, eta);
        if (within)
            stop_within(backend, bodies, eta, 3, &at);
        assert_true((at.integrator.size > 0) == within);
        assert_ok(simulation_set_state(resumed, &at));
        assert_ok(simulation_advance(resumed, 2, NULL));
        assert_same_state(whole, resumed, n);
        simulation_close(&resumed);
    }
    bool differ = false;
    for (size_t i = 1; i < n; i++)
        differ |= at.integrator.bytes[TICK_BYTES + i] != at.integrator.bytes[TICK_BYTES];
    assert_true(differ);
    simulation_state_free(&at);
    simulation_close(&whole);
}

static double energy_of(struct solver *solver, struct bodies *bodies)
{
    struct diagnostics now;
    double potential;
    assert_ok(solver->ops->potential(solver, &potential));
    assert_ok(solver->ops->save(solver, bodies));
    diagnostics_compute(bodies, potential, &now);
    return now.energy;
}

void check_blocks_energy(const char *backend, const struct bodies *bodies, double limit)
{
    double steps[2];
    for (int own = 0; own < 2; own++) {
        struct solver *solver = open_tree(backend, bodies, 1e-3);
        struct adaptive adaptive = {.eta = 0.1, .softening = softening, .frame_time = 0.05};
        struct bodies *now;
        uint64_t made[RUNGS] = {0};
        assert_ok(bodies_copy(&now, bodies));
        const double first = energy_of(solver, now);
        steps[own] = 0;
        for (int frame = 0; frame < 4; frame++)
            for (bool done = false; !done; steps[0] += own ? 0 : 1)
                if (own)
                    assert_ok(blocks_step(&adaptive, solver, made, &done));
                else
                    assert_ok(adaptive_step(&adaptive, solver, integrator_kdk.step, 1, &done));
        for (int k = 0; own && k < RUNGS; k++)
            steps[1] += (double)made[k] / (double)bodies->count;
        const double drift = fabs(energy_of(solver, now) / first - 1);
        if (!(drift < limit))
            fail_msg("energy drifts by %g, steps per body: %d", drift, own);
        solver_close(&solver);
        bodies_destroy(&now);
    }
    assert_true(steps[1] < steps[0] / 3);
}
