/* The frames that views bring for trails: which ones, also after a checkpoint's. */
#include "tests/support/forces/kdk_params.h"
#include "tests/support/forces/sphere.h"
#include "tests/support/test.h"

#include "sim/simulation.h"
#include "sim/state.h"

#include <string.h>

enum { BODIES = 60, KEPT = 4, LAST = 7 };

TEST(views_bring_the_last_frames)
{
    struct bodies *bodies = sphere_make(BODIES, false, 3);
    struct simulation_params params = kdk_params(0.01, 2);
    struct simulation *simulation;
    struct view *view;
    float(*seen)[BODIES][8] = calloc(LAST + 1, sizeof *seen);
    assert_ok(simulation_open(&simulation, &params, "cpu", 0, bodies));
    assert_ok(simulation_view_create(simulation, &view));
    assert_null(view->trail);
    simulation_view_destroy(simulation, &view);
    assert_ok(simulation_keep_trail(simulation, KEPT));
    assert_ok(simulation_view_create(simulation, &view));
    for (uint64_t frame = 0; frame <= LAST; frame++) {
        assert_ok(simulation_advance(simulation, frame, NULL));
        assert_ok(simulation_view_fill(simulation, view));
        for (int i = 0; i < BODIES; i++) {
            memcpy(seen[frame][i], view->position + 4 * i, 4 * sizeof(float));
            memcpy(seen[frame][i] + 4, view->velocity + 4 * i, 4 * sizeof(float));
        }
        const struct view_trail *trail = view->trail;
        assert_int_equal(trail->frames, frame < KEPT ? frame + 1 : KEPT + 1);
        for (size_t k = 0; k < trail->frames; k++) {
            const size_t of = (size_t)frame + 1 - trail->frames + k;
            assert_memory_equal(trail->rows[k * BODIES], seen[of], sizeof *seen);
            assert_true(trail->time[k] == (double)(2 * of) * 0.01);
        }
    }
    simulation_view_destroy(simulation, &view);
    simulation_close(&simulation);
    bodies_destroy(&bodies);
    free(seen);
}

TEST(a_state_begins_without)
{
    struct bodies *bodies = sphere_make(BODIES, false, 3);
    struct simulation_params params = kdk_params(0.01, 2);
    struct simulation *simulation;
    struct simulation_state at;
    struct view_trail *other;
    assert_ok(simulation_open(&simulation, &params, "cpu", 0, bodies));
    assert_ok(simulation_keep_trail(simulation, KEPT));
    assert_ok(simulation_advance(simulation, 3, NULL));
    assert_ok(simulation_state_create(BODIES, &at));
    assert_ok(simulation_get_state(simulation, &at));
    assert_ok(simulation_set_state(simulation, &at));
    assert_int_equal(simulation_trail(simulation)->frames, 0);
    assert_ok(simulation_advance(simulation, 4, NULL));
    assert_int_equal(simulation_trail(simulation)->frames, 1);
    assert_ok(trail_create(&other, BODIES + 1, KEPT));
    assert_fails(simulation_restore_trail(simulation, other), STATUS_USAGE, "another film");
    trail_destroy(&other);
    assert_null(other);
    trail_destroy(&other);
    simulation_state_free(&at);
    simulation_close(&simulation);
    bodies_destroy(&bodies);
}

TEST(memory_is_bounded)
{
    struct view_trail *trail;
    assert_fails(trail_check(VIEW_SAMPLE_MOST + 1, 2), STATUS_USAGE,
                 "look.trails paths 16384 bodies 16385");
    assert_fails(trail_check(16384, 65), STATUS_USAGE, "look.trails 65 frames");
    assert_ok(trail_check(16384, 64));
    assert_ok(trail_create(&trail, 16384, 64));
    trail_destroy(&trail);
}

TESTS(NULL, NULL)
