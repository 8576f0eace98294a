/* A simulation on ranks against the same on one machine, bit for bit. test_ranks_solver.sh starts
 * this under mpirun with several numbers of ranks, and once alone.
 * Usage: test_ranks_solver FOLDER [TEST [FAULT]]
 * What must not depend on the number of ranks is written to the folder by the first run and
 * compared by the others. FAULT: see faults.h. */
#include "tests/sim/ranks/faults.h"
#include "tests/sim/ranks/remote.h"
#include "tests/support/forces/checkpoint_checks.h"
#include "tests/support/choose.h"
#include "tests/support/forces/mode_checks.h"
#include "tests/support/forces/softening_checks.h"
#include "tests/support/forces/solver_checks.h"
#include "tests/support/forces/sphere.h"
#include "tests/support/forces/spline_checks.h"
#include "tests/support/test.h"
#include "tests/support/forces/tree_checks.h"
#include "base/log.h"
#include "base/ranks/ranks.h"
#include "kernels/pairs/force_cpu.h"
#include "sim/gravity/force.h"
#include "sim/integrators/integrator.h"
#include "sim/ranks/rank_solver.h"
#include "sim/simulation.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const char *folder;
static const char *backend = "cpu"; /* of what is on ranks: $GRAVREEL_RANKS_BACKEND */

static bool on_devices(void)
{
    return strcmp(backend, "cpu") != 0;
}

/* ---- a solver that is not on ranks ---- */

/* Makes solver_open take the CPU backend of rank 0 alone; threads that use a solver on ranks
 * meanwhile still see all ranks. */
static _Thread_local bool alone;

int __real_ranks_count(void);
int __wrap_ranks_count(void);
int __wrap_ranks_count(void)
{
    return alone ? 1 : __real_ranks_count();
}

static struct solver *open_on(bool on_ranks, const struct solver_params *params,
                              const struct bodies *bodies)
{
    struct solver *solver = NULL;
    alone = !on_ranks;
    const enum status status = solver_open(on_ranks ? backend : "cpu", params, bodies, &solver);
    alone = false;
    assert_ok(status);
    assert_true((solver_is_remote(solver)) == (on_ranks && ranks_count() > 1));
    return solver;
}

/* A simulation on rank 0 alone. */
static struct simulation *simulation_alone(const struct simulation_params *params,
                                           const struct bodies *bodies)
{
    struct simulation *simulation = NULL;
    alone = true;
    const enum status status = simulation_open(&simulation, params, "cpu", 0, bodies);
    alone = false;
    assert_ok(status);
    return simulation;
}

/* ---- two solvers of the same bodies ---- */

struct shown {
    struct bodies *bodies;
    double (*acceleration)[3];
    double energy, largest;
};

static void show(struct solver *solver, struct shown *out)
{
    assert_ok(bodies_create(&out->bodies, solver->count, 1));
    out->acceleration = calloc(solver->count, sizeof *out->acceleration);
    assert_non_null(out->acceleration);
    assert_ok(solver->ops->save(solver, out->bodies));
    assert_ok(solver->ops->accelerations(solver, out->acceleration));
    assert_ok(solver->ops->largest(solver, &out->largest));
    assert_ok(solver->ops->potential(solver, &out->energy));
}

static void forget(struct shown *shown)
{
    bodies_destroy(&shown->bodies);
    free(shown->acceleration);
}

static void same_rows(const char *what, const char *name, size_t count, const double (*got)[3],
                      const double (*want)[3])
{
    for (size_t i = 0; i < count; i++)
        if (memcmp(got[i], want[i], sizeof got[i]) != 0)
            fail_msg("%s: %s of body %zu of %zu is %.17g %.17g %.17g, alone %.17g %.17g %.17g",
                     what, name, i, count, got[i][0], got[i][1], got[i][2], want[i][0], want[i][1],
                     want[i][2]);
}

static void same_shown(const char *what, const struct shown *got, const struct shown *want)
{
    const size_t n = want->bodies->count;
    same_rows(what, "the acceleration", n, (const double(*)[3])got->acceleration,
              (const double(*)[3])want->acceleration);
    same_rows(what, "the position", n, (const double(*)[3])got->bodies->position,
              (const double(*)[3])want->bodies->position);
    same_rows(what, "the velocity", n, (const double(*)[3])got->bodies->velocity,
              (const double(*)[3])want->bodies->velocity);
    if (memcmp(&got->energy, &want->energy, sizeof got->energy) != 0 ||
        memcmp(&got->largest, &want->largest, sizeof got->largest) != 0)
        fail_msg("%s: potential energy %.17g, alone %.17g; largest acceleration %.17g, alone %.17g",
                 what, got->energy, want->energy, got->largest, want->largest);
}

