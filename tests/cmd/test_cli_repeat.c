/* The same scene gives the same film, whatever else differs; a film contains the scene to render it
 * again. */
#include "tests/support/test.h"

#include "base/file.h"
#include "tests/support/programs/cli.h"
#include "tests/support/films/decode.h"
#include "tests/support/films/sink_fixture.h"

#include <sched.h>
#include <string.h>

#define SMALL "render", "-n", "300", "--size", "160x90", "--frames", "10"

static int set_up(void **state)
{
    cli_set_up(state);
    if (cli_has_gl())
        cli(0, SMALL, "--set", "output.title=Two: \"galaxies\" & 'more'", "-o", "film.mp4");
    return 0;
}

TEST(the_saved_scene_makes_the_same_film)
{
    cli_need_gl();
    cli(0, "render", "film.scene.yaml", "-o", "again.mp4");
    assert_true(fixture_same_files(cli_path("film.mp4"), cli_path("again.mp4")));
    assert_true(fixture_same_files(cli_path("film.scene.yaml"), cli_path("again.scene.yaml")));
    /* Rendering over the film itself: the scene stays the same. */
    char *before = cli_read("film.scene.yaml");
    assert_contains(before, "Andromeda"); /* whose scene is the default one */
    const struct run *run = cli(0, "render", "film.scene.yaml", "-y", "-o", "film.mp4");
    assert_says(run->err, "scene being rendered");
    assert_true(fixture_same_files(cli_path("film.mp4"), cli_path("again.mp4")));
    char *after = cli_read("film.scene.yaml");
    assert_string_equal(before, after);
    free(before);
    free(after);
}

TEST(the_film_carries_its_scene)
{
    cli_need_gl();
    const char *told = cli(0, "info", "film.mp4")->out;
    assert_says(told, "mp4 h264 160x90 10 frames 30 per second 0.333");
    assert_contains(told, "title: Two: \"galaxies\" & 'more'\n");
    assert_contains(told, "gravreel_seed: 1\n");
    const char *scene = strstr(told, "renders this film again:\n");
    assert_non_null(scene);
    cli_write("carried.yaml", strchr(scene, '\n') + 1);
    assert_true(fixture_same_files(cli_path("carried.yaml"), cli_path("film.scene.yaml")));
    cli(0, "render", "carried.yaml", "-o", "carried.mp4");
    assert_true(fixture_same_files(cli_path("film.mp4"), cli_path("carried.mp4")));
    struct decoded film;
    assert_true(decode_open(&film, cli_path("film.mp4")));
    assert_null(decode_tag(&film, "gravreel_scene"));
    assert_contains(decode_tag(&film, "gravreel"), "\"gravreel_scene\":\"");
    decode_close(&film);
    cli(0, SMALL, "-o", "other.mkv");
    assert_contains(cli(0, "info", "other.mkv")->out, "bodies:\n");
}

#define CLUSTER "render", "plummer", "-n", "300", "--size", "160x90", "--frames", "10"
#define HASHED  CLUSTER, "-y", "-o", "film.hash"

/* Each must give the pictures of a plain run. */
static const struct {
    const char *environment[3], *words[20];
} same[] = {
    {{"OMP_NUM_THREADS=1"}, {HASHED}},
    {{"OMP_NUM_THREADS=2"}, {HASHED}},
    {{"OMP_NUM_THREADS=5", "OMP_DYNAMIC=false"}, {HASHED}},
    {{"LP_NUM_THREADS=1"}, {HASHED}},
    {{"LP_NUM_THREADS=2"}, {HASHED}},
    {{"LC_ALL=de_DE.UTF-8"}, {HASHED, "--backend", "cpu"}},
    {{NULL}, {"render", "-yofilm.hash", "plummer", "--frames=10", "--size=160x90", "-n300"}},
    {{NULL},
     {"render", "--set", "output.frames=10", "--format", "hash", "--set", "output.size=160x90",
      "-y", "--set", "bodies.count=300", "-o", "film.hash", "plummer"}},
    {{NULL},
     {"render", "plummer", "-n", "7", "-n", "300", "--size", "160x90", "--frames", "10", "-y", "-o",
      "film.hash", "--crf", "40"}},
};

