#include "tests/support/forces/spline_checks.h"
#include "base/sort.h"
#include "tests/support/choose.h"
#include "tests/support/forces/mode_checks.h"
#include "tests/support/forces/softening_checks.h"
#include "tests/support/forces/sphere.h"
#include "tests/support/test.h"
#include "sim/integrators/integrator.h"

#include <math.h>
#include <string.h>
#include <xxhash.h>

static const double FALLBACK = 0.0625;

struct solver *spline_open(const char *backend, const char *path, const char *mode, uint32_t subset,
                           const struct bodies *bodies, double softening)
{
    struct solver_params params = {.softening = softening,
                                   .softening_kernel = &softening_spline,
                                   .force = choose(&force_registry, mode),
                                   .force_error = 4e-4,
                                   .subset = subset,
                                   .kernel = path};
    struct solver *solver = NULL;
    assert_ok(solver_open(backend, &params, bodies, &solver));
    assert_contains(solver->kernel, mode);
    assert_contains(solver->kernel, "spline softening");
    assert_ok(solver->ops->accelerate(solver));
    return solver;
}

/* What a mass 1 pulls with at a distance, by the distance (V. Springel, N. Yoshida & S. D. M.
 * White, New Astron. 6, 79 (2001), appendix), and its potential. */
static double pull_of(double r, double support)
{
    const double u = r / support, cube = support * support * support;
    if (u >= 1)
        return 1 / (r * r * r);
    if (u < 0.5)
        return (32. / 3 - 38.4 * u * u + 32 * u * u * u) / cube;
    return (64. / 3 - 48 * u + 38.4 * u * u - 32. / 3 * u * u * u - 1. / 15 / (u * u * u)) / cube;
}

static double phi_of(double r, double support)
{
    const double u = r / support, v = u * u;
    if (u >= 1)
        return -1 / r;
    if (u < 0.5)
        return (-2.8 + v * (16. / 3 + v * (6.4 * u - 9.6))) / support;
    return (-3.2 + 1 / (15 * u) + v * (32. / 3 + u * (-16 + u * (9.6 - 32. / 15 * u)))) / support;
}

static double softening_at(const struct bodies *bodies, size_t i, double fallback)
{
    double softening;
    (void)softening_run(bodies, fallback, i, &softening);
    return softening;
}

static void reference(const struct bodies *bodies, double fallback, double (*a)[3], double *phi)
{
    double *eps = calloc(bodies->count, sizeof *eps);
    assert_non_null(eps);
    for (size_t i = 0; i < bodies->count; i++)
        eps[i] = softening_at(bodies, i, fallback);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < bodies->count; i++) {
        memset(a[i], 0, sizeof a[i]);
        phi[i] = 0;
        for (size_t j = 0; j < bodies->count; j++) {
            double d[3], r2 = 0;
            for (int c = 0; c < 3; c++) {
                d[c] = bodies->position[j][c] - bodies->position[i][c];
                r2 += d[c] * d[c];
            }
            const double support = 2.8 * fmax(eps[i], eps[j]), r = sqrt(r2);
            const double pull = j == i ? 0 : bodies->mass[j] * pull_of(r, support);
            phi[i] += j == i ? 0 : bodies->mass[j] * phi_of(r, support);
            for (int c = 0; c < 3; c++)
                a[i][c] += pull * d[c];
        }
    }
    free(eps);
}

/* Component 0 has body 0, component 1 the other. */
static struct bodies *two_make(double softening, double other)
{
    struct bodies *bodies;
    assert_ok(bodies_create(&bodies, 2, 2));
    for (size_t i = 0; i < 2; i++)
        bodies->components[i] =
            (struct component){.first = i, .count = 1, .softening = i == 0 ? softening : other};
    bodies->mass[0] = 0.75;
    bodies->mass[1] = 3;
    return bodies;
}

