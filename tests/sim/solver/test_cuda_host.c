/* The host code of the CUDA solver without a GPU: runtime and launchers are fakes, and a launch
 * runs only when it is waited for. The kernels' results are tested on a GPU. */
#include "tests/support/forces/blocks_checks.h"
#include "tests/support/choose.h"
#include "tests/support/cuda/fake_device.h"
#include "tests/support/forces/mode_checks.h"
#include "tests/support/forces/near_checks.h"
#include "tests/support/forces/softening_checks.h"
#include "tests/support/forces/spline_checks.h"
#include "tests/support/forces/solver_checks.h"
#include "tests/support/forces/sphere.h"
#include "tests/support/forces/spring_force.h"
#include "tests/support/test.h"
#include "kernels/tensor/tensor.h"
#include "sim/integrators/integrator.h"
#include "sim/gravity/auto/auto.h"
#include "sim/solver/solver.h"
#include "sim/gravity/force.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <string.h>

static const char *const forces[] = {"fast", "exact", "double"};

static int nothing_left(void **state)
{
    (void)state;
    fake_device_fail(0);
    fake_device_memory((size_t)1 << 30);
    return fake_device_alive();
}

static void test_forces(void **state)
{
    (void)state;
    static const size_t counts[] = {1, 2, 257, 1025};
    static const char *const paths[] = {"auto", "split", "pairs128", "pairs1024"};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        for (size_t p = 0; p < sizeof paths / sizeof *paths; p++) {
            check_accuracy("cuda", paths[p], counts[k], false);
            check_accuracy("cuda", paths[p], counts[k], true);
        }
        check_mode_accuracy("cuda", "auto", "exact", counts[k], 3e-7);
        check_mode_accuracy("cuda", "auto", "double", counts[k], 1e-14);
    }
    check_accuracy("cuda", "auto", 6000, true); /* several tiles, chosen by the plan */
}

/* All pairs on matrix units use all sources, and `auto` selects them if the device has such units.
 */
static void test_tensor(void **state)
{
    (void)state;
    check_mode_accuracy("cuda", "auto", "tensor", 65, 1e-13); /* which is double here */
    struct bodies *bodies = sphere_make(300, false, 5);
    struct solver_params params = {.softening = 0.1, .force = &force_tensor, .subset = 2};
    struct solver *solver = NULL;
    assert_fails(solver_open("cuda", &params, bodies, &solver), STATUS_USAGE,
                 "force tensor sources");
    params.subset = 1;
    params.kernel = "split";
    assert_fails(solver_open("cuda", &params, bodies, &solver), STATUS_DEVICE, "CUDA kernel split");
    params.kernel = NULL;
    assert_fails(solver_open("cpu", &params, bodies, &solver), STATUS_DEVICE,
                 "tensor available backend cpu");
    bodies_destroy(&bodies);
    check_mixed_accuracy("cuda", "auto", "tensor", 129, 1e-13);
    check_spline_accuracy("cuda", "auto", "tensor", 129, 1e-13);

    struct force_wish wish = {
        .bodies = {65535}, .error = 1e-5, .tensor = 5e-6, .subset = 1, .plummer = true};
    assert_ptr_equal(force_resolve(&force_auto, "cuda", &wish), &force_tensor);
    assert_ptr_equal(force_resolve(&force_auto, "cpu", &wish), &force_fast);
    wish.device = 1; /* has no matrix units */
    assert_ptr_equal(force_resolve(&force_auto, "cuda", &wish), &force_fast);
    wish.device = 0;
    wish.error = 4e-6;
    assert_ptr_equal(force_resolve(&force_auto, "cuda", &wish), &force_fast);
    wish.error = 1e-5;
    wish.bodies = whole_of(32768);
    assert_ptr_equal(force_resolve(&force_auto, "cuda", &wish), &force_fast);
    wish.plummer = false; /* for which plain kernels have no third law */
    assert_ptr_equal(force_resolve(&force_auto, "cuda", &wish), &force_tensor);
    wish.plummer = true;

    /* a tree is worth more bodies where matrix units are what it is compared with */
    wish.bodies = whole_of(200000);
    wish.error = 3e-5;
    assert_ptr_equal(force_resolve(&force_auto, "cuda", &wish), &force_tensor);
    wish.bodies = whole_of(300000);
    assert_ptr_equal(force_resolve(&force_auto, "cuda", &wish), &force_tree);
    wish.negative = true;
    assert_ptr_equal(force_resolve(&force_auto, "cuda", &wish), &force_tensor);

    bodies = sphere_make(10000, true, 1);
    assert_true(fabs(force_tensor.error(bodies, 0) - 1e-4) < 1e-12);
    bodies->mass[0] *= 1e6; /* has plain interactions */
    assert_true(fabs(force_tensor.error(bodies, 0) - 1e-4) < 1e-7);
    for (size_t i = 0; i < 1000; i++)
        bodies->mass[i] *= i > 0 ? 1e3 : 1;
    assert_true(force_tensor.error(bodies, 0) > 3e-4);
    bodies_destroy(&bodies);
}