static void same_now(const char *what, struct solver *const pair[2])
{
    struct shown got, want;
    show(pair[1], &got);
    show(pair[0], &want);
    same_shown(what, &got, &want);
    assert_true(pair[0]->turn == pair[1]->turn);
    if (pair[0]->interactions != pair[1]->interactions)
        fail_msg("%s: %.17g interactions, alone %.17g", what, pair[1]->interactions,
                 pair[0]->interactions);
    forget(&got);
    forget(&want);
}

/* Cells of other ranks are asked for once. */
static void asked_once(const char *what, const struct solver *solver)
{
    if (solver_is_remote(solver) && ranks_last(solver).work.rounds > 1)
        fail_msg("%s: cells were asked for %d times", what, ranks_last(solver).work.rounds);
}

static void open_pair(const char *what, struct solver *pair[2], const struct solver_params *params,
                      const struct bodies *bodies)
{
    for (int k = 0; k < 2; k++) {
        pair[k] = open_on(k, params, bodies);
        assert_ok(pair[k]->ops->accelerate(pair[k]));
        asked_once(what, pair[k]);
    }
}

static void close_pair(struct solver *pair[2])
{
    solver_close(&pair[0]);
    solver_close(&pair[1]);
}

static void step_pair(const char *what, struct solver *const pair[2], int steps, double dt)
{
    for (int s = 0; s < steps; s++)
        for (int k = 0; k < 2; k++) {
            assert_ok(integrator_kdk.step(pair[k], dt, 1));
            asked_once(what, pair[k]);
        }
}

/* The same bits at the start and after some steps. Destroys the bodies. */
static void check_same(const char *what, const struct solver_params *params, struct bodies *bodies,
                       int steps, double dt)
{
    struct solver *pair[2];
    char name[160];
    snprintf(name, sizeof name, "%s, %s, N = %zu, error %g, subset %u", what, params->force->name,
             bodies->count, params->force_error, params->subset);
    open_pair(name, pair, params, bodies);
    same_now(name, pair);
    step_pair(name, pair, steps, dt);
    same_now(name, pair);
    close_pair(pair);
    bodies_destroy(&bodies);
}

static struct solver_params params_of(const char *force)
{
    return (struct solver_params){
        .softening = 0.0625, .force = choose(&force_registry, force), .force_error = 4e-4};
}

static const char *const same_forces[] = {"exact", "tree-exact", "double"};
enum { FORCES = 3 };

/* Of these, those whose bits are the processors': on a device `double` has bits of its own. */
static int same_count(void)
{
    return on_devices() ? FORCES - 1 : FORCES;
}

/* All pairs among them. */
static const char *const pair_forces[] = {"exact", "double"};

static int same_pairs(void)
{
    return same_count() - 1;
}

/* ---- bodies of every number and kind ---- */

static void any_number_of_bodies(void **state)
{
    (void)state;
    static const size_t counts[] = {1, 2, 7, 8, 9, 31, 32, 33, 64, 65, 255, 257, 1000, 2500};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        for (int f = 0; f < same_count(); f++) {
            const struct solver_params params = params_of(same_forces[f]);
            check_same("a sphere", &params, sphere_make(counts[k], k % 2, 3 + k), 4, 0.01);
        }
}

static void many_bodies(void **state)
{
    (void)state;
    static const double errors[] = {1e-2, 4e-4, 1e-5};
    for (size_t e = 0; e < sizeof errors / sizeof *errors; e++) {
        struct solver_params params = params_of("tree-exact");
        params.force_error = errors[e];
        check_same("a sphere", &params, sphere_make(20000, e % 2, 5), errors[e] < 1e-4 ? 1 : 3,
                   0.02);
    }
    const struct solver_params params = params_of("exact");
    check_same("a sphere", &params, sphere_make(20000, true, 6), 1, 0.01);
}

static void bodies_lie_anywhere(void **state)
{
    (void)state;
    for (int place = 0; place < PLACES; place++)
        for (int f = 0; f < same_count(); f++) {
            char what[32];
            const struct solver_params params = params_of(same_forces[f]);
            snprintf(what, sizeof what, "place %d", place);
            check_same(what, &params, place_make((enum place)place, 1501), 3, 0.01);
        }
}

