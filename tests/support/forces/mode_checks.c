#include "tests/support/choose.h"
#include "tests/support/test.h"
#include "tests/support/forces/mode_checks.h"
#include "tests/support/forces/sphere.h"
#include "tests/support/forces/potential.h"
#include "tests/support/forces/force_reference.h"
#include "sim/integrators/integrator.h"

#include <math.h>
#include <omp.h>
#include <string.h>
#include <xxhash.h>

static uint64_t mix(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double unit(uint64_t *state)
{
    return (double)(mix(state) >> 11) * 0x1p-53;
}

struct bodies *cube_make(size_t count, uint64_t seed)
{
    struct bodies *bodies;
    assert_ok(bodies_create(&bodies, count, 1));
    bodies->components[0].count = count;
    for (size_t i = 0; i < count; i++) {
        bodies->mass[i] = i % 7 == 6 ? 0 : (0.5 + unit(&seed)) / (double)count;
        for (int c = 0; c < 3; c++) {
            bodies->position[i][c] = 2 * unit(&seed) - 1;
            bodies->velocity[i][c] = unit(&seed) - 0.5;
        }
    }
    return bodies;
}

struct solver *mode_open(const char *backend, const char *path, const char *mode, uint32_t subset,
                         const struct bodies *bodies, double softening)
{
    struct solver_params params = {.softening = softening,
                                   .force = choose(&force_registry, mode),
                                   .force_error = 4e-4,
                                   .subset = subset,
                                   .kernel = path};
    struct solver *solver = NULL;
    assert_ok(solver_open(backend, &params, bodies, &solver));
    assert_ok(solver->ops->accelerate(solver));
    return solver;
}

uint64_t hash_of_run(const char *backend, const char *path, const char *mode, uint32_t subset,
                  struct bodies *bodies, int steps)
{
    size_t count = bodies->count;
    double(*a)[3] = calloc(count, sizeof *a), energy = 0;
    assert_non_null(a);
    struct solver *solver = mode_open(backend, path, mode, subset, bodies, 0.0625);
    for (int s = 0; s < steps; s++)
        assert_ok(integrator_kdk.step(solver, 0.0078125, 1));
    assert_ok(solver->ops->save(solver, bodies));
    assert_ok(solver->ops->accelerations(solver, a));
    assert_ok(solver->ops->potential(solver, &energy));
    XXH64_hash_t hash = XXH64(bodies->position, count * sizeof *bodies->position, 0);
    hash = XXH64(bodies->velocity, count * sizeof *bodies->velocity, hash);
    hash = XXH64(a, count * sizeof *a, hash);
    hash = XXH64(&energy, sizeof energy, hash);
    solver_close(&solver);
    free(a);
    return hash;
}

uint64_t state_hash(const char *backend, const char *path, const char *mode, uint32_t subset,
                    size_t count, int steps)
{
    struct bodies *bodies = cube_make(count, count);
    uint64_t hash = hash_of_run(backend, path, mode, subset, bodies, steps);
    bodies_destroy(&bodies);
    return hash;
}

double check_against(struct solver *solver, const struct bodies *bodies, const double (*want)[3],
                     const double *phi, double limit, double (*got)[3])
{
    const char *backend = solver->ops->name;
    const size_t count = bodies->count;
    double energy = 1, want_energy = 0;
    assert_ok(solver->ops->accelerations(solver, got));
    assert_ok(solver->ops->potential(solver, &energy));
    for (size_t i = 0; i < count; i++)
        want_energy += bodies->mass[i] * phi[i] / 2;
    double error = relative_rms(3 * count, got[0], want[0]);
    if (!(error < limit))
        fail_msg("%s (%s), N = %zu: error of the acceleration %g", backend, solver->kernel, count,
                 error);
    if (!(fabs(energy - want_energy) <= limit * fabs(want_energy)))
        fail_msg("%s (%s), N = %zu: potential energy %.17g instead of %.17g", backend,
                 solver->kernel, count, energy, want_energy);
    return want_energy;
}

void check_mode_accuracy(const char *backend, const char *path, const char *mode, size_t count,
                         double limit)
{
    const double softening = 0.03125;
    struct bodies *bodies = sphere_make(count, false, 3 + count);
    double(*want)[3] = calloc(count, sizeof *want), *phi = calloc(count, sizeof *phi);
    double(*got)[3] = calloc(count, sizeof *got);
    assert_true(want && phi && got);
    /* Single precision holds every offset, so that only the arithmetic errs. */
    for (size_t i = 0; i < count; i++) {
        bodies->mass[i] = (double)(float)bodies->mass[i];
        for (int c = 0; c < 3; c++)
            bodies->position[i][c] = round(bodies->position[i][c] * 0x1p18) * 0x1p-18;
    }
    force_reference(count, bodies->mass, (const double(*)[3])bodies->position, softening, want,
                    phi);
    struct solver *solver = mode_open(backend, path, mode, 1, bodies, softening);
    check_against(solver, bodies, (const double(*)[3])want, phi, limit, got);
    assert_contains(solver->kernel, mode);
    solver_close(&solver);
    bodies_destroy(&bodies);
    free(want);
    free(phi);
    free(got);
}

void check_subset_of(const char *backend, const char *mode, double limit,
                     const struct bodies *bodies)
{
    enum { N = 1003 };
    static double all[N][3], one[N][3], mean[N][3];
    assert_int_equal(bodies->count, N);
    struct solver *solver = mode_open(backend, "auto", mode, 1, bodies, 0.1);
    assert_ok(solver->ops->accelerations(solver, all));
    solver_close(&solver);
    for (uint32_t k = 2; k <= 16; k *= 2) {
        memset(mean, 0, sizeof mean);
        solver = mode_open(backend, "auto", mode, k, bodies, 0.1);
        assert_true(solver->interactions == (double)N * ((N + k - 1) / k));
        for (uint32_t turn = 0; turn < k; turn++) {
            assert_true(solver->turn == turn + 1);
            assert_ok(solver->ops->accelerations(solver, one));
            assert_true(relative_rms(3 * (size_t)N, one[0], all[0]) > 0.01);
            for (int i = 0; i < N; i++)
                for (int c = 0; c < 3; c++)
                    mean[i][c] += one[i][c] / k;
            assert_ok(solver->ops->accelerate(solver));
        }
        double again[N][3];
        assert_ok(solver->ops->accelerations(solver, again)); /* the rotation begins anew */
        solver->turn = 0;
        assert_ok(solver->ops->accelerate(solver));
        assert_ok(solver->ops->accelerations(solver, one));
        assert_memory_equal(again, one, sizeof one);
        double error = relative_rms(3 * (size_t)N, mean[0], all[0]);
        if (!(error < limit))
            fail_msg("%s (%s): error of the mean %g", backend, solver->kernel, error);
        solver_close(&solver);
    }
}

void check_subset(const char *backend, const char *mode, double limit)
{
    struct bodies *bodies = sphere_make(1003, false, 12);
    check_subset_of(backend, mode, limit, bodies);
    bodies_destroy(&bodies);
}

/* Two spheres far apart for their size, or, with a heavy body, one. */
static struct bodies *far_make(size_t count, bool heavy)
{
    struct bodies *bodies = sphere_make(count, true, 21);
    for (size_t i = 0; i < count; i++)
        bodies->position[i][1] += heavy ? 0 : i < count / 2 ? 15 : -15;
    if (heavy)
        bodies->mass[count / 2] = 1e8 / (double)count;
    return bodies;
}

static double far_error(const char *backend, const char *path, const char *mode,
                        const struct bodies *bodies)
{
    const size_t count = bodies->count;
    const double softening = 0.15; /* as of the default scene, for its sizes */
    double(*want)[3] = calloc(count, sizeof *want), (*got)[3] = calloc(count, sizeof *got);
    assert_true(want && got);
    force_reference(count, bodies->mass, (const double(*)[3])bodies->position, softening, want,
                    NULL);
    struct solver *solver = mode_open(backend, path, mode, 1, bodies, softening);
    assert_ok(solver->ops->accelerations(solver, got));
    double error = relative_rms(3 * count, got[0], want[0]);
    solver_close(&solver);
    free(want);
    free(got);
    return error;
}

void check_origin(const char *backend, const char *path, const char *mode, size_t count)
{
    static const double shift[] = {0, 1e4, 1e6 - 1e4};
    struct bodies *bodies = far_make(count, false);
    for (size_t k = 0; k < sizeof shift / sizeof *shift; k++) {
        for (size_t i = 0; i < count; i++)
            bodies->position[i][0] += shift[k];
        double error = far_error(backend, path, mode, bodies);
        if (!(error < 3e-7))
            fail_msg("%s, %s, %s, moved by %g: error %g", backend, path, mode, shift[k], error);
    }
    bodies_destroy(&bodies);
    bodies = far_make(count, true);
    double error = far_error(backend, path, mode, bodies);
    if (!(error < 3e-7))
        fail_msg("%s, %s, %s, a heavy body: error %g", backend, path, mode, error);
    bodies_destroy(&bodies);
}

void check_known_hashes(const char *backend, const char *path, const char *mode, hash_of hash,
                        const struct known_hash *known, size_t known_count)
{
    for (size_t k = 0; k < known_count; k++) {
        uint64_t found = hash(backend, path, mode, known[k].subset, known[k].count, known[k].steps);
        if (found != known[k].hash)
            fail_msg("%s (%s), %s, N = %zu: hash %#018llx instead of %#018llx", backend, path, mode,
                     known[k].count, (unsigned long long)found, (unsigned long long)known[k].hash);
    }
}

void check_exact_everywhere(const char *backend, const char *path)
{
    static const struct known_hash known[] = {
        {1, 3, 1, 0x4ff527791e3f30de},    {2, 50, 1, 0xd476c5af05e67dab},
        {129, 20, 1, 0xe85e29abf61a3af1}, {509, 5, 1, 0x21bb27678cd30665},
        {700, 5, 4, 0x139a8bb7034a1fe3},  {2050, 1, 1, 0x3a14dee1313ce254},
    };
    check_known_hashes(backend, path, "exact", state_hash, known, sizeof known / sizeof *known);
}

void check_verbs(const char *backend)
{
    enum { N = 100 };
    double a[N][3], largest = 0, want = 0;
    struct bodies *bodies = cube_make(N, 9), *now = cube_make(N, 9);
    struct solver *solver = mode_open(backend, "auto", "exact", 1, bodies, 0.1);
    const struct solver_ops *ops = solver->ops;
    assert_ok(ops->accelerations(solver, a));
    assert_ok(ops->largest(solver, &largest));
    for (int i = 0; i < N; i++)
        want = fmax(want, sqrt(a[i][0] * a[i][0] + a[i][1] * a[i][1] + a[i][2] * a[i][2]));
    assert_near(largest, want, 1e-15 * want);

    const struct integrator *euler = choice_find(&integrator_registry, "euler");
    assert_ok(ops->keep(solver));
    assert_ok(euler->step(solver, 0.25, 0.875));
    assert_ok(ops->save(solver, now));
    for (int i = 0; i < N; i++)
        for (int c = 0; c < 3; c++) {
            volatile double kick = a[i][c] * 0.25, v = bodies->velocity[i][c] + kick;
            v = v * 0.875;
            assert_true(now->velocity[i][c] == v);
            kick = v * 0.25;
            assert_true(now->position[i][c] == bodies->position[i][c] + kick);
        }
    assert_true(solver->turn == 2);
    assert_ok(ops->restore(solver));
    assert_true(solver->turn == 1);
    for (int again = 0; again < 2; again++) { /* a step from the restored state ends alike */
        struct bodies *end = cube_make(N, 9);
        assert_ok(euler->step(solver, 0.25, 0.875));
        assert_ok(ops->save(solver, end));
        assert_memory_equal(end->position, now->position, sizeof(double[N][3]));
        assert_memory_equal(end->velocity, now->velocity, sizeof(double[N][3]));
        bodies_destroy(&end);
        assert_ok(ops->restore(solver));
    }
    solver_close(&solver);
    bodies_destroy(&bodies);
    bodies_destroy(&now);
}

/* ---- integrators ---- */

static const double SOFTENING = 0.05;

static double pair_energy(const struct bodies *bodies)
{
    struct diagnostics d;
    diagnostics_compute(bodies, potential_by_pairs(bodies, SOFTENING), &d);
    return d.energy;
}

static double energy_error(const char *backend, const struct integrator *integrator, int steps)
{
    double period, error = 0;
    struct bodies *bodies = pair_make(SOFTENING, 0.8, &period);
    struct solver *solver = mode_open(backend, "auto", "double", 1, bodies, SOFTENING);
    double start = pair_energy(bodies);
    for (int s = 0; s < steps; s++) {
        assert_ok(integrator->step(solver, period / steps, 1));
        assert_ok(solver->ops->save(solver, bodies));
        error = fmax(error, fabs(pair_energy(bodies) / start - 1));
    }
    solver_close(&solver);
    bodies_destroy(&bodies);
    return error;
}

/* How far from its start a run of 100 steps and back ends. */
static double way_back(const char *backend, const struct integrator *integrator)
{
    const size_t n = 64;
    struct bodies *bodies = cube_make(n, 4), *end = cube_make(n, 4);
    struct solver *solver = mode_open(backend, "auto", "double", 1, bodies, 0.1);
    for (int s = 0; s < 200; s++)
        assert_ok(integrator->step(solver, s < 100 ? 0.01 : -0.01, 1));
    assert_ok(solver->ops->save(solver, end));
    double error = relative_rms(3 * n, end->position[0], bodies->position[0]);
    solver_close(&solver);
    bodies_destroy(&bodies);
    bodies_destroy(&end);
    return error;
}

void check_integrators(const char *backend)
{
    const struct integrator *integrator;
    for (size_t i = 0; (integrator = choice_at(&integrator_registry, i)); i++) {
        if (!integrator->step)
            continue;
        int steps = integrator->order == 4 ? 200 : 400;
        double coarse = energy_error(backend, integrator, steps),
               fine = energy_error(backend, integrator, 2 * steps);
        double ratio = coarse / fine, want = ldexp(1, integrator->order);
        if (!(ratio > 0.9 * want && ratio < 1.1 * want && coarse > 1e-9))
            fail_msg("%s on %s: errors %g and %g, ratio %g instead of %g", integrator->name,
                     backend, coarse, fine, ratio, want);
        double back = way_back(backend, integrator);
        const bool reversible = strstr(integrator->doc, "time-reversible") != NULL;
        if (reversible != (back < 1e-11))
            fail_msg("%s on %s: forward and back ends %g away", integrator->name, backend, back);
    }
}

/* A run of many frames with the given eta or, where that is 0, equal steps. Gives the largest error
 * of the energy over the frames. */
static double long_run(const char *backend, double eta, uint32_t steps, uint64_t frames,
                       struct bodies *bodies, uint64_t *made)
{
    double period, error = 0;
    struct bodies *start = pair_make(SOFTENING, 0.3, &period);
    struct simulation_params params = {
        .dt = period / 16 / steps,
        .softening = SOFTENING,
        .steps_per_frame = steps,
        .force = choose(&force_registry, "double"),
        .integrator = choose(&integrator_registry, "kdk"),
        .adaptive = eta,
    };
    struct simulation *simulation = NULL;
    assert_ok(simulation_open(&simulation, &params, backend, 0, start));
    for (uint64_t f = 1; f <= frames; f++) {
        assert_ok(simulation_advance(simulation, f, NULL));
        assert_near(simulation_time(simulation), (double)f * period / 16, 1e-12 * (double)f);
        assert_ok(simulation_save(simulation, bodies));
        error = fmax(error, fabs(pair_energy(bodies) / pair_energy(start) - 1));
    }
    *made = simulation_step(simulation);
    simulation_close(&simulation);
    bodies_destroy(&start);
    return error;
}

void check_adaptive(const char *backend, uint64_t frames)
{
    double period;
    uint64_t made, again;
    struct bodies *end = pair_make(SOFTENING, 1, &period),
                  *other = pair_make(SOFTENING, 1, &period);
    double early = long_run(backend, 0.05, 1, frames / 8, end, &made);
    double late = long_run(backend, 0.05, 1, frames, end, &made);
    double fixed = long_run(backend, 0, (uint32_t)(made / frames + 1), frames, other, &again);
    if (!(late < 3 * early && late < fixed / 5))
        fail_msg("adaptive on %s: energy errors %g early, %g late, %g with as many equal steps",
                 backend, early, late, fixed);
    assert_true(made > frames * 4);
    assert_true(late == long_run(backend, 0.05, 1, frames, other, &again) && made == again);
    assert_memory_equal(end->position, other->position, sizeof(double[2][3]));
    bodies_destroy(&end);
    bodies_destroy(&other);
}

const struct force_cpu *least_cpu(void)
{
    const struct force_cpu *const *f = force_cpus;
    while (f[1])
        f++;
    return *f;
}

void on_cpu_paths(void (*check)(const char *backend, const char *path))
{
    int threads = omp_get_max_threads();
    for (const struct force_cpu *const *f = force_cpus; *f; f++)
        for (int t = 1; (*f)->usable() && t <= 2; t++) {
            omp_set_num_threads(t);
            check("cpu", (*f)->name);
        }
    omp_set_num_threads(threads);
}
