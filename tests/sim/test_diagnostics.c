/* Diagnostics: shells, drifts of what gravity conserves against cases that can be worked out by
 * hand, and where the energies of a film are taken. */
#include "tests/support/forces/kdk_params.h"
#include "tests/support/forces/sphere.h"
#include "tests/support/test.h"

#include "sim/diagnostics.h"
#include "sim/simulation.h"

#include <math.h>

/* Spheres that hold a part of the bodies. */

TEST(the_radius_is_that_of_the_shell_that_completes_the_weight)
{
    struct shell shells[] = {{3, 1}, {1, 2}, {2, 0}, {4, 1}};
    const size_t count = sizeof shells / sizeof *shells;
    assert_true(shells_radius(shells, count, 2) == 1);
    assert_true(shells_radius(shells, count, 2.5) == 3);
    assert_true(shells_radius(shells, count, 4) == 4);
    for (size_t k = 0; k < count; k++)
        assert_true(shells[k].distance == (double)k + 1);
}

enum { SHELLS = 3000 };

static double distance[SHELLS], weights[SHELLS];
static struct shell room[SHELLS];

static void expect_radius_of_sorted(double weight)
{
    for (int k = 0; k < SHELLS; k++)
        room[k] = (struct shell){distance[k], weights[k]};
    const double radius = shells_radius(room, SHELLS, weight);
    const double near[] = {0, radius, 1.01 * radius, 0.97 * radius, 3 * radius, -radius, INFINITY};
    for (size_t k = 0; k < sizeof near / sizeof *near; k++)
        assert_true(shells_radius_near(distance, weights, SHELLS, weight, near[k], room) == radius);
}

/* Also at the sums of some weights exactly, where the order in which they are added decides. */
TEST(the_radius_is_the_same_wherever_it_is_sought_first)
{
    const double parts[] = {0, 0.01, 0.3, 0.5, 0.95, 0.99, 1, 1.1};
    for (int kind = 0; kind < 8; kind++) {
        double total = 0;
        for (int k = 0; k < SHELLS; k++) {
            const double even = fmod(0.6180339887498949 * (k + 1), 1);
            distance[k] = kind % 4 == 0   ? even - 0.3
                          : kind % 4 == 1 ? pow(10, 34 * even - 17)
                          : kind % 4 == 2 ? 1 + 1e-14 * even
                                          : (double)(k % 5);
            weights[k] = kind < 4 ? 0.1 : 0.1 + 0.1 * (k % 3);
            total += weights[k];
        }
        for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
            expect_radius_of_sorted(parts[p] * total);
    }
}

TEST(edges)
{
    struct shell shells[] = {{2, 1}, {1, 1}};
    assert_true(shells_radius(shells, 2, 0) == 1);
    assert_true(shells_radius(shells, 2, 3) == 2); /* more than there is */
    assert_true(shells_radius(shells, 0, 1) == 0);
}

/* ---- test_conservation ---- */

/* Drifts of conserved quantities against cases that can be worked out by hand. */

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

TEST(nothing_has_changed)
{
    const struct drift drift = measure(&start, &start, 0);
    assert_true(drift.energy == 0 && drift.momentum == 0 && drift.angular_momentum == 0);
    assert_true(drift.centre == 0);
}