/* Bodies that share the finest key are ordered by finer ones, however they are numbered. */
static void crowds_are_ordered(void **state)
{
    (void)state;
    struct bodies *bodies = sphere_make(3001, true, 5);
    for (size_t i = 0; i < bodies->count; i++)
        for (int c = 0; c < 3 && i % 3 > 0; c++)
            bodies->position[i][c] = (double)(i % 3) + 1e-8 * bodies->position[i][c];
    const struct solver_params params = params_of("tree-exact");
    check_same("crowds", &params, bodies, 2, 1e-9);
}

/* Two spheres far from each other, which the ranks share in different ways. */
static struct bodies *apart_make(size_t count, double distance)
{
    struct bodies *bodies = sphere_make(count, true, 21);
    for (size_t i = 0; i < count; i++)
        bodies->position[i][1] += i % 3 ? distance : -distance;
    return bodies;
}

static void spheres_are_apart(void **state)
{
    (void)state;
    static const double errors[] = {1e-2, 1e-3, 1e-5};
    for (size_t e = 0; e < sizeof errors / sizeof *errors; e++) {
        struct solver_params params = params_of("tree-exact");
        params.force_error = errors[e];
        check_same("two spheres", &params, apart_make(4000, 8), 2, 0.05);
    }
    struct solver_params params = params_of("tree-exact");
    check_same("two distant spheres", &params, apart_make(700, 1000), 2, 0.05);
    params.softening = 1e-4;
    check_same("hard spheres", &params, apart_make(3000, 8), 2, 1e-4);
    params.softening = 30;
    check_same("soft spheres", &params, apart_make(3000, 8), 2, 0.05);
}

/* A collapse and what flies apart after it: the box changes, and bodies move to other ranks. */
static void bodies_move_to_other_ranks(void **state)
{
    (void)state;
    const struct solver_params params = params_of("tree-exact");
    struct bodies *bodies = apart_make(2500, 3);
    struct solver *pair[2];
    for (size_t i = 0; i < bodies->count; i++)
        for (int c = 0; c < 3; c++)
            bodies->velocity[i][c] = -bodies->position[i][c] + (c == 0 ? 0.3 : 0);
    open_pair("bodies", pair, &params, bodies);
    for (int k = 0; k < 12; k++) {
        step_pair("bodies", pair, 3, k < 6 ? 0.1 : 0.4);
        same_now("a collapse", pair);
    }
    close_pair(pair);
    bodies_destroy(&bodies);
}

static void softenings_differ(void **state)
{
    (void)state;
    static const size_t counts[] = {2, 5, 33, 257, 3000};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        for (int f = 0; f < same_count(); f++) {
            const struct solver_params params = params_of(same_forces[f]);
            check_same("own softenings", &params, mixed_make(counts[k], 3 + k), 3, 0.01);
        }
    for (int f = 0; f < same_pairs(); f++) {
        struct solver_params params = params_of(pair_forces[f]);
        params.softening_kernel = &softening_spline;
        check_same("a spline", &params, sphere_make(1500, false, 4), 3, 0.01);
        check_same("splines", &params, mixed_make(1500, 5), 3, 0.01);
    }
}

static void parts_of_the_sources(void **state)
{
    (void)state;
    static const size_t counts[] = {4, 5, 100, 2500};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        for (uint32_t subset = 2; subset <= 4; subset *= 2)
            for (int f = 0; f < same_pairs(); f++) {
                struct solver_params params = params_of(pair_forces[f]);
                params.subset = subset;
                check_same("a sphere", &params, sphere_make(counts[k], false, 8), 5, 0.01);
                check_same("own softenings", &params, mixed_make(counts[k], 8), 5, 0.01);
            }
}

static void cubes_of_some_bodies(void **state)
{
    (void)state;
    static const size_t counts[] = {129, 509, 1500, 2050, 5003};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        for (int f = 0; f < same_count(); f++) {
            const struct solver_params params = params_of(same_forces[f]);
            check_same("a cube", &params, cube_make(counts[k], counts[k]), 2, 0.0078125);
        }
}

/* ---- what the CPU's own tests ask ---- */

/* More ranks than this share few processors in turn: they leave out what is long. */
static bool are_few(void)
{
    return ranks_count() <= 3;
}

static void check_recorded_hashes(const char *path)
{
    check_tree_exact_everywhere(backend, path);
    check_exact_everywhere(backend, path);
    check_mixed_everywhere(backend, path);
    check_spline_everywhere(backend, path);
}

/* Every kernel on 3 ranks; other numbers of ranks have the bits of one machine in the tests above.
 */
static void recorded_hashes_hold(void **state)
{
    (void)state;
    const bool every = ranks_count() == 3 && !on_devices();
    for (const struct force_cpu *const *f = force_cpus; *f && every; f++)
        if ((*f)->usable())
            check_recorded_hashes((*f)->name);
    if (!every)
        check_recorded_hashes("auto");
}

