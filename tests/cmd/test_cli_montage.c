/* Panels with scenes of their own, as a user requests them. */
#include "tests/support/test.h"

#include "tests/support/programs/cli.h"

#include <png.h>
#include <string.h>

enum { W = 160, H = 90, OWN = 80, FRAMES = 9 };

#define WHOLE_SIZE "160x90"
#define OWN_SIZE   "80x90"

static int set_up(void **state)
{
    if (cli_set_up(state) != 0)
        return 1;
    /* two galaxies in kpc, and a cluster without units that lasts longer */
    cli_write("pair.yaml", "units: {length_kpc: 3.2, velocity_kms: 240}\n"
                           "bodies: {model: galaxies, count: 300}\n"
                           "camera: {frame: fixed, distance: 40}\n"
                           "look: {exposure: 20}\n"
                           "overlay: {clock: true, scale_bar: true}\n"
                           "output: {frames: 9, title: A pair}\n");
    cli_write("cluster.yaml", "bodies: {model: plummer, count: 200}\n"
                              "simulation: {steps_per_frame: 8}\n"
                              "camera: {frame: fixed, distance: 6, orbit: 90}\n"
                              "look: {color: speed, speed: 1}\n"
                              "output: {frames: 5}\n");
    return 0;
}

struct pixels {
    png_image head;
    uint8_t *data; /* RGB, rows from the top */
};

/* The caller frees its data. */
static struct pixels read_png(const char *name)
{
    struct pixels pixels = {.head = {.version = PNG_IMAGE_VERSION}};
    assert_true(png_image_begin_read_from_file(&pixels.head, cli_path(name)));
    pixels.head.format = PNG_FORMAT_RGB;
    pixels.data = malloc(PNG_IMAGE_SIZE(pixels.head));
    assert_non_null(pixels.data);
    assert_true(png_image_finish_read(&pixels.head, NULL, pixels.data, 0, NULL));
    return pixels;
}

/* The most by which the whole picture, from column `left` on, differs from a panel's own. */
static int most_apart(const char *whole, uint32_t left, const char *own)
{
    struct pixels a = read_png(whole), b = read_png(own);
    int most = 0, bright = 0;
    for (uint32_t y = 0; y < b.head.height; y++)
        for (uint32_t i = 0; i < 3 * b.head.width; i++) {
            const int x = a.data[3 * (y * a.head.width + left) + i],
                      z = b.data[3 * y * b.head.width + i];
            most = abs(x - z) > most ? abs(x - z) : most;
            bright += z > 60;
        }
    assert_true(bright > 20);
    free(a.data);
    free(b.data);
    return most;
}

#define PAIR_AND_CLUSTER "--set", "look.panels=[{scene: pair.yaml}, {scene: cluster.yaml}]"

TEST(a_panel_is_the_film_of_its_scene_alone)
{
    cli_need_gl();
    const struct run *run =
        cli(0, "render", PAIR_AND_CLUSTER, "--size", WHOLE_SIZE, "-o", "both/%d.png");
    assert_says(run->err, "panel 2 ends 5 9 frames holds last moment");
    cli(0, "render", "pair.yaml", "--size", OWN_SIZE, "-o", "pair/%d.png");
    cli(0, "render", "cluster.yaml", "--size", OWN_SIZE, "--set", "output.frames=9", "--set",
        "simulation.freeze_at=frame 4", "-o", "cluster/%d.png");
    for (int f = 0; f < FRAMES; f++) {
        char both[32], pair[32], cluster[32];
        snprintf(both, sizeof both, "both/%d.png", f);
        snprintf(pair, sizeof pair, "pair/%d.png", f);
        snprintf(cluster, sizeof cluster, "cluster/%d.png", f);
        assert_int_equal(most_apart(both, 0, pair), 0);
        assert_int_equal(most_apart(both, W - OWN, cluster), 0);
    }
    assert_true(most_apart("both/0.png", W - OWN, "cluster/8.png") > 20);
}

/* Frames of `part`, lines "FRAME HASH", that `whole` has, too. */
static int shared(const char *whole, const char *part)
{
    char *all = cli_read(whole), *some = cli_read(part);
    int count = 0;
    for (char *line = strtok(some, "\n"); line; line = strtok(NULL, "\n"))
        if (strncmp(line, "all", 3) != 0 && strstr(all, line))
            count++;
    free(all);
    free(some);
    return count;
}

