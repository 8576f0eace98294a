/* The exact tree: errors against direct sums in double, the same hashes for every instruction set
 * and number of threads, unsupported requests. */
#include "tests/support/choose.h"
#include "tests/support/forces/force_reference.h"
#include "tests/support/forces/mode_checks.h"
#include "tests/support/forces/softening_checks.h"
#include "tests/support/forces/sphere.h"
#include "tests/support/test.h"
#include "tests/support/forces/tree_checks.h"
#include "kernels/exact_tree/walk.h"
#include "kernels/exact_tree/exact_cells.h"
#include "sim/gravity/exact_tree/exact_build.h"
#include "sim/simulation.h"

#include <math.h>
#include <string.h>

/* The forces between a body and a cell are not exactly opposite: momentum is conserved within the
 * error. */
static const double unlike = 4e-4;

TEST(errors_stay_below_what_is_asked)
{
    check_tree_errors("cpu", "tree-exact", 4099, 5e-3);
}

TEST(bodies_lie_anywhere)
{
    check_tree_places("cpu", "tree-exact", unlike);
}

static double of_disk(struct bodies *bodies)
{
    for (size_t i = 0; i < bodies->count; i++)
        bodies->position[i][2] *= i % 4 ? 0.02 : 1;
    return 0.02;
}

/* Two clusters, one with a thousandth of the other's mass and a tenth of its size. */
static double of_clusters(struct bodies *bodies)
{
    for (size_t i = 0; i < bodies->count; i += 2) {
        bodies->mass[i] *= 1e-3;
        for (int c = 0; c < 3; c++)
            bodies->position[i][c] *= 0.1;
        bodies->position[i][0] += 20;
    }
    return 0.01;
}

static double of_collapse(struct bodies *bodies)
{
    for (size_t i = 0; i < bodies->count; i++)
        for (int c = 0; c < 3; c++)
            bodies->position[i][c] *= 1e-3 + pow((double)i / (double)bodies->count, 3);
    return 0.01;
}

TEST(bodies_are_of_any_kind)
{
    double (*const kinds[])(struct bodies *) = {of_disk, of_clusters, of_collapse};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct bodies *bodies = sphere_make(8009, k > 0, 7 + k);
        const double softening = kinds[k](bodies);
        check_tree_of("cpu", "tree-exact", bodies, 4e-4, softening, unlike);
        bodies_destroy(&bodies);
    }
    struct bodies *cube = cube_make(8009, 3);
    check_tree_of("cpu", "tree-exact", cube, 1e-4, 0.01, unlike);
    bodies_destroy(&cube);
}

TEST(softenings_differ)
{
    static const size_t counts[] = {2, 5, 257, 2049, 8191, 16387};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        check_mixed_accuracy("cpu", "auto", "tree-exact", counts[k], 4e-4);
}

TEST(bits_are_the_same_everywhere)
{
    on_cpu_paths(check_tree_exact_everywhere);
}

/* Less work than all pairs, whatever is asked for. */
TEST(work_is_saved)
{
    struct bodies *bodies = sphere_make(20000, true, 1);
    struct solver_params params = {
        .softening = 0.03, .force = choose(&force_registry, "tree-exact"), .force_error = 4e-4};
    struct solver *solver = NULL;
    assert_ok(solver_open("cpu", &params, bodies, &solver));
    assert_contains(solver->kernel, "tree-exact, error 0.0004");
    assert_true(solver->force->ops->same_everywhere);
    const double forecast = solver->force->interactions;
    for (int k = 0; k < 2; k++)
        assert_ok(solver->ops->accelerate(solver));
    const struct force_work work = solver->force->work_done;
    assert_true(work.pairs > 0 && work.joins > 0);
    assert_true(solver->force->interactions == work.pairs + work.joins);
    assert_true(work.pairs + work.joins < 20000.0 * 20000 / 5);
    assert_true(forecast > work.pairs / 5 && forecast < work.pairs * 5);
    solver_close(&solver);
    bodies_destroy(&bodies);
}

