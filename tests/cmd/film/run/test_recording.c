/* A film that shows a run has the pictures of the film that simulates. */
#include "tests/support/test.h"

#include "cmd/film/run/recording.h"
#include "cmd/film/stills/still.h"
#include "render/picture/picture.h"
#include "scenes/scene_check.h"
#include "sim/simulation.h"

#include <stdlib.h>
#include <string.h>

enum { FRAMES = 6 };

static const char common[] =
    "bodies: {count: 300, galaxies: [{name: near}, {name: far}], separation: 8}\n"
    "output: {frames: 6, size: 480x270}\n";

/* Everything that a view can have, and every way of making steps. */
static const char *const scenes[] = {
    "look: {trails: 0.1}\noverlay: {energy: true, title: false}\nsimulation: {dt: 0.1}\n",
    "look: {color: acceleration, size: adaptive}\nsimulation: {adaptive: 0.05, dt: 0.2}\n",
    "look: {color: temperature, panels: [{}, {softening: 0.4}]}\nsimulation: {subset: 2}\n",
    "simulation: {slow: [{at: frame 2, factor: 2, span: 0.02}]}\ncamera: {frame: auto, follow: "
    "mass}\n",
    "look: {exposure: adapt}\nbodies: {count: 100, model: plummer}\n",
};

static struct scene *open_scene(const char *more)
{
    struct scene *scene;
    char *text = NULL;
    assert_true(asprintf(&text, "%s%s", more,
                         strstr(more, "model") ? "output: {frames: 6, size: 480x270}\n" : common) >
                0);
    assert_ok(scene_parse(&scene, text, "test.yaml"));
    assert_ok(scene_validate(scene));
    free(text);
    return scene;
}

static struct film_options options_of(const struct scene *scene, const struct run *run)
{
    return (struct film_options){
        .scene = scene, .backend = "cpu", .format = PICTURE_RGBA8, .run = run};
}

static void record(const struct scene *scene, struct run **run)
{
    struct film film;
    struct run_about about;
    struct recording *recording;
    struct film_options options = options_of(scene, NULL);
    options.opens = FILM_SIMULATIONS;
    options.records = true;
    assert_ok(film_open(&film, &options));
    assert_ok(recording_describe(&about, &film, 1));
    assert_ok(run_create(run, &about));
    assert_ok(recording_open(&recording, &film, *run));
    assert_ok(recording_take(recording));
    assert_true(run_count(*run) == 1);
    assert_ok(recording_go(recording, FRAMES - 1, NULL));
    assert_true(run_count(*run) == FRAMES);
    recording_close(&recording);
    film_close(&film);
}

static void draw(struct snapshot *snapshot, uint64_t frame, uint8_t **out, size_t *size)
{
    const struct picture *picture;
    assert_ok(snapshot_take(snapshot, frame, &picture));
    *size = picture->layout.size;
    *out = malloc(*size);
    assert_non_null(*out);
    memcpy(*out, picture->data, *size);
}

static void assert_frame(struct snapshot *snapshot, uint64_t frame, const uint8_t *expected)
{
    const struct picture *picture;
    assert_ok(snapshot_take(snapshot, frame, &picture));
    assert_memory_equal(picture->data, expected, picture->layout.size);
}

static void same_pictures(const char *text)
{
    struct scene *scene = open_scene(text);
    struct run *run;
    struct snapshot moved, shown;
    uint8_t *pictures[FRAMES];
    size_t size = 0;
    record(scene, &run);
    struct film_options options = options_of(scene, NULL);
    enum status status = snapshot_open(&moved, &options);
    if (status == STATUS_DEVICE) {
        outcome_skip(MISSING_GL, status_text());
    }
    assert_ok(status);
    for (uint64_t f = 0; f < FRAMES; f++)
        draw(&moved, f, &pictures[f], &size);
    snapshot_close(&moved);
    options.run = run;
    assert_ok(snapshot_open(&shown, &options));
    for (uint64_t f = 0; f < FRAMES; f++)
        assert_frame(&shown, f, pictures[f]);
    if (!renderer_meters_every_frame(shown.film.renderer))
        for (uint64_t f = FRAMES; f-- > 0;)
            assert_frame(&shown, (f * 5) % FRAMES, pictures[(f * 5) % FRAMES]);
    snapshot_close(&shown);
    for (int f = 0; f < FRAMES; f++)
        free(pictures[f]);
    run_close(&run);
    scene_close(&scene);
}

TEST(has_the_pictures)
{
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        print_message("%s", scenes[i]);
        same_pictures(scenes[i]);
    }
}

TESTS(NULL, NULL)