TEST(a_run_beside_snapshots_and_the_scene_itself)
{
    cli_need_gl();
    cli(0, "simulate", "pair.yaml", "-o", "pair.gvr");
    cli(0, "simulate", "cluster.yaml", "--every", "0.1", "-o", "cluster_%d.hdf5");
    cli_write("three.yaml", "bodies: {model: plummer, count: 100}\n"
                            "camera: {frame: fixed, distance: 6}\n"
                            "look:\n"
                            "  panels:\n"
                            "    - {title: Own}\n"
                            "    - {title: A run, scene: pair.gvr, zoom: 2}\n"
                            "    - {title: Theirs, snapshots: 'cluster_*.hdf5', color: speed}\n"
                            "output: {size: 270x90, frames: 12}\n");
    const struct run *run = cli(0, "render", "three.yaml", "-o", "film.mkv");
    assert_says(run->err, "panel 2 ends 9 12 frames");
    assert_says(run->err, "panel 2: 300 bodies");
    assert_says(run->err, "panel 3: 200 bodies");
    /* The film says how to make it again, a part of it, and a still. */
    cli(0, "render", "three.yaml", "-o", "whole.hash");
    cli(0, "render", "film.mkv", "-o", "again.hash");
    char *whole = cli_read("whole.hash"), *again = cli_read("again.hash");
    assert_string_equal(whole, again);
    free(whole);
    free(again);
    cli(0, "render", "three.yaml", "--frames", "7..10", "-o", "part.hash");
    assert_int_equal(shared("whole.hash", "part.hash"), 4);
    cli(0, "render", "three.yaml", "-o", "all/%d.png");
    cli(0, "still", "film.mkv", "--at", "frame 10", "-o", "still.png");
    assert_int_equal(most_apart("all/10.png", 0, "still.png"), 0);
    cli(0, "verify", "film.mkv", "--redraw", "2");
    run = cli(0, "info", "three.yaml");
    assert_says(run->out, "panel 2: pair.gvr, 9 frames");
    /* A run of other bodies at this place is not taken for the one that was seen. */
    cli(0, "simulate", "pair.yaml", "--set", "bodies.seed=3", "-y", "-o", "pair.gvr");
    cli_fails(2, "look.panels[2] run bodies.seed 3", "render", "film.mkv", "-o", "other.mkv");
}

/* Beside the simulation that wrote them, seen along the angular momentum of its disk. */
TEST(snapshots_look_like_their_simulation)
{
    cli_need_gl();
#define SEEN                                                                                       \
    "camera: {frame: fixed, distance: 16, align: A/disk, follow: A, elevation: 90}\n"              \
    "look: {exposure: 20, size: fixed}\n"                                                          \
    "simulation: {dt: 0.01, steps_per_frame: 4}\n"                                                 \
    "output: {frames: 9}\n"
    cli_write("disk.yaml", "bodies:\n"
                           "  model: galaxies\n"
                           "  count: 900\n"
                           "  galaxies: [{name: A, inclination: 50, node: 30}]\n" SEEN);
    cli_write("played.yaml", "bodies: {model: snapshots, file: 'disk_*.hdf5', count: 0}\n" SEEN);
    cli(0, "simulate", "disk.yaml", "--every", "0.08", "-o", "disk_%d.hdf5");
    for (int f = 4; f < 6; f++) {
        char at[16];
        snprintf(at, sizeof at, "frame %d", f);
        cli(0, "still", "--set", "look.panels=[{scene: disk.yaml}, {scene: played.yaml}]", "--size",
            WHOLE_SIZE, "--at", at, "-y", "-o", "two.png");
        cli(0, "still", "disk.yaml", "--size", OWN_SIZE, "--at", at, "-y", "-o", "disk.png");
        assert_int_equal(most_apart("two.png", 0, "disk.png"), 0);
        assert_true(most_apart("two.png", W - OWN, "disk.png") <= f - 4); /* at a snapshot: 0 */
    }
}

/* The same motion with twice the steps in a frame runs at the first panel's pace, and a film that
 * varies a key has the pictures of that variation. */