static void check_radius(const char *backend, const char *path, const char *mode,
                         struct bodies *bodies, double eps, double u, double limit)
{
    static const double none[3];
    double a[2][3], energy, push = 0;
    const double support = 2.8 * eps, along = (double)(float)(0.6 * u * support);
    const double across = (double)(float)(0.8 * u * support), r = hypot(along, across);
    bodies->position[1][0] = along;
    bodies->position[1][1] = across;
    struct solver *solver = spline_open(backend, path, mode, 1, bodies, 0.5);
    assert_ok(solver->ops->accelerations(solver, a));
    assert_ok(solver->ops->potential(solver, &energy));
    for (int i = 0; i < 2; i++) {
        const double size = bodies->mass[1 - i] * pull_of(r, support), sign = i == 0 ? 1 : -1;
        const double want[3] = {sign * size * along, sign * size * across, 0};
        const double error = u == 0 ? 0 : relative_rms(3, a[i], want);
        if (u == 0)
            assert_memory_equal(a[i], none, sizeof none);
        if (!(error <= limit))
            fail_msg("%s, r = %g H: pull off by %g", solver->kernel, u, error);
        push += bodies->mass[i] * a[i][1];
    }
    assert_near(push, 0, limit * bodies->mass[0] * fabs(a[0][1]));
    assert_near(energy, bodies->mass[0] * bodies->mass[1] * phi_of(r, support),
                limit * fabs(energy));
    if (u >= 1)
        assert_near(energy, -bodies->mass[0] * bodies->mass[1] / r, limit * fabs(energy));
    solver_close(&solver);
}

void check_spline_pair(const char *backend, const char *path, const char *mode, double limit)
{
    static const double radii[] = {0,    1e-9, 1e-4,   0.01, 0.05, 0.1,      0.2, 0.3,
                                   0.4,  0.49, 0.51,   0.6,  0.7,  0.800001, 0.9, 0.97,
                                   0.99, 1,    1.0001, 1.01, 1.5,  2,        10,  1000};
    static const double softenings[][2] = {{0.5, 0.5}, {0.001, 0.5}, {0.5, 0.03}, {2e-6, 1e-6}};
    for (size_t s = 0; s < sizeof softenings / sizeof *softenings; s++) {
        const double *eps = softenings[s];
        struct bodies *bodies = two_make(eps[0], eps[1]);
        for (size_t k = 0; k < sizeof radii / sizeof *radii; k++)
            check_radius(backend, path, mode, bodies, fmax(eps[0], eps[1]), radii[k], limit);
        bodies_destroy(&bodies);
    }
}

static void check_bodies(struct solver *solver, const struct bodies *bodies, double softening,
                         double limit)
{
    const size_t n = bodies->count;
    double(*want)[3] = calloc(n, sizeof *want), (*got)[3] = calloc(n, sizeof *got);
    double *phi = calloc(n, sizeof *phi), pull[3] = {0}, all = 0;
    assert_true(want && got && phi);
    reference(bodies, softening, want, phi);
    (void)check_against(solver, bodies, (const double(*)[3])want, phi, limit, got);
    for (size_t i = 0; i < n; i++)
        for (int c = 0; c < 3; c++) {
            pull[c] += bodies->mass[i] * got[i][c];
            all += bodies->mass[i] * fabs(got[i][c]);
        }
    for (int c = 0; c < 3; c++)
        assert_near(pull[c], 0, limit * all);
    free(want);
    free(got);
    free(phi);
}

void check_spline_accuracy(const char *backend, const char *path, const char *mode, size_t count,
                           double limit)
{
    for (int alike = 0; alike < 2; alike++) {
        struct bodies *bodies = mixed_make(count, 3 + count);
        for (size_t c = 0; alike && c < bodies->component_count; c++)
            bodies->components[c].softening = 0;
        struct solver *solver = spline_open(backend, path, mode, 1, bodies, FALLBACK);
        check_bodies(solver, bodies, FALLBACK, limit);
        solver_close(&solver);
        bodies_destroy(&bodies);
    }
}