/* Every distance is in one group, and the last ones are short. */
static void test_groups(void **state)
{
    (void)state;
    static const size_t counts[] = {1, 256, 257, 49151, 49152, 65536, 1 << 20, 1 << 26};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        struct tensor_cuda_plan plan;
        tensor_plan_tiles(counts[k], &plan);
        assert_true(plan.rows >= counts[k] && plan.rows < counts[k] + 512);
        assert_int_equal(plan.rows, (size_t)plan.tiles * plan.warps * TENSOR_UNIT);
        for (unsigned wave = 1; wave <= plan.wave; wave++) {
            struct tensor_cuda_groups groups;
            tensor_plan_groups(wave, &groups);
            assert_true(groups.count <= TENSOR_GROUPS && groups.begin[0] == 0);
            assert_int_equal(groups.begin[groups.count], wave);
            for (unsigned g = 0; g < groups.count; g++)
                assert_true(groups.begin[g] < groups.begin[g + 1]);
            assert_int_equal(groups.begin[groups.count] - groups.begin[groups.count - 1], 1);
            const size_t slots = wave + groups.count + 1;
            assert_true(plan.slot_bytes >= slots * 3 * sizeof(float) * plan.rows);
        }
    }
}

/* Subsets, softenings and tracers, and the bits that every device gives in `exact`. */
static void test_sources(void **state)
{
    (void)state;
    for (size_t f = 0; f < 3; f++) {
        double limit = f == 2 ? 1e-14 : 1e-6;
        check_subset("cuda", forces[f], limit);
        check_mixed_accuracy("cuda", "auto", forces[f], 129, limit);
        check_mixed_subset("cuda", forces[f], limit);
        check_equal_softening("cuda", forces[f], 300);
        check_spline_accuracy("cuda", "auto", forces[f], 129, f == 2 ? limit : 2e-6);
        check_spline_subset("cuda", forces[f], limit);
        check_tracers("cuda", "auto", forces[f], 70, 33, limit);
    }
    check_exact_everywhere("cuda", "auto");
    check_mixed_everywhere("cuda", "auto");
    check_spline_everywhere("cuda", "auto");
    check_spline_accuracy("cuda", "auto", "tree", 129, 1e-13); /* which is double here */
}

static void test_verbs(void **state)
{
    (void)state;
    check_verbs("cuda");
    check_two_bodies("cuda");
    check_reversal("cuda");
    check_broken("cuda");
    check_integrators("cuda");
    check_adaptive("cuda", 160);
}

static void test_repeat(void **state)
{
    (void)state;
    check_repeats("cuda", "auto", 300);
    check_repeat_verb("cuda", 300);
}

/* A step of a leapfrog is one launch beside those of the forces, also when it is replayed. */
static void test_launches(void **state)
{
    (void)state;
    struct bodies *bodies = sphere_make(300, false, 5);
    struct solver *solver = checks_open("cuda", "auto", bodies, 0.05);
    double energy;
    uint64_t done;
    assert_ok(solver_repeat(solver, integrator_kdk.step, 0.01, 1, 40, NULL, &done));
    assert_ok(solver->ops->potential(solver, &energy));
    fake_device_launches();
    for (int replayed = 0; replayed < 2; replayed++) {
        if (replayed)
            assert_ok(solver_repeat(solver, integrator_kdk.step, 0.01, 1, 40, NULL, &done));
        for (int s = 0; !replayed && s < 40; s++)
            assert_ok(integrator_kdk.step(solver, 0.01, 1));
        assert_ok(solver->ops->save(solver, bodies)); /* 2 copies, after a kick left over */
        int launches = fake_device_launches();
        if (launches > 2 * 40 + 2 + 4)
            fail_msg("40 steps, replayed: %d, took %d launches", replayed, launches);
    }
    solver_close(&solver);
    bodies_destroy(&bodies);
}

/* While a graph runs, one more is launched, so that the device need not wait; with more than that,
 * a stop would take long. */
