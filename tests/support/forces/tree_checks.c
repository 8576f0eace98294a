#include "tests/support/forces/tree_checks.h"
#include "scenes/scene.h"
#include "sim/models/models.h"
#include "sim/gravity/force.h"
#include "tests/support/choose.h"
#include "tests/support/forces/force_reference.h"
#include "tests/support/forces/mode_checks.h"
#include "tests/support/forces/softening_checks.h"
#include "tests/support/forces/sphere.h"
#include "tests/support/test.h"
#include "tests/support/forces/uniform.h"

#include <math.h>
#include <string.h>

/* The RMS of the errors, each relative to the body's own acceleration. */
static double rms_of(size_t count, const double (*got)[3], const double (*want)[3])
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double wrong = 0, size = 0;
        for (int c = 0; c < 3; c++) {
            wrong += (got[i][c] - want[i][c]) * (got[i][c] - want[i][c]);
            size += want[i][c] * want[i][c];
        }
        sum += size > 0 ? wrong / size : wrong;
    }
    return sqrt(sum / (double)count);
}

void check_tree_of(const char *backend, const char *force, const struct bodies *bodies,
                   double error, double softening, double unlike)
{
    const size_t n = bodies->count;
    double(*want)[3] = calloc(n, sizeof *want), *phi = calloc(n, sizeof *phi);
    double(*got)[3] = calloc(n, sizeof *got), energy = 0, want_energy = 0;
    double pull[3] = {0}, all = 0;
    assert_true(want && phi && got);
    force_reference(n, bodies->mass, (const double(*)[3])bodies->position, softening, want, phi);
    const struct solver_params params = {
        .softening = softening, .force = choose(&force_registry, force), .force_error = error};
    struct solver *solver = NULL;
    assert_ok(solver_open(backend, &params, bodies, &solver));
    for (int k = 0; k < 2; k++)
        assert_ok(solver->ops->accelerate(solver));
    assert_ok(solver->ops->accelerations(solver, got));
    double rms = rms_of(n, (const double(*)[3])got, (const double(*)[3])want);
    if (!(rms <= error))
        fail_msg("%s, N = %zu: RMS error %g, asked for %g", force, n, rms, error);
    assert_ok(solver->ops->potential(solver, &energy));
    for (size_t i = 0; i < n; i++) {
        double size = 0;
        want_energy += bodies->mass[i] * phi[i] / 2;
        for (int c = 0; c < 3; c++) {
            pull[c] += bodies->mass[i] * got[i][c];
            size += got[i][c] * got[i][c];
        }
        all += bodies->mass[i] * sqrt(size);
    }
    if (!(fabs(energy - want_energy) <= error * fabs(want_energy)))
        fail_msg("%s, N = %zu: potential energy %.9g instead of %.9g", force, n, energy,
                 want_energy);
    assert_true(hypot(hypot(pull[0], pull[1]), pull[2]) <= unlike * all);
    solver_close(&solver);
    free(want);
    free(phi);
    free(got);
}

void check_tree_errors(const char *backend, const char *force, size_t most, double unlike)
{
    static const size_t counts[] = {1, 2, 17, 48, 49, 257, 1021, 4099, 30011};
    static const double errors[] = {1e-5, 4e-4, 5e-3};
    for (size_t k = 0; k < sizeof counts / sizeof *counts && counts[k] <= most; k++)
        for (size_t e = 0; e < sizeof errors / sizeof *errors; e++) {
            struct bodies *bodies = sphere_make(counts[k], k % 2, 3 + k);
            check_tree_of(backend, force, bodies, errors[e], 0.03125, unlike);
            bodies_destroy(&bodies);
        }
}

struct bodies *place_make(enum place place, size_t count)
{
    struct bodies *bodies = sphere_make(count, true, 5);
    for (size_t i = 0; i < count; i++) {
        double *x = bodies->position[i];
        if (place == PLACE_ONE)
            x[0] = x[1] = x[2] = 0.3;
        if (place == PLACE_PAIRS && i % 2)
            memcpy(x, bodies->position[i - 1], sizeof bodies->position[i]);
        if (place == PLACE_PAIRS && i % 2)
            x[0] += 1e-6;
        if (place == PLACE_LINE || place == PLACE_PLANE)
            x[2] = 0;
        if (place == PLACE_LINE)
            x[1] = 0;
        if (place == PLACE_SHIFTED)
            x[1] += 1e6;
    }
    if (place == PLACE_FAR_AWAY)
        bodies->position[7][0] = 1e9;
    return bodies;
}

