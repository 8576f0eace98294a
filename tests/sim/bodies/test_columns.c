/* Additional columns stay with their bodies. */
#include "tests/support/test.h"

#include "sim/bodies/components.h"
#include "sim/bodies/edit.h"

#include <math.h>

enum { DISK = 90, HALO = 30, TOTAL = DISK + HALO };

/* Body i is at x = i; "twice" is 2 i, and "odd" is missing for even bodies. */
static struct bodies *make_bodies(void)
{
    struct bodies *bodies;
    assert_ok(bodies_create(&bodies, TOTAL, 2));
    bodies->components[0] = (struct component){.name = "disk", .count = DISK, .draw = true};
    bodies->components[1] =
        (struct component){.name = "halo", .first = DISK, .count = HALO, .draw = true};
    assert_ok(body_columns_add(&bodies->columns, "twice", "kpc", false, TOTAL));
    assert_ok(body_columns_add(&bodies->columns, "odd", "", true, TOTAL));
    for (size_t i = 0; i < TOTAL; i++) {
        bodies->mass[i] = 1;
        bodies->position[i][0] = (double)i;
        bodies->columns.list[0].value[i] = 2 * (double)i;
        bodies->columns.list[1].value[i] = i % 2 ? (double)i : NAN;
    }
    return bodies;
}

static void assert_they_follow(const struct bodies *bodies)
{
    const struct body_column *twice = body_columns_find(&bodies->columns, "twice"),
                             *odd = body_columns_find(&bodies->columns, "odd");
    assert_non_null(twice);
    assert_non_null(odd);
    for (size_t i = 0; i < bodies->count; i++) {
        const double own = bodies->position[i][0];
        assert_true(twice->value[i] == 2 * own);
        assert_true(fmod(own, 2) == 1 ? odd->value[i] == own : isnan(odd->value[i]));
    }
}

TEST(they_follow_their_bodies)
{
    struct bodies *bodies = make_bodies(), *copy;
    bool dropped[TOTAL] = {false};
    for (size_t i = 0; i < TOTAL; i++)
        dropped[i] = i % 3 == 0;
    assert_ok(bodies_copy(&copy, bodies));
    assert_string_equal(copy->columns.list[0].unit, "kpc");
    assert_true(copy->columns.list[1].single && !copy->columns.list[0].single);
    assert_they_follow(copy);
    bodies_drop(copy, dropped);
    assert_int_equal(copy->count, TOTAL * 2 / 3);
    assert_they_follow(copy);
    assert_ok(bodies_thin(copy, 17));
    assert_they_follow(copy);
    bodies_destroy(&copy);
    assert_ok(bodies_copy(&copy, bodies));
    assert_ok(bodies_select(copy, "halo"));
    assert_int_equal(copy->count, HALO);
    assert_they_follow(copy);
    assert_ok(bodies_make_room(copy, 5000));
    assert_they_follow(copy);
    bodies_destroy(&copy);
    bodies_destroy(&bodies);
}

TEST(they_are_sorted_with_them)
{
    uint32_t group[TOTAL];
    size_t size[7];
    struct bodies *bodies = make_bodies();
    for (size_t i = 0; i < TOTAL; i++)
        group[i] = (uint32_t)(i * 5 % 7);
    bodies_sort(bodies, group, 7, size);
    assert_true(bodies->position[1][0] != 1);
    assert_they_follow(bodies);
    bodies_destroy(&bodies);
}

/* Ranges of ids that leave some bodies out. */
TEST(they_are_arranged_by_ids)
{
    char file[] = "x", name[] = "part", none[] = "";
    struct component_params ranges[] = {{name, none, 60, 99, true, 1, 0},
                                        {name, none, 1, 20, true, 1, 0}};
    const struct bodies_params params = {
        .file = file, .components = ranges, .component_count = 2, .by_id = true};
    struct bodies *bodies = make_bodies();
    assert_ok(bodies_add_ids(bodies, TOTAL));
    for (size_t i = 0; i < TOTAL; i++)
        bodies->id[i] = TOTAL - i;
    assert_ok(bodies_arrange(bodies, &params, NULL));
    assert_int_equal(bodies->count, 60);
    assert_they_follow(bodies);
    bodies_destroy(&bodies);
}

TEST(they_follow_into_galaxies)
{
    double length;
    struct bodies *bodies = make_bodies();
    for (size_t i = 0; i < TOTAL; i++)
        bodies->position[i][1] = i % 2 ? 500 : 0;
    assert_ok(bodies_detect(bodies, 2, &length));
    assert_int_equal(bodies->component_count, 4);
    assert_they_follow(bodies);
    bodies_destroy(&bodies);
}

TEST(ranges_pass_over_what_is_missing)
{
    struct bodies *bodies = make_bodies();
    struct body_column_range range = body_column_range(&bodies->columns.list[1], TOTAL);
    assert_true(range.least == 1 && range.largest == TOTAL - 1 && range.missing == TOTAL / 2);
    bodies->columns.list[1].value[1] = INFINITY;
    range = body_column_range(&bodies->columns.list[1], 3);
    assert_true(isnan(range.least) && isnan(range.largest) && range.missing == 3);
    assert_null(body_columns_find(&bodies->columns, "Odd"));
    body_columns_lack(&bodies->columns, 7);
    assert_true(isnan(bodies->columns.list[0].value[7]));
    body_columns_remove(&bodies->columns, 0);
    assert_int_equal(bodies->columns.count, 1);
    assert_string_equal(bodies->columns.list[0].name, "odd");
    bodies_destroy(&bodies);
}

TESTS(NULL, NULL)
