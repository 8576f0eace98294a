/* All tests here are skipped, with the reason, if solver_cuda cannot run. */
#include "tests/support/test.h"
#include "tests/support/forces/solver_checks.h"
#include "tests/support/forces/sphere.h"
#include "sim/integrators/integrator.h"
#include "sim/solver/solver.h"
#include "sim/gravity/force.h"

#include <cuda_runtime_api.h>
#include <math.h>

static const char *const paths[] = {"auto",     "split",    "pairs128",
                                    "pairs256", "pairs512", "pairs1024"};
enum { PATHS = sizeof paths / sizeof *paths };

static void need_device(void)
{
    if (solver_cuda.probe(0) == STATUS_OK)
        return;
    outcome_skip(MISSING_GPU, status_text());
}

static void test_accuracy(void **state)
{
    (void)state;
    need_device();
    static const size_t counts[] = {1,   2,   3,   15,  16,  17,   127,  128,  129,  255,
                                    256, 257, 509, 511, 513, 1021, 1024, 1025, 4097, 16385};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        for (size_t p = 0; p < PATHS; p++) {
            check_accuracy("cuda", paths[p], counts[k], false);
            check_accuracy("cuda", paths[p], counts[k], true);
        }
}

static void test_accuracy_large(void **state)
{
    (void)state;
    need_device();
    check_accuracy("cuda", "auto", 65536, true);
    check_accuracy("cuda", "auto", 65536, false);
}

static void test_repeats(void **state)
{
    (void)state;
    need_device();
    for (size_t p = 0; p < PATHS; p++) {
        check_repeats("cuda", paths[p], 4097);
        check_repeats("cuda", paths[p], 16384);
    }
    check_repeat_verb("cuda", 1021);
    check_repeat_verb("cuda", 8192);
}

static void test_orbits(void **state)
{
    (void)state;
    need_device();
    check_two_bodies("cuda");
    check_reversal("cuda");
    check_broken("cuda");
}

/* Components of equal mass inside, with borders that cut tiles: the two ways through the pairs
 * kernel meet in one sum. */
static void test_components(void **state)
{
    (void)state;
    need_device();
    const size_t n = 5000;
    struct bodies *bodies = sphere_make(n, true, 77);
    double(*cpu)[3] = calloc(n, sizeof *cpu), (*gpu)[3] = calloc(n, sizeof *gpu);
    assert_true(cpu && gpu);
    for (size_t i = 0; i < n; i++)
        bodies->mass[i] *= i < 1100 ? 1 : i < 3072 ? 7.3 : 0.11;
    struct solver *solver = checks_open("cpu", "auto", bodies, 0.03);
    assert_ok(solver->ops->accelerations(solver, cpu));
    solver_close(&solver);
    for (size_t p = 0; p < PATHS; p++) {
        solver = checks_open("cuda", paths[p], bodies, 0.03);
        assert_ok(solver->ops->accelerations(solver, gpu));
        assert_true(relative_rms(3 * n, gpu[0], cpu[0]) < 1e-6);
        solver_close(&solver);
    }
    bodies_destroy(&bodies);
    free(cpu);
    free(gpu);
}

static void test_against_cpu(void **state)
{
    (void)state;
    need_device();
    static const char *const backends[] = {"cpu", "cuda"};
    const size_t n = 2000;
    struct bodies *bodies = sphere_make(n, false, 31), *end[2];
    for (int b = 0; b < 2; b++) {
        struct solver *solver = checks_open(backends[b], "auto", bodies, 0.1);
        for (int s = 0; s < 20; s++)
            assert_ok(integrator_kdk.step(solver, 0.01, 1));
        end[b] = sphere_make(n, false, 31);
        assert_ok(solver->ops->save(solver, end[b]));
        solver_close(&solver);
    }
    assert_true(relative_rms(3 * n, end[1]->position[0], end[0]->position[0]) < 1e-6);
    assert_true(relative_rms(3 * n, end[1]->position[0], bodies->position[0]) > 1e-3);
    bodies_destroy(&bodies);
    bodies_destroy(&end[0]);
    bodies_destroy(&end[1]);
}