void check_tree_places(const char *backend, const char *force, double unlike)
{
    for (int place = 0; place < PLACES; place++) {
        struct bodies *bodies = place_make((enum place)place, 3001);
        check_tree_of(backend, force, bodies, 4e-4, 0.03125, unlike);
        bodies_destroy(&bodies);
    }
}

/* An exponential disk of unit mass and scale, whose density falls as sech^2(z / height). */
static struct bodies *disk_make(size_t count, double height)
{
    struct bodies *bodies = sphere_make(count, true, 1);
    uint64_t seed = 42;
    for (size_t i = 0; i < count; i++) {
        const double r = -log(uniform(&seed) * uniform(&seed)), turn = 2 * M_PI * uniform(&seed);
        const double part = uniform(&seed),
                     x[3] = {r * cos(turn), r * sin(turn), height / 2 * log(part / (1 - part))};
        memcpy(bodies->position[i], x, sizeof x);
    }
    return bodies;
}

/* The default scene's galaxies when they are so near that each is in the other's tides. */
static struct bodies *near_galaxies(size_t count, uint64_t seed)
{
    struct scene *scene;
    struct bodies *bodies;
    assert_ok(scene_open(&scene, "milky-way-andromeda"));
    scene->bodies.separation = 24;
    scene->bodies.pericentre = 2;
    scene->bodies.pericentre_time = 0;
    scene->bodies.count = count;
    scene->bodies.seed = seed;
    assert_ok(bodies_make(&scene->bodies, &bodies));
    scene_close(&scene);
    return bodies;
}

enum { SAMPLED = 8 };

/* Direct sums for every eighth body, with the components' own softenings where they have some.
 */
static void pull_sample(const struct bodies *bodies, double softening, double (*out)[3])
{
    const double(*x)[3] = (const double(*)[3])bodies->position;
    double *half = calloc(bodies->count, sizeof *half);
    assert_non_null(half);
    for (size_t c = 0; c < bodies->component_count; c++) {
        const struct component *component = &bodies->components[c];
        const double eps = component->softening > 0 ? component->softening : softening;
        for (size_t i = component->first; i < component->first + component->count; i++)
            half[i] = eps * eps / 2;
    }
    for (size_t k = 0; k < bodies->count / SAMPLED; k++) {
        const double *own = x[k * SAMPLED];
        for (size_t j = 0; j < bodies->count; j++) {
            const double d[3] = {x[j][0] - own[0], x[j][1] - own[1], x[j][2] - own[2]};
            const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + half[k * SAMPLED] + half[j];
            const double pull = bodies->mass[j] / (r2 * sqrt(r2));
            for (int c = 0; c < 3; c++)
                out[k][c] += pull * d[c];
        }
    }
    free(half);
}

static void check_sample(const char *backend, const char *force, const char *what,
                         const struct bodies *bodies, double softening)
{
    static const double errors[] = {1e-4, 4e-4, 1e-3, 5e-3};
    const size_t n = bodies->count, sampled = n / SAMPLED;
    double(*got)[3] = calloc(n, sizeof *got), (*want)[3] = calloc(sampled, sizeof *want);
    assert_true(got && want);
    pull_sample(bodies, softening, want);
    for (size_t e = 0; e < sizeof errors / sizeof *errors; e++) {
        const struct solver_params params = {.softening = softening,
                                             .force = choose(&force_registry, force),
                                             .force_error = errors[e]};
        struct solver *solver = NULL;
        assert_ok(solver_open(backend, &params, bodies, &solver));
        for (int k = 0; k < 2; k++)
            assert_ok(solver->ops->accelerate(solver));
        assert_ok(solver->ops->accelerations(solver, got));
        solver_close(&solver);
        for (size_t k = 0; k < sampled; k++)
            memcpy(got[k], got[k * SAMPLED], sizeof got[k]);
        const double rms = rms_of(sampled, (const double(*)[3])got, (const double(*)[3])want);
        if (!(rms <= 0.95 * errors[e]))
            fail_msg("%s, %s: RMS error %g, %.3g of what was asked for", force, what, rms,
                     rms / errors[e]);
    }
    free(got);
    free(want);
}

void check_tree_disks(const char *backend, const char *force)
{
    struct bodies *thin = disk_make(20000, 0.02), *thick = disk_make(20000, 0.1),
                  *galaxies = near_galaxies(16384, 3);
    check_sample(backend, force, "thin disk", thin, 0.02);
    check_sample(backend, force, "disk 0.1 high", thick, 0.02);
    check_sample(backend, force, "two galaxies", galaxies, 0.15);
    bodies_destroy(&thin);
    bodies_destroy(&thick);
    bodies_destroy(&galaxies);
}