static void errors_are_those_of_the_force(void **state)
{
    (void)state;
    check_tree_errors(backend, "tree-exact", 1021, 5e-3);
    check_mixed_accuracy(backend, "auto", "tree-exact", 2049, 4e-4);
    check_accuracy(backend, "auto", 2050, false);
    check_origin(backend, "auto", "fast", 5000);
    check_subset(backend, "fast", 1e-6);
    check_mixed_accuracy(backend, "auto", "fast", 257, 1e-6);
    check_mixed_subset(backend, "fast", 1e-6);
}

static void every_function_of_a_solver(void **state)
{
    (void)state;
    check_verbs(backend);
    check_repeats(backend, "auto", 1000);
    check_repeat_verb(backend, 100);
    check_reversal(backend);
    check_broken(backend);
}

/* ---- what does not depend on the number of ranks ---- */

static void path_in_folder(const char *name, char *path, size_t size)
{
    snprintf(path, size, "%s/%s", folder, name);
}

/* Writes what was found, or compares it with what another run has written. */
static void check_recorded(const char *name, const void *found, size_t size)
{
    char path[4096];
    unsigned char before[512];
    assert_true(size <= sizeof before);
    path_in_folder(name, path, sizeof path);
    FILE *file = fopen(path, "rb");
    if (file) {
        const size_t got = fread(before, 1, sizeof before, file);
        (void)fclose(file);
        if (got != size || memcmp(before, found, size) != 0)
            fail_msg("%s differs from that of another number of ranks", name);
        return;
    }
    file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(found, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* `fast` sums in another order than alone, the same on any number of ranks. */
static void fast_is_the_same_on_any_ranks(void **state)
{
    (void)state;
    uint64_t found[24] = {0};
    size_t n = 0;
    if (ranks_count() == 1 || on_devices()) /* kernels have names of processors */
        return;
    for (const struct force_cpu *const *f = force_cpus; *f; f++) {
        if (!(*f)->usable())
            continue;
        found[n++] = state_hash(backend, (*f)->name, "fast", 1, 20, 3);
        found[n++] = state_hash(backend, (*f)->name, "fast", 1, 3500, 2);
        found[n++] = state_hash(backend, (*f)->name, "fast", 4, 3500, 2);
        found[n++] = mixed_hash(backend, (*f)->name, "fast", 1, 2500, 2);
    }
    check_recorded("fast", found, sizeof found);
}

enum { FRAMES = 4, SAVED = 2 };

static struct simulation_params run_of(const char *force, double adaptive)
{
    return (struct simulation_params){.dt = 0.01,
                                      .softening = 0.05,
                                      .steps_per_frame = 3,
                                      .force = choose(&force_registry, force),
                                      .integrator = choose(&integrator_registry, "kdk"),
                                      .adaptive = adaptive};
}

static void same_end(const char *what, struct simulation *simulation, struct simulation *whole)
{
    struct bodies *ends[2];
    struct simulation *const both[2] = {simulation, whole};
    const size_t count = simulation_solver(whole)->count;
    for (int k = 0; k < 2; k++) {
        assert_ok(simulation_advance(both[k], FRAMES, NULL));
        assert_ok(bodies_create(&ends[k], count, 1));
        assert_ok(simulation_save(both[k], ends[k]));
    }
    same_rows(what, "the position", count, (const double(*)[3])ends[0]->position,
              (const double(*)[3])ends[1]->position);
    same_rows(what, "the velocity", count, (const double(*)[3])ends[0]->velocity,
              (const double(*)[3])ends[1]->velocity);
    bodies_destroy(&ends[0]);
    bodies_destroy(&ends[1]);
}

/* A checkpoint is read on another number of ranks than it was written on, or alone. */
static void checkpoints_go_from_ranks_to_ranks(void **state)
{
    (void)state;
    static const struct {
        const char *force;
        double adaptive;
    } kinds[] = {{"tree-exact", 0}, {"exact", 0}, {"tree-exact", 0.1}, {"double", 0}};
    for (int k = 0; k <= same_count(); k++) {
        char name[64], path[4096];
        struct bodies *bodies = sphere_make(1300, false, 4);
        const struct simulation_params params = run_of(kinds[k].force, kinds[k].adaptive);
        struct simulation *whole = simulation_alone(&params, bodies), *part = NULL;
        snprintf(name, sizeof name, "%s-%g.checkpoint", kinds[k].force, kinds[k].adaptive);
        path_in_folder(name, path, sizeof path);
        assert_ok(simulation_open(&part, &params, backend, 0, bodies));
        if (access(path, R_OK) != 0) {
            assert_ok(simulation_advance(part, SAVED, NULL));
            assert_ok(checkpoint_write(path, &part, 1, "scene"));
        } else {
            assert_ok(checkpoint_read(path, &part, 1, "scene"));
            assert_int_equal(simulation_frame(part), SAVED);
        }
        same_end(name, part, whole);
        simulation_close(&part);
        simulation_close(&whole);
        bodies_destroy(&bodies);
    }
}

static void fetch(float *out, const float *from, size_t floats)
{
    memcpy(out, from, floats * sizeof *out);
}

static void every_run_continues(void **state)
{
    (void)state;
    for (const struct run_kind *kind = run_kinds; are_few() && kind->count > 0; kind++)
        if (solver_ranks.has(choose(&force_registry, kind->force)))
            check_continues(backend, kind, folder, fetch);
}

/* ---- the state ---- */

static void states_are_kept_and_loaded(void **state)
{
    (void)state;
    for (int f = 0; f < same_count(); f++) {
        struct solver_params params = params_of(same_forces[f]);
        params.keeps = true;
        struct bodies *bodies = apart_make(1200, 2);
        struct solver *pair[2];
        struct shown now;
        open_pair("bodies", pair, &params, bodies);
        step_pair("bodies", pair, 2, 0.05);
        for (int k = 0; k < 2; k++)
            assert_ok(pair[k]->ops->keep(pair[k]));
        step_pair("bodies", pair, 3, 0.2);
        same_now("after keep", pair);
        for (int k = 0; k < 2; k++)
            assert_ok(pair[k]->ops->restore(pair[k]));
        show(pair[0], &now);
        same_now("restored", pair);
        step_pair("bodies", pair, 2, 0.2);
        same_now("after restore", pair);
        for (int k = 0; k < 2; k++) {
            pair[k]->turn = 7;
            assert_ok(pair[k]->ops->load(pair[k], (const double(*)[3])now.bodies->position,
                                         (const double(*)[3])now.bodies->velocity,
                                         (const double(*)[3])now.acceleration));
        }
        same_now("loaded", pair);
        step_pair("bodies", pair, 2, 0.1);
        same_now("after load", pair);
        for (int k = 0; k < 2; k++)
            assert_ok(pair[k]->ops->damp(pair[k], 0.75));
        same_now("damped", pair);
        forget(&now);
        close_pair(pair);
        bodies_destroy(&bodies);
    }
}

static void solvers_are_open_together(void **state)
{
    (void)state;
    struct solver *pairs[FORCES + 1][2];
    struct bodies *bodies = sphere_make(900, false, 2), *few = sphere_make(3, true, 2);
    const int count = same_count();
    for (int f = 0; f <= count; f++) {
        const struct solver_params params = params_of(same_forces[f % count]);
        open_pair("bodies", pairs[f], &params, f == count ? few : bodies);
    }
    for (int s = 0; s < 3; s++)
        for (int f = count; f >= 0; f--)
            step_pair("bodies", pairs[f], 1, 0.02);
    solver_close(&pairs[1][1]);
    const struct solver_params other = params_of("double");
    pairs[1][1] = open_on(true, &other, few);
    for (int f = 0; f <= count; f++) {
        if (f != 1)
            same_now("one of several solvers", pairs[f]);
        close_pair(pairs[f]);
    }
    bodies_destroy(&bodies);
    bodies_destroy(&few);
}

struct worker {
    struct solver *solver;
    enum status status;
};

static void *step_worker(void *of)
{
    struct worker *worker = of;
    for (int s = 0; s < 30 && worker->status == STATUS_OK; s++)
        worker->status = integrator_kdk.step(worker->solver, 0.01, 1);
    return NULL;
}

/* As the simulations of a film's panels. */
static void solvers_are_used_by_several_threads(void **state)
{
    (void)state;
    enum { THREADS = 3 };
    struct solver *pairs[THREADS][2];
    struct worker workers[THREADS];
    pthread_t threads[THREADS];
    for (int t = 0; t < THREADS; t++) {
        struct bodies *bodies = sphere_make(200 + 50 * (size_t)t, false, 7);
        const struct solver_params params = params_of(same_forces[t % same_count()]);
        open_pair("bodies", pairs[t], &params, bodies);
        bodies_destroy(&bodies);
        workers[t] = (struct worker){pairs[t][1], STATUS_OK};
        assert_int_equal(pthread_create(&threads[t], NULL, step_worker, &workers[t]), 0);
    }
    for (int t = 0; t < THREADS; t++) {
        pthread_join(threads[t], NULL);
        assert_int_equal(workers[t].status, STATUS_OK);
        step_worker(&(struct worker){pairs[t][0], STATUS_OK});
        same_now("stepped by a thread", pairs[t]);
        close_pair(pairs[t]);
    }
}

/* ---- faults ---- */

/* With the fault `cell`: what a walk misses is sent when it is asked for again, and then bits are
 * those of one machine all the same. */
static void missing_cells_are_asked_for_again(void **state)
{
    (void)state;
    struct bodies *bodies = apart_make(4000, 3);
    const struct solver_params params = params_of("tree-exact");
    struct solver *const pair[2] = {open_on(false, &params, bodies),
                                    open_on(true, &params, bodies)};
    for (int s = 0; s < 3; s++) {
        for (int k = 0; k < 2; k++)
            assert_ok(pair[k]->ops->accelerate(pair[k]));
        assert_int_equal(ranks_last(pair[1]).work.rounds, 2);
    }
    same_now("with missing cells", pair);
    close_pair((struct solver *[2]){pair[0], pair[1]});
    bodies_destroy(&bodies);
}

/* With the fault `cells`. */
static void missing_cells_end_a_run(void **state)
{
    (void)state;
    struct bodies *bodies = apart_make(4000, 3);
    const struct solver_params params = params_of("tree-exact");
    struct solver *solver = open_on(true, &params, bodies);
    assert_fails(solver->ops->accelerate(solver), STATUS_RUNTIME, "cells missing");
    solver_close(&solver);
    bodies_destroy(&bodies);
}

/* ---- views, and what is broken ---- */

static void same_views(struct solver *const pair[2], const char *what)
{
    struct view *views[2];
    for (int k = 0; k < 2; k++) {
        assert_ok(pair[k]->ops->view_create(pair[k], &views[k]));
        assert_ok(pair[k]->ops->view_fill(pair[k], views[k]));
    }
    const size_t bytes = pair[0]->count * sizeof(float);
    assert_memory_equal(views[0]->position, views[1]->position, 4 * bytes);
    assert_memory_equal(views[0]->velocity, views[1]->velocity, 4 * bytes);
    assert_int_equal(views[0]->column_count, views[1]->column_count);
    for (int c = 0; c < views[0]->column_count; c++)
        if (memcmp(views[0]->columns[c].value, views[1]->columns[c].value, bytes) != 0)
            fail_msg("%s: column %s differs from one machine's", what, views[0]->columns[c].name);
    for (int k = 0; k < 2; k++)
        pair[k]->ops->view_destroy(pair[k], &views[k]);
}

static void views_have_every_column(void **state)
{
    (void)state;
    static const uint32_t some[] = {3, 5, 8, 100, 101, 102, 500};
    for (int f = 0; f < same_count(); f++)
        for (int chosen = 0; chosen < 2; chosen++) {
            const struct solver_params params = params_of(same_forces[f]);
            struct bodies *bodies = sphere_make(1100, false, 3);
            struct solver *pair[2];
            open_pair("bodies", pair, &params, bodies);
            for (int k = 0; k < 2; k++) {
                column_names_add(&pair[k]->columns, COLUMN_ACCELERATION);
                column_names_add(&pair[k]->columns, COLUMN_DISTANCE);
                column_names_add(&pair[k]->columns, COLUMN_DISPERSION);
                pair[k]->near = (struct solver_near){.k = 5, .count = chosen ? 7 : bodies->count};
                pair[k]->near.bodies = chosen ? some : NULL;
            }
            same_views(pair, same_forces[f]);
            step_pair("bodies", pair, 3, 0.05);
            same_views(pair, same_forces[f]);
            close_pair(pair);
            bodies_destroy(&bodies);
        }
}

static void broken_bodies_are_found(void **state)
{
    (void)state;
    static const size_t broken[] = {0, 1, 777, 1999};
    for (int f = 0; f < same_count(); f++) {
        const struct solver_params params = params_of(same_forces[f]);
        struct bodies *bodies = sphere_make(2000, true, 1);
        struct solver *pair[2];
        size_t body[2];
        open_pair("bodies", pair, &params, bodies);
        for (size_t b = sizeof broken / sizeof *broken; b-- > 0;)
            for (int velocity = 0; velocity < 2; velocity++) {
                double(*rows)[3] = velocity ? bodies->velocity : bodies->position;
                const double whole = rows[broken[b]][2];
                rows[broken[b]][2] = velocity ? INFINITY : NAN;
                for (int k = 0; k < 2; k++) {
                    assert_ok(pair[k]->ops->load(pair[k], (const double(*)[3])bodies->position,
                                                 (const double(*)[3])bodies->velocity,
                                                 (const double(*)[3])bodies->velocity));
                    assert_ok(pair[k]->ops->find_broken(pair[k], &body[k]));
                    assert_int_equal(body[k], broken[b]);
                    assert_ok(pair[k]->ops->accelerate(pair[k]));
                    assert_ok(pair[k]->ops->find_broken(pair[k], &body[k]));
                    assert_int_equal(body[k], broken[b]);
                }
                rows[broken[b]][2] = whole;
            }
        close_pair(pair);
        bodies_destroy(&bodies);
    }
}

/* A position that is not finite spoils every acceleration of the tree, alone and on ranks. */
static void nothing_pulls_what_is_broken(void **state)
{
    (void)state;
    const struct solver_params params = params_of("tree-exact");
    struct bodies *bodies = sphere_make(700, true, 1);
    struct solver *pair[2];
    double(*a)[3] = calloc(bodies->count, sizeof *a), energy;
    assert_non_null(a);
    open_pair("bodies", pair, &params, bodies);
    bodies->position[312][1] = NAN;
    for (int k = 0; k < 2; k++) {
        assert_ok(pair[k]->ops->load(pair[k], (const double(*)[3])bodies->position,
                                     (const double(*)[3])bodies->velocity,
                                     (const double(*)[3])bodies->velocity));
        assert_ok(pair[k]->ops->accelerate(pair[k]));
        assert_ok(pair[k]->ops->accelerations(pair[k], a));
        for (size_t i = 0; i < bodies->count; i++)
            assert_true(isnan(a[i][0]) && isnan(a[i][1]) && isnan(a[i][2]));
        assert_ok(pair[k]->ops->potential(pair[k], &energy));
        assert_true(isnan(energy));
    }
    close_pair(pair);
    free(a);
    bodies_destroy(&bodies);
    bodies = sphere_make(3000, true, 1);
    struct simulation *simulation;
    struct simulation_params run = run_of("tree-exact", 0);
    run.dt = 1e308;
    assert_ok(simulation_open(&simulation, &run, backend, 0, bodies));
    assert_fails(simulation_advance(simulation, 1, NULL), STATUS_RUNTIME,
                 "simulation.dt no longer finite");
    simulation_close(&simulation);
    bodies_destroy(&bodies);
}

/* ---- what is refused ---- */

static void what_is_refused(void **state)
{
    (void)state;
    struct bodies *bodies = sphere_make(100, true, 1);
    struct solver *solver = NULL;
    const bool several = ranks_count() > 1;
    for (int f = 0; f < same_count(); f++) {
        struct solver_params params = params_of(same_forces[f]);
        params.kernel = "quantum";
        assert_fails(solver_open(backend, &params, bodies, &solver), STATUS_DEVICE,
                     "quantum kernel");
        assert_null(solver);
    }
    struct solver_params params = params_of("tree-exact");
    params.subset = 2;
    assert_fails(solver_open("auto", &params, bodies, &solver), STATUS_USAGE,
                 "simulation.subset tree sources");
    params.subset = 1;
    params.softening_kernel = &softening_spline;
    assert_fails(solver_open("auto", &params, bodies, &solver), STATUS_USAGE, "spline");
    params.softening_kernel = NULL;
    bodies->mass[7] = -1;
    assert_fails(solver_open("auto", &params, bodies, &solver), STATUS_USAGE,
                 "simulation.force body 8 mass -1");
    bodies->mass[7] = 1;
    if (several) {
        params.force = &force_tree;
        assert_fails(solver_open("auto", &params, bodies, &solver), STATUS_DEVICE,
                     "simulation.force tree ranks tree-exact");
        params = params_of("exact");
        params.device = 4096;
        assert_int_equal(solver_open("cuda", &params, bodies, &solver), STATUS_DEVICE);
        assert_contains(status_text(), "there is no "); /* such device, or no driver */
        params.device = 0;
        assert_fails(solver_open("cudo", &params, bodies, &solver), STATUS_USAGE, "backend cudo");
    }
    /* and the ranks are still in step */
    params = params_of("auto");
    solver = open_on(true, &params, bodies);
    assert_ok(solver->ops->accelerate(solver));
    solver_close(&solver);
    bodies_destroy(&bodies);
}

static void solvers_say_what_they_are(void **state)
{
    (void)state;
    struct bodies *bodies = sphere_make(5000, true, 1);
    const struct solver_params params = params_of("tree-exact");
    struct solver *solver = open_on(true, &params, bodies);
    assert_contains(solver->kernel, "tree-exact, error 0.0004");
    if (on_devices())
        assert_contains(solver->device, solver->model);
    else
        assert_string_equal(solver->model, "cpu");
    assert_string_equal(solver->ops->name, "cpu");
    for (int k = 0; k < 2; k++)
        assert_ok(solver->ops->accelerate(solver));
    const struct force_work work = solver->force->work_done;
    assert_true(work.pairs > 0 && work.joins > 0 &&
                solver->force->interactions == work.pairs + work.joins);
    assert_true(solver->force_seconds > 0);
    if (ranks_count() > 1) {
        const struct ranks_evaluation last = ranks_last(solver);
        char text[128], words[32];
        assert_true(last.work.slowest >= 1 && last.work.slowest <= ranks_count());
        assert_true(last.seconds > 0 && last.traffic.bytes > 0 && last.traffic.messages > 0);
        assert_true(last.traffic.waiting > 0 && last.traffic.waiting <= last.seconds);
        assert_ok(solver->ops->describe(0, text, sizeof text));
        snprintf(words, sizeof words, "%d ranks on 1 host,", ranks_count());
        assert_contains(text, words);
        assert_contains(solver->device, "ranks");
    }
    solver_close(&solver);
    const struct solver_params fast = params_of("fast");
    solver = open_on(true, &fast, bodies); /* other bits than alone */
    if (!on_devices())
        assert_string_equal(solver->model, ranks_count() > 1 ? "cpu ranks" : "cpu");
    solver_close(&solver);
    bodies_destroy(&bodies);
}

/* every: with what does not depend on how many ranks there are. */
static int test_on_ranks(bool every)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_bodies),
        cmocka_unit_test(crowds_are_ordered),
        cmocka_unit_test(bodies_move_to_other_ranks),
        cmocka_unit_test(recorded_hashes_hold),
        cmocka_unit_test(fast_is_the_same_on_any_ranks),
        cmocka_unit_test(checkpoints_go_from_ranks_to_ranks),
        cmocka_unit_test(what_is_refused),
        /* every */
        cmocka_unit_test(many_bodies),
        cmocka_unit_test(cubes_of_some_bodies),
        cmocka_unit_test(bodies_lie_anywhere),
        cmocka_unit_test(spheres_are_apart),
        cmocka_unit_test(softenings_differ),
        cmocka_unit_test(parts_of_the_sources),
        cmocka_unit_test(errors_are_those_of_the_force),
        cmocka_unit_test(every_function_of_a_solver),
        cmocka_unit_test(every_run_continues),
        cmocka_unit_test(states_are_kept_and_loaded),
        cmocka_unit_test(solvers_are_open_together),
        cmocka_unit_test(solvers_are_used_by_several_threads),
        cmocka_unit_test(views_have_every_column),
        cmocka_unit_test(broken_bodies_are_found),
        cmocka_unit_test(nothing_pulls_what_is_broken),
        cmocka_unit_test(solvers_say_what_they_are),
    };
    const size_t count = every ? sizeof tests / sizeof *tests : 7;
    return outcome_of(__FILE__, count, _cmocka_run_group_tests("tests", tests, count, NULL, NULL));
}