static void test_view(void **state)
{
    (void)state;
    need_device();
    enum { N = 1021 };
    static float position[N][4], velocity[N][4], sizes[N];
    static double a[N][3];
    struct bodies *bodies = sphere_make(N, false, 2);
    struct solver *solver = checks_open("cuda", "auto", bodies, 0.05);
    struct view *view = NULL;
    column_names_add(&solver->columns, COLUMN_ACCELERATION);
    assert_ok(solver->ops->view_create(solver, &view));
    assert_ok(solver->ops->view_fill(solver, view));
    assert_ok(solver->ops->accelerations(solver, a));
    assert_ok(solver->ops->view_read(solver, view_values(view, COLUMN_ACCELERATION), N, sizes));
    assert_true(view->memory == VIEW_CUDA && view->device == 0 && view->count == N);
    assert_int_equal(cudaMemcpy(position, view->position, sizeof position, cudaMemcpyDeviceToHost),
                     0);
    assert_int_equal(cudaMemcpy(velocity, view->velocity, sizeof velocity, cudaMemcpyDeviceToHost),
                     0);
    for (int i = 0; i < N; i++) {
        for (int c = 0; c < 3; c++) {
            assert_true(position[i][c] == (float)bodies->position[i][c]);
            assert_true(velocity[i][c] == (float)bodies->velocity[i][c]);
        }
        double size = sqrt(a[i][0] * a[i][0] + a[i][1] * a[i][1] + a[i][2] * a[i][2]);
        assert_true(position[i][3] == (float)bodies->mass[i]);
        assert_true(velocity[i][3] == 0);
        assert_near(sizes[i], size, 1e-6 * size);
    }
    solver->ops->view_destroy(solver, &view);
    solver_close(&solver);
    bodies_destroy(&bodies);
}

/* Ragged against the stride, fewer than the sample has room for, and none unless asked for. */
static void test_sample(void **state)
{
    (void)state;
    need_device();
    static const size_t counts[] = {1, 1021, VIEW_SAMPLE_MOST, VIEW_SAMPLE_MOST + 1, 50001};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        struct bodies *bodies = sphere_make(counts[k], false, 3);
        struct solver *solver = checks_open("cuda", "auto", bodies, 0.05);
        struct view *plain = NULL, *view = NULL;
        assert_ok(solver->ops->view_create(solver, &plain));
        solver->samples = true;
        assert_ok(solver->ops->view_create(solver, &view));
        assert_ok(solver->ops->view_fill(solver, plain));
        assert_ok(solver->ops->view_fill(solver, view));
        assert_null(plain->sample);
        const size_t stride = view_sample_stride(counts[k]);
        assert_true(stride == (counts[k] > 2 * VIEW_SAMPLE_MOST ? 4
                               : counts[k] > VIEW_SAMPLE_MOST   ? 2
                                                                : 1));
        for (size_t i = 0; i * stride < counts[k]; i++)
            for (int c = 0; c < 4; c++) {
                const double wanted =
                    c < 3 ? bodies->position[i * stride][c] : bodies->mass[i * stride];
                assert_true(view_sample_row(view, i)[c] == (float)wanted);
            }
        solver->ops->view_destroy(solver, &plain);
        solver->ops->view_destroy(solver, &view);
        solver_close(&solver);
        bodies_destroy(&bodies);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    need_device();
    struct bodies *bodies = sphere_make(10, true, 1);
    struct solver_params params = {.softening = 0.1, .force = &force_fast, .kernel = "avx2"};
    struct solver *solver = NULL;
    assert_fails(solver_open("cuda", &params, bodies, &solver), STATUS_DEVICE, "CUDA kernel");
    char text[256] = "";
    assert_ok(solver_cuda.describe(0, text, sizeof text));
    assert_contains(text, " multiprocessors, ");
    params.kernel = "split";
    params.force = &force_exact;
    assert_fails(solver_open("cuda", &params, bodies, &solver), STATUS_DEVICE, "CUDA kernel");
    params.kernel = NULL;
    params.device = 4711;
    assert_fails(solver_open("cuda", &params, bodies, &solver), STATUS_DEVICE, "CUDA device 4711");
    assert_null(solver);
    bodies_destroy(&bodies);
}

/* A name as argument runs only that test, for slow tools. */
int main(int argc, char **argv)
{
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accuracy),   cmocka_unit_test(test_accuracy_large),
        cmocka_unit_test(test_repeats),    cmocka_unit_test(test_orbits),
        cmocka_unit_test(test_components), cmocka_unit_test(test_against_cpu),
        cmocka_unit_test(test_view),       cmocka_unit_test(test_sample),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
