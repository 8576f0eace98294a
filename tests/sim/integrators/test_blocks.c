/* Steps per body: which bodies step when, at what cost, and how well conserved quantities are
 * conserved. */
#include "tests/support/forces/blocks_checks.h"
#include "tests/support/choose.h"
#include "tests/support/forces/sphere.h"
#include "tests/support/test.h"
#include "sim/diagnostics.h"
#include "sim/integrators/integrator.h"
#include "sim/simulation.h"

#include <math.h>
#include <omp.h>
#include <string.h>

/* A force that is in no registry: every body is attracted by the origin and by no other body. */
static double evaluated; /* accelerations of bodies */

static enum status open_well(struct force *force, const struct force_request *request)
{
    (void)request;
    force->name = "well";
    return STATUS_OK;
}

static int fall(struct force *force, const struct sources *s, double (*out)[3], void *stream)
{
    const double(*rows)[4] = s->rows;
    (void)force, (void)stream;
    for (size_t i = 0; i < s->bodies; i++) {
        if (s->rungs && s->rungs[i] < s->from_rung)
            continue;
        double square = s->softening * s->softening;
        for (int c = 0; c < 3; c++)
            square += rows[i][c] * rows[i][c];
        for (int c = 0; c < 3; c++)
            out[i][c] = -rows[i][c] / (square * sqrt(square));
        evaluated++;
    }
    return STATUS_OK;
}

static const struct force_path well_path = {.backend = "cpu",
                                            .size = sizeof(struct force),
                                            .partial = true,
                                            .open = open_well,
                                            .accelerate = fall};
static const struct force_ops well = {.name = "well",
                                      .doc = "towards the origin",
                                      .number = sizeof(double),
                                      .paths = FORCE_PATHS(&well_path)};

static struct solver *open_with(const struct force_ops *force, double softening,
                                const struct bodies *bodies)
{
    struct solver *solver;
    const struct solver_params params = {
        .softening = softening, .force = force, .force_error = 1e-3, .keeps = true};
    assert_ok(solver_open("cpu", &params, bodies, &solver));
    assert_ok(solver->ops->accelerate(solver));
    return solver;
}

/* A body on an orbit around the well, at its largest distance; speed 1: a circle. */
static void put(struct bodies *bodies, size_t i, double radius, double speed, double angle)
{
    const double circular = sqrt(radius * radius / pow(radius * radius + 1e-4, 1.5));
    bodies->mass[i] = 1;
    bodies->position[i][0] = radius * cos(angle);
    bodies->position[i][1] = radius * sin(angle);
    bodies->velocity[i][0] = -speed * circular * sin(angle);
    bodies->velocity[i][1] = speed * circular * cos(angle);
}

/* On circles of radius 4^k steps are 4 times as long each, and each body makes its own number. */
TEST(circles)
{
    enum { COUNT = 5 };
    struct bodies *bodies;
    bool done = false;
    uint64_t made[RUNGS] = {0};
    assert_ok(bodies_create(&bodies, COUNT, 1));
    for (size_t i = 0; i < COUNT; i++)
        put(bodies, i, 0.25 * pow(4, (double)i), 1, (double)i);
    struct solver *solver = open_with(&well, 0.01, bodies);
    struct adaptive adaptive = {.eta = 0.5, .softening = 0.01, .frame_time = 3};
    evaluated = 0;
    size_t calls = 0;
    for (; !done; calls++)
        assert_ok(blocks_step(&adaptive, solver, made, &done));
    assert_true(adaptive.tick == 0);
    double steps = 0;
    int deepest = 0;
    for (int k = 0; k < RUNGS; k++) {
        assert_true(made[k] == 0 || made[k] == (uint64_t)1 << k);
        steps += (double)made[k];
        deepest = made[k] > 0 ? k : deepest;
    }
    assert_true(made[deepest] > 0 && made[deepest - 2] > 0 && made[deepest - 4] > 0 &&
                made[deepest - 6] > 0 && made[deepest - 8] > 0);
    assert_int_equal(calls, 1 << deepest);
    assert_true(evaluated == steps);
    solver_close(&solver);
    bodies_destroy(&bodies);
}

