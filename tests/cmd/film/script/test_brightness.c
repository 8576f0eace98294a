/* The darkest corners of a film, found by a short pilot run. */
#include "tests/support/test.h"

#include "base/log.h"
#include "cmd/film/script/brightness.h"
#include "cmd/film/script/camera.h"
#include "cmd/film/start/groups.h"
#include "render/panel/places.h"
#include "sim/models/make.h"
#include "scenes/check.h"

#include <math.h>
#include <string.h>

static void find_corners(const char *more, double corner[FOUND_CORNERS])
{
    struct scene *scene = NULL;
    struct bodies *bodies = NULL;
    struct script script = {0};
    struct film_groups groups = {0};
    struct camera_part *parts = NULL;
    char text[512];
    /* At rest, seen from +x: y grows to the right, z upwards. */
    snprintf(
        text, sizeof text,
        "bodies: {model: list, list: [{name: a, mass: 1, position: [0, -7, -3]}, "
        "{name: b, mass: 1, position: [0, -6, -3]}, {name: c, mass: 1, position: [0, 7, 3]}]}\n"
        "simulation: {dt: 1e-3, softening: 1}\n"
        "camera: {distance: 20, elevation: 0, orbit: 0}\n"
        "output: {size: 640x360, frames: 20}\n%s",
        more);
    assert_ok(scene_parse(&scene, text, "film.yaml"));
    assert_ok(scene_validate(scene));
    assert_ok(bodies_make(&scene->bodies, &bodies));
    const struct script_source source = {scene, bodies, "cpu", 0};
    assert_ok(script_open(&script, &source, NULL));
    assert_ok(film_groups_make(&groups, scene, bodies));
    assert_ok(film_camera_parts(&parts, scene, bodies));
    struct renderer_params params = {.width = 640,
                                     .height = 360,
                                     .camera = scene->camera,
                                     .look = scene->look,
                                     .overlay = scene->overlay,
                                     .count = bodies->count,
                                     .frames = 20,
                                     .parts = parts,
                                     .part_count = (int)bodies->component_count,
                                     .groups = groups.list[0],
                                     .group_count = groups.count};
    params.found.camera.stretch = panel_stretch(&params);
    script_direct(&script, &params);
    assert_ok(brightness_find(&params, &script, &source));
    memcpy(corner, params.found.corner, sizeof params.found.corner);
    film_groups_free(&groups);
    free(parts);
    script_close(&script);
    bodies_destroy(&bodies);
    scene_close(&scene);
}

static void light_is_found_in_its_corner(void **state)
{
    (void)state;
    double corner[FOUND_CORNERS];
    find_corners("overlay: {legend: true}\n", corner);
    assert_true(corner[0] == 0 && corner[3] == 0);
    assert_true(corner[1] > 0);
    assert_true(fabs(corner[2] - 2 * corner[1]) < 1e-9 * corner[2]);
    find_corners("overlay: {title: true}\n", corner); /* nobody asks */
    assert_true(corner[1] == 0 && corner[2] == 0);
    find_corners("overlay: {energy: true}\nlook: {tone: filmic}\n", corner);
    assert_true(corner[1] > 0);
}

int main(void)
{
    log_set_level(LOG_WARNING);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(light_is_found_in_its_corner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
