/* Selection of components, thinning, scaling and centring. */
#include "tests/support/test.h"

#include <math.h>

#include "sim/bodies/edit.h"
#include "sim/bodies/bodies_whole.h"

static const struct {
    const char *name, *galaxy;
    size_t count;
} parts[] = {{"disk", "A", 100}, {"bulge", "A", 7}, {"disk", "B", 200}, {"halo", "", 1}};

enum { PARTS = sizeof parts / sizeof *parts, TOTAL = 308 };

/* Body i is at x = i, with a mass that differs from its neighbours'. */
static struct bodies *make_bodies(void)
{
    struct bodies *bodies;
    assert_ok(bodies_create(&bodies, TOTAL, PARTS));
    size_t first = 0;
    for (size_t c = 0; c < PARTS; c++) {
        struct component *component = &bodies->components[c];
        *component = (struct component){.first = first, .count = parts[c].count, .draw = c != 3};
        snprintf(component->name, sizeof component->name, "%s", parts[c].name);
        snprintf(component->galaxy, sizeof component->galaxy, "%s", parts[c].galaxy);
        first += parts[c].count;
    }
    for (size_t i = 0; i < TOTAL; i++) {
        bodies->mass[i] = 1 + 0.1 * sin((double)i);
        for (int k = 0; k < 3; k++) {
            bodies->position[i][k] = (double)i + 0.25 * k;
            bodies->velocity[i][k] = -2.0 * (double)i + k;
        }
    }
    return bodies;
}

static double mass_of(const struct bodies *bodies, size_t c)
{
    double sum = 0;
    for (size_t i = 0; i < bodies->components[c].count; i++)
        sum += bodies->mass[bodies->components[c].first + i];
    return sum;
}

static void assert_contiguous(const struct bodies *bodies)
{
    size_t next = 0;
    for (size_t c = 0; c < bodies->component_count; c++) {
        assert_int_equal(bodies->components[c].first, next);
        assert_true(bodies->components[c].count > 0);
        next += bodies->components[c].count;
    }
    assert_int_equal(next, bodies->count);
}

TEST(select_all_changes_nothing)
{
    struct bodies *bodies = make_bodies();
    assert_ok(bodies_select(bodies, "all"));
    assert_ok(bodies_select(bodies, ""));
    assert_int_equal(bodies->count, TOTAL);
    assert_int_equal(bodies->component_count, PARTS);
    bodies_destroy(&bodies);
}

TEST(select_by_name_and_galaxy)
{
    struct bodies *bodies = make_bodies();
    assert_ok(bodies_select(bodies, "halo, B/disk"));
    assert_int_equal(bodies->count, 201);
    assert_int_equal(bodies->component_count, 2);
    assert_contiguous(bodies);
    assert_string_equal(bodies->components[0].galaxy, "B");
    assert_string_equal(bodies->components[1].name, "halo");
    assert_false(bodies->components[1].draw);
    assert_true(bodies->position[0][0] == 107 && bodies->position[200][0] == 307);
    assert_true(bodies->velocity[0][1] == -213 && bodies->mass[200] == 1 + 0.1 * sin(307));
    bodies_destroy(&bodies);

    bodies = make_bodies();
    assert_ok(bodies_select(bodies, "disk"));
    assert_int_equal(bodies->count, 300);
    assert_contiguous(bodies);
    bodies_destroy(&bodies);
}

TEST(select_names_what_it_does_not_know)
{
    static const char *const bad[] = {"gas",    "disk,gas", "disk,", ",",
                                      "A/halo", "dis",      "A/",    "/disk"};
    struct bodies *bodies = make_bodies();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(bodies_select(bodies, bad[i]), STATUS_USAGE,
                     "bodies.use A/disk A/bulge B/disk halo");
    assert_fails(bodies_select(bodies, "disk,gas"), STATUS_USAGE, "gas");
    assert_int_equal(bodies->count, TOTAL);
    bodies_destroy(&bodies);
}