static int test_faults(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_are_apart),
        cmocka_unit_test(missing_cells_are_asked_for_again),
        cmocka_unit_test(missing_cells_end_a_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Alone only what another number of ranks has written is of interest. */
static int test_alone(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checkpoints_go_from_ranks_to_ranks),
        cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

static const struct ranks_task *const tasks[] = {&remote_task, NULL};

int main(int argc, char **argv)
{
    ranks_offer(tasks);
    const char *fault = argc > 3 ? argv[3] : NULL;
    folder = argc > 1 ? argv[1] : ".";
    if (getenv("GRAVREEL_RANKS_BACKEND"))
        backend = getenv("GRAVREEL_RANKS_BACKEND");
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    if (fault && !fault_plant(fault)) {
        log_error("there is no fault '%s'", fault);
        return STATUS_USAGE;
    }
    int code = (int)ranks_open();
    if (code != STATUS_OK) {
        if (*status_text())
            log_error("%s", status_text());
        return code;
    }
    if (ranks_own() > 0)
        code = ranks_serve();
    else if (fault)
        code = test_faults();
    else
        code = ranks_count() == 1 ? test_alone()
                                  : test_on_ranks(argc > 2 || ranks_count() == 3 || on_devices() ||
                                                  getenv("GRAVREEL_TEST_ALL"));
    ranks_close();
    return code;
}
