/* Checkpoints of runs on CUDA, and of the force mode exact from one backend to the other. Skipped,
 * with the reason, where solver_cuda cannot run. */
#include "tests/support/choose.h"
#include "tests/support/test.h"
#include "sim/checkpoint/checkpoint.h"
#include "tests/support/forces/checkpoint_checks.h"
#include "tests/support/forces/sphere.h"
#include "sim/solver/solver.h"

#include <cuda_runtime_api.h>

static char folder[] = "/tmp/gravreel-checkpoint-XXXXXX";

static void need_device(void)
{
    if (solver_cuda.probe(0) == STATUS_OK)
        return;
    outcome_skip(MISSING_GPU, status_text());
}

static void fetch(float *out, const float *from, size_t floats)
{
    assert_int_equal(cudaMemcpy(out, from, floats * sizeof *out, cudaMemcpyDeviceToHost), 0);
}

static void test_continues(void **state)
{
    (void)state;
    need_device();
    for (const struct run_kind *kind = run_kinds; kind->count > 0; kind++) {
        const struct force_ops *force = choose(&force_registry, kind->force);
        if (force_path_of(force, "cuda"))
            check_continues("cuda", kind, folder, fetch);
    }
    check_continues("cuda",
                    &(struct run_kind){.force = "fast", .integrator = "kdk", .count = 16384},
                    folder, fetch);
}

/* The bits of `exact` are the same everywhere: begun on one backend, finished on the other. */
static void test_changes_backend(void **state)
{
    (void)state;
    need_device();
    static const char *const backends[] = {"cpu", "cuda"};
    struct bodies *bodies = sphere_make(501, false, 8);
    struct simulation_params params = {.dt = 0.01,
                                       .softening = 0.05,
                                       .steps_per_frame = 3,
                                       .force = choose(&force_registry, "exact"),
                                       .integrator = choose(&integrator_registry, "kdk")};
    struct simulation_state end[2];
    char path[512];
    snprintf(path, sizeof path, "%s/change.h5", folder);
    for (int b = 0; b < 2; b++) {
        struct simulation *first, *second;
        assert_ok(simulation_open(&first, &params, backends[b], 0, bodies));
        assert_ok(simulation_open(&second, &params, backends[1 - b], 0, bodies));
        assert_ok(simulation_advance(first, 2, NULL));
        assert_ok(checkpoint_write(path, &first, 1, "scene"));
        assert_ok(checkpoint_read(path, &second, 1, "scene"));
        assert_ok(simulation_advance(second, 4, NULL));
        assert_ok(simulation_state_create(simulation_solver(second)->count, &end[b]));
        assert_ok(simulation_get_state(second, &end[b]));
        simulation_close(&first);
        simulation_close(&second);
    }
    assert_memory_equal(end[0].position, end[1].position, 501 * sizeof(double[3]));
    assert_memory_equal(end[0].velocity, end[1].velocity, 501 * sizeof(double[3]));
    simulation_state_free(&end[0]);
    simulation_state_free(&end[1]);
    bodies_destroy(&bodies);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_continues),
        cmocka_unit_test(test_changes_backend),
    };
    if (!mkdtemp(folder))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