/* Pairs of bodies, and of bodies with cells, that a second evaluation takes. */
static double work_of(const struct bodies *bodies)
{
    const struct solver_params params = {
        .softening = 0.03, .force = choose(&force_registry, "tree-exact"), .force_error = 4e-4};
    struct solver *solver = NULL;
    assert_ok(solver_open("cpu", &params, bodies, &solver));
    for (int k = 0; k < 2; k++)
        assert_ok(solver->ops->accelerate(solver));
    const struct force_work work = solver->force->work_done;
    solver_close(&solver);
    return work.pairs + work.joins;
}

/* Where the forces of two clusters cancel, errors may be as large as those of weak forces
 * elsewhere. */
TEST(nothing_is_wasted_where_nothing_pulls)
{
    enum { COUNT = 6000, MIDDLE = 240 };
    struct bodies *bodies = sphere_make(COUNT, true, 3);
    double work[2];
    for (size_t i = 0; i < COUNT - MIDDLE; i += 2)
        for (int c = 0; c < 3; c++) {
            bodies->position[i][c] += c == 0 ? 40 : 0;
            bodies->position[i + 1][c] = -bodies->position[i][c];
        }
    for (int moved = 0; moved < 2; moved++) {
        for (size_t i = COUNT - MIDDLE; i < COUNT; i++) {
            bodies->mass[i] = 0;
            for (int c = 0; c < 3; c++)
                bodies->position[i][c] = 1e-5 * sin((double)(3 * i) + c) + (c == 1 ? moved : 0);
        }
        work[moved] = work_of(bodies);
    }
    if (!(work[0] < 1.1 * work[1]))
        fail_msg("%g where nothing pulls, %g beside it", work[0], work[1]);
    bodies_destroy(&bodies);
}

/* A body of 10,000 times the mass of all others moves slowly, and carries the others along: its
 * error is small beside its own acceleration, however large those around it are. */
TEST(a_heavy_body_is_as_exact_as_others)
{
    enum { COUNT = 4001, HEAVY = 2000 };
    static const double errors[] = {1e-5, 1e-4, 1e-3};
    static double want[COUNT][3], got[COUNT][3];
    for (int kind = 0; kind < 4; kind++) {
        struct bodies *bodies = kind % 2 ? cube_make(COUNT, 3) : sphere_make(COUNT, true, 6);
        double *at = bodies->position[HEAVY], rest = 0;
        for (size_t i = 0; i < COUNT; i++)
            rest += bodies->mass[i];
        bodies->mass[HEAVY] = 1e4 * rest;
        for (int c = 0; c < 3 && kind < 2; c++) {
            at[c] = 0; /* in the middle, where pulls cancel */
            for (size_t i = 0; i < COUNT && kind == 1; i++)
                at[c] += bodies->position[i][c] / COUNT;
        }
        force_reference(COUNT, bodies->mass, (const double(*)[3])bodies->position, 0.01, want,
                        NULL);
        for (size_t e = 0; e < sizeof errors / sizeof *errors; e++) {
            const struct solver_params params = {.softening = 0.01,
                                                 .force = choose(&force_registry, "tree-exact"),
                                                 .force_error = errors[e]};
            struct solver *solver = NULL;
            double off = 0, size = 0;
            assert_ok(solver_open("cpu", &params, bodies, &solver));
            for (int k = 0; k < 2; k++)
                assert_ok(solver->ops->accelerate(solver));
            assert_ok(solver->ops->accelerations(solver, got));
            solver_close(&solver);
            for (int c = 0; c < 3; c++) {
                off += pow(got[HEAVY][c] - want[HEAVY][c], 2);
                size += pow(want[HEAVY][c], 2);
            }
            if (!(sqrt(off / size) <= 4 * errors[e]))
                fail_msg("kind %d, %g asked: the heavy body's error is %g", kind, errors[e],
                         sqrt(off / size));
        }
        bodies_destroy(&bodies);
    }
}

