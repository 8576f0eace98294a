/* Where a film is dark, found by a short pilot run. */
#include "tests/support/test.h"

#include "base/log.h"
#include "cmd/film/script/brightness.h"
#include "cmd/film/start/panels.h"
#include "render/panel/places.h"
#include "sim/bodies/bodies.h"
#include "sim/models/models.h"
#include "scenes/scene_check.h"

#include <math.h>

static void find_light_of(const char *text, struct found_light *light)
{
    struct scene *scene = NULL;
    struct bodies *bodies = NULL;
    struct script script = {0};
    struct film_groups groups = {0};
    struct camera_part *parts = NULL;
    assert_ok(scene_parse(&scene, text, "film.yaml"));
    assert_ok(scene_validate(scene));
    assert_ok(bodies_make(&scene->bodies, &bodies));
    const struct script_source source = {.scene = scene, .bodies = bodies, .backend = "cpu"};
    assert_ok(script_open(&script, &source, NULL));
    assert_ok(film_groups_make(&groups, scene, bodies));
    assert_ok(film_camera_parts(&parts, scene, bodies));
    struct renderer_params params = {.width = 640,
                                     .height = 360,
                                     .camera = scene->camera,
                                     .look = scene->look,
                                     .overlay = scene->overlay,
                                     .count = bodies->count,
                                     .frames = scene->output.frames,
                                     .parts = parts,
                                     .part_count = (int)bodies->component_count,
                                     .groups = groups.list[0],
                                     .group_count = groups.count};
    params.found.camera.stretch = panel_stretch(&params);
    script_direct(&script, &params);
    assert_ok(brightness_find(&params, &script, &source));
    *light = params.found.light;
    film_groups_free(&groups);
    free(parts);
    script_close(&script);
    bodies_destroy(&bodies);
    scene_close(&scene);
}

static void find_light(const char *more, struct found_light *light)
{
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
    find_light_of(text, light);
}

static double light_in(const struct found_light *light, bool right, bool low)
{
    const int half = FOUND_LIGHT_SIDE / 2;
    double sum = 0;
    for (int row = 0; row < half; row++)
        for (int column = 0; column < half; column++)
            sum += light->cell[0][low ? row + half : row][right ? column + half : column];
    return sum / FOUND_LIGHT_ALL;
}

TEST(light_is_found_in_its_corner)
{
    static const char *const asking[] = {
        "overlay: {legend: true}\n", "overlay: {captions: [{text: a}]}\n",
        "overlay: {energy: true}\nlook: {tone: filmic}\n", "overlay: {clock: true}\n"};
    struct found_light light;
    for (size_t i = 0; i < sizeof asking / sizeof *asking; i++) {
        find_light(asking[i], &light);
        assert_true(light.times > 1 && light.frame[0] == 0);
        assert_true(light_in(&light, false, false) == 0 && light_in(&light, true, true) == 0);
        assert_true(fabs(light_in(&light, true, false) - 1 / 3.0) < 1e-4);
        assert_true(fabs(light_in(&light, false, true) - 2 / 3.0) < 1e-4);
    }
    find_light("look: {fade_in: 0}\n", &light); /* nobody asks */
    assert_int_equal(light.times, 0);
}

/* Where the camera frames galaxies, the light is that of the bodies that it is framed for, so it is
 * the same for any number of bodies, and within the picture. */
TEST(light_is_that_of_the_framing)
{
    struct found_light light[2];
    for (int i = 0; i < 2; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "bodies: {count: %d}\ncamera: {follow: mass, frame: auto}\n"
                 "overlay: {clock: true}\noutput: {size: 640x360, frames: 6}\n",
                 i == 0 ? 128 : 160);
        find_light_of(text, &light[i]);
        assert_int_equal(light[i].times, 6);
        assert_true(light[i].frame[0] == 0 && light[i].frame[5] == 5);
    }
    assert_memory_equal(&light[0], &light[1], sizeof light[0]);
    double inside = 0;
    for (int right = 0; right < 2; right++)
        for (int low = 0; low < 2; low++)
            inside += light_in(&light[0], right, low);
    assert_true(inside > 0.99 && inside < 1.001);
}

int main(void)
{
    log_set_level(LOG_WARNING);
    return tests_run(__FILE__, NULL, NULL);
}