TEST(thin_keeps_masses_and_spreads_evenly)
{
    static const size_t counts[] = {4, 5, 17, 100, 154, 307, 308};
    for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
        struct bodies *bodies = make_bodies();
        double before[PARTS];
        for (size_t c = 0; c < PARTS; c++)
            before[c] = mass_of(bodies, c);
        assert_ok(bodies_thin(bodies, counts[n]));
        assert_int_equal(bodies->count, counts[n]);
        assert_int_equal(bodies->component_count, PARTS);
        assert_contiguous(bodies);
        for (size_t c = 0; c < PARTS; c++) {
            const struct component *component = &bodies->components[c];
            assert_true(fabs(mass_of(bodies, c) / before[c] - 1) < 1e-12);
            double exact = (double)parts[c].count * (double)counts[n] / TOTAL;
            if (counts[n] > 17)
                assert_true(fabs((double)component->count - exact) <= 1);
            /* the gaps between kept rows differ by one at most */
            double stride = (double)parts[c].count / (double)component->count;
            for (size_t i = component->first + 1; i < component->first + component->count; i++) {
                double gap = bodies->position[i][0] - bodies->position[i - 1][0];
                assert_true(gap >= floor(stride) && gap <= ceil(stride));
            }
        }
        bodies_destroy(&bodies);
    }
}

TEST(thin_below_the_number_of_components)
{
    for (size_t count = 1; count < PARTS; count++) {
        struct bodies *bodies = make_bodies();
        assert_ok(bodies_thin(bodies, count));
        assert_int_equal(bodies->count, count);
        assert_contiguous(bodies);
        assert_string_equal(bodies->components[bodies->component_count - 1].galaxy, "B");
        bodies_destroy(&bodies);
    }
}

TEST(thin_refuses_what_is_not_there)
{
    struct bodies *bodies = make_bodies();
    assert_fails(bodies_thin(bodies, TOTAL + 1), STATUS_USAGE, "308");
    assert_fails(bodies_thin(bodies, SIZE_MAX), STATUS_USAGE, "308");
    assert_fails(bodies_thin(bodies, 0), STATUS_USAGE, "least one");
    assert_int_equal(bodies->count, TOTAL);
    bodies_destroy(&bodies);
}

TEST(thin_with_massless_rows)
{
    struct bodies *bodies;
    assert_ok(bodies_create(&bodies, 9, 1));
    bodies->components[0] = (struct component){.name = "bodies", .count = 9};
    bodies->mass[0] = 3; /* the one that is not kept */
    assert_ok(bodies_thin(bodies, 2));
    assert_true(bodies->mass[0] == 1.5 && bodies->mass[1] == 1.5);
    bodies_destroy(&bodies);
}

TEST(scale_multiplies)
{
    struct bodies *bodies = make_bodies();
    double mass = bodies->mass[9];
    bodies_scale(bodies, 2, -3, 0.5);
    assert_true(bodies->position[9][2] == 19 && bodies->velocity[9][2] == 48);
    assert_true(bodies->mass[9] == 0.5 * mass);
    bodies_destroy(&bodies);
}

TEST(centre_is_at_rest_at_the_origin)
{
    struct bodies *bodies = make_bodies();
    assert_ok(whole_centre(bodies, 0, bodies->component_count));
    for (int k = 0; k < 3; k++) {
        double x = 0, v = 0;
        for (size_t i = 0; i < TOTAL; i++) {
            x += bodies->mass[i] * bodies->position[i][k];
            v += bodies->mass[i] * bodies->velocity[i][k];
        }
        assert_true(fabs(x) < 1e-9 && fabs(v) < 1e-9);
    }
    for (size_t i = 0; i < TOTAL; i++)
        bodies->mass[i] = 0;
    double x = bodies->position[5][0];
    assert_ok(whole_centre(bodies, 0, bodies->component_count));
    assert_true(bodies->position[5][0] == x);
    bodies_destroy(&bodies);
}

TEST(drawn_bodies_are_walked_in_order)
{
    struct bodies *bodies = make_bodies();
    assert_int_equal(bodies_drawn(bodies, 0), 0);
    assert_int_equal(bodies_drawn(bodies, 150), 150);
    assert_int_equal(bodies_drawn(bodies, TOTAL - 1), TOTAL); /* the halo */
    assert_int_equal(bodies_drawn(bodies, TOTAL), TOTAL);
    bodies->components[0].draw = bodies->components[2].draw = false;
    assert_int_equal(bodies_drawn(bodies, 0), 100);
    assert_int_equal(bodies_drawn(bodies, 106), 106);
    assert_int_equal(bodies_drawn(bodies, 107), TOTAL);
    bodies->components[0] = (struct component){.draw = true}; /* empty */
    assert_int_equal(bodies_drawn(bodies, 0), 100);
    bodies_destroy(&bodies);
}

TESTS(NULL, NULL)