/* Potentials are by cells that are seen under half a radian at most, however rough the forces. */
TEST(potentials_are_never_rough)
{
    float before = 0;
    for (double error = 1e-5; error < 0.2; error *= 3) {
        const struct exact_tree_rule rule = exact_tree_rule_potential(error);
        assert_true(rule.reach2 >= before && rule.reach2 <= 0.25f && isinf(rule.hold));
        before = rule.reach2;
    }
}

/* Along the curve, bodies are sorted by the upper levels of their keys, then by kind, then by the
 * other levels. Cells in which kinds are told apart are some tens of softenings wide. */
TEST(kinds_come_below_the_upper_levels)
{
    enum { COUNT = 20000 };
    static const double softenings[] = {0.01, 1e-3, 1e-4, 30};
    static double rows[COUNT][4], halves[COUNT];
    struct bodies *bodies = sphere_make(COUNT, true, 6);
    struct exact_tree_build build = {0};
    for (size_t s = 0; s < sizeof softenings / sizeof *softenings; s++) {
        for (size_t i = 0; i < COUNT; i++) {
            const double softening = i % 3 ? softenings[s] : softenings[s] / 8;
            memcpy(rows[i], bodies->position[i], sizeof *bodies->position);
            rows[i][3] = bodies->mass[i];
            halves[i] = softening * softening / 2;
        }
        assert_ok(exact_tree_open(&build, COUNT));
        exact_tree_sort(&build, (const double(*)[4])rows, halves, 1e-3, 1);
        const struct exact_tree_frame *frame = &build.frame;
        struct exact_tree_frame plain = *frame;
        plain.kind_step = 0;
        const double width = 2 / frame->box / (1 << (20 - frame->kind_bits / 3));
        if (softenings[s] < 1 / frame->box)
            assert_true(width > 22 * softenings[s] && width < 46 * softenings[s]);
        else
            assert_int_equal(frame->kind_bits, 60);
        for (size_t k = 0; k < COUNT; k++) {
            const uint32_t i = build.order[k];
            const uint64_t key = exact_tree_key_of(&plain, rows[i], 0);
            const uint64_t kind = build.key[k] >> frame->kind_bits & 7;
            assert_true(build.key[k] >> (frame->kind_bits + 3) == key >> (frame->kind_bits + 3));
            assert_true(kind == (i % 3 ? 7 : 0));
            assert_true((build.key[k] ^ kind << frame->kind_bits) %
                            (UINT64_C(8) << frame->kind_bits) ==
                        key % (UINT64_C(8) << frame->kind_bits) >> 3);
            assert_true(k == 0 || build.key[k - 1] <= build.key[k]);
        }
        exact_tree_close(&build);
    }
    bodies_destroy(&bodies);
}

/* Bodies in one place have cells of their own, also beside others that are hardly away. */
TEST(one_place_is_never_divided)
{
    enum { COUNT = 3000, SAME = 1000, NEAR = 1000 };
    static double rows[COUNT][4];
    struct bodies *bodies = sphere_make(COUNT, true, 4);
    struct exact_tree_build build = {0};
    size_t apart = 0;
    for (size_t i = 0; i < COUNT; i++) {
        for (int c = 0; c < 3; c++)
            rows[i][c] = i < SAME          ? 0.3
                         : i < SAME + NEAR ? 0.3 + 1e-5 * bodies->position[i][c]
                                           : bodies->position[i][c];
        rows[i][3] = bodies->mass[i];
    }
    assert_ok(exact_tree_open(&build, COUNT));
    exact_tree_sort(&build, (const double(*)[4])rows, NULL, 0.01, 1);
    exact_tree_fill(&build, 1);
    uint32_t waiting[COUNT] = {0}, cells = 1;
    while (cells > 0) {
        const uint32_t cell = waiting[--cells];
        const struct exact_tree_span span = build.tree.span[cell];
        const uint64_t *key = build.key;
        if (span.last - span.first < EXACT_TREE_LEAF)
            continue;
        if (key[span.first] != key[span.last]) {
            assert_true(key[span.split] != key[span.split + 1]);
            apart += key[span.first] == key[span.split] || key[span.split + 1] == key[span.last];
        }
        if (span.split > span.first)
            waiting[cells++] = span.split;
        if (span.last > span.split + 1)
            waiting[cells++] = span.split + 1;
    }
    assert_true(apart > 0);
    exact_tree_close(&build);
    bodies_destroy(&bodies);
}

