/* Galaxies found by friends of friends. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "base/log.h"
#include "sim/bodies/components.h"
#include "sim/models/models.h"

#include <math.h>

enum { A = 300, B = 200, FAR = 5, COUNT = A + B + FAR };

static double wave(size_t i, int k)
{
    const double x = sin((double)(i + 1) * (12.9898 + 65.7 * k)) * 43758.5453;
    return x - floor(x) - 0.5;
}

/* A cloud of 300, one of 200 at some distance, mixed, and some bodies far from both. */
static struct bodies *make(double distance)
{
    struct bodies *bodies;
    assert_ok(bodies_create(&bodies, COUNT, 2));
    assert_ok(bodies_add_ids(bodies, COUNT));
    for (size_t i = 0; i < COUNT; i++) {
        const bool b = i % 5 < 2; /* 200 of 500 */
        bodies->mass[i] = 1;
        bodies->id[i] = i < A + B ? (b ? 2 : 1) : 3;
        for (int k = 0; k < 3; k++)
            bodies->position[i][k] = wave(i, k) + (b && k == 0 ? distance : 0);
        if (i >= A + B)
            bodies->position[i][1] = 30 + (double)i;
    }
    bodies->components[0] =
        (struct component){.name = "halo", .count = COUNT / 2, .draw = false, .light = 1};
    bodies->components[1] = (struct component){
        .name = "disk", .first = COUNT / 2, .count = COUNT - COUNT / 2, .draw = true, .light = 2};
    return bodies;
}

TEST(two_clouds)
{
    struct bodies *bodies = make(3);
    double length;
    assert_ok(bodies_detect(bodies, 2, &length));
    assert_true(length > 0.02 && length < 2.1);
    assert_int_equal(bodies->component_count, 4);
    size_t first = 0;
    for (size_t c = 0; c < 4; c++) {
        const struct component *component = &bodies->components[c];
        assert_string_equal(component->galaxy, c < 2 ? "galaxy 1" : "galaxy 2");
        assert_string_equal(component->name, c % 2 ? "disk" : "halo");
        assert_true(component->draw == (c % 2 == 1) && component->light == 1 + (double)(c % 2));
        assert_int_equal(component->first, first);
        for (size_t i = first; i < first + component->count; i++) {
            if (bodies->id[i] != 3)
                assert_int_equal(bodies->id[i], c < 2 ? 1 : 2);
            assert_true(bodies->id[i] != 3 || bodies->position[i][1] > 30);
        }
        first += component->count;
    }
    assert_int_equal(first, COUNT);
    bodies_destroy(&bodies);
}

TEST(what_is_one_cloud)
{
    struct bodies *bodies = make(0);
    double length;
    assert_ok(bodies_detect(bodies, 1, &length));
    assert_int_equal(bodies->component_count, 2);
    assert_int_equal(bodies->components[0].count + bodies->components[1].count, COUNT);
    for (size_t i = 0; i < COUNT; i++)
        for (int k = 0; k < 3; k++)
            bodies->position[i][k] = 1;
    assert_fails(bodies_detect(bodies, 2, &length), STATUS_USAGE, "bodies.detect form 2 groups");
    bodies_destroy(&bodies);
}

/* Ids 1 to 20000 and 40001 to 50000 are galaxy A of these, the others galaxy B. */
TEST(a_real_pair)
{
    struct bodies_params params = {.model = choose(&model_registry, "file"),
                                   .file = (char *)test_data("gadget2/galaxy_littleendian.dat"),
                                   .use = "",
                                   .detect = 2,
                                   .position_scale = 1,
                                   .velocity_scale = 1,
                                   .mass_scale = 1};
    struct bodies *bodies;
    assert_ok(bodies_make(&params, &bodies));
    assert_int_equal(bodies->component_count, 4);
    size_t of_b[4] = {0};
    for (size_t c = 0; c < 4; c++) {
        const struct component *component = &bodies->components[c];
        for (size_t i = component->first; i < component->first + component->count; i++) {
            const uint64_t id = bodies->id[i];
            of_b[c] += (id > 20000 && id <= 40000) || id > 50000;
        }
    }
    const bool first = of_b[1] > 5000; /* B is the first one */
    for (size_t c = 0; c < 4; c++) {   /* halo and disk of either */
        const size_t right = (c < 2) == first ? of_b[c] : bodies->components[c].count - of_b[c];
        const size_t all = c % 2 ? 10000 : 20000, wrong = bodies->components[c].count - right;
        if (wrong > 20 || right + 20 < all)
            fail_msg("of component %zu %zu bodies are right and %zu wrong", c, right, wrong);
    }
    bodies_destroy(&bodies);
}

int main(void)
{
    log_set_level(LOG_ERROR);
    return tests_run(__FILE__, NULL, NULL);
}