/* On eccentric orbits bodies change rungs: each step is short enough at its beginning, as long as
 * the criterion and its beginning allow, and begins at a multiple of itself; the other bodies keep
 * theirs. */
TEST(who_steps_when)
{
    enum { COUNT = 40 };
    struct bodies *bodies;
    assert_ok(bodies_create(&bodies, COUNT, 1));
    for (size_t i = 0; i < COUNT; i++)
        put(bodies, i, 0.5 + 0.1 * (double)i, 0.2 + 0.02 * (double)i, 0.3 * (double)i);
    struct solver *solver = open_with(&well, 0.01, bodies);
    struct adaptive adaptive = {.eta = 0.7, .softening = 0.01, .frame_time = 0.25};
    uint64_t made[RUNGS] = {0}, begun[COUNT] = {0};
    uint8_t before[COUNT] = {0}, after[COUNT];
    double a[COUNT][3];
    size_t shorter = 0, longer = 0, held = 0;
    for (int frame = 0; frame < 40; frame++)
        for (bool done = false; !done;) {
            const uint64_t tick = adaptive.tick;
            uint64_t next = rung_ticks(0);
            const struct rung_rule rule = {.eta = adaptive.eta, .frame_time = adaptive.frame_time};
            assert_ok(solver->ops->accelerations(solver, a));
            assert_ok(blocks_step(&adaptive, solver, made, &done));
            assert_ok(solver->ops->blocks->save(solver, after));
            for (size_t i = 0; i < COUNT; i++) {
                if (tick == 0 || begun[i] + rung_ticks(before[i]) == tick) {
                    const double size =
                        sqrt(a[i][0] * a[i][0] + a[i][1] * a[i][1] + a[i][2] * a[i][2]);
                    const int least = rung_for(&rule, 0.01, size);
                    assert_true(tick % rung_ticks(after[i]) == 0);
                    assert_true(after[i] == least ||
                                (after[i] > least && tick % rung_ticks(after[i] - 1) != 0));
                    shorter += tick > 0 && after[i] > before[i];
                    longer += tick > 0 && after[i] < before[i];
                    held += after[i] > least;
                    begun[i] = tick;
                } else {
                    assert_int_equal(after[i], before[i]);
                }
                if (begun[i] + rung_ticks(after[i]) < next)
                    next = begun[i] + rung_ticks(after[i]);
            }
            assert_true((done ? rung_ticks(0) : adaptive.tick) == next);
            memcpy(before, after, sizeof before);
        }
    assert_true(shorter > 50 && longer > 50 && held > 50);
    solver_close(&solver);
    bodies_destroy(&bodies);
}

/* Halving eta divides the error of the energy by about 4, while bodies change rungs all the time.
 */
TEST(second_order)
{
    double error[3], potential = 0;
    for (int k = 0; k < 3; k++) {
        struct bodies *bodies, *end;
        assert_ok(bodies_create(&bodies, 1, 1));
        put(bodies, 0, 1, 0.5, 0);
        assert_ok(bodies_copy(&end, bodies));
        struct solver *solver = open_with(&well, 0.01, bodies);
        struct adaptive adaptive = {.eta = ldexp(0.1, -k), .frame_time = 0.125};
        uint64_t made[RUNGS] = {0};
        error[k] = 0;
        for (int frame = 0; frame < 24; frame++) {
            for (bool done = false; !done;)
                assert_ok(blocks_step(&adaptive, solver, made, &done));
            assert_ok(solver->ops->save(solver, end));
            double energy[2];
            for (int e = 0; e < 2; e++) {
                const struct bodies *at = e ? end : bodies;
                energy[e] = 0;
                potential = 1e-4;
                for (int c = 0; c < 3; c++) {
                    energy[e] += at->velocity[0][c] * at->velocity[0][c] / 2;
                    potential += at->position[0][c] * at->position[0][c];
                }
                energy[e] -= 1 / sqrt(potential);
            }
            error[k] = fmax(error[k], fabs(energy[1] / energy[0] - 1));
        }
        solver_close(&solver);
        bodies_destroy(&bodies);
        bodies_destroy(&end);
    }
    assert_true(error[1] < error[0] / 3 && error[2] < error[1] / 3);
}

