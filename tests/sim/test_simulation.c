#include "tests/support/forces/kdk_params.h"
#include "tests/support/test.h"
#include "tests/support/forces/sphere.h"
#include "sim/simulation.h"

#include <math.h>

static struct simulation *start(const struct simulation_params *params, const struct bodies *bodies)
{
    struct simulation *simulation = NULL;
    assert_ok(simulation_open(&simulation, params, "cpu", 0, bodies));
    return simulation;
}

TEST(test_frames)
{
    const size_t n = 50;
    struct bodies *bodies = sphere_make(n, false, 1), *one = sphere_make(n, false, 1),
                  *two = sphere_make(n, false, 1);
    struct simulation_params params = kdk_params(0.01, 3);
    struct simulation *leap = start(&params, bodies), *walk = start(&params, bodies);
    assert_ok(simulation_advance(leap, 0, NULL));
    assert_true(simulation_step(leap) == 0 && simulation_time(leap) == 0);
    assert_ok(simulation_save(leap, one));
    assert_memory_equal(one->position, bodies->position, n * sizeof *one->position);

    assert_ok(simulation_advance(leap, 4, NULL));
    for (uint64_t frame = 1; frame <= 4; frame++)
        assert_ok(simulation_advance(walk, frame, NULL));
    assert_true(simulation_step(leap) == 12 && simulation_step(walk) == 12);
    assert_true(simulation_time(leap) == 12 * 0.01);
    assert_ok(simulation_save(leap, one));
    assert_ok(simulation_save(walk, two));
    assert_memory_equal(one->position, two->position, n * sizeof *one->position);
    assert_memory_not_equal(one->position, bodies->position, n * sizeof *one->position);
    assert_true(simulation_solver(leap)->interactions == 13.0 * n * n);

    struct view *view = NULL;
    assert_ok(simulation_view_create(leap, &view));
    assert_ok(simulation_view_fill(leap, view));
    assert_true(view->frame == 4 && view->step == 12 && view->time == 12 * 0.01);
    for (size_t i = 0; i < n; i++)
        assert_true(view->position[4 * i + 1] == (float)one->position[i][1]);
    simulation_view_destroy(leap, &view);
    simulation_close(&leap);
    simulation_close(&leap);
    simulation_close(&walk);
    bodies_destroy(&bodies);
    bodies_destroy(&one);
    bodies_destroy(&two);
}

TEST(watched_bodies_are_in_views)
{
    static const size_t first[] = {49, 7}, then[] = {0};
    static const uint64_t others[] = {30};
    struct bodies *bodies = sphere_make(50, false, 1);
    struct simulation_params params = kdk_params(0.01, 3);
    struct simulation *simulation = start(&params, bodies);
    struct view *view = NULL;
    simulation_follow(simulation, first, 2);
    simulation_watch(simulation, others, 1);
    assert_ok(simulation_view_create(simulation, &view));
    assert_ok(simulation_advance(simulation, 2, NULL));
    assert_ok(simulation_view_fill(simulation, view));
    for (int k = 0; k < 2; k++) {
        assert_memory_equal(view->followed[k], view->position + 4 * first[k], sizeof(float[4]));
        assert_memory_equal(view->followed[k] + 4, view->velocity + 4 * first[k], sizeof(float[3]));
    }
    simulation_follow(simulation, then, 1);
    assert_ok(simulation_view_fill(simulation, view));
    assert_memory_equal(view->followed[0], view->position, sizeof(float[4]));
    assert_memory_equal(view->watched[VIEW_FOLLOWED_MAX], view->position + 4 * others[0],
                        sizeof(float[4]));
    simulation_view_destroy(simulation, &view);
    simulation_close(&simulation);
    bodies_destroy(&bodies);
}

static float halved(const void *by, double number)
{
    (void)by;
    return (float)(number / 2);
}

/* Columns of the bodies are in all views, once in memory; views have what they were asked for. */
TEST(test_columns)
{
    enum { N = 20 };
    struct bodies *bodies = sphere_make(N, false, 1);
    assert_ok(body_columns_add(&bodies->columns, "Age", "Gyr", false, N));
    for (int i = 0; i < N; i++)
        bodies->columns.list[0].value[i] = 3 * i;
    const struct column_ask asks[] = {{.name = "age", .of = "Age"},
                                      {.name = COLUMN_ACCELERATION},
                                      {.name = "half", .of = "Age", .as = halved}};
    struct simulation_params params = kdk_params(0.01, 3);
    struct simulation *simulation = start(&params, bodies);
    bodies_destroy(&bodies);
    struct view *views[2];
    assert_false(simulation_has_absences(simulation));
    assert_fails(simulation_ask_columns(simulation, &(struct column_ask){.name = "age"}, 1, 0),
                 STATUS_USAGE, "column views age");
    assert_ok(simulation_ask_columns(simulation, asks, 3, 0));
    for (int v = 0; v < 2; v++) {
        static double a[N][3];
        assert_ok(simulation_view_create(simulation, &views[v]));
        assert_ok(simulation_advance(simulation, (uint64_t)v, NULL));
        assert_ok(simulation_view_fill(simulation, views[v]));
        assert_ok(simulation_accelerations(simulation, a));
        const struct view_column *age = view_column(views[v], "age");
        const float *half = view_values(views[v], "half"),
                    *size = view_values(views[v], COLUMN_ACCELERATION);
        assert_int_equal(views[v]->column_count, 3);
        assert_true(age->constant && age->memory == VIEW_HOST);
        assert_ptr_equal(age->value, view_values(views[0], "age"));
        assert_null(view_column(views[v], COLUMN_DISTANCE));
        for (int i = 0; i < N; i++) {
            const double found = hypot(hypot(a[i][0], a[i][1]), a[i][2]);
            assert_true(age->value[i] == (float)(3 * i) && half[i] == 1.5f * (float)i);
            assert_near((double)size[i], found, 1e-6 * found);
        }
    }
    const struct bodies *now;
    assert_ok(simulation_bodies(simulation, &now));
    assert_true(now->columns.count == 1 && now->columns.list[0].value[7] == 21);
    for (int v = 0; v < 2; v++)
        simulation_view_destroy(simulation, &views[v]);
    simulation_close(&simulation);
}

