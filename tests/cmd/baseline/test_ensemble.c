/* How far round-off carries the bodies, and what is no ensemble. */
#include "tests/support/test.h"

#include "base/file.h"
#include "base/text.h"
#include "cmd/baseline/ensemble.h"
#include "cmd/film/film.h"
#include "tests/support/sink_fixture.h"

#include <string.h>

enum { FRAMES = 6 };

static struct scene *open_scene(const char *force)
{
    struct scene *scene;
    assert_ok(scene_open(&scene, "plummer"));
    assert_ok(scene_set(scene, "bodies.count", "64", "test"));
    assert_ok(scene_set(scene, "output.frames", "6", "test"));
    assert_ok(scene_set(scene, "simulation.force", force, "test"));
    return scene;
}

/* The sketches of the film itself. */
static void record_physics(struct record *record, const struct scene *scene)
{
    struct film film;
    *record = (struct record){0};
    assert_ok(record_create(record, 0, FRAMES));
    assert_ok(film_open_physics(&film, scene, "cpu", 0, NULL));
    record->bodies = film.bodies->count;
    for (uint64_t f = 0; f < FRAMES; f++) {
        assert_ok(simulation_advance(film.simulations[0], f, NULL));
        assert_ok(simulation_save(film.simulations[0], film.bodies));
        record_sketch((const double(*)[3])film.bodies->position, film.bodies->count,
                      record->frames[f].sketch);
    }
    film_close(&film);
}

static void measure(const char *force, double perturbation)
{
    struct scene *scene = open_scene(force);
    struct record record;
    struct ensemble ensemble, again;
    record_physics(&record, scene);
    assert_ok(ensemble_make(&ensemble, 3, scene, "cpu", 0, &record, NULL));
    assert_ok(ensemble_make(&again, 3, scene, "cpu", 0, &record, NULL));
    assert_int_equal(ensemble.members, 3);
    assert_int_equal(ensemble.count, FRAMES);
    assert_true(ensemble.perturbation == perturbation);
    for (int f = 0; f < FRAMES; f++) {
        assert_true(ensemble.distance[f] > perturbation / 30 &&
                    ensemble.distance[f] < 1e4 * perturbation);
        assert_true(ensemble.energy[f] < 1e3 * perturbation + 1e-12);
        assert_true(ensemble.half_mass[f] < 1e3 * perturbation);
        assert_true(ensemble.distance[f] == again.distance[f]);
    }
    assert_true(ensemble.energy[FRAMES - 1] > 0 && ensemble.half_mass[FRAMES - 1] > 0);
    ensemble_free(&ensemble);
    ensemble_free(&again);
    record_free(&record);
    scene_close(&scene);
}

static void test_members_differ_by_what_was_put_in(void **state)
{
    (void)state;
    measure("double", 1e-14);
    measure("fast", 1e-7);
}

/* A body at the origin stays there, however its position is multiplied. */
static void test_equal_members_are_refused(void **state)
{
    const char *path = fixture_path(*state, "one.txt");
    struct scene *scene = open_scene("double");
    struct record record;
    struct ensemble ensemble;
    assert_ok(file_write(path, "1 0 0 0 0 0 0\n", 14));
    assert_ok(scene_set(scene, "bodies.model", "file", "test"));
    assert_ok(scene_set_text(scene, "bodies.file", path, "test"));
    assert_ok(scene_set(scene, "bodies.count", "0", "test"));
    record_physics(&record, scene);
    assert_fails(ensemble_make(&ensemble, 2, scene, "cpu", 0, &record, NULL), STATUS_MISMATCH,
                 "members of the ensemble are equal");
    ensemble_free(&ensemble);
    record_free(&record);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_members_differ_by_what_was_put_in),
        IN_FOLDER(test_equal_members_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
