/* Snapshots beside a film whose run continues after a stop. */
#include "tests/support/files/folder.h"
#include "tests/support/test.h"

#include "base/file.h"
#include "cmd/film/snapshots/beside.h"
#include "scenes/scene.h"
#include "sim/models/models.h"

#include <stdio.h>

static struct simulation *start(const struct scene *scene)
{
    struct bodies *bodies;
    struct simulation *simulation;
    assert_ok(bodies_make(&scene->bodies, &bodies));
    assert_ok(simulation_open(&simulation, &scene->simulation, "cpu", 0, bodies));
    bodies_destroy(&bodies);
    return simulation;
}

/* Existing snapshots stay, missing ones are written, and none before the frame from which the run
 * continues. */
TEST(a_resumed_run_keeps_what_is_there)
{
    struct scene *scene;
    struct beside *beside;
    assert_ok(scene_parse(&scene,
                          "bodies: {model: plummer, count: 16}\n"
                          "simulation: {dt: 0.125, steps_per_frame: 1}\n",
                          "test"));
    struct simulation *simulation = start(scene);
    assert_ok(simulation_advance(simulation, 3, NULL));
    assert_ok(file_write(folder_path("s_2.tab"), "kept", 4));
    struct beside_params params = {
        .every = 0.25, .scene = scene, .simulation = simulation, .end = 1, .resumed = true};
    char pattern[512];
    snprintf(pattern, sizeof pattern, "%s", folder_path("s_%d.tab"));
    assert_ok(snapshot_names_plan(&params.names, "-o", pattern));
    assert_ok(beside_open(&beside, &params));
    assert_ok(simulation_advance(simulation, 8, NULL));
    beside_close(&beside);
    assert_false(file_exists(folder_path("s_0.tab")));
    assert_false(file_exists(folder_path("s_1.tab")));
    char *text;
    assert_ok(file_read(folder_path("s_2.tab"), 1 << 16, &text, NULL));
    assert_string_equal(text, "kept");
    free(text);
    assert_true(file_exists(folder_path("s_3.tab")));
    assert_true(file_exists(folder_path("s_4.tab")));
    assert_false(file_exists(folder_path("s_5.tab")));
    /* A run from the start does not write over them. */
    params.resumed = false;
    assert_fails(beside_open(&beside, &params), STATUS_USAGE, "exists");
    assert_null(beside);
    simulation_close(&simulation);
    scene_close(&scene);
}

TESTS(folder_set_up, folder_tear_down)
