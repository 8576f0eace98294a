#include "tests/support/forces/checkpoint_checks.h"
#include "tests/support/forces/sphere.h"
#include "tests/support/choose.h"
#include "tests/support/test.h"

enum { FRAMES = 6, SAVED = 3 };

const struct run_kind run_kinds[] = {
    {.force = "fast", .integrator = "kdk", .count = 257},
    {.force = "fast", .integrator = "dkd", .count = 300},
    {.force = "fast", .integrator = "euler", .damping = 0.9, .count = 129},
    {.force = "fast", .integrator = "yoshida4", .count = 64},
    {.force = "exact", .integrator = "kdk", .count = 127},
    {.force = "exact", .integrator = "dkd", .count = 127},
    {.force = "double", .integrator = "kdk", .count = 130},
    {.force = "double", .integrator = "yoshida4", .count = 61},
    {.force = "fast", .integrator = "kdk", .adaptive = 0.05, .count = 200},
    {.force = "exact", .integrator = "yoshida4", .adaptive = 0.1, .count = 70},
    {.force = "double", .integrator = "kdk", .adaptive = 0.05, .count = 70},
    {.force = "fast", .integrator = "kdk", .subset = 4, .count = 255},
    {.force = "fast", .integrator = "dkd", .subset = 16, .count = 257},
    {.force = "exact", .integrator = "kdk", .subset = 8, .count = 131},
    {.force = "double", .integrator = "euler", .subset = 2, .count = 99},
    {.force = "fast", .integrator = "kdk", .count = 4097},
    {.force = "tree", .integrator = "kdk", .count = 400},
    {.force = "tree-exact", .integrator = "kdk", .count = 900},
    {.force = "tree", .integrator = "yoshida4", .adaptive = 0.1, .count = 90},
    {.force = "tree", .integrator = "kdk", .adaptive = 0.1, .count = 150},
    {.count = 0},
};

/* All output of a run at a frame. */
struct shown {
    double time;
    uint64_t frame, step, turn;
    float *view[2];
    struct simulation_state state;
};

static struct simulation *open_run(const char *backend, const struct run_kind *kind,
                                   const struct bodies *bodies)
{
    struct simulation *simulation = NULL;
    struct simulation_params params = {.dt = 0.01,
                                       .softening = 0.05,
                                       .steps_per_frame = 3,
                                       .force = choose(&force_registry, kind->force),
                                       .integrator = choose(&integrator_registry, kind->integrator),
                                       .damping = kind->damping,
                                       .adaptive = kind->adaptive,
                                       .subset = kind->subset};
    assert_ok(simulation_open(&simulation, &params, backend, 0, bodies));
    assert_ok(simulation_record_energy(simulation, FRAMES + 1));
    return simulation;
}

static void show(struct simulation *simulation, fetch_floats fetch, struct shown *out)
{
    size_t floats = 4 * simulation_solver(simulation)->count;
    struct view *view;
    assert_ok(simulation_view_create(simulation, &view));
    assert_ok(simulation_view_fill(simulation, view));
    *out = (struct shown){.time = view->time, .frame = view->frame, .step = view->step};
    for (int k = 0; k < 2; k++) {
        out->view[k] = calloc(floats, sizeof *out->view[k]);
        assert_non_null(out->view[k]);
        fetch(out->view[k], k ? view->velocity : view->position, floats);
    }
    simulation_view_destroy(simulation, &view);
    assert_ok(simulation_state_create(simulation_solver(simulation)->count, &out->state));
    assert_ok(simulation_get_state(simulation, &out->state));
}

static void forget(struct shown *shown)
{
    free(shown->view[0]);
    free(shown->view[1]);
    simulation_state_free(&shown->state);
}

static void assert_same_shown(const struct shown *a, const struct shown *b)
{
    const struct simulation_state *x = &a->state, *y = &b->state;
    size_t n = x->count;
    assert_memory_equal(&a->time, &b->time, sizeof a->time);
    assert_true(a->frame == b->frame && a->step == b->step);
    assert_true(x->count == y->count && x->turn == y->turn);
    assert_true(x->integrator.size == y->integrator.size);
    assert_memory_equal(x->position, y->position, n * sizeof *x->position);
    assert_memory_equal(x->velocity, y->velocity, n * sizeof *x->velocity);
    assert_memory_equal(x->acceleration, y->acceleration, n * sizeof *x->acceleration);
    assert_memory_equal(x->mass, y->mass, n * sizeof *x->mass);
    for (int k = 0; k < 2; k++)
        assert_memory_equal(a->view[k], b->view[k], n * sizeof(float[4]));
}

/* Shows the frames from the present one on and compares them with those of the whole run. */
static void follow(struct simulation *simulation, fetch_floats fetch, const struct shown *whole)
{
    for (uint64_t frame = simulation_frame(simulation); frame <= FRAMES; frame++) {
        struct shown now;
        assert_ok(simulation_advance(simulation, frame, NULL));
        show(simulation, fetch, &now);
        assert_same_shown(&now, &whole[frame]);
        forget(&now);
    }
}

static void assert_same_energy(const struct simulation *a, const struct simulation *b)
{
    const struct energy_history *x = simulation_energy_history(a),
                                *y = simulation_energy_history(b);
    assert_true(x->count == FRAMES + 1 && y->count == x->count);
    assert_memory_equal(x->points, y->points, x->count * sizeof *x->points);
}

void check_continues(const char *backend, const struct run_kind *kind, const char *folder,
                     fetch_floats fetch)
{
    struct bodies *bodies = sphere_make(kind->count, false, 5);
    struct simulation *whole = open_run(backend, kind, bodies),
                      *saved = open_run(backend, kind, bodies),
                      *loaded = open_run(backend, kind, bodies);
    struct shown frames[FRAMES + 1];
    char path[512];
    snprintf(path, sizeof path, "%s/continue.h5", folder);

    for (uint64_t frame = 0; frame <= FRAMES; frame++) {
        assert_ok(simulation_advance(whole, frame, NULL));
        show(whole, fetch, &frames[frame]);
    }
    assert_memory_not_equal(frames[0].state.position, frames[FRAMES].state.position,
                            kind->count * sizeof(double[3]));
    assert_ok(simulation_advance(saved, SAVED, NULL));
    assert_ok(checkpoint_write(path, &saved, 1, "0123456789abcdef"));
    follow(saved, fetch, frames);
    assert_same_energy(saved, whole);

    /* what it had done before is forgotten */
    assert_ok(simulation_advance(loaded, 1, NULL));
    assert_ok(checkpoint_read(path, &loaded, 1, "0123456789abcdef"));
    assert_int_equal(simulation_frame(loaded), SAVED);
    follow(loaded, fetch, frames);
    assert_same_energy(loaded, whole);

    for (int frame = 0; frame <= FRAMES; frame++)
        forget(&frames[frame]);
    simulation_close(&whole);
    simulation_close(&saved);
    simulation_close(&loaded);
    bodies_destroy(&bodies);
    unlink(path);
}