TEST(a_common_clock_and_changed_keys)
{
    cli_need_gl();
    cli_write("fast.yaml", "bodies: {model: plummer, count: 200}\n"
                           "simulation: {steps_per_frame: 16}\n"
                           "camera: {frame: fixed, distance: 6, orbit: 90}\n"
                           "look: {color: speed, speed: 1}\n"
                           "output: {frames: 3}\n");
    cli(0, "render", "--set",
        "look.panels=[{scene: cluster.yaml}, {scene: fast.yaml, common_clock: true}]", "--size",
        WHOLE_SIZE, "--set", "output.frames=5", "-o", "clock/%d.png");
    cli(0, "render", "cluster.yaml", "--size", OWN_SIZE, "-o", "slow/%d.png");
    assert_int_equal(most_apart("clock/4.png", 0, "slow/4.png"), 0);
    assert_int_equal(most_apart("clock/4.png", W - OWN, "slow/4.png"), 0);
    cli_fails(2, "look.panels[2] units.time_myr first panel's", "render", "--set",
              "look.panels=[{scene: pair.yaml}, {scene: fast.yaml, common_clock: true}]", "--size",
              WHOLE_SIZE, "-o", "x.mp4");
    cli(0, "render", "cluster.yaml", "--size", WHOLE_SIZE, "--set",
        "look.panels=[{}, {set: 'bodies.seed=4, camera.target=[1, 0, 0]'}]", "-o", "seeds.mkv");
    cli(0, "still", "seeds.mkv", "--at", "frame 4", "-o", "set.png");
    cli(0, "render", "cluster.yaml", "--size", OWN_SIZE, "--set", "bodies.seed=4", "--set",
        "camera.target=[1, 0, 0]", "-o", "seed/%d.png");
    assert_int_equal(most_apart("set.png", W - OWN, "seed/4.png"), 0);
    cli_fails(2, "look.panels[2] set look.colr did you mean look.color", "render", "cluster.yaml",
              "--set", "look.panels=[{}, {set: look.colr=speed}]", "-o", "x.mp4");
    /* The film's own key, changed later, is that of a panel that varies it, too. */
    cli(0, "still", "seeds.mkv", "--set", "look.color=galaxy", "--at", "frame 4", "-o",
        "other.png");
    assert_true(most_apart("other.png", W - OWN, "seed/4.png") > 20);
    const struct run *run = cli(0, "render", PAIR_AND_CLUSTER, "--size", WHOLE_SIZE, "--duration",
                                "0.2", "-o", "short.mkv");
    assert_says(run->err, "6 frames");
    cli(0, "render", "short.mkv", "-o", "again.mkv");
}

/* The left panel of the last still is that of cluster-a.yaml with that title, the right one that of
 * cluster-b.yaml. */
static void assert_titles(const char *left, const char *right)
{
    static const char *const scenes[] = {"cluster-a.yaml", "cluster-b.yaml"};
    const char *titles[] = {left, right};
    for (int i = 0; i < 2; i++) {
        char setting[64];
        snprintf(setting, sizeof setting, "output.title=%s", titles[i]);
        cli(0, "still", scenes[i], "--at", "frame 0", "--size", "160x180", "--set", setting, "-y",
            "-o", "own.png");
        assert_int_equal(most_apart("titles.png", 160 * (uint32_t)i, "own.png"), 0);
    }
}

