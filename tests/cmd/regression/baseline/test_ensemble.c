/* How far round-off moves the bodies, and invalid ensembles. */
#include "tests/support/test.h"

#include "base/file.h"
#include "base/random.h"
#include "base/text.h"
#include "cmd/regression/baseline/ensemble.h"
#include "cmd/film/open.h"
#include "tests/support/sink_fixture.h"

#include <math.h>
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

/* The spread of a single member is its difference from the film. The test moves the bodies as the
 * ensemble does. */
static void test_one_member_is_the_spread(void **state)
{
    (void)state;
    struct scene *scene = open_scene("double");
    struct record record;
    struct ensemble ensemble;
    struct film films[2] = {{0}};
    uint64_t noise = (uint64_t)1 << 32;
    record_physics(&record, scene);
    assert_ok(ensemble_make(&ensemble, 1, scene, "cpu", 0, &record, NULL));
    for (int m = 0; m < 2; m++) {
        struct film start = {0};
        struct bodies *bodies;
        assert_ok(film_open_physics(&start, scene, "cpu", 0, NULL));
        assert_ok(bodies_copy(&bodies, start.bodies));
        film_close(&start);
        for (size_t i = 0; m == 1 && i < bodies->count; i++)
            for (int c = 0; c < 3; c++)
                bodies->position[i][c] *=
                    1 + 1e-14 * ((double)(splitmix64(noise += SPLITMIX_STEP) >> 11) * 0x1p-52 - 1);
        assert_ok(film_open_physics(&films[m], scene, "cpu", 0, bodies));
    }
    for (uint64_t f = 0; f < FRAMES; f++) {
        struct diagnostics at[2];
        for (int m = 0; m < 2; m++) {
            assert_ok(simulation_advance(films[m].simulations[0], f, NULL));
            assert_ok(simulation_diagnose(films[m].simulations[0], &at[m]));
        }
        const double differs = fabs(at[1].energy - at[0].energy) / fabs(at[0].energy);
        assert_true(fabs(ensemble.energy[f] - differs) <= 1e-12 * differs);
        assert_true(f == 0 || differs > 0);
    }
    film_close(&films[0]);
    film_close(&films[1]);
    ensemble_free(&ensemble);
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
                 "--ensemble members ensemble equal");
    ensemble_free(&ensemble);
    record_free(&record);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_members_differ_by_what_was_put_in),
        cmocka_unit_test(test_one_member_is_the_spread),
        IN_FOLDER(test_equal_members_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