/* Cells so small that single precision hardly tells their bodies apart still contain them. */
TEST(no_body_is_outside_its_cell)
{
    enum { COUNT = 3000, SPREAD = 2000 };
    static double rows[COUNT][4];
    struct bodies *bodies = sphere_make(COUNT, true, 4);
    struct exact_tree_build build = {0};
    for (size_t i = 0; i < COUNT; i++) {
        for (int c = 0; c < 3; c++) { /* the latter above a number of single precision */
            const double x = bodies->position[i][c];
            rows[i][c] = i < SPREAD ? floor(16 * x) / 16 : 0.75 + 1e-9 * fabs(x);
        }
        rows[i][3] = bodies->mass[i];
    }
    assert_ok(exact_tree_open(&build, COUNT));
    exact_tree_sort(&build, (const double(*)[4])rows, NULL, 1e-10, 1);
    exact_tree_fill(&build, 1);
    uint32_t waiting[COUNT] = {0}, cells = 1;
    while (cells > 0) {
        const uint32_t cell = waiting[--cells];
        const struct exact_tree_span span = build.tree.span[cell];
        const struct exact_tree_place *place = build.tree.place + cell;
        for (uint32_t i = span.first; i <= span.last; i++) {
            double square = 0;
            for (int c = 0; c < 3; c++) {
                const struct exact_tree_body *body = build.tree.body + i;
                const double away = ((double)body->hi[c] - (double)place->hi[c]) +
                                    ((double)body->lo[c] - (double)place->lo[c]);
                square += away * away;
            }
            assert_true(sqrt(square) <= 1.000001 * (double)place->radius);
        }
        if (span.split == span.last)
            continue;
        if (span.split > span.first)
            waiting[cells++] = span.split;
        if (span.last > span.split + 1)
            waiting[cells++] = span.split + 1;
    }
    exact_tree_close(&build);
    bodies_destroy(&bodies);
}

TEST(crowds_cost_what_others_cost)
{
    check_tree_crowds("cpu", "tree-exact", false, 0.02);
    check_tree_crowds("cpu", "tree-exact", false, 1e-10);
}

TEST(what_is_refused)
{
    struct bodies *bodies = sphere_make(100, true, 1);
    struct solver_params params = {.softening = 0.05,
                                   .force = choose(&force_registry, "tree-exact")};
    struct solver *solver = NULL;
    params.subset = 2;
    assert_fails(solver_open("cpu", &params, bodies, &solver), STATUS_USAGE,
                 "simulation.subset tree sources");
    params.subset = 1;
    params.kernel = "quantum";
    assert_fails(solver_open("cpu", &params, bodies, &solver), STATUS_DEVICE, "quantum kernel");
    params.kernel = NULL;
    bodies->mass[7] = -1;
    assert_fails(solver_open("cpu", &params, bodies, &solver), STATUS_USAGE,
                 "simulation.force body 8 mass -1");
    assert_null(solver);
    bodies_destroy(&bodies);
}

/* Bodies that are no longer finite end a run with a sentence. */
TEST(broken_bodies_are_found)
{
    struct bodies *bodies = sphere_make(3000, true, 1);
    struct simulation *simulation;
    const struct simulation_params run = {
        .dt = 1e308,
        .softening = 0.05,
        .steps_per_frame = 2,
        .force = choose(&force_registry, "tree-exact"),
        .integrator = choose(&integrator_registry, "kdk"),
    };
    assert_ok(simulation_open(&simulation, &run, "cpu", 0, bodies));
    assert_fails(simulation_advance(simulation, 1, NULL), STATUS_RUNTIME,
                 "simulation.dt no longer finite");
    simulation_close(&simulation);
    bodies_destroy(&bodies);
}

TESTS(NULL, NULL)
