/* Drifts of conserved quantities against cases that can be worked out by hand. */
#include "tests/support/test.h"

#include "sim/diagnostics.h"

#include <math.h>

/* Mass 2, K = 4, W = -8: E = -4, v = 2, M v = 4, R = 0.5, M v R = 2. */
static const struct diagnostics start = {.mass = 2,
                                         .kinetic = 4,
                                         .potential = -8,
                                         .energy = -4,
                                         .virial = 1,
                                         .centre = {1, 0, 0},
                                         .momentum = {0, 0.5, 0},
                                         .angular_momentum = {0, 0, 1}};

static struct drift measure(const struct diagnostics *from, const struct diagnostics *now,
                            double elapsed)
{
    struct drift drift;
    drift_measure(from, now, elapsed, &drift);
    return drift;
}

static void nothing_has_changed(void **state)
{
    (void)state;
    const struct drift drift = measure(&start, &start, 0);
    assert_true(drift.energy == 0 && drift.momentum == 0 && drift.angular_momentum == 0);
    assert_true(drift.centre == 0);
}

static void drifts_are_relative_to_their_scales(void **state)
{
    (void)state;
    struct diagnostics now = start;
    now.energy = -4.4;
    now.momentum[2] = 0.4;
    now.angular_momentum[2] = 0.8;
    now.centre[1] = 2.5; /* uniform motion leads to 0.25 * 8 = 2 */
    const struct drift drift = measure(&start, &now, 8);
    assert_true(fabs(drift.energy + 0.1) < 1e-14); /* lower */
    assert_true(fabs(drift.momentum - 0.1) < 1e-14);
    assert_true(fabs(drift.angular_momentum - 0.1) < 1e-14);
    assert_true(fabs(drift.centre - 0.5) < 1e-14);
}

static void a_large_angular_momentum_is_its_own_scale(void **state)
{
    (void)state;
    struct diagnostics from = start, now;
    from.angular_momentum[2] = 10;
    now = from;
    now.angular_momentum[2] = 9;
    assert_true(fabs(measure(&from, &now, 0).angular_momentum - 0.1) < 1e-14);
}

static void an_energy_near_zero_is_no_scale(void **state)
{
    (void)state;
    struct diagnostics from = start, now;
    from.energy = 1e-9;
    now = from;
    now.energy = 0.008;
    assert_true(fabs(measure(&from, &now, 0).energy - 1) < 1e-6); /* a thousandth of 8 */
}

static void without_a_scale_any_change_is_infinite(void **state)
{
    (void)state;
    const struct diagnostics nothing = {0};
    struct diagnostics now = {.momentum = {1, 0, 0}, .energy = -1};
    const struct drift drift = measure(&nothing, &now, 1);
    assert_true(isinf(drift.momentum) && isinf(drift.energy) && drift.energy < 0);
    assert_true(drift.angular_momentum == 0);
}

static void bodies_at_rest_have_a_scale(void **state)
{
    (void)state;
    const struct diagnostics from = {.mass = 2, .potential = -8, .energy = -8};
    struct diagnostics now = from;
    now.momentum[0] = 0.4;
    now.angular_momentum[1] = 0.2;
    const double momentum = sqrt(2 * 0.008 * 2);
    const struct drift drift = measure(&from, &now, 1);
    assert_true(fabs(drift.momentum - 0.4 / momentum) < 1e-14);
    assert_true(fabs(drift.angular_momentum - 0.2 / (momentum * 0.5)) < 1e-14);
}

static void nan_stays_nan(void **state)
{
    (void)state;
    struct diagnostics now = start;
    now.energy = now.momentum[1] = now.angular_momentum[0] = now.centre[2] = NAN;
    const struct drift drift = measure(&start, &now, 1);
    assert_true(isnan(drift.energy) && isnan(drift.momentum));
    assert_true(isnan(drift.angular_momentum) && isnan(drift.centre));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_has_changed),
        cmocka_unit_test(drifts_are_relative_to_their_scales),
        cmocka_unit_test(a_large_angular_momentum_is_its_own_scale),
        cmocka_unit_test(an_energy_near_zero_is_no_scale),
        cmocka_unit_test(without_a_scale_any_change_is_infinite),
        cmocka_unit_test(bodies_at_rest_have_a_scale),
        cmocka_unit_test(nan_stays_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
