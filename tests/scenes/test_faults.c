/* All faults of a scene, at once. */
#include "tests/support/test.h"

#include "base/file.h"
#include "scenes/scene_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char path[] = "/tmp/gravreel-faults-XXXXXX.yaml";

struct told {
    int count;
    char sentence[16][512];
};

static void take(void *user, const char *sentence)
{
    struct told *told = user;
    assert_true(told->count < 16);
    snprintf(told->sentence[told->count++], sizeof told->sentence[0], "%s", sentence);
}

static struct told faults_of(const char *text, bool readable)
{
    struct told told = {0};
    struct scene *scene;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    enum status status = scene_open_faults(&scene, path, &(struct fault_taker){take, &told});
    assert_true((status == STATUS_OK) == (told.count == 0));
    assert_true((scene != NULL) == readable);
    scene_close(&scene);
    return told;
}

TEST(every_fault_is_told_once)
{
    const struct told told = faults_of("bodies:\n"
                                       "  model: plumer\n"
                                       "  count: many\n"
                                       "simulaton:\n"
                                       "  dt: 0.1\n"
                                       "  steps_per_frame: 2\n"
                                       "camera:\n"
                                       "  orbit: 10\n"
                                       "  fov: 500\n"
                                       "  moves:\n"
                                       "    - {move: orbit, turn: 10}\n"
                                       "    - {move: jump}\n"
                                       "output:\n"
                                       "  frames: 0\n"
                                       "  frames: 10\n",
                                       true);
    static const char *const words[] = {":2 bodies.model",         ":3 bodies.count",
                                        ":4 section simulaton",    ":12 camera.moves[2].move",
                                        ":15 output.frames twice", ":9 camera.fov",
                                        ":14 output.frames"};
    assert_int_equal(told.count, sizeof words / sizeof *words);
    for (int i = 0; i < told.count; i++)
        assert_sentence(told.sentence[i], words[i]);
}

TEST(nothing_is_told_of_a_good_one)
{
    assert_int_equal(faults_of("bodies: {model: plummer}\n", true).count, 0);
}

TEST(what_is_no_yaml_is_told_once)
{
    const struct told told =
        faults_of("bodies:\n  model: plummer\n count: 3\ncamera: {fov: 900}\n", false);
    assert_int_equal(told.count, 1);
    assert_sentence(told.sentence[0], "YAML");
}

static int set_up(void **state)
{
    (void)state;
    const int file = mkstemps(path, 5);
    return file < 0 ? -1 : close(file);
}

static int tear_down(void **state)
{
    (void)state;
    return unlink(path);
}

/* A text that ends early for one reader must not be a good scene for it. */
TEST(a_nul_byte_is_refused_as_by_scene_open)
{
    static const char text[] = "bodies: {model: plummer, count: 64}\n\0output: {frames: 0}\n";
    struct told told = {0};
    struct scene *scene;
    assert_ok(file_write(path, text, sizeof text - 1));
    assert_fails(scene_open(&scene, path), STATUS_USAGE, "control characters");
    assert_int_equal(scene_open_faults(&scene, path, &(struct fault_taker){take, &told}),
                     STATUS_USAGE);
    assert_null(scene);
    assert_int_equal(told.count, 1);
    assert_says(told.sentence[0], "UTF-8 control characters");
}

TESTS(set_up, tear_down)