enum crowd { SPREAD, AT_ONE_PLACE, NEAR_ONE_PLACE, HALF_AT_ONE, HALF_NEAR_ONE, CROWDS };

static struct bodies *crowd_make(enum crowd crowd, size_t count)
{
    static const double middle[3] = {0.3, -0.2, 0.1};
    struct bodies *bodies = cube_make(count, 9);
    const double size = crowd == NEAR_ONE_PLACE || crowd == HALF_NEAR_ONE ? 1e-8 : 0;
    const size_t spread = crowd == SPREAD ? count : crowd >= HALF_AT_ONE ? count / 2 : 2;
    for (size_t i = spread; i < count; i++)
        for (int c = 0; c < 3; c++)
            bodies->position[i][c] = middle[c] + size * bodies->position[i][c];
    return bodies;
}

/* Returns the interactions of an evaluation, with the accelerations and the energy. */
static double crowd_run(const char *backend, const struct solver_params *params,
                        const struct bodies *bodies, double (*out)[3], double *energy)
{
    struct solver *solver = NULL;
    assert_ok(solver_open(backend, params, bodies, &solver));
    for (int k = 0; k < 2; k++)
        assert_ok(solver->ops->accelerate(solver));
    assert_ok(solver->ops->accelerations(solver, out));
    const double work = solver->force->interactions;
    assert_ok(solver->ops->potential(solver, energy));
    solver_close(&solver);
    return work;
}

void check_tree_crowds(const char *backend, const char *force, bool spline, double softening)
{
    enum { COUNT = 10007 };
    const bool resolved = softening > 1e-8 || strcmp(force, "tree") == 0;
    const size_t bytes = COUNT * sizeof(double[3]);
    double(*got)[3] = malloc(bytes), (*want)[3] = malloc(bytes), usual = 0;
    assert_true(got && want);
    struct solver_params params = {.softening = softening, .force_error = 4e-4};
    if (spline)
        params.softening_kernel = &softening_spline;
    for (enum crowd crowd = SPREAD; crowd < CROWDS; crowd++) {
        struct bodies *bodies = crowd_make(crowd, COUNT);
        double energy, want_energy, off = 0, all = 0;
        params.force = choose(&force_registry, "double");
        (void)crowd_run("cpu", &params, bodies, want, &want_energy);
        params.force = choose(&force_registry, force);
        const double work = crowd_run(backend, &params, bodies, got, &energy) / COUNT;
        usual = crowd == SPREAD ? work : usual;
        for (size_t i = 0; i < COUNT; i++)
            for (int c = 0; c < 3; c++) {
                off += (got[i][c] - want[i][c]) * (got[i][c] - want[i][c]);
                all += want[i][c] * want[i][c];
            }
        if (!(work <= 2 * usual))
            fail_msg("%s%s, crowd %d: %g interactions for each body, %g of bodies that are spread",
                     force, spline ? " with a spline" : "", (int)crowd, work, usual);
        if (resolved && !(sqrt(off) <= params.force_error * sqrt(all)))
            fail_msg("%s, crowd %d: error %g", force, (int)crowd, sqrt(off / all));
        if (resolved && !(fabs(energy - want_energy) <= params.force_error * fabs(want_energy)))
            fail_msg("%s, crowd %d: energy %g instead of %g", force, (int)crowd, energy,
                     want_energy);
        bodies_destroy(&bodies);
    }
    free(got);
    free(want);
}

void check_tree_exact_everywhere(const char *backend, const char *path)
{
    static const struct known_hash known[] = {
        {1, 3, 1, 0x4ff527791e3f30de},    {2, 50, 1, 0xd476c5af05e67dab},
        {129, 20, 1, 0xe36adcbd08531dc7}, {509, 5, 1, 0x5d85abe4ee1ba97b},
        {2050, 2, 1, 0x2ed2254c32209e8b}, {5003, 1, 1, 0xda6ebb1b15627bce},
    };
    static const struct known_hash mixed[] = {{129, 20, 1, 0x02129971e15a3703},
                                              {2050, 2, 1, 0x6b417d82e6936166},
                                              {16387, 1, 1, 0xe472cc41f6a1e8c5}};
    static const struct known_hash small[] = {{16387, 1, 1, 0x50ed716fad1fa4ad}};
    check_known_hashes(backend, path, "tree-exact", state_hash, known,
                       sizeof known / sizeof *known);
    check_known_hashes(backend, path, "tree-exact", mixed_hash, mixed,
                       sizeof mixed / sizeof *mixed);
    check_known_hashes(backend, path, "tree-exact", small_hash, small,
                       sizeof small / sizeof *small);
}