static void assert_same_bits(struct solver *one, struct solver *two, const struct bodies *like)
{
    struct bodies *a, *b;
    assert_ok(bodies_copy(&a, like));
    assert_ok(bodies_copy(&b, like));
    assert_ok(one->ops->save(one, a));
    assert_ok(two->ops->save(two, b));
    assert_memory_equal(a->position, b->position, like->count * sizeof *a->position);
    assert_memory_equal(a->velocity, b->velocity, like->count * sizeof *a->velocity);
    assert_memory_not_equal(a->position, like->position, like->count * sizeof *a->position);
    bodies_destroy(&a);
    bodies_destroy(&b);
}

/* Bodies that are all on one rung move as with shared steps of that length. */
TEST(one_rung)
{
    struct bodies *circle, *sphere = sphere_make(700, false, 4);
    assert_ok(bodies_create(&circle, 30, 1));
    for (size_t i = 0; i < circle->count; i++)
        put(circle, i, 1, 1, 0.2 * (double)i);
    const struct {
        const struct force_ops *force;
        const struct bodies *bodies;
        double softening, frame_time, eta;
        int rung;
    } kinds[] = {{&well, circle, 0.01, 0.8, 0.5, 4}, {&force_tree, sphere, 0.05, 0.01, 1, 0}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct solver *blocks = open_with(kinds[k].force, kinds[k].softening, kinds[k].bodies),
                      *shared = open_with(kinds[k].force, kinds[k].softening, kinds[k].bodies);
        struct adaptive adaptive = {.eta = kinds[k].eta, .frame_time = kinds[k].frame_time};
        uint64_t made[RUNGS] = {0};
        bool done = false;
        while (!done)
            assert_ok(blocks_step(&adaptive, blocks, made, &done));
        assert_int_equal(made[kinds[k].rung], kinds[k].bodies->count << kinds[k].rung);
        for (int s = 0; s < 1 << kinds[k].rung; s++)
            assert_ok(integrator_kdk.step(shared, ldexp(kinds[k].frame_time, -kinds[k].rung), 1));
        assert_same_bits(blocks, shared, kinds[k].bodies);
        solver_close(&blocks);
        solver_close(&shared);
    }
    bodies_destroy(&circle);
    bodies_destroy(&sphere);
}

struct outcome {
    double energy, momentum, work, steps; /* steps: of bodies */
};

static struct outcome live(const struct bodies *start, bool by_body, double eta, int frames)
{
    struct solver *solver = open_with(&force_tree, 0.01, start);
    struct adaptive adaptive = {.eta = eta, .softening = 0.01, .frame_time = 0.05};
    struct diagnostics first, last;
    struct bodies *bodies;
    uint64_t made[RUNGS] = {0};
    double potential;
    assert_ok(bodies_copy(&bodies, start));
    assert_ok(solver->ops->potential(solver, &potential));
    diagnostics_compute(bodies, potential, &first);
    const double before = solver->interactions;
    for (int frame = 0; frame < frames; frame++)
        for (bool done = false; !done;)
            if (by_body)
                assert_ok(blocks_step(&adaptive, solver, made, &done));
            else
                assert_ok(adaptive_step(&adaptive, solver, integrator_kdk.step, 1, &done));
    struct outcome outcome = {.work = solver->interactions - before,
                              .steps = (double)(solver->turn - 1) * (double)start->count};
    if (by_body)
        for (int k = outcome.steps = 0; k < RUNGS; k++)
            outcome.steps += (double)made[k];
    assert_ok(solver->ops->potential(solver, &potential));
    assert_ok(solver->ops->save(solver, bodies));
    diagnostics_compute(bodies, potential, &last);
    outcome.energy = fabs(last.energy / first.energy - 1);
    for (int c = 0; c < 3; c++)
        outcome.momentum += fabs(last.momentum[c] - first.momentum[c]);
    outcome.momentum /= sqrt(2 * first.kinetic * first.mass);
    solver_close(&solver);
    bodies_destroy(&bodies);
    return outcome;
}