TEST(titles_tell_panels_apart)
{
    cli_need_gl();
    static const char scene[] =
        "bodies: {model: plummer, count: 50}\n"
        "camera: {frame: fixed, distance: 6, moves: [{move: orbit, from: 9, "
        "to: 10, turn: 90}]}\n"
        "overlay: {title: true}\n"
        "output: {frames: 4, title: A cluster}\n";
    cli_write("cluster-a.yaml", scene);
    cli_write("cluster-b.yaml", scene);
#define TITLES(panels)                                                                             \
    "still", "--set", "look.panels=" panels, "--at", "frame 0", "--size", "320x180", "-y", "-o",   \
        "titles.png"
    cli(0, TITLES("[{scene: cluster-a.yaml}, {scene: cluster-b.yaml}]"));
    assert_titles("cluster-a.yaml", "cluster-b.yaml");
    cli(0, TITLES("[{scene: cluster-a.yaml}, {scene: cluster-b.yaml, title: Mine}]"));
    assert_titles("A cluster", "Mine");
    const struct run *run =
        cli(0, "render", "--set", "look.panels=[{scene: cluster-a.yaml}, {scene: cluster-b.yaml}]",
            "--size", "720x400", "--frames", "1", "-o", "line/%d.png");
    assert_says(run->err, "'panel 1: camera.moves[1] is left out' "
                          "'panel 2: camera.moves[1] is left out'");
    struct pixels line = read_png("line/0.png");
    const uint8_t *row = line.data + (size_t)3 * 720 * 3;
    assert_in_range(row[3 * 359], 40, 90); /* in the middle, between panels of 358 pixels */
    assert_int_equal(row[3 * 359], row[3 * 360]);
    assert_in_range(row[3 * 358], 0, 5);
    assert_in_range(row[3 * 361], 0, 5);
    free(line.data);
}

TEST(a_baseline_has_all_panels)
{
    cli_need_gl();
    cli_write("base.yaml", "look: {panels: [{scene: pair.yaml}, {scene: cluster.yaml}]}\n"
                           "output: {size: 160x90, frames: 5}\n");
    cli(0, "baseline", "base.yaml", "-o", "baselines");
    cli(0, "check", "baselines");
    char *scene = cli_read("cluster.yaml");
    cli_write("cluster.yaml", "bodies: {model: plummer, count: 201}\n"
                              "camera: {frame: fixed, distance: 6}\n");
    const struct run *run = cli(3, "check", "baselines");
    assert_says(run->out, "scene differs look.panels[2].scene_text");
    cli_write("cluster.yaml", scene);
    free(scene);
}

TEST(what_cannot_be_shown_beside_each_other)
{
    cli_write("nested.yaml", "look: {panels: [{}, {scene: pair.yaml}]}\n");
    cli_write("self.yaml", "look: {panels: [{}, {scene: self.yaml}]}\n");
    cli_write("seen.yaml", "look:\n"
                           "  color: speed\n"
                           "  panels: [{scene: pair.yaml}, {scene: plummer}]\n");
    static const struct {
        int code;
        const char *panels, *says;
    } cases[] = {
        {5, "[{}, {scene: pare.yaml}]", "look.panels[2] pare.yaml did you mean pair.yaml"},
        {2, "[{}, {scene: plumer}]", "look.panels[2] plumer did you mean plummer"},
        {5, "[{}, {scene: none.gvr}]", "look.panels[2] none.gvr"},
        {5, "[{}, {snapshots: 'none_*.hdf5'}]", "look.panels[2] none_*.hdf5"},
        {2, "[{}, {run: pair.yaml}]", "unknown key run scene snapshots"},
        {2, "[{}, {scene: nested.yaml}]", "look.panels[2] nested.yaml has panels"},
        {2, "[{}, {scene: self.yaml}]", "look.panels[2] self.yaml has panels"},
        {2, "[{}, {set: 'look.panels=[{}, {}]'}]", "look.panels[2] no panels itself"},
        {2, "[{}, {scene: plummer, difference: true}]", "look.panels[2] difference"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char setting[128];
        snprintf(setting, sizeof setting, "look.panels=%s", cases[i].panels);
        cli_fails(cases[i].code, cases[i].says, "render", "plummer", "-n", "50", "--size",
                  WHOLE_SIZE, "--set", setting, "-o", "x.mp4");
    }
    cli_fails(2, "seen.yaml:2 look.color no effect", "render", "seen.yaml", "-o", "x.mp4");
    cli_fails(2, "--set look.color no effect", "render", PAIR_AND_CLUSTER, "--set",
              "look.color=speed", "-o", "x.mp4");
    cli_fails(2, "look.panels one scene gravreel still", "view", "nested.yaml");
    cli_fails(2, "look.panels page panels", "render", "nested.yaml", "-o", "x.html");
    cli_fails(2, "look.panels run gravreel simulate", "render", "nested.yaml", "--keep-run",
              "x.gvr", "-o", "x.mp4");
    assert_false(cli_exists("x.mp4"));
}

TESTS(set_up, cli_tear_down)
