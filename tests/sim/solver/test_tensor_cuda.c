/* All pairs on matrix units: errors for bodies in various distributions, with the same bits from
 * run to run. Skipped, with the reason, without matrix units. */
#include "tests/support/forces/mode_checks.h"
#include "tests/support/forces/softening_checks.h"
#include "tests/support/forces/sphere.h"
#include "tests/support/forces/spline_checks.h"
#include "tests/support/test.h"
#include "tests/support/forces/tree_checks.h"
#include "sim/solver/solver.h"
#include "sim/gravity/force.h"

#include <math.h>

static const double UNLIKE = 1e-6; /* sum of forces, of that of their sizes */

/* Within a tenth of the documented bound, because forces do not cancel here; where all bodies are
 * close, as accurate as plain kernels. */
static void check(const struct bodies *bodies, double softening)
{
    const double error = fmax(force_tensor.error(bodies, 0) / 10, 2e-6);
    check_tree_of("cuda", "tensor", bodies, error, softening, UNLIKE);
}

static void need_device(void)
{
    if (solver_cuda.probe(0) != STATUS_OK)
        outcome_skip(MISSING_GPU, status_text());
    if (!force_runs(&force_tensor, "cuda", 0))
        outcome_skip(MISSING_GPU, "the device has no matrix units");
}

/* Tiles that are ragged, alone, one short of a pair, and of either size. */
static void test_errors(void **state)
{
    (void)state;
    need_device();
    static const size_t counts[] = {1,   2,    17,   63,   64,    65,    255,  256,
                                    257, 1021, 4099, 8192, 30011, 49151, 49152};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        struct bodies *bodies = sphere_make(counts[k], k % 2, 3 + k);
        check(bodies, 0.03125);
        bodies_destroy(&bodies);
    }
}

/* But not on a line, where forces nearly cancel. */
static void test_places(void **state)
{
    (void)state;
    need_device();
    for (int place = 0; place < PLACES; place++) {
        if (place == PLACE_LINE)
            continue;
        struct bodies *bodies = place_make((enum place)place, 5001);
        check(bodies, 0.03125);
        bodies_destroy(&bodies);
    }
}

/* Softening from a millionth of the bodies' extent to a thousand times as long as that is. */
static void test_softenings(void **state)
{
    (void)state;
    need_device();
    struct bodies *bodies = sphere_make(6000, false, 7);
    for (double softening = 1e-6; softening < 2e3; softening *= 10)
        check(bodies, softening);
    bodies_destroy(&bodies);
}

/* Two cubes closer and closer, with faces full of bodies: units on either side of the limit to
 * which matrix units may take them, where weights are largest. */
static void test_limit(void **state)
{
    (void)state;
    need_device();
    for (double gap = 1; gap > 1e-3; gap *= 0.8) {
        struct bodies *bodies = sphere_make(1024, false, 4);
        for (size_t i = 0; i < bodies->count; i++) {
            double *at = bodies->position[i];
            const double side = i % 2 ? 1 : -1;
            for (int c = 0; c < 3; c++)
                at[c] -= floor(at[c]);
            at[0] = side * (i % 8 < 2 ? gap / 2 : gap / 2 + at[0]);
        }
        check(bodies, 1e-3);
        bodies_destroy(&bodies);
    }
}

/* Of components, and by a spline; all bodies within a support, and few. */
static void test_components(void **state)
{
    (void)state;
    need_device();
    static const size_t counts[] = {65, 1021, 8192};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        check_mixed_accuracy("cuda", "auto", "tensor", counts[k], 3e-5);
        check_spline_accuracy("cuda", "auto", "tensor", counts[k], 3e-5);
        check_equal_softening("cuda", "tensor", counts[k]);
    }
    check_spline_orbit("cuda", "tensor");
}

/* Half floats neither overflow nor underflow, because lengths and masses are scaled. */
static void test_scales(void **state)
{
    (void)state;
    need_device();
    static const struct {
        double length, mass;
    } scales[] = {{1e-9, 1e-12}, {1e15, 1e12}, {1, 1e20}, {1e6, 1e-20}};
    for (size_t k = 0; k < sizeof scales / sizeof *scales; k++) {
        struct bodies *bodies = sphere_make(5000, false, 8);
        for (size_t i = 0; i < bodies->count; i++) {
            bodies->mass[i] *= scales[k].mass;
            for (int c = 0; c < 3; c++)
                bodies->position[i][c] *= scales[k].length;
        }
        check(bodies, 0.03125 * scales[k].length);
        bodies_destroy(&bodies);
    }
}

/* One body 1e8 times heavier than the others, hundreds with a tenth of a percent each, masses of
 * either sign, and none at all. */
static void test_masses(void **state)
{
    (void)state;
    need_device();
    enum { HEAVY, SEVERAL, SIGNS, TRACERS, KINDS };
    for (int kind = 0; kind < KINDS; kind++) {
        struct bodies *bodies = sphere_make(6000, true, 9);
        for (size_t i = 0; i < bodies->count; i++) {
            double *mass = &bodies->mass[i];
            if (kind == HEAVY)
                *mass *= i == 77 ? 1e8 : 1;
            if (kind == SEVERAL)
                *mass *= i % 20 == 0 ? 1000 : 1;
            if (kind == SIGNS)
                *mass *= i % 3 == 0 ? -1 : 1;
            if (kind == TRACERS)
                *mass *= i % 2;
        }
        check(bodies, 0.03125);
        bodies_destroy(&bodies);
    }
}

static void test_same_bits(void **state)
{
    (void)state;
    need_device();
    static const size_t counts[] = {1003, 40001, 60001};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        assert_true(state_hash("cuda", "auto", "tensor", 1, counts[k], 10) ==
                    state_hash("cuda", "auto", "tensor", 1, counts[k], 10));
}

int main(int argc, char **argv)
{
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors),     cmocka_unit_test(test_places),
        cmocka_unit_test(test_softenings), cmocka_unit_test(test_limit),
        cmocka_unit_test(test_components), cmocka_unit_test(test_scales),
        cmocka_unit_test(test_masses),     cmocka_unit_test(test_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