void check_spline_subset(const char *backend, const char *mode, double limit)
{
    enum { N = 1003, PARTS = 8 };
    static double all[N][3], one[N][3], mean[N][3];
    struct bodies *bodies = mixed_make(N, 12);
    struct solver *solver = spline_open(backend, "auto", mode, 1, bodies, 0.1);
    assert_ok(solver->ops->accelerations(solver, all));
    solver_close(&solver);
    memset(mean, 0, sizeof mean);
    solver = spline_open(backend, "auto", mode, PARTS, bodies, 0.1);
    for (int turn = 0; turn < PARTS; turn++) {
        assert_ok(solver->ops->accelerations(solver, one));
        assert_true(relative_rms(3 * (size_t)N, one[0], all[0]) > 0.01);
        for (size_t i = 0; i < N; i++)
            for (int c = 0; c < 3; c++)
                mean[i][c] += one[i][c] / PARTS;
        assert_ok(solver->ops->accelerate(solver));
    }
    assert_true(relative_rms(3 * (size_t)N, mean[0], all[0]) < limit);
    solver_close(&solver);
    bodies_destroy(&bodies);
}

uint64_t spline_hash(const char *backend, const char *path, const char *mode, uint32_t subset,
                     size_t count, int steps)
{
    struct bodies *bodies = mixed_make(count, count);
    double(*a)[3] = calloc(count, sizeof *a), energy = 0;
    assert_non_null(a);
    struct solver *solver = spline_open(backend, path, mode, subset, bodies, FALLBACK);
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
    bodies_destroy(&bodies);
    free(a);
    return hash;
}

void check_spline_everywhere(const char *backend, const char *path)
{
    static const struct known_hash known[] = {
        {2, 50, 1, 0x570c07acf0e32ff2},   {129, 20, 1, 0x01f04864652d790d},
        {509, 5, 1, 0x2d3663bbab092602},  {700, 5, 4, 0x7551809160ee0d27},
        {2050, 1, 1, 0x415f8420519f8f12},
    };
    check_known_hashes(backend, path, "exact", spline_hash, known, sizeof known / sizeof *known);
}

/* The largest change of the energy over an orbit that ends near the centre, by steps of dt. */
static double orbit_error(const char *backend, const char *mode, int steps)
{
    struct bodies *bodies = two_make(0.25, 0.125);
    double most = 0, first = 0;
    bodies->mass[1] = 0.75;
    bodies->position[0][0] = 1;
    bodies->velocity[0][1] = 0.125;
    bodies->velocity[1][1] = -0.125;
    struct solver *solver = spline_open(backend, "auto", mode, 1, bodies, 1);
    double nearest = 1;
    for (int s = 0; s <= steps; s++) {
        double kinetic = 0, potential;
        if (s > 0)
            assert_ok(integrator_kdk.step(solver, 4.0 / steps, 1));
        if (s % 16 > 0)
            continue;
        assert_ok(solver->ops->save(solver, bodies));
        assert_ok(solver->ops->potential(solver, &potential));
        for (int i = 0; i < 2; i++)
            for (int c = 0; c < 3; c++)
                kinetic += bodies->mass[i] * bodies->velocity[i][c] * bodies->velocity[i][c] / 2;
        first = s == 0 ? kinetic + potential : first;
        most = fmax(most, fabs(kinetic + potential - first) / fabs(first));
        nearest = fmin(nearest, hypot(bodies->position[0][0] - bodies->position[1][0],
                                      bodies->position[0][1] - bodies->position[1][1]));
    }
    assert_true(nearest < 0.3 * 0.7); /* of the support, 0.7 */
    solver_close(&solver);
    bodies_destroy(&bodies);
    return most;
}

void check_spline_orbit(const char *backend, const char *mode)
{
    const double coarse = orbit_error(backend, mode, 2048), fine = orbit_error(backend, mode, 4096);
    if (!(fine < 1e-4 && coarse / fine > 3.5 && coarse / fine < 4.5))
        fail_msg("%s %s: energy off by %g, with half the step %g", backend, mode, coarse, fine);
}