static void test_ahead(void **state)
{
    (void)state;
    struct bodies *bodies = sphere_make(300, false, 5);
    struct solver *solver = checks_open("cuda", "auto", bodies, 0.05);
    uint64_t done;
    fake_device_ahead();
    assert_ok(solver_repeat(solver, integrator_kdk.step, 0.01, 1, 200, NULL, &done));
    assert_int_equal(fake_device_ahead(), 2);
    solver_close(&solver);
    bodies_destroy(&bodies);
}

/* Steps per body: one wait per step, for the rungs. */
static void test_blocks(void **state)
{
    (void)state;
    struct bodies *cusp = cusp_make(300, 4), *mixed = mixed_make(200, 4);
    check_partial("cuda", cusp, 1e-3);
    check_partial("cuda", mixed, 1e-3);
    check_rungs("cuda", cusp);
    check_blocks_resume("cuda", cusp);
    check_blocks_resume("cuda", mixed);
    check_blocks_energy("cuda", cusp, 1e-4);
    bodies_destroy(&cusp);
    bodies_destroy(&mixed);
}

/* Rows in float or double give the same view; the count is not a multiple of the sample's stride.
 */
static void test_views(void **state)
{
    (void)state;
    const size_t n = VIEW_SAMPLE_MOST + 1;
    struct bodies *bodies = sphere_make(n, false, 2);
    double(*a)[3] = calloc(n, sizeof *a);
    assert_non_null(a);
    for (size_t f = 0; f < 3; f += 2) {
        struct solver *solver = mode_open("cuda", "auto", forces[f], 16, bodies, 0.05);
        struct view *view = NULL;
        const uint64_t watched[] = {n - 1, 0, 17};
        solver->samples = true;
        solver->watched = watched;
        solver->watched_count = 3;
        column_names_add(&solver->columns, COLUMN_ACCELERATION);
        assert_ok(solver->ops->view_create(solver, &view));
        assert_ok(solver->ops->drift(solver, 0.5));
        assert_ok(solver->ops->view_fill(solver, view));
        assert_ok(solver->ops->accelerations(solver, a));
        assert_true(view->memory == VIEW_CUDA && view->device == 0 && view->count == n);
        for (size_t i = 0; i < n; i++) {
            const float *x = view->position + 4 * i, *v = view->velocity + 4 * i;
            for (int c = 0; c < 3; c++) {
                assert_true(v[c] == (float)bodies->velocity[i][c]);
                assert_true(x[c] == (float)(bodies->position[i][c] + bodies->velocity[i][c] * 0.5));
            }
            assert_true(x[3] == (float)bodies->mass[i]);
            const double size = hypot(hypot(a[i][0], a[i][1]), a[i][2]);
            assert_true(v[3] == 0);
            assert_near(view_values(view, COLUMN_ACCELERATION)[i], size, 1e-6 * size);
            if (i % view_sample_stride(n) == 0) {
                assert_memory_equal(view_sample_row(view, i / view_sample_stride(n)), x,
                                    sizeof(float[4]));
                assert_memory_equal(view_sample_velocity(view, i / view_sample_stride(n)), v,
                                    sizeof(float[4]));
            }
        }
        for (int k = 0; k < 3; k++) {
            assert_memory_equal(view->watched[k], view->position + 4 * watched[k],
                                sizeof(float[4]));
            assert_memory_equal(view->watched[k] + 4, view->velocity + 4 * watched[k],
                                sizeof(float[4]));
        }
        solver->ops->view_destroy(solver, &view);
        assert_null(view);
        solver_close(&solver);
    }
    bodies_destroy(&bodies);
    free(a);
}

/* Needed memory, free memory and the number of bodies that would fit; that number does fit. */
static void test_memory(void **state)
{
    (void)state;
    for (size_t f = 0; f < 3; f++) {
        struct bodies *bodies = sphere_make(100000, false, 1);
        struct solver_params params = {
            .softening = 0.1, .force = choose(&force_registry, forces[f]), .keeps = true};
        struct solver *solver = NULL;
        fake_device_memory((size_t)8 << 20);
        assert_fails(solver_open("cuda", &params, bodies, &solver), STATUS_RUNTIME,
                     "100000 bodies");
        const char *enough = strstr(status_text(), " are free, enough for ");
        assert_non_null(enough);
        unsigned long fits = strtoul(enough + strlen(" are free, enough for "), NULL, 10);
        assert_in_range(fits, 5000, 40000);
        bodies->count = fits;
        assert_ok(solver_open("cuda", &params, bodies, &solver));
        solver_close(&solver);
        bodies->count = 100000;
        bodies_destroy(&bodies);
    }
}

