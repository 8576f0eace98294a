/* The initial position of a film's camera relative to its bodies. */
#include "tests/support/test.h"

#include "cmd/film/script/film_camera.h"
#include "cmd/film/start/panels.h"
#include "sim/bodies/bodies.h"
#include "sim/models/models.h"
#include "scenes/scene_check.h"

#include <math.h>
#include <string.h>

static const char text[] = "bodies: {count: 600, separation: 30}\n"
                           "output: {size: 640x360, frames: 10}\n";

struct opened {
    struct scene *scene;
    struct bodies *bodies;
    struct start start;
    struct camera_part *parts;
    struct renderer_params params;
};

static void begin(struct opened *opened, const char *const *set, int count)
{
    assert_ok(scene_parse(&opened->scene, text, "test"));
    for (int i = 0; i < count; i++)
        assert_ok(scene_set(opened->scene, set[2 * i], set[2 * i + 1], "test"));
    assert_ok(scene_validate(opened->scene));
    assert_ok(bodies_make(&opened->scene->bodies, &opened->bodies));
    opened->params = (struct renderer_params){.width = 640,
                                              .height = 360,
                                              .camera = opened->scene->camera,
                                              .look = opened->scene->look,
                                              .frames = 10};
    assert_ok(start_open(&opened->start, opened->bodies));
    assert_ok(film_camera_parts(&opened->parts, opened->scene, opened->bodies));
    opened->params.parts = opened->parts;
    opened->params.part_count = (int)opened->bodies->component_count;
}

static void end(struct opened *opened)
{
    free(opened->parts);
    start_close(&opened->start);
    bodies_destroy(&opened->bodies);
    scene_close(&opened->scene);
}

static enum status place(struct opened *opened)
{
    return film_camera_place(&opened->params, opened->scene, &opened->start);
}

TEST(parts_are_the_components)
{
    struct opened opened;
    begin(&opened, (const char *const[]){"camera.follow", "first"}, 1);
    size_t bodies = 0;
    assert_int_equal(opened.params.part_count, opened.bodies->component_count);
    for (int i = 0; i < opened.params.part_count; i++) {
        const struct camera_part *part = &opened.params.parts[i];
        assert_int_equal(part->first, bodies);
        bodies += part->count;
        assert_true(part->draw == (strcmp(part->component, "halo") != 0));
        assert_string_equal(part->galaxy, i < 3 ? "first" : "second");
        assert_true(part->radius > 0.5 && part->radius < 3); /* a disk of scale length 1 */
        assert_true(part->radius == opened.params.parts[i < 3 ? 0 : 3].radius);
    }
    assert_int_equal(bodies, 600);
    end(&opened);
}

/* One galaxy needs less space than both. */
TEST(distance_fits_what_is_followed)
{
    double distance[3];
    static const char *const follow[] = {"", "first+second", "first"};
    for (int k = 0; k < 3; k++) {
        struct opened opened;
        begin(&opened, (const char *const[]){"camera.follow", follow[k]}, 1);
        assert_ok(place(&opened));
        distance[k] = opened.params.found.camera.distance;
        end(&opened);
    }
    assert_true(fabs(distance[1] / distance[0] - 1) < 0.05);
    assert_true(distance[2] > 1.5 * distance[0]); /* the other one is twice as far from it */
    struct opened opened;
    begin(&opened, (const char *const[]){"camera.distance", "12"}, 1);
    assert_ok(place(&opened));
    assert_true(opened.params.found.camera.distance == 0); /* as in the scene */
    end(&opened);
}

TEST(cameras_within_bodies_are_refused)
{
    struct opened opened;
    char where[96];
    begin(&opened, (const char *const[]){"camera.distance", "12"}, 1);
    const double *x = opened.bodies->position[0];
    assert_true(opened.bodies->components[0].draw);
    snprintf(where, sizeof where, "[%.17g, %.17g, %.17g]", x[0] - 12.04, x[1], x[2]);
    end(&opened);
    const char *const set[] = {"camera.distance",  "12", "camera.target", where,
                               "camera.elevation", "0"};
    begin(&opened, set, 3); /* 0.04 from the body, whose softening length is 0.05 */
    assert_fails(place(&opened), STATUS_USAGE, "camera.distance camera body 1 disk 0.05 size");
    opened.scene->simulation.softening = 1e-6;
    assert_ok(place(&opened));
    opened.scene->look.radius = 0.041;
    assert_fails(place(&opened), STATUS_USAGE, "camera.distance 0.04 body 1 disk");
    opened.bodies->components[0].draw = false; /* not in the picture */
    opened.bodies->components[1].draw = false;
    assert_ok(place(&opened));
    end(&opened);
    static const char panels[] = "[{follow: second}, {follow: nobody}]";
    begin(&opened, (const char *const[]){"look.panels", panels}, 1);
    assert_fails(place(&opened), STATUS_USAGE, "look.panels[2].follow nobody");
    end(&opened);
}

TESTS(NULL, NULL)