/* Of errors relative to the bodies' own accelerations: the RMS, and the 99th percentile. */
static void check_errors(struct solver *solver, const struct bodies *bodies, double softening,
                         double error)
{
    const size_t n = bodies->count;
    double(*want)[3] = calloc(n, sizeof *want), (*got)[3] = calloc(n, sizeof *got);
    double *phi = calloc(n, sizeof *phi), *off = calloc(n, sizeof *off);
    double sum = 0, pull[3] = {0}, all = 0, energy, want_energy = 0;
    assert_true(want && got && phi && off);
    reference(bodies, softening, want, phi);
    assert_ok(solver->ops->accelerations(solver, got));
    assert_ok(solver->ops->potential(solver, &energy));
    for (size_t i = 0; i < n; i++) {
        double wrong = 0, size = 0;
        for (int c = 0; c < 3; c++) {
            wrong += (got[i][c] - want[i][c]) * (got[i][c] - want[i][c]);
            size += want[i][c] * want[i][c];
            pull[c] += bodies->mass[i] * got[i][c];
        }
        off[i] = size > 0 ? sqrt(wrong / size) : sqrt(wrong);
        sum += off[i] * off[i];
        all += bodies->mass[i] * sqrt(size);
        want_energy += bodies->mass[i] * phi[i] / 2;
    }
    sort_doubles(off, n);
    const double rms = sqrt(sum / (double)n), p99 = off[n - 1 - n / 100];
    if (!(rms <= error && p99 <= 4 * error))
        fail_msg("%s, N = %zu: errors %g (RMS) and %g (99 %%), asked for %g", solver->kernel, n,
                 rms, p99, error);
    if (!(fabs(energy - want_energy) <= error * fabs(want_energy)))
        fail_msg("%s, N = %zu: potential energy %.9g instead of %.9g", solver->kernel, n, energy,
                 want_energy);
    assert_true(hypot(hypot(pull[0], pull[1]), pull[2]) <= 1e-6 * all);
    free(want);
    free(got);
    free(phi);
    free(off);
}

static void check_tree_of(const char *backend, const struct bodies *bodies, double error,
                          double softening)
{
    const struct solver_params params = {.softening = softening,
                                         .softening_kernel = &softening_spline,
                                         .force = choose(&force_registry, "tree"),
                                         .force_error = error};
    struct solver *solver = NULL;
    assert_ok(solver_open(backend, &params, bodies, &solver));
    for (int k = 0; k < 2; k++)
        assert_ok(solver->ops->accelerate(solver));
    check_errors(solver, bodies, softening, error);
    solver_close(&solver);
}

/* A fifth of the bodies in a core of a hundredth of the size, with a softening of its own, a
 * twentieth of the cloud's, whose support spans the core. */
static struct bodies *core_make(size_t count)
{
    struct bodies *sphere = sphere_make(count, false, 9), *bodies;
    const size_t core = count / 5;
    assert_ok(bodies_create(&bodies, count, 2));
    bodies->components[0] = (struct component){.count = core, .softening = 0.0025};
    bodies->components[1] =
        (struct component){.first = core, .count = count - core, .softening = 0.05};
    memcpy(bodies->mass, sphere->mass, count * sizeof *bodies->mass);
    for (size_t i = 0; i < count; i++)
        for (int c = 0; c < 3; c++)
            bodies->position[i][c] = sphere->position[i][c] * (i < core ? 0.01 : 1);
    bodies_destroy(&sphere);
    return bodies;
}

void check_spline_tree(const char *backend, size_t most)
{
    static const size_t counts[] = {1, 2, 17, 49, 257, 1021, 5003, 30011};
    static const double errors[] = {1e-5, 4e-4, 5e-3}, softenings[] = {0.03125, 0.25};
    for (size_t k = 0; k < sizeof counts / sizeof *counts && counts[k] <= most; k++) {
        struct bodies *sphere = sphere_make(counts[k], k % 2, 3 + k),
                      *core = core_make(5 + counts[k]);
        const bool many = counts[k] > 1021; /* one error is enough */
        for (size_t e = many ? 1 : 0; e < (many ? 2 : sizeof errors / sizeof *errors); e++)
            for (size_t s = 0; s < 2; s++)
                check_tree_of(backend, sphere, errors[e], softenings[s]);
        check_tree_of(backend, core, 1e-4, 0.05);
        bodies_destroy(&sphere);
        bodies_destroy(&core);
    }
    const size_t n = most < 5003 ? most : 5003;
    assert_true(spline_hash(backend, "auto", "tree", 1, n, 3) ==
                spline_hash(backend, "auto", "tree", 1, n, 3));
}