TEST(drifts_are_relative_to_their_scales)
{
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

TEST(a_large_angular_momentum_is_its_own_scale)
{
    struct diagnostics from = start, now;
    from.angular_momentum[2] = 10;
    now = from;
    now.angular_momentum[2] = 9;
    assert_true(fabs(measure(&from, &now, 0).angular_momentum - 0.1) < 1e-14);
}

TEST(an_energy_near_zero_is_no_scale)
{
    struct diagnostics from = start, now;
    from.energy = 1e-9;
    now = from;
    now.energy = 0.008;
    assert_true(fabs(measure(&from, &now, 0).energy - 1) < 1e-6); /* a thousandth of 8 */
}

TEST(without_a_scale_any_change_is_infinite)
{
    const struct diagnostics nothing = {0};
    struct diagnostics now = {.momentum = {1, 0, 0}, .energy = -1};
    const struct drift drift = measure(&nothing, &now, 1);
    assert_true(isinf(drift.momentum) && isinf(drift.energy) && drift.energy < 0);
    assert_true(drift.angular_momentum == 0);
}

TEST(bodies_at_rest_have_a_scale)
{
    const struct diagnostics from = {.mass = 2, .potential = -8, .energy = -8};
    struct diagnostics now = from;
    now.momentum[0] = 0.4;
    now.angular_momentum[1] = 0.2;
    const double momentum = sqrt(2 * 0.008 * 2);
    const struct drift drift = measure(&from, &now, 1);
    assert_true(fabs(drift.momentum - 0.4 / momentum) < 1e-14);
    assert_true(fabs(drift.angular_momentum - 0.2 / (momentum * 0.5)) < 1e-14);
}

TEST(nan_stays_nan)
{
    struct diagnostics now = start;
    now.energy = now.momentum[1] = now.angular_momentum[0] = now.centre[2] = NAN;
    const struct drift drift = measure(&start, &now, 1);
    assert_true(isnan(drift.energy) && isnan(drift.momentum));
    assert_true(isnan(drift.angular_momentum) && isnan(drift.centre));
}

/* ---- test_energy_history ---- */

/* Where the energies of a film are taken, and that a film that was interrupted has the same ones.
 */

TEST(points_cover_a_film_of_any_length)
{
    static const uint64_t films[] = {1, 2, 3, 198, 199, 200, 201, 300, 398, 399, 1000, 123457};
    for (size_t i = 0; i < sizeof films / sizeof *films; i++) {
        struct energy_history *history = energy_history_create(films[i]);
        uint64_t due = 0, gap = 0, longest = 0;
        for (uint64_t frame = 0; frame < films[i]; frame++) {
            bool here = energy_history_due(history, frame);
            longest = gap > longest ? gap : longest;
            due += here;
            gap = here ? 1 : gap + 1;
        }
        assert_true(energy_history_due(history, 0) && gap == 1); /* the first and the last */
        assert_false(energy_history_due(history, films[i]));
        assert_in_range(due, films[i] < 100 ? films[i] : 100, ENERGY_POINTS_MAX);
        assert_true(due <= history->room);
        assert_int_equal(longest, films[i] > 1 ? history->every : 0);
        for (uint64_t p = 0; p < due + 5; p++)
            energy_history_add(history, &(struct energy_point){(double)p, 1, -2});
        assert_true(history->count <= history->room);
        energy_history_destroy(&history);
        assert_null(history);
        energy_history_destroy(&history);
    }
}

/* 198 steps lie between the first and the last. */
TEST(points_are_as_close_as_they_can_be)
{
    static const uint64_t films[][2] = {{199, 1}, {200, 2}, {397, 2}, {398, 3}, {595, 3}, {596, 4}};
    for (size_t i = 0; i < sizeof films / sizeof *films; i++) {
        struct energy_history *history = energy_history_create(films[i][0]);
        assert_int_equal(history->every, films[i][1]);
        energy_history_destroy(&history);
    }
}

TEST(views_bring_the_film_so_far)
{
    struct bodies *bodies = sphere_make(60, false, 3);
    struct simulation_params params = kdk_params(0.01, 2);
    struct simulation *simulation, *again, *plain;
    assert_ok(simulation_open(&simulation, &params, "cpu", 0, bodies));
    assert_ok(simulation_open(&again, &params, "cpu", 0, bodies));
    assert_ok(simulation_open(&plain, &params, "cpu", 0, bodies));
    assert_null(simulation_energy_history(plain));
    assert_ok(simulation_record_energy(simulation, 401)); /* 400 / 198: every third */
    struct view *early, *late;
    assert_ok(simulation_view_create(plain, &early));
    assert_ok(simulation_view_fill(plain, early));
    assert_true(!early->energy && early->energy_count == 0);
    simulation_view_destroy(plain, &early);
    assert_ok(simulation_view_create(simulation, &early));
    assert_ok(simulation_view_create(simulation, &late));
    assert_ok(simulation_advance(simulation, 4, NULL));
    assert_ok(simulation_view_fill(simulation, early));
    assert_int_equal(early->energy_count, 2);
    const struct energy_point second = early->energy[1];

    assert_ok(simulation_advance(plain, 3, NULL));
    struct diagnostics now;
    assert_ok(simulation_diagnose(plain, &now));
    assert_true(second.time == 0.06 && second.kinetic == now.kinetic);
    assert_true(second.potential == now.potential);

    assert_ok(simulation_advance(simulation, 12, NULL));
    assert_ok(simulation_view_fill(simulation, late));
    assert_int_equal(late->energy_count, 5);
    assert_ptr_equal(late->energy, early->energy);
    assert_int_equal(early->energy_count, 2);
    assert_memory_equal(&early->energy[1], &second, sizeof second);

    const struct energy_history *saved = simulation_energy_history(simulation);
    assert_ok(simulation_record_energy(again, 401));
    assert_ok(simulation_restore_energy(again, saved->points, 3)); /* as of frame 8 */
    assert_int_equal(simulation_energy_history(again)->count, 3);
    assert_memory_equal(simulation_energy_history(again)->points, saved->points,
                        3 * sizeof *saved->points);
    simulation_view_destroy(simulation, &early);
    simulation_view_destroy(simulation, &late);
    simulation_close(&simulation);
    simulation_close(&again);
    simulation_close(&plain);
    bodies_destroy(&bodies);
}

TEST(damaged_histories_are_refused)
{
    struct energy_history *history = energy_history_create(10);
    energy_history_add(history, &(struct energy_point){0, 1, -2});
    struct energy_point many[ENERGY_POINTS_MAX] = {{0}};
    assert_fails(energy_history_restore(history, many, 100), STATUS_USAGE, "another film");
    struct energy_point points[3] = {{0, 1, -2}, {2, 1, -2}, {1, 1, -2}};
    assert_fails(energy_history_restore(history, points, 3), STATUS_USAGE, "'3 of 3'");
    points[2].time = 2;
    assert_fails(energy_history_restore(history, points, 3), STATUS_USAGE, "order");
    points[2] = (struct energy_point){3, NAN, -2};
    assert_fails(energy_history_restore(history, points, 3), STATUS_USAGE, "not number");
    assert_int_equal(history->count, 1);
    points[0].time = 4; /* a film that runs backwards */
    points[2] = (struct energy_point){1, 1, -2};
    assert_ok(energy_history_restore(history, points, 3));
    assert_int_equal(history->count, 3);
    assert_ok(energy_history_restore(history, NULL, 0));
    assert_int_equal(history->count, 0);
    energy_history_destroy(&history);
}

TESTS(NULL, NULL)
