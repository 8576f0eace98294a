#include "tests/support/forces/near_checks.h"
#include "tests/support/forces/mode_checks.h"
#include "tests/support/test.h"
#include "sim/integrators/integrator.h"
#include "sim/simulation.h"
#include "sim/gravity/force.h"
#include "sim/gravity/tree/neighbours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct column_ask both[] = {{.name = COLUMN_DISTANCE}, {.name = COLUMN_DISPERSION}};

enum { ANYWHERE, ONE_PLACE, TWENTY_EACH, FAR_AWAY, SHIFTED, LINE, PLACES };

static void place_all(struct bodies *bodies, int place)
{
    for (size_t i = 0; i < bodies->count; i++) {
        double *x = bodies->position[i];
        for (int c = 0; c < 3; c++)
            bodies->velocity[i][c] = cos(1.7 * (double)i + c);
        for (int c = 0; c < 3; c++)
            x[c] = place == ONE_PLACE                 ? 0.25
                   : place == TWENTY_EACH             ? (double)(i / 20 % 7)
                   : place == SHIFTED                 ? 1e6 + x[c]
                   : place == LINE && c < 2           ? 3
                   : place == FAR_AWAY && i % 97 == 0 ? 1e9 * x[c]
                                                      : x[c];
    }
}

/* What the view must hold: the CPU's neighbours of the bodies that are drawn. */
static float *expected(const struct bodies *bodies, unsigned k)
{
    float *want = malloc(bodies->count * sizeof *want);
    float *found = malloc(bodies->count * sizeof *found);
    double(*rows)[4] = calloc(bodies->count, sizeof *rows);
    struct neighbours *neighbours;
    size_t drawn = 0;
    assert_true(want && found && rows);
    for (size_t i = bodies_drawn(bodies, 0); i < bodies->count; i = bodies_drawn(bodies, i + 1))
        memcpy(rows[drawn++], bodies->position[i], sizeof *bodies->position);
    assert_ok(neighbours_open(&neighbours, drawn, k));
    assert_ok(neighbours_find(neighbours, (const double(*)[4])rows, 2, found, NULL));
    neighbours_close(&neighbours);
    for (size_t i = 0; i < bodies->count; i++)
        want[i] = INFINITY;
    drawn = 0;
    for (size_t i = bodies_drawn(bodies, 0); i < bodies->count; i = bodies_drawn(bodies, i + 1))
        want[i] = found[drawn++];
    free(found);
    free(rows);
    return want;
}

/* The dispersion of bodies' velocities around body i, from all distances. */
static double dispersion_at(const struct bodies *bodies, size_t i, float reach)
{
    double count = 0, sum[3] = {0}, square = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t j = bodies_drawn(bodies, 0); j < bodies->count;
             j = bodies_drawn(bodies, j + 1)) {
            double away = 0;
            for (int c = 0; c < 3; c++)
                away += pow(bodies->position[j][c] - bodies->position[i][c], 2);
            if (!(away < (double)reach * (double)reach))
                continue;
            count += pass == 0;
            for (int c = 0; c < 3; c++) {
                const double v = (float)bodies->velocity[j][c];
                sum[c] += pass == 0 ? v : 0;
                square += pass == 0 ? 0 : pow(v - sum[c] / count, 2);
            }
        }
    }
    return count > 0 ? sqrt(square / count / 3) : 0;
}

static void check_dispersion(const struct bodies *bodies, const struct view *view,
                             const float *near, near_copy *copy)
{
    float *got = malloc(view->count * sizeof *got);
    assert_non_null(got);
    copy(view, COLUMN_DISPERSION, got);
    const size_t each = view->count > 500 ? 29 : 1;
    for (size_t i = 0; i < view->count; i += each) {
        const double want = bodies_drawn(bodies, i) == i ? dispersion_at(bodies, i, near[i]) : 0;
        if (!(fabs((double)got[i] - want) <= 1e-6 * want + 1e-9))
            fail_msg("body %zu of %zu: a dispersion of %.9g, not %.9g", i, view->count,
                     (double)got[i], want);
    }
    free(got);
}

static void check_view(const struct bodies *bodies, unsigned k, struct view *view, near_copy *copy)
{
    float *got = malloc(view->count * sizeof *got);
    assert_non_null(got);
    copy(view, COLUMN_DISTANCE, got);
    float *want = expected(bodies, k);
    for (size_t i = 0; i < view->count; i++)
        if (memcmp(&got[i], &want[i], sizeof *got) != 0)
            fail_msg("body %zu of %zu: neighbour %u is %.9g away, not %.9g", i, view->count, k,
                     (double)got[i], (double)want[i]);
    check_dispersion(bodies, view, want, copy);
    free(want);
    free(got);
}

/* The rows of the drawn bodies in their order. */
static void check_along(struct simulation *simulation, const struct bodies *bodies,
                        const struct view *view, const uint32_t *order, const float *from,
                        const float *along, size_t floats)
{
    const size_t all = view->count * floats;
    float *own = malloc(all * sizeof *own), *ordered = malloc(all * sizeof *ordered);
    assert_true(own && ordered);
    assert_ok(simulation_view_read(simulation, view->memory, from, all, own));
    assert_ok(simulation_view_read(simulation, view->memory, along, all, ordered));
    for (size_t c = 0; c < bodies->component_count; c++) {
        const struct component *part = &bodies->components[c];
        for (size_t i = part->first; part->draw && i < part->first + part->count; i++)
            assert_memory_equal(ordered + floats * i, own + floats * order[i],
                                floats * sizeof *own);
    }
    free(own);
    free(ordered);
}