TEST(test_conserved)
{
    struct bodies *bodies = sphere_make(200, true, 4);
    struct simulation_params params = kdk_params(0.005, 20);
    struct simulation *simulation = start(&params, bodies);
    struct diagnostics first, last;
    assert_ok(simulation_diagnose(simulation, &first));
    assert_ok(simulation_advance(simulation, 5, NULL));
    assert_ok(simulation_diagnose(simulation, &last));
    assert_near(first.mass, 1, 1e-12);
    assert_near(first.energy, first.kinetic + first.potential, 1e-15);
    assert_true(fabs(last.kinetic / first.kinetic - 1) > 0.01);
    assert_true(fabs(last.energy / first.energy - 1) < 1e-3);
    for (int c = 0; c < 3; c++) {
        assert_near(last.momentum[c], first.momentum[c], 1e-7);
        assert_near(last.angular_momentum[c], first.angular_momentum[c], 1e-6);
        assert_near(last.centre[c], first.centre[c] + 0.5 * first.momentum[c], 1e-6);
    }
    simulation_close(&simulation);
    bodies_destroy(&bodies);
}

/* Two components, one of them without mass: shells at known distances from their own centres. */
TEST(test_half_mass)
{
    struct bodies *bodies;
    double radius[3] = {-1, -1, -1};
    assert_ok(bodies_create(&bodies, 9, 3));
    for (int i = 0; i < 8; i++) {
        double side = i % 2 ? 1 : -1, distance = 1 + i % 4 / 2;
        bodies->position[i][0] = (i < 4 ? 10 : -20) + side * distance;
        bodies->mass[i] = i >= 4 ? 0 : distance == 1 ? 1 : 3;
    }
    bodies->components[0].count = 4;
    bodies->components[1].first = 4;
    bodies->components[1].count = 4;
    bodies->components[2].first = 8;
    assert_ok(diagnostics_half_mass(bodies, radius));
    assert_near(radius[0], 2, 1e-15); /* 3/4 of the mass is in the outer pair */
    assert_near(radius[1], 1, 1e-15); /* half of the bodies */
    assert_true(radius[2] == 0);
    bodies_destroy(&bodies);
}

TEST(test_stop)
{
    struct bodies *bodies = sphere_make(10, true, 4);
    struct simulation_params params = kdk_params(0.01, 1000);
    struct simulation *simulation = start(&params, bodies);
    volatile int stop = 1;
    assert_int_equal(simulation_advance(simulation, 1000000, &stop), STATUS_STOPPED);
    assert_true(simulation_step(simulation) == 0);
    stop = 0;
    assert_ok(simulation_advance(simulation, 1, &stop));
    assert_true(simulation_step(simulation) == 1000);
    simulation_close(&simulation);
    bodies_destroy(&bodies);
}

TEST(test_overflow)
{
    struct bodies *bodies = sphere_make(10, true, 4);
    struct simulation_params params = kdk_params(1e200, 4);
    struct simulation *simulation = start(&params, bodies);
    assert_fails(simulation_advance(simulation, 1, NULL), STATUS_RUNTIME,
                 "body 1 no longer finite step 4 simulation.dt 1e+200");
    simulation_close(&simulation);
    bodies_destroy(&bodies);
}

TEST(test_refusals)
{
    struct bodies *bodies = sphere_make(10, true, 4);
    struct simulation *simulation = NULL;
    struct simulation_params params = kdk_params(0.01, 0);
    assert_fails(simulation_open(&simulation, &params, "cpu", 0, bodies), STATUS_USAGE,
                 "simulation.steps_per_frame steps_per_frame 0");
    params = kdk_params(NAN, 1);
    assert_fails(simulation_open(&simulation, &params, "cpu", 0, bodies), STATUS_USAGE,
                 "simulation.dt dt nan");
    params = kdk_params(0.01, 1);
    assert_fails(simulation_open(&simulation, &params, "gpu", 0, bodies), STATUS_USAGE,
                 "backend gpu");
    assert_fails(simulation_open(&simulation, &params, "cuda", 4711, bodies), STATUS_DEVICE, "");
    assert_null(simulation);
    assert_ok(simulation_open(&simulation, &params, "auto", 0, bodies));
    simulation_close(&simulation);
    bodies_destroy(&bodies);
}

TESTS(NULL, NULL)