/* A third of the work of shared steps, with the same conservation. */
TEST(a_cusp)
{
    struct bodies *bodies = cusp_make(1200, 3);
    const struct outcome shared = live(bodies, false, 0.1, 4), own = live(bodies, true, 0.1, 4),
                         fine = live(bodies, true, 0.025, 4);
    assert_true(own.steps < shared.steps / 3);
    assert_true(own.work < 0.4 * shared.work);
    assert_true(own.energy < 5e-5 && fine.energy < 5e-5);
    assert_true(own.momentum < 5e-5 && fine.momentum < own.momentum / 4);
    bodies_destroy(&bodies);
}

static struct simulation_params tree_params(double adaptive)
{
    return (struct simulation_params){.dt = 0.02,
                                      .softening = 0.01,
                                      .steps_per_frame = 1,
                                      .force = &force_tree,
                                      .force_error = 2e-3,
                                      .integrator = &integrator_kdk,
                                      .adaptive = adaptive};
}

/* With a tree, on the CPU; test_cuda_host and test_tree_cuda test CUDA. */
TEST(backend)
{
    struct bodies *bodies = cusp_make(1500, 8);
    check_partial("cpu", bodies, 1e-3);
    check_rungs("cpu", bodies);
    check_blocks_resume("cpu", bodies);
    bodies_destroy(&bodies);
}

TEST(any_number_of_threads)
{
    static const int threads[] = {1, 2, 7};
    const int usual = omp_get_max_threads();
    struct bodies *bodies = cusp_make(9000, 5), *end[3];
    for (int t = 0; t < 3; t++) {
        const struct simulation_params params = tree_params(0.2);
        struct simulation *simulation;
        omp_set_num_threads(threads[t]);
        assert_ok(simulation_open(&simulation, &params, "cpu", 0, bodies));
        assert_ok(simulation_advance(simulation, 1, NULL));
        assert_ok(bodies_copy(&end[t], bodies));
        assert_ok(simulation_save(simulation, end[t]));
        assert_memory_equal(end[t]->position, end[0]->position,
                            bodies->count * sizeof *bodies->position);
        assert_memory_equal(end[t]->velocity, end[0]->velocity,
                            bodies->count * sizeof *bodies->velocity);
        simulation_close(&simulation);
    }
    for (int t = 0; t < 3; t++)
        bodies_destroy(&end[t]);
    omp_set_num_threads(usual);
    bodies_destroy(&bodies);
}

/* With the leapfrog and a tree, and with no others. */
TEST(who_has_them)
{
    struct bodies *bodies = cusp_make(300, 6);
    for (int kind = 0; kind < 4; kind++) {
        struct simulation_params params = tree_params(kind == 1 ? 0 : 0.1);
        struct simulation *simulation;
        if (kind == 2)
            params.force = choose(&force_registry, "fast");
        if (kind == 3)
            params.integrator = choose(&integrator_registry, "yoshida4");
        assert_ok(simulation_open(&simulation, &params, "cpu", 0, bodies));
        assert_ok(simulation_advance(simulation, 2, NULL));
        const uint64_t *made = simulation_rungs(simulation);
        assert_true((made != NULL) == (kind == 0));
        double time = 0;
        for (int k = 0; made && k < RUNGS; k++)
            time += ldexp((double)made[k], -k);
        assert_true(!made || time == 2 * 300);
        assert_true(simulation_time(simulation) == 2 * params.dt);
        simulation_close(&simulation);
    }
    bodies_destroy(&bodies);
}

TEST(too_short)
{
    struct bodies *bodies = cusp_make(300, 6);
    const struct simulation_params params = tree_params(1e-9);
    struct simulation *simulation;
    assert_ok(simulation_open(&simulation, &params, "cpu", 0, bodies));
    assert_fails(simulation_advance(simulation, 1, NULL), STATUS_RUNTIME,
                 "step simulation.adaptive simulation.softening");
    simulation_close(&simulation);
    bodies_destroy(&bodies);
}

TESTS(NULL, NULL)