/* The order of a view: each drawn component's bodies, each of them once. */
static void check_order(struct simulation *simulation, const struct bodies *bodies,
                        const struct view *view)
{
    uint32_t *order = malloc(view->count * sizeof *order);
    bool *met = calloc(view->count, sizeof *met);
    assert_true(order && met);
    assert_int_equal(view->order != NULL, simulation_orders_views(simulation));
    assert_int_equal(view->order != NULL, view->memory == VIEW_CUDA);
    if (view->order)
        assert_ok(simulation_view_read(simulation, view->memory, (const float *)view->order,
                                       view->count, (float *)order));
    for (size_t c = 0; c < bodies->component_count && view->order; c++) {
        const struct component *part = &bodies->components[c];
        for (size_t i = part->first; part->draw && i < part->first + part->count; i++) {
            assert_in_range(order[i], part->first, part->first + part->count - 1);
            assert_false(met[order[i]]);
            met[order[i]] = true;
        }
    }
    if (view->order) {
        const float *distance = view_values(view, COLUMN_DISTANCE);
        check_along(simulation, bodies, view, order, view->position, view->along.position, 4);
        check_along(simulation, bodies, view, order, view->velocity, view->along.velocity, 4);
        check_along(simulation, bodies, view, order, distance, view->along.distance, 1);
    }
    free(met);
    free(order);
}

static void check_bodies(const char *backend, near_copy *copy, const struct bodies *bodies,
                         unsigned k, double dt)
{
    const struct simulation_params params = {
        .dt = dt,
        .softening = 0.25,
        .steps_per_frame = 3,
        .force = &force_double,
        .integrator = &integrator_kdk,
    };
    struct simulation *simulation;
    const struct bodies *moved;
    struct view *views[2];
    assert_ok(simulation_open(&simulation, &params, backend, 0, bodies));
    assert_ok(simulation_ask_columns(simulation, both, 2, k));
    simulation_order_views(simulation);
    for (int v = 0; v < 2; v++)
        assert_ok(simulation_view_create(simulation, &views[v]));
    assert_ok(simulation_view_fill(simulation, views[0]));
    assert_ok(simulation_advance(simulation, 1, NULL)); /* the first search may still run */
    assert_ok(simulation_view_fill(simulation, views[1]));
    check_view(bodies, k, views[0], copy);
    assert_ok(simulation_bodies(simulation, &moved));
    check_view(moved, k, views[1], copy);
    for (int v = 0; v < 2; v++)
        check_order(simulation, bodies, views[v]);
    for (int v = 0; v < 2; v++)
        simulation_view_destroy(simulation, &views[v]);
    simulation_close(&simulation);
}

static void check_none(const char *backend)
{
    struct bodies *bodies = cube_make(5, 1);
    const struct simulation_params params = {
        .dt = 1,
        .softening = 1,
        .steps_per_frame = 1,
        .force = &force_double,
        .integrator = &integrator_kdk,
    };
    struct simulation *simulation;
    struct view *view;
    assert_ok(simulation_open(&simulation, &params, backend, 0, bodies));
    assert_fails(simulation_ask_columns(simulation, both, 1, 0), STATUS_USAGE, "1 64");
    assert_fails(simulation_ask_columns(simulation, both, 1, NEIGHBOURS_MOST + 1), STATUS_USAGE,
                 "neighbour 65");
    for (int asked = 0; asked < 2; asked++) { /* and no body is drawn */
        assert_ok(simulation_view_create(simulation, &view));
        assert_int_equal(view->column_count, 0);
        simulation_view_destroy(simulation, &view);
        assert_ok(asked ? STATUS_OK : simulation_ask_columns(simulation, both, 2, 3));
    }
    simulation_close(&simulation);
    bodies_destroy(&bodies);
}

void check_near_views(const char *backend, near_copy *copy)
{
    static const size_t counts[] = {1, 2, 33, 65, 700, 3001};
    static const unsigned ks[] = {1, 32, NEIGHBOURS_MOST};
    for (size_t n = 0; n < sizeof counts / sizeof *counts; n++)
        for (int place = 0; place < PLACES; place++) {
            struct bodies *bodies = cube_make(counts[n], n + 1);
            bodies->components[0].draw = true;
            place_all(bodies, place);
            /* Neighbours stay near, or are others in the next view. */
            check_bodies(backend, copy, bodies, ks[(n + (size_t)place) % 3],
                         place == ANYWHERE ? 0.1 : 1e-3);
            bodies_destroy(&bodies);
        }
    struct bodies *parts, *bodies = cube_make(1200, 9);
    assert_ok(bodies_create(&parts, bodies->count, 3));
    memcpy(parts->mass, bodies->mass, bodies->count * sizeof *bodies->mass);
    memcpy(parts->position, bodies->position, bodies->count * sizeof *bodies->position);
    for (size_t c = 0; c < 3; c++)
        parts->components[c] =
            (struct component){.name = "part", .first = 400 * c, .count = 400, .draw = c != 1};
    check_bodies(backend, copy, parts, 8, 0.02);
    bodies_destroy(&parts);
    bodies_destroy(&bodies);
    check_none(backend);
}
