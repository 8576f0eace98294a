/* Invalid usage, and requests that are answered without rendering. */
#include "tests/support/test.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "tests/support/programs/cli.h"
#include "tests/support/films/sink_fixture.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char good_table[] = "1 0 0 0 0 0 0\n1 1 0 0 0 0.5 0\n";

/* In a folder that cannot be written to, and with an output that is a folder. */
TEST(unwritable_places)
{
    cli_need_gl();
    cli_write("file", "kept");
    const char *small[] = {"render",   "-n", "8",  "--size", "32x32",
                           "--frames", "2",  "-o", NULL,     NULL};
    static const char *const places[] = {"file/x.mp4", "file/%04d.png", "file/x.hash",
                                         "/proc/x.mkv"};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        small[8] = places[i];
        assert_says(cli_run(NULL, 5, small)->err, i < 3 ? "file" : "/proc");
    }
    small[8] = "folder.mp4";
    assert_int_equal(mkdir(cli_path("folder.mp4"), 0777), 0);
    assert_says(cli_run(NULL, 2, small)->err, "folder.mp4");
    if (geteuid() != 0) {
        assert_int_equal(mkdir(cli_path("locked"), 0500), 0);
        small[8] = "locked/x.mp4";
        assert_says(cli_run(NULL, 5, small)->err, "locked");
    }
    char *text = cli_read("file");
    assert_string_equal(text, "kept");
    free(text);
}

TEST(what_exists_is_kept)
{
    cli_need_gl();
    static const char *const names[] = {"old.mp4", "old.hash", "seq/0003.png", "new.scene.yaml",
                                        "saved.yaml"};
    assert_ok(file_make_folder(cli_path("seq")));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        cli_write(names[i], "precious");
    int files = fixture_count_files(cli_folder);
#define SMALL "render", "plummer", "-n", "8", "--size", "32x32", "--frames", "5", "-o"
    cli_fails(2, "old.mp4 -y", SMALL, "old.mp4");
    cli_fails(2, "old.hash", SMALL, "old.hash");
    cli_fails(2, "0003.png", SMALL, "seq/%04d.png");
    cli_fails(2, "saved.yaml", SMALL, "other.mp4", "--save-scene", "saved.yaml");
    cli_fails(2, "saved.yaml", "render", "--save-scene", "saved.yaml");
    assert_int_equal(fixture_count_files(cli_folder), files);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *text = cli_read(names[i]);
        assert_string_equal(text, "precious");
        free(text);
    }
    cli(0, SMALL, "old.hash", "-y");
    char *text = cli_read("old.hash");
    assert_string_not_equal(text, "precious");
    free(text);
}

/* m.mp4 after m.mov: two films with the same name beside their scenes. */
TEST(scenes_beside_films_make_room)
{
    cli_need_gl();
#define SEED "--seed"
    cli(0, SMALL, "m.mov");
    char *first = cli_read("m.scene.yaml");
    assert_lacks(cli(0, SMALL, "m.mkv")->err, "another film"); /* the same scene: shared */
    assert_false(cli_exists("m.mkv.scene.yaml"));
    assert_says(cli(0, SMALL, "m.mp4", SEED, "2")->err, "m.scene.yaml scene film m.mp4.scene.yaml");
    cli(0, SMALL, "m.mp4", SEED, "3", "-y"); /* its own scene is replaced, the other's is not */
    char *now = cli_read("m.scene.yaml"), *own = cli_read("m.mp4.scene.yaml");
    assert_string_equal(now, first);
    assert_contains(own, "seed: 3\n");
    free(now);
    free(own);
    assert_int_equal(remove(cli_path("m.mp4")), 0);
    cli(0, SMALL, "m.mp4", SEED, "4");
    own = cli_read("m.mp4.scene.yaml");
    assert_contains(own, "seed: 3\n");
    free(own);
    own = cli_read("m.mp4.2.scene.yaml");
    assert_contains(own, "seed: 4\n");
    free(own);
    free(first);
    cli(0, SMALL, "alone.mp4");
    cli(0, SMALL, "alone.mp4", SEED, "5", "-y"); /* as always: it belongs to no other film */
    own = cli_read("alone.scene.yaml");
    assert_contains(own, "seed: 5\n");
    free(own);
    assert_false(cli_exists("alone.mp4.scene.yaml"));
#undef SEED
}

