#include "tests/support/forces/spring_force.h"
#include "tests/support/forces/sphere.h"
#include "tests/support/test.h"
#include "sim/integrators/integrator.h"
#include "sim/solver/solver.h"

#include <string.h>

int springs_open;

enum status spring_open(struct force *force, const struct force_request *request)
{
    springs_open++;
    force->work_bytes = request->bodies * sizeof(double);
    force->name = "spring";
    snprintf(force->kernel, sizeof force->kernel, "springs of %zu bodies", request->bodies);
    return STATUS_OK;
}

void spring_close(struct force *force)
{
    (void)force;
    springs_open--;
}

void spring_count(struct force *force)
{
    force->interactions = 10 * ++((struct spring *)force)->evaluations;
}

void spring_pull(size_t bodies, const float (*rows)[4], double (*out)[3])
{
    for (size_t i = 0; i < bodies; i++)
        for (int c = 0; c < 3; c++)
            out[i][c] = -(double)rows[i][c];
}

static int cpu_accelerate(struct force *force, const struct sources *sources, double (*out)[3],
                          void *stream)
{
    (void)stream;
    spring_count(force);
    spring_pull(sources->bodies, sources->rows, out);
    return 0;
}

static int potential(struct force *force, const struct sources *sources, double *out, void *stream)
{
    (void)force;
    (void)stream;
    memset(out, 0, sources->bodies * sizeof *out);
    return 0;
}

const struct force_path spring_cpu = {
    .backend = "cpu",
    .size = sizeof(struct spring),
    .open = spring_open,
    .accelerate = cpu_accelerate,
    .potential = potential,
    .close = spring_close,
};

void check_spring(const char *backend, const struct force_path *path)
{
    const struct force_ops spring = {
        .name = "spring", .doc = "springs", .number = sizeof(float), .paths = FORCE_PATHS(path)};
    const struct solver_params params = {.softening = 0.1, .force = &spring};
    struct bodies *bodies = sphere_make(5, true, 3);
    struct solver *solver;
    double a[5][3];
    uint64_t done;
    assert_ok(solver_open(backend, &params, bodies, &solver));
    assert_int_equal(springs_open, 1);
    assert_string_equal(solver->kernel, "springs of 5 bodies");
    assert_ok(solver->ops->accelerate(solver));
    assert_ok(solver->ops->accelerations(solver, a));
    for (int i = 0; i < 5; i++)
        for (int c = 0; c < 3; c++)
            assert_true(a[i][c] == -(double)(float)bodies->position[i][c]);
    assert_ok(solver_repeat(solver, integrator_kdk.step, 0.01, 1, 3, NULL, &done));
    assert_true(solver->force->interactions == 40);
    assert_true(solver->interactions == 10 + 20 + 30 + 40);
    solver_close(&solver);
    assert_int_equal(springs_open, 0);
    bodies_destroy(&bodies);
}
