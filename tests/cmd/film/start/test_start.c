/* Measurements at the start of bodies with known positions. */
#include "sim/bodies/bodies.h"
#include "tests/support/test.h"

#include "cmd/film/start/scales.h"

#include <math.h>

enum { DRAWN = 101, HIDDEN = 50 };

/* Drawn body i is i from (0, 0, 1), moves at i / 10 and has the mass 2; the others are far away,
 * fast and heavy. */
static struct bodies *make(void)
{
    struct bodies *bodies;
    assert_ok(bodies_create(&bodies, DRAWN + HIDDEN, 2));
    bodies->components[0] = (struct component){.count = HIDDEN};
    bodies->components[1] = (struct component){.first = HIDDEN, .count = DRAWN, .draw = true};
    for (size_t i = 0; i < HIDDEN; i++) {
        bodies->position[i][0] = bodies->velocity[i][0] = 1e6;
        bodies->mass[i] = 1e6;
    }
    for (size_t k = 0; k < DRAWN; k++) {
        const size_t i = HIDDEN + k, far = 37 * k % DRAWN; /* in no order */
        bodies->position[i][k % 2] = k % 3 ? (double)far : -(double)far;
        bodies->position[i][2] = 1;
        bodies->velocity[i][2] = (double)far / 10;
        bodies->mass[i] = 2;
    }
    return bodies;
}

static double radius(struct start *start, const double target[3], double fraction)
{
    double out;
    assert_ok(start_radius(start, target, fraction, &out));
    return out;
}

static double mean_mass(const struct start *start)
{
    double out;
    assert_ok(start_mean_mass(start, &out));
    return out;
}

TEST(percentiles_are_of_drawn_bodies)
{
    struct bodies *bodies = make();
    struct start start;
    const double target[3] = {0, 0, 1};
    assert_ok(start_open(&start, bodies));
    assert_true(fabs(radius(&start, target, 0.5) - 50) < 1e-12);
    assert_true(fabs(radius(&start, target, 0.99) - 99) < 1e-12);
    double speed, length;
    assert_ok(start_speed(&start, 1, &speed));
    assert_true(fabs(speed - 10) < 1e-12);
    assert_ok(start_length(&start, bodies->velocity, 0.25, &length));
    assert_true(fabs(length - 2.5) < 1e-12);
    assert_true(mean_mass(&start) == 2);
    bodies->components[1].draw = false;
    assert_true(radius(&start, target, 0.5) == 0);
    assert_true(mean_mass(&start) == 0);
    start_close(&start);
    start_close(&start);
    bodies_destroy(&bodies);
}

TEST(the_view_has_all_bodies)
{
    struct bodies *bodies = make();
    struct start start;
    assert_ok(start_open(&start, bodies));
    assert_int_equal(start.view.count, bodies->count);
    assert_int_equal(start.view.frame, 0);
    for (size_t i = 0; i < bodies->count; i++) {
        for (size_t c = 0; c < 3; c++)
            assert_true(start.view.position[4 * i + c] == (float)bodies->position[i][c]);
        assert_true(start.view.position[4 * i + 3] == (float)bodies->mass[i]);
    }
    start_close(&start);
    bodies_destroy(&bodies);
}

TESTS(NULL, NULL)