TEST(what_must_not_matter_does_not)
{
    cli_need_gl();
    cli(0, HASHED);
    char *plain = cli_read("film.hash");
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        cli_run(same[i].environment, 0, same[i].words);
        char *found = cli_read("film.hash");
        if (strcmp(found, plain) != 0)
            fail_msg("run %zu (%s %s): %sinstead of\n%s", i, same[i].environment[0],
                     same[i].words[1], found, plain);
        free(found);
    }
    /* And settings that must change them. */
    static const char *const settings[] = {"bodies.seed=2", "simulation.dt=0.151",
                                           "camera.azimuth=3", "simulation.steps_per_frame=5",
                                           "look.exposure=0.01"};
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        cli(0, HASHED, "--set", settings[i]);
        char *found = cli_read("film.hash");
        assert_string_not_equal(found, plain);
        free(found);
    }
    free(plain);
}

static void render_framed(const char *hash, const char *threads)
{
    cli_with((threads, "OMP_DYNAMIC=false"), 0, "render", "-n", "300", "--size", "64x36",
             "--frames", "3", "-y", "-o", hash);
}

/* The camera is led by a pilot run, on whatever processors there are. */
TEST(framing_does_not_depend_on_threads)
{
    static const char *const threads[] = {"OMP_NUM_THREADS=1", "OMP_NUM_THREADS=2",
                                          "OMP_NUM_THREADS=5"};
    cpu_set_t all, some;
    cli_need_gl();
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    render_framed("framed.hash", "OMP_NUM_THREADS=5");
    for (int i = 0; i < 3; i++) {
        CPU_ZERO(&some);
        for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&some) <= i; cpu++)
            if (CPU_ISSET(cpu, &all))
                CPU_SET(cpu, &some);
        assert_int_equal(sched_setaffinity(0, sizeof some, &some), 0);
        render_framed("again.hash", threads[i]);
        assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
        assert_true(fixture_same_files(cli_path("framed.hash"), cli_path("again.hash")));
    }
}

/* A scene file with bodies beside it works from any folder. */
TEST(bodies_beside_the_scene)
{
    cli_need_gl();
    assert_ok(file_make_folder(cli_path("far/away")));
    cli_write("far/away/pair.tab", "1 -1 0 0 0 0.3 0\n1 1 0 0 0 -0.3 0\n");
    cli_write("far/away/pair.yaml", "bodies: {model: file, file: pair.tab, count: 0}\n"
                                    "output: {size: 64x36, frames: 4}\n");
    cli(0, "render", "far/away/pair.yaml", "-o", "pair.mkv");
    char *resolved = cli_read("pair.scene.yaml");
    assert_contains(resolved, "far/away/pair.tab");
    free(resolved);
    cli(0, "render", "pair.scene.yaml", "-o", "pair2.mkv");
    assert_true(fixture_same_files(cli_path("pair.mkv"), cli_path("pair2.mkv")));
}

#define THINNED "-n", "300", "--size", "128x72", "--frames", "3", "-y", "-o", "d.hash"

TEST(the_real_collision)
{
    cli_need_gl();
    const char *table = test_data("dubinski/dubinski.tab.gz");
    char *place = realpath(table, NULL), setting[4200];
    assert_non_null(place);
    cli(0, "render", "dubinski", "--bodies-from", place, THINNED);
    char *wanted = cli_read("d.hash");
    char *folder = file_folder(place);
    snprintf(setting, sizeof setting, "GRAVREEL_DATA=/nowhere:%s", folder);
    const struct run *run = cli_with((setting), 0, "render", "dubinski", THINNED);
    assert_says(run->err, "300 bodies");
    char *found = cli_read("d.hash");
    assert_string_equal(found, wanted);
    free(found);
    free(wanted);
    free(folder);
    free(place);
}

TEST(the_collision_without_its_file)
{
    int files = fixture_count_files(cli_folder);
    const struct run *run =
        cli_with(("GRAVREEL_DATA"), 5, "render", "dubinski", "-o", "missing/film.mp4");
    assert_says(run->err, "dubinski.tab.gz GRAVREEL_DATA gravreel scenes dubinski");
    assert_says(cli_with(("GRAVREEL_DATA"), 5, "info", "dubinski")->err, "GRAVREEL_DATA");
    assert_int_equal(fixture_count_files(cli_folder), files);
}

TESTS(set_up, cli_tear_down)
