/* Estimates of how bodies will move. */
#include "tests/support/test.h"

#include "base/memory.h"
#include "sim/motion.h"
#include "tests/support/choose.h"
#include "sim/models/models.h"

#include <math.h>
#include <stdlib.h>

static struct bodies *plummer(double length, double velocity)
{
    const struct bodies_params params = {.model = choose(&model_registry, "plummer"),
                                         .count = 4096,
                                         .seed = 1,
                                         .use = "",
                                         .file = "",
                                         .position_scale = length,
                                         .velocity_scale = velocity,
                                         .mass_scale = 1};
    struct bodies *bodies;
    assert_ok(bodies_make(&params, &bodies));
    return bodies;
}

static void near(double found, double expected, double part)
{
    if (!(fabs(found - expected) <= part * expected))
        fail_msg("%.6g instead of %.6g", found, expected);
}

/* In N-body units: gravitational radius 2, half of the mass within 0.77, 90 % within 2.18. */
TEST(a_sphere_in_equilibrium)
{
    struct bodies *bodies = plummer(1, 1);
    struct motion motion;
    assert_true(motion_measure(bodies, 0, &motion));
    near(motion.virial, 1, 0.15);
    near(motion.half, 0.77, 0.1);
    near(motion.time, sqrt(2.18 * 2.18 * 2.18), 0.1);
    near(motion.softening, 0.4 * 2 / 16, 0.2);
    assert_true(motion.dt > 0.005 && motion.dt < 0.05);
    bodies_destroy(&bodies);
}

/* A thousand times as large and in equilibrium: everything scales as gravity does. */
TEST(units_do_not_matter)
{
    struct bodies *small = plummer(1, 1), *large = plummer(1000, sqrt(1e-3));
    for (size_t i = 0; i < large->count; i++)
        for (int c = 0; c < 3; c++) { /* elsewhere, and on its way */
            large->position[i][c] += 5e4;
            large->velocity[i][c] += 7;
        }
    struct motion a, b;
    assert_true(motion_measure(small, 0, &a));
    assert_true(motion_measure(large, 0, &b));
    near(b.virial, a.virial, 1e-6);
    near(b.softening, 1000 * a.softening, 1e-6);
    near(b.time, sqrt(1e9) * a.time, 1e-6);
    near(b.dt, sqrt(1e9) * a.dt, 1e-6);
    bodies_destroy(&small);
    bodies_destroy(&large);
}

/* What matters is how dense it is where bodies are, not how far apart two crowds of them are, nor
 * that most of the mass lies in a wide halo. */
TEST(crowds_far_apart)
{
    struct bodies *one = plummer(1, 1), *two, *wide = plummer(20, 1);
    struct motion alone, apart, within;
    assert_true(motion_measure(one, 0, &alone));
    near(alone.softening, 0.043, 0.15); /* (V / N)^(1/3) is 0.086 for a quarter of 4096 */
    near(alone.turn, sqrt(3 * M_PI / 0.384), 0.15); /* 1 / (4096 * 0.086^3) */

    assert_ok(bodies_create(&two, 2 * one->count, 1));
    for (size_t i = 0; i < two->count; i++) {
        const size_t k = i / 2;
        two->mass[i] = one->mass[k];
        for (int c = 0; c < 3; c++) {
            two->position[i][c] = one->position[k][c] + (c == 0 && i % 2 ? 50 : 0);
            two->velocity[i][c] = one->velocity[k][c];
        }
    }
    assert_true(motion_measure(two, 0, &apart));
    near(apart.softening, alone.softening, 0.2);
    near(apart.turn, alone.turn, 0.2);
    assert_true(apart.time > 20 * alone.time);

    for (size_t i = 0; i < two->count; i++) {
        const struct bodies *from = i % 2 ? wide : one;
        two->mass[i] = (i % 2 ? 10 : 1) * from->mass[i / 2];
        for (int c = 0; c < 3; c++)
            two->position[i][c] = from->position[i / 2][c];
    }
    assert_true(motion_measure(two, 0, &within));
    assert_true(within.softening > alone.softening && within.softening < 1.6 * alone.softening);
    bodies_destroy(&one);
    bodies_destroy(&two);
    bodies_destroy(&wide);
}

TEST(what_flies_apart)
{
    struct bodies *bodies = plummer(1, 5);
    struct motion motion;
    assert_true(motion_measure(bodies, 0, &motion));
    near(motion.virial, 25, 0.15);
    near(motion.time, 2 * motion.most / (5 * sqrt(0.5)), 0.1);
    bodies_destroy(&bodies);
}

TEST(bodies_that_say_nothing)
{
    struct bodies *bodies;
    struct motion motion;
    assert_ok(bodies_create(&bodies, 3, 1));
    assert_false(motion_measure(bodies, 0, &motion)); /* tracers */
    bodies->mass[0] = 1;
    assert_false(motion_measure(bodies, 0, &motion)); /* one alone */
    bodies->mass[1] = 1;
    assert_false(motion_measure(bodies, 0, &motion)); /* in one place */
    bodies->position[1][0] = 1;
    assert_true(motion_measure(bodies, 0, &motion));
    assert_true(motion.softening <= 0.05 + 1e-12);
    bodies_destroy(&bodies);
}

/* A star, two planets and the moon of the inner one; a comet that escapes does not count. */
TEST(planets_have_periods)
{
    static const double rows[5][4] = {/* mass, x, vy, vx */
                                      {1, 0, 0, 0},
                                      {1e-3, 1, 1, 0},
                                      {1e-9, 1.01, 1.3162, 0},
                                      {1e-4, 4, 0.5, 0},
                                      {1e-9, 2, 3, 3}};
    struct bodies *bodies;
    struct orbits orbits;
    assert_ok(bodies_create(&bodies, 5, 1));
    bodies->components[0] = (struct component){.count = 5, .draw = true};
    for (size_t i = 0; i < 5; i++) {
        bodies->mass[i] = rows[i][0];
        bodies->position[i][0] = rows[i][1];
        bodies->velocity[i][1] = rows[i][2];
        bodies->velocity[i][0] = rows[i][3];
    }
    assert_true(motion_orbits(bodies, &orbits));
    assert_int_equal(orbits.count, 2);
    near(orbits.longest, 2 * M_PI * 8, 1e-3);
    near(orbits.shortest, 2 * M_PI * sqrt(1e-6 / 1e-3), 1e-2);
    near(orbits.closest, 0.01, 1e-2);
    bodies->velocity[1][1] = bodies->velocity[2][1] = 2;
    bodies->velocity[3][1] = 0.8;
    assert_false(motion_orbits(bodies, &orbits)); /* nothing is bound */
    bodies->velocity[3][1] = 0.5;
    bodies->mass[1] = 0.5;
    assert_false(motion_orbits(bodies, &orbits)); /* two stars */
    bodies_destroy(&bodies);
}

TESTS(NULL, NULL)
