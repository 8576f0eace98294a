/* A film that is seen with another camera has the pictures of one that was opened with it; a plan
 * of another size, camera or look has the film's script and brightness. */
#include "tests/support/test.h"

#include "cmd/film/stills/still.h"
#include "scenes/scene.h"
#include "tests/support/outcome.h"

#include <stdlib.h>
#include <string.h>

#define COMMON "bodies: {model: plummer, count: 300}\nsimulation: {dt: 0.1}\n"

static struct scene *open_scene(const char *output, const char *look, const char *camera)
{
    struct scene *scene;
    char *text = NULL;
    assert_true(asprintf(&text, COMMON "output: {frames: 6, title: aim, %s}\nlook: {%s}\n%s",
                         output, look, camera) > 0);
    assert_ok(scene_parse(&scene, text, "test.yaml"));
    assert_ok(scene_validate(scene));
    free(text);
    return scene;
}

static void open_film(struct snapshot *snapshot, const struct scene *scene, const char *plan)
{
    const struct film_options how = {.scene = scene,
                                     .backend = "cpu",
                                     .format = PICTURE_RGBA8,
                                     .unfaded = true,
                                     .plan = plan,
                                     .near = plan != NULL};
    const enum status status = snapshot_open(snapshot, &how);
    if (status == STATUS_DEVICE)
        outcome_skip(MISSING_GL, status_text());
    assert_ok(status);
}

#define SIZE "size: 160x90"
/* Each camera would find its own exposure, and other places for titles. */
#define LIGHT "exposure: 2"

TEST(sees_what_another_film_sees)
{
    static const char *const cameras[] = {
        "camera: {azimuth: 40, elevation: -10, distance: 4}\n",
        "camera: {target: [0.2, 0.1, 0], fov: 70, orbit: 0}\n",
        "camera: {keyframes: [{at: start, position: [0, 5, 2], target: [0, 0, 1], up: [1, 0, "
        "1]}]}\n",
    };
    struct scene *scene = open_scene(SIZE, LIGHT, "camera: {distance: 6}\n");
    for (size_t i = 0; i < sizeof cameras / sizeof *cameras; i++) {
        struct scene *other = open_scene(SIZE, LIGHT, cameras[i]);
        struct snapshot film;
        const struct picture *picture;
        struct camera_params camera = other->camera;
        open_film(&film, other, NULL);
        if (camera.distance == 0 && camera.keyframe_count == 0)
            camera.distance = film.film.shown.found.camera.distance;
        assert_ok(snapshot_take(&film, 0, &picture));
        uint8_t *kept = malloc(picture->layout.size);
        memcpy(kept, picture->data, picture->layout.size);
        snapshot_close(&film);
        open_film(&film, scene, NULL);
        assert_ok(film_aim(&film.film, &camera));
        film.metered = false;
        assert_ok(snapshot_take(&film, 0, &picture));
        assert_memory_equal(kept, picture->data, picture->layout.size);
        free(kept);
        snapshot_close(&film);
        scene_close(&other);
    }
    scene_close(&scene);
}

TEST(refuses_what_it_cannot_see)
{
    struct scene *scene = open_scene(SIZE, LIGHT, "camera: {distance: 6}\n");
    struct scene *other = open_scene(SIZE, LIGHT,
                                     "camera: {keyframes: [{at: start, position: [0, 5, 2]}, {at: "
                                     "end, position: [5, 0, 0]}]}\n");
    struct snapshot film;
    open_film(&film, scene, NULL);
    assert_fails(film_aim(&film.film, &other->camera), STATUS_USAGE, "0 keyframes opened anew");
    snapshot_close(&film);
    scene_close(&other);
    scene_close(&scene);
}

TEST(takes_the_plan_of_a_near_film)
{
    static const struct {
        const char *size, *look, *more;
    } near[] = {
        {"size: 320x180", "color: velocity",
         "overlay: {title: true, clock: true}\ncamera: {distance: 6}\n"},
        {SIZE, "color: velocity, glow: 0.3", "camera: {distance: 6}\n"},
    };
    for (size_t i = 0; i < sizeof near / sizeof *near; i++) {
        struct scene *planned = open_scene(SIZE, "color: velocity", near[i].more);
        struct scene *scene = open_scene(near[i].size, near[i].look, near[i].more);
        struct snapshot film;
        const struct picture *picture;
        open_film(&film, planned, NULL);
        char *plan = strdup(film.film.plan);
        snapshot_close(&film);
        open_film(&film, scene, NULL);
        assert_ok(snapshot_take(&film, 0, &picture));
        const size_t size = picture->layout.size;
        uint8_t *kept = malloc(size);
        memcpy(kept, picture->data, size);
        snapshot_close(&film);
        open_film(&film, scene, plan);
        assert_ok(snapshot_take(&film, 0, &picture));
        assert_true(picture->layout.size == size);
        assert_memory_equal(kept, picture->data, size);
        snapshot_close(&film);
        free(kept);
        free(plan);
        scene_close(&scene);
        scene_close(&planned);
    }
}

TESTS(NULL, NULL)