TEST(help_is_given)
{
    assert_contains(cli(0, "--help")->out, "Usage: gravreel COMMAND");
    assert_contains(cli(0, "help")->out, "doctor");
    assert_contains(cli(0, "--version")->out, "gravreel 1.");
    char *commands = memory_text(cli(0, "--help")->out), title[64];
    const char *line = strstr(commands, "Commands:\n");
    assert_non_null(line);
    size_t count = 0;
    for (line = strchr(line, '\n') + 1; *line == ' '; line = strchr(line, '\n') + 1, count++) {
        char name[32];
        assert_int_equal(sscanf(line, "%31s", name), 1);
        snprintf(title, sizeof title, "Usage: gravreel %s", name);
        assert_contains(cli(0, name, "--help")->out, title);
        assert_contains(cli(0, name, "--usage")->out, title);
        assert_contains(cli(0, name, "-?")->out, "--help");
    }
    assert_true(count >= 8);
    free(commands);
    const char *help = cli(0, "render", "--help")->out;
    static const char *const options[] = {
        "--output",    "--bodies",     "--bodies-from", "--frames",    "--fps",     "--size",
        "--codec",     "--crf",        "--preset",      "--backend",   "--device",  "--seed",
        "--set",       "--save-scene", "--dry-run",     "--overwrite", "--verbose", "--quiet",
        "--log-level", "--progress",   "--format"};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        assert_contains(help, options[i]);
    assert_contains(help, "mov, webm, y4m, gif,"); /* the formats, from their registries */
    /* A command accepts no option of another command. */
    assert_contains(cli(0, "still", "--help")->out, "--png-bits");
    cli_fails(2, "option --columns", "render", "--columns", "3", "-o", "x.mp4");
    cli_fails(2, "option --crf", "sheet", "--crf", "30", "-o", "x.png");
    assert_contains(cli(0, "render", "--codec", "help")->out, "libx264");
    assert_contains(cli(0, "render", "--preset", "help", "-o", "x.mp4")->out, "veryfast");
    assert_contains(cli(0, "render", "--backend", "help")->out, "cuda");
    assert_contains(cli(0, "render", "--set", "look.profile=help")->out, "plummer");
    assert_contains(cli(0, "render", "--set", "look.color=help")->out, "density");
    assert_contains(cli(0, "render", "--set", "look.exposure=help")->out, "adapt");
    assert_contains(cli(0, "render", "--set", "camera.projection=help")->out, "over-under");
    assert_contains(cli(0, "render", "--chroma", "help")->out, "444");
    assert_contains(cli(0, "render", "--set", "look.mode=help")->out, "activity");
    const char *colours = cli(0, "render", "--set", "look.color=help")->out;
    static const char *const names[] = {"velocity", "speed",     "radial",  "acceleration",
                                        "galaxy",   "component", "constant"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_contains(colours, names[i]);
    const char *maps = cli(0, "render", "--set", "look.map=help")->out;
    static const char *const map_names[] = {"plasma",  "viridis", "inferno",  "magma",
                                            "cividis", "turbo",   "starlight"};
    for (size_t i = 0; i < sizeof map_names / sizeof map_names[0]; i++)
        assert_contains(maps, map_names[i]);
    assert_contains(cli(0, "render", "--set", "look.mode=help")->out, "sprites-plain");
    assert_contains(cli(0, "render", "--set", "bodies.model=help")->out, "plummer");
    assert_contains(cli(0, "render", "--set", "simulation.integrator=help")->out, "kdk");
    assert_false(cli_exists("x.mp4"));
}

TEST(keys_are_explained)
{
    static const char *const paths[] = {"camera.orbit", "output.title", "camera.moves",
                                        "look.exposure"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        char *setting = text_format("%s=help", paths[i]);
        char *help = memory_text(cli(0, "render", "--set", setting)->out);
        assert_memory_equal(help, paths[i], strlen(paths[i]));
        assert_string_equal(cli(0, "scenes", "--keys", paths[i])->out, help);
        free(help);
        free(setting);
    }
    assert_says(cli(0, "sheet", "--set", "camera.orbit=help")->out, "default 60 number degrees");
    char *section = memory_text(cli(0, "still", "--set", "camera=help")->out);
    assert_string_equal(cli(0, "scenes", "--keys", "camera")->out, section);
    assert_says(section, "camera picture azimuth film zoom distance end");
    assert_lacks(section, "simulation");
    free(section);
    const char *all = cli(0, "scenes", "--keys")->out;
    for (const char *line = all; *line; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") < 80);
    cli_fails(2, "mean camera", "render", "--set", "camra=help");
    cli_fails(2, "mean camera.orbit", "render", "--set", "camera.orbt=help");
    cli_fails(2, "mean camera.orbit", "scenes", "--keys", "orbit");
    cli_fails(2, "--markdown camera", "scenes", "--markdown", "camera");
    /* The text "help" itself must be quoted. */
    cli(0, "render", "--set", "output.title=\"help\"", "--save-scene", "titled.yaml");
    assert_contains(cli(0, "scenes", "--resolved", "titled.yaml")->out, "title: help");
}

/* Whatever a name contains, it neither controls the terminal nor begins a new line. */
TEST(names_are_harmless)
{
    static const struct {
        int code;
        const char *words[3], *says;
    } rows[] = {
        {2, {"\033[31mfoo"}, "'\\x1b[31mfoo'"},
        {2, {"verify", "--\033]0;x\a"}, "'--\\x1b]0;x\\x07'"},
        {2, {"verify", "-\033"}, "'-\\x1b'"},
        {5, {"verify", "q\033[31mno.mp4"}, "q\\x1b[31mno.mp4"},
        {5, {"check", "\033[31mno"}, "\\x1b[31mno"},
        {5, {"check", "no\n::error::x"}, "no\\x0a::error::x"},
        {5, {"check", "a\177\302\233b\303\244"}, "a\\x7f\\xc2\\x9bb\303\244"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *const words[] = {rows[i].words[0], rows[i].words[1], NULL};
        const char *err = cli_run(NULL, rows[i].code, words)->err;
        assert_says(err, rows[i].says);
        assert_ptr_equal(strchr(err, '\n'), err + strlen(err) - 1);
    }
}

TEST(scenes_are_listed_and_printed)
{
    const char *list = cli(0, "scenes")->out;
    static const char *const names[] = {"milky-way-andromeda", "dubinski", "plummer", "comparison"};
    for (size_t i = 0; i < 4; i++)
        assert_contains(list, names[i]);
    assert_memory_equal(list, names[0], strlen(names[0])); /* the default comes first */
    for (size_t i = 0; i < 4; i++) {
        cli_write("printed.yaml", cli(0, "scenes", names[i])->out);
        cli_write("resolved.yaml", cli(0, "scenes", names[i], "--resolved")->out);
        /* The printed scene means the same as the built-in one, and so does the resolved one. */
        const char *wanted = cli(0, "scenes", "--resolved", "printed.yaml")->out;
        char *resolved = cli_read("resolved.yaml");
        assert_string_equal(wanted, resolved);
        assert_string_equal(cli(0, "scenes", "resolved.yaml", "--resolved")->out, resolved);
        free(resolved);
    }
    assert_contains(cli(0, "scenes", "--keys")->out, "steps_per_frame");
    assert_contains(cli(0, "scenes", "--keys", "--markdown")->out, "| `steps_per_frame` |");
}

TEST(scenes_are_saved)
{
    const struct run *run = cli(0, "render", "plummer", "-n", "33", "--set", "camera.orbit=-12.5",
                                "--set", "camera.target=[1, 2, 3]", "--save-scene", "made.yaml");
    assert_int_equal(run->out_size, 0);
    char *made = cli_read("made.yaml");
    assert_contains(made, "count: 33\n");
    assert_contains(made, "orbit: -12.5\n");
    assert_string_equal(cli(0, "scenes", "--resolved", "made.yaml")->out, made);
    free(made);
}

TEST(descriptions)
{
    cli_write("good.tab", good_table);
    const char *table = cli(0, "info", "good.tab", "--softening", "0.001")->out;
    assert_contains(table, "bodies:     2, mass 2\n");
    assert_contains(table, "kinetic 0.125, potential -0.99999");
    assert_contains(table, "x 0..1 ");
    const char *scene = cli(0, "info", "plummer")->out;
    assert_contains(scene, "bodies:     16384, mass 1\n");
    assert_contains(scene, "300 frames, 1280x720");
    cli_fails(2, "0", "info", "good.tab", "--softening", "0");
    cli_write("soft.yaml", "bodies: {count: 40, galaxies: [{name: A, halo_softening: 0.25}]}\n");
    assert_contains(cli(0, "info", "soft.yaml")->out, "  softening 0.25  (not drawn)");
    scene = cli(0, "info", "milky-way-andromeda")->out;
    assert_contains(scene, "Andromeda");
    assert_contains(scene, "kpc");
}

TEST(a_plan_writes_nothing)
{
    cli_need_gl();
    int files = fixture_count_files(cli_folder);
    const struct run *run =
        cli(0, "render", "--dry-run", "-n", "500", FIXED, "--size", "128x72", "--frames", "10..19",
            "-o", "deep/film.mp4", "--save-scene", "plan.yaml", "--progress", "plan.txt");
    const char *plan = run->out;
    assert_says(run->err, "folder deep");
    assert_says(plan, "deep/film.mp4 frames 10 19 128x72 30/1 per second");
    assert_contains(plan, "libx264");
    assert_says(plan, "500");
    assert_contains(plan, "deep/film.scene.yaml");
    assert_int_equal(fixture_count_files(cli_folder), files);
    assert_contains(cli(0, "render", "--dry-run", "-n", "500", FIXED)->out, "none");
    assert_int_equal(fixture_count_files(cli_folder), files);
}

TEST(the_doctor_finds_what_is_here)
{
    cli_need_gl();
    const char *found = cli(0, "doctor")->out;
    assert_contains(found, "[ok] cpu");
    assert_contains(found, "OpenGL");
    assert_says(found, "point sprites");
    assert_contains(found, "h264");
}

/* Libraries that are not found: the message says what to install. */
TEST(no_gl_is_said)
{
    cli_need_gl();
    cli_write("none.json", "{\"file_format_version\": \"1.0.0\", \"ICD\": {\"library_path\": "
                           "\"libnowhere.so\"}}\n");
    char setting[4200];
    snprintf(setting, sizeof setting, "__EGL_VENDOR_LIBRARY_FILENAMES=%s", cli_path("none.json"));
    const struct run *run = cli_with((setting), 4, "render", "-n", "8", FIXED, "-o", "nogl.mp4");
    assert_says(run->err, "install");
    assert_false(cli_exists("nogl.mp4"));
    run = cli_with((setting), 4, "doctor");
    assert_contains(run->out, "[ok] cpu");
    assert_says(run->err, "install");
}

TEST(faults_are_told_at_once)
{
    cli_write("faults.yaml", "bodies: {model: plummer, count: 32}\n"
                             "camera:\n"
                             "  fov: 500\n"
                             "  orbitt: 3\n"
                             "  moves:\n"
                             "    - {move: zoom, from: start - 2}\n"
                             "overlay:\n"
                             "  captions: [{text: a, from: 5, to: 3}]\n");
    const struct run *run = cli(2, "info", "faults.yaml");
    assert_says(run->err,
                "faults.yaml:3 camera.fov faults.yaml:4 unknown key orbitt faults.yaml:6 "
                "camera.moves[1].from moment before faults.yaml:8 overlay.captions[1] beginning");
    assert_string_equal(run->out, "");
    /* Moments that never occur are found by a pilot run. */
    cli_write("never.yaml", "bodies: {count: 200, galaxies: [{name: a}, {name: b}]}\n"
                            "output: {frames: 12}\n"
                            "camera: {moves: [{move: zoom, from: pericentre 3}]}\n"
                            "overlay: {captions: [{text: a, from: merger, to: end}]}\n");
    run = cli(2, "info", "never.yaml");
    assert_says(run->err, "never.yaml:3 camera.moves[1].from never.yaml:4 overlay.captions[1].from "
                          "two galaxies merged");
    cli_write("alone.yaml", "bodies: {model: plummer, count: 32}\n"
                            "simulation: {slow: [{at: pericentre, factor: 2}]}\n");
    cli_fails(2, "simulation.slow[1].at pericentre two galaxies names", "info", "alone.yaml");
    /* patterns that the shell has replaced */
    cli_write("frames.0001", "");
    cli_write("frames.0002", "");
    cli_write("frames.0003", "");
    cli_fails(2, "--frames-from frames.0001 quote the pattern 'frames.*'", "render",
              "--frames-from", "frames.0001", "frames.0002", "frames.0003", "-o", "x.mp4");
    cli_fails(2, "--snapshots frames.0001 quote the pattern 'snapshot_*.hdf5'", "still",
              "--snapshots", "frames.0001", "frames.0002", "--at", "1", "-o", "x.png");
}

/* The table of docs/physics.md, row by row, on a scene of 300 frames, 30 per second, 0.04 of time
 * each. */
TEST(lengths_and_paces)
{
    static const struct {
        const char *options[4]; /* pairs */
        const char *row;        /* of the table */
        double frames, frame_time;
    } rows[] = {
        {{"--frames", "450"},
         "| `--frames N` | as it was | N frames | earlier or later |",
         450,
         0.04},
        {{"--duration", "20"},
         "| `--duration D` | as D requires | D seconds | where it did |",
         600,
         0.02},
        {{"--speed", "2"},
         "| `--speed X` | X times as fast | 1 / X of it | where it did |",
         150,
         0.08},
        {{"--fps", "60"},
         "| `--fps R` | as it was | as it was, in R frames a second | where it did |",
         600,
         0.02},
        {{"--duration", "15", "--speed", "1"},
         "| `--duration D --speed X` | X times as fast | D seconds | earlier or later |",
         450,
         0.04},
        {{"--frames", "450", "--speed", "2"},
         "| `--frames N --speed X` | X times as fast | N frames | earlier or later |",
         450,
         0.08},
    };
    const char *source = getenv("GRAVREEL_TEST_SOURCE");
    char *path = text_format("%s/docs/physics.md", source ? source : "."), *page;
    assert_ok(file_read(path, 1 << 20, &page, NULL));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *const *o = rows[i].options;
        const char *text =
            o[2] ? cli(0, "render", "plummer", "--save-scene", "-", o[0], o[1], o[2], o[3])->out
                 : cli(0, "render", "plummer", "--save-scene", "-", o[0], o[1])->out;
        const char *dt = strstr(text, "\n  dt: "), *steps = strstr(text, "  steps_per_frame: "),
                   *frames = strstr(text, "\n  frames: ");
        assert_true(dt && steps && frames);
        assert_true(strtod(frames + 11, NULL) == rows[i].frames);
        assert_float_equal(strtod(dt + 7, NULL) * strtod(steps + 19, NULL), rows[i].frame_time,
                           1e-12);
        assert_contains(page, rows[i].row);
    }
    free(page);
    free(path);
}

/* An invalid moment makes a pilot run for the others unnecessary. */
TEST(moments_are_checked_before_the_look)
{
    const struct run *run =
        cli(2, "render", "-n", "64", "--set",
            "camera.moves=[{move: zoom, from: pericentre}, {move: zoom, from: start - 2}]", "-o",
            "x.hash");
    assert_says(run->err, "camera.moves[2].from moment before");
    assert_lacks(run->err, "looking");
}

/* The same for unknown names, invalid keyframes, and encounters of a single galaxy. */
TEST(cameras_are_checked_before_the_look)
{
    static const struct {
        const char *setting, *sentence;
    } rows[] = {
        {"camera.follow=Andromda", "camera.follow Andromda"},
        {"camera.follow=mass+Milky", "Milky"},
        {"look.panels=[{title: a}, {title: b, follow: nobody}]", "look.panels[2].follow nobody"},
        {"camera.keyframes=[{at: pericentre, position: [1, 1, 1], target: [1, 1, 1]}]",
         "camera.keyframes[1].position target"},
        {"camera.keyframes=[{at: 1, position: [9, 0, 0]}, {at: pericentre, position: [0, 0, 9]}]",
         "camera.keyframes[2].up parallel line sight"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct run *run = cli(2, "render", "-n", "64", "--set",
                                    "camera.moves=[{move: zoom, "
                                    "from: pericentre}]",
                                    "--set", rows[i].setting, "-o", "x.hash");
        assert_says(run->err, rows[i].sentence);
        assert_lacks(run->err, "looking");
    }
    const struct run *run = cli(2, "render", "plummer", "-n", "64", "--set", "camera.follow=mass",
                                "--set", "camera.frame=auto", "--set",
                                "camera.moves=[{move: zoom, from: merger}]", "-o", "x.hash");
    assert_says(run->err, "camera.moves[1].from merger two galaxies");
    assert_lacks(run->err, "looking");
}

TESTS(cli_set_up, cli_tear_down)