/* Each call of the runtime fails once: there is a message, and nothing is left behind. */
static void test_failures(void **state)
{
    (void)state;
    struct bodies *bodies = mixed_make(50, 1);
    const struct solver_params params = {.softening = 0.1, .force = &force_fast, .subset = 2};
    int calls = 0;
    for (enum status status = STATUS_RUNTIME; status != STATUS_OK;) {
        struct solver *solver = NULL;
        fake_device_fail(++calls);
        status = solver_open("cuda", &params, bodies, &solver);
        assert_true((status == STATUS_OK) == (solver != NULL));
        if (status != STATUS_OK)
            assert_says(status_text(), calls == 1 ? "start" : "CUDA");
        solver_close(&solver);
        assert_int_equal(fake_device_alive(), 0);
    }
    assert_true(calls > 20);

    struct solver *solver = checks_open("cuda", "auto", bodies, 0.1);
    int alive = fake_device_alive();
    solver->samples = true;
    for (int call = 1; call <= 3; call++) {
        struct view *view = (struct view *)bodies;
        fake_device_fail(call);
        assert_fails(solver->ops->view_create(solver, &view), STATUS_RUNTIME, "room");
        assert_null(view);
        assert_int_equal(fake_device_alive(), alive);
    }
    solver_close(&solver);
    bodies_destroy(&bodies);
}

/* ---- a force that the solver knows nothing of ---- */

static void pull(const struct fake_launch *launch)
{
    spring_pull(launch->count, launch->from[0], launch->to[0]);
}

static int cuda_accelerate(struct force *force, const struct sources *sources, double (*out)[3],
                           void *stream)
{
    spring_count(force);
    return fake_device_launch(
        stream, &(struct fake_launch){
                    .run = pull, .count = sources->bodies, .from = {sources->rows}, .to = {out}});
}

static void test_new_force(void **state)
{
    (void)state;
    const struct force_path path = {.backend = "cuda",
                                    .size = sizeof(struct spring),
                                    .open = spring_open,
                                    .accelerate = cuda_accelerate,
                                    .close = spring_close};
    check_spring("cuda", &path); /* steps are not recorded: each counts for itself */
    check_spring("auto", &spring_cpu);

    const struct force_ops spring = {.name = "spring", .paths = FORCE_PATHS(&spring_cpu)};
    const struct solver_params params = {.softening = 0.1, .force = &spring};
    struct bodies *bodies = sphere_make(5, true, 3);
    struct solver *solver = NULL;
    assert_fails(solver_open("cuda", &params, bodies, &solver), STATUS_DEVICE,
                 "force spring available backend cuda");
    assert_null(solver);
    bodies_destroy(&bodies);
}

static void copy_near(const struct view *view, const char *column, float *out)
{
    /* runs the search, which nothing has waited for */
    assert_int_equal(cudaEventSynchronize(view->ready), cudaSuccess);
    memcpy(out, view_values(view, column), view->count * sizeof *out);
}

/* GPUs for computing alone have no NVENC, for which the driver then need not be asked. */
static void test_encoder(void **state)
{
    (void)state;
    static const struct {
        int capability;
        bool encodes;
    } cases[] = {{75, true}, {80, false}, {86, true}, {90, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fake_device_capability(cases[i].capability);
        assert_int_equal(solver_cuda.encodes(0), cases[i].encodes);
    }
    fake_device_capability(0);
}

static void test_near(void **state)
{
    (void)state;
    check_near_views("cuda", copy_near);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_forces, nothing_left),
        cmocka_unit_test_teardown(test_tensor, nothing_left),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_encoder),
        cmocka_unit_test_teardown(test_sources, nothing_left),
        cmocka_unit_test_teardown(test_verbs, nothing_left),
        cmocka_unit_test_teardown(test_repeat, nothing_left),
        cmocka_unit_test_teardown(test_ahead, nothing_left),
        cmocka_unit_test_teardown(test_launches, nothing_left),
        cmocka_unit_test_teardown(test_views, nothing_left),
        cmocka_unit_test_teardown(test_near, nothing_left),
        cmocka_unit_test_teardown(test_blocks, nothing_left),
        cmocka_unit_test_teardown(test_memory, nothing_left),
        cmocka_unit_test_teardown(test_failures, nothing_left),
        cmocka_unit_test_teardown(test_new_force, nothing_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
