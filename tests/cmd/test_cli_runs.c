/* Runs: films from them have the bytes of the films that simulate; killed runs are continued. */
#include "tests/support/test.h"

#include "base/hash.h"
#include "tests/support/programs/cli.h"
#include "tests/support/programs/run.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void assert_same_files(const char *a, const char *b)
{
    char one[HASH_TEXT], other[HASH_TEXT];
    struct hash_stream *stream = hash_open();
    assert_ok(hash_add_file(stream, cli_path(a), 0, NULL));
    hash_end(&stream, one);
    stream = hash_open();
    assert_ok(hash_add_file(stream, cli_path(b), 0, NULL));
    hash_end(&stream, other);
    if (strcmp(one, other) != 0)
        fail_msg("%s and %s differ", a, b);
}

/* What a film may show and how its bodies may move. */
static const char *const scenes[] = {
    "overlay: {clock: true, clock_from: start}\ncamera: {frame: auto, follow: mass}\n"
    "look: {size: adaptive}\n",
    "look: {trails: 0.1, panels: [{title: a}, {title: b, softening: 0.6, subset: 2}]}\n"
    "overlay: {energy: true}\n",
    "look: {color: temperature}\nsimulation: {adaptive: 0.03, dt: 0.4, "
    "slow: [{at: frame 2, factor: 2, span: 0.05}], diagnostics_every: 3}\n",
    "look: {color: acceleration, exposure: adapt, size: adaptive}\n",
    "look: {color: quantity, quantity: birth_radius}\nbodies: {noisy: true}\n",
};

static void write_scene(const char *name, const char *more)
{
    char text[2048];
    const char *bodies = strstr(more, "bodies:");
    snprintf(text, sizeof text,
             "%s%soutput: {frames: 8, size: 320x180, threads: 1, segment: 4, title: first}\n", more,
             bodies ? ""
                    : "bodies: {count: 300, separation: 9, galaxies: [{name: near}, {name: "
                      "far}]}\n");
    cli_write(name, text);
}

TEST(films_have_the_bytes)
{
    cli_need_gl();
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        print_message("%s", scenes[i]);
        write_scene("one.yaml", scenes[i]);
        cli(0, "simulate", "one.yaml", "-y", "-o", "one.gvr");
        cli(0, "render", "one.yaml", "-y", "-o", "moved.mp4", "--keep-run", "kept.gvr");
        const struct run *run = cli(0, "render", "one.gvr", "-y", "-o", "shown.mp4");
        assert_null(strstr(run->err, "pilot run"));
        assert_same_files("moved.mp4", "shown.mp4");
        assert_same_files("one.gvr", "kept.gvr");
    }
    /* Another look, with a pilot run for the exposure, which the run has. */
    write_scene("one.yaml", scenes[0]);
    cli(0, "simulate", "one.yaml", "-y", "-o", "one.gvr");
    cli(0, "render", "one.yaml", "--set", "look.tone=log", "--set", "look.color=galaxy", "-y", "-o",
        "moved.mp4");
    cli(0, "render", "one.gvr", "--set", "look.tone=log", "--set", "look.color=galaxy", "-y", "-o",
        "shown.mp4");
    assert_same_files("moved.mp4", "shown.mp4");
    write_scene("one.yaml", scenes[4]);
    cli(0, "simulate", "one.yaml", "-y", "-o", "one.gvr");
    /* another look, from a scene beside the run and by options */
    write_scene("other.yaml", scenes[4]);
    cli(0, "render", "other.yaml", "--set", "output.title=second", "-y", "-o", "moved.mp4");
    cli(0, "render", "other.yaml", "--set", "output.title=second", "--run", "one.gvr", "-y", "-o",
        "shown.mp4");
    assert_same_files("moved.mp4", "shown.mp4");
    cli(0, "render", "one.gvr", "--set", "output.title=second", "-y", "-o", "shown.mp4");
    assert_same_files("moved.mp4", "shown.mp4");
    /* a part of it, and a picture */
    cli(0, "render", "other.yaml", "--frames", "3..5", "-y", "-o", "moved.mp4");
    cli(0, "render", "one.gvr", "--frames", "3..5", "-y", "-o", "shown.mp4");
    assert_same_files("moved.mp4", "shown.mp4");
    cli(0, "still", "other.yaml", "--at", "frame 6", "-y", "-o", "moved.png");
    cli(0, "still", "one.gvr", "--at", "frame 6", "-y", "-o", "shown.png");
    assert_same_files("moved.png", "shown.png");
    /* a film of another length and pace */
    cli(0, "simulate", "one.yaml", "--duration", "0.4", "-y", "-o", "one.gvr");
    cli(0, "render", "one.yaml", "--duration", "0.4", "-y", "-o", "moved.mp4");
    const struct run *shown = cli(0, "render", "one.gvr", "-y", "-o", "shown.mp4");
    assert_non_null(strstr(shown->err, "12 frames"));
    assert_same_files("moved.mp4", "shown.mp4");
}

TEST(what_does_not_fit)
{
    cli_need_gl();
    write_scene("one.yaml", scenes[0]);
    cli(0, "simulate", "one.yaml", "-y", "-o", "one.gvr");
    cli_fails(2, "simulation.dt", "render", "one.gvr", "--set", "simulation.dt=0.3", "-o", "x.mp4");
    cli_fails(2, "bodies.seed", "still", "one.yaml", "--set", "bodies.seed=7", "--run", "one.gvr",
              "--at", "0", "-o", "x.png");
    cli_fails(2, "9 frames 8", "render", "one.gvr", "--frames", "9", "-o", "x.mp4");
    cli_fails(2, "softening panels", "render", "one.gvr", "--set",
              "look.panels=[{}, {softening: 0.7}]", "-o", "x.mp4");
    cli_fails(2, "own bodies --bodies-from", "render", "one.gvr", "--bodies-from", "b.csv", "-o",
              "x.mp4");
    cli_fails(2, "complete 8 -y", "simulate", "one.yaml", "-o", "one.gvr");
    cli_fails(2, "keeps --keep-run", "render", "one.gvr", "--keep-run", "k.gvr", "-o", "x.mp4");
    cli_fails(2, "one.gvx unknown .gvr hdf5", "simulate", "one.yaml", "-o", "one.gvx");
    cli_fails(2, "no extension .gvr snap_%03d.hdf5", "simulate", "one.yaml", "-o", "one");
    cli_fails(2, "exists -y bodies.seed", "render", "one.yaml", "--set", "bodies.seed=7",
              "--keep-run", "one.gvr", "-o", "x.mp4");
    cli_write("not.gvr", "text");
    cli_fails(2, "not a run -y", "simulate", "one.yaml", "-o", "not.gvr");
    cli_fails(2, "not a run", "render", "not.gvr", "-o", "x.mp4");
    cli_fails(5, "absent.gvr", "render", "absent.gvr", "-o", "x.mp4");
}

static void wait_a_little(unsigned *seed)
{
    *seed = *seed * 1103515245u + 12345u;
    const long microseconds = (long)(*seed >> 8) % 120000;
    (void)usleep((useconds_t)microseconds);
}

#define LONG                                                                                       \
    "simulate", "plummer", "--set", "bodies.count=400", "--set", "output.frames=150", "--set",     \
        "output.size=320x180"

/* Whenever it is killed, what comes out in the end is the same. */
TEST(killed_and_continued)
{
    enum { KILLS = 12 };
    unsigned seed = 1;
    const struct run_options options = {.folder = cli_folder};
    cli(0, LONG, "-y", "-o", "whole.gvr");
    for (int k = 0; k < KILLS; k++) {
        struct run_process process;
        struct run result;
        run_start(&process, &options, (const char *const[]){LONG, "-o", "killed.gvr", NULL});
        if (run_wait_for_file(&process, cli_path("killed.gvr"), 1))
            wait_a_little(&seed);
        run_signal(&process, k % 3 == 2 ? SIGTERM : SIGKILL);
        run_finish(&process, &result);
        run_free(&result);
    }
    /* readable as far as it goes, and complete after another call */
    struct run run;
    run_program(&run, &options, (const char *const[]){"info", "killed.gvr", NULL});
    assert_true(run.code == 0 || (run.code == 2 && strstr(run.err, "no frame")) ||
                (run.code == 5 && !cli_exists("killed.gvr")));
    run_free(&run);
    run_program(&run, &options, (const char *const[]){LONG, "-o", "killed.gvr", NULL});
    if (run.code != 0 && !(run.code == 2 && strstr(run.err, "complete")))
        fail_msg("%d: %s", run.code, run.err);
    run_free(&run);
    assert_same_files("whole.gvr", "killed.gvr");
    assert_false(cli_exists("killed.gvr.state"));
}

/* A run kept beside a film is continued with the film. */
TEST(kept_beside_a_film)
{
    cli_need_gl();
#define KEPT                                                                                       \
    "render", "plummer", "--set", "bodies.count=300", "--set", "output.frames=24", "--set",        \
        "output.segment=4", "--size", "160x90", "--set", "output.threads=1"
    const struct run_options options = {.folder = cli_folder};
    struct run_process process;
    struct run result;
    cli(0, KEPT, "-o", "whole.mp4", "--keep-run", "beside.gvr");
    run_start(&process, &options,
              (const char *const[]){KEPT, "-o", "killed.mp4", "--keep-run", "k.gvr", NULL});
    (void)run_wait_for_file(&process, cli_path("killed.mp4.parts/checkpoint-000008.h5"), 1);
    run_signal(&process, SIGKILL);
    run_finish(&process, &result);
    run_free(&result);
    cli(0, KEPT, "-o", "killed.mp4", "--keep-run", "k.gvr", "--resume");
    assert_same_files("beside.gvr", "k.gvr");
    assert_same_files("whole.mp4", "killed.mp4");
}

/* Frames in between are interpolated, and it is said. */
TEST(each_third)
{
    cli_need_gl();
    write_scene("one.yaml", scenes[0]);
    cli(0, "simulate", "one.yaml", "--every", "3", "-y", "-o", "third.gvr");
    const struct run *run = cli(0, "render", "third.gvr", "-y", "-o", "third.mp4");
    assert_says(run->err, "interpolated");
    run = cli(0, "info", "third.gvr");
    assert_says(run->out, "every 3 frames");
    /* beside a film, which shows every frame as it was simulated */
    cli(0, "render", "one.yaml", "-y", "-o", "moved.mp4");
    cli(0, "render", "one.yaml", "--every", "3", "--keep-run", "beside.gvr", "-y", "-o",
        "kept.mp4");
    assert_same_files("moved.mp4", "kept.mp4");
    assert_same_files("third.gvr", "beside.gvr");
    cli_fails(2, "each frame of 3 --every 2", "render", "one.yaml", "--every", "2", "--keep-run",
              "beside.gvr", "-o", "x.mp4");
}

/* The scene that is written beside a film is accepted, also where its slow motion begins after the
 * end, because the film was made shorter. */
TEST(scenes_of_short_films)
{
    cli_need_gl();
#define SHORT "plummer", "-n", "256", "--set", "output.frames=6", "--set", "output.size=96x54"
    static const char *const more[] = {"output.threads=1",
                                       "simulation.slow=[{at: t=1000, factor: 2, span: 3}]",
                                       "simulation.slow=[{at: end, factor: 2, span: 3}]"};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        cli(0, "render", SHORT, "--set", more[i], "-y", "-o", "moved.mp4");
        cli(0, "render", "moved.scene.yaml", "-y", "-o", "again.mp4");
        assert_same_files("moved.mp4", "again.mp4");
        cli(0, "simulate", SHORT, "--set", more[i], "-y", "-o", "short.gvr");
        cli(0, "render", "short.gvr", "-y", "-o", "shown.mp4");
        cli(0, "render", "shown.scene.yaml", "--run", "short.gvr", "-y", "-o", "again.mp4");
        assert_same_files("moved.mp4", "again.mp4");
    }
}

/* Kills the command as soon as the file is there. */
static void kill_when(const char *file, const char *const *words)
{
    const struct run_options options = {.folder = cli_folder};
    struct run_process process;
    struct run result;
    run_start(&process, &options, words);
    assert_true(run_wait_for_file(&process, cli_path(file), 1));
    run_signal(&process, SIGKILL);
    run_finish(&process, &result);
    run_free(&result);
}

/* `gravreel resume` reads the run from which the film was begun, and simulates in place of none. */
TEST(resumed_from_the_run)
{
    cli_need_gl();
#define DRAWN                                                                                      \
    "plummer", "--set", "bodies.count=300", "--set", "output.frames=400", "--set",                 \
        "output.segment=4", "--set", "output.size=160x90", "--set", "output.threads=1"
    cli(0, "simulate", DRAWN, "-o", "drawn.gvr");
    cli(0, "simulate", DRAWN, "--set", "bodies.seed=7", "-o", "another.gvr");
    cli(0, "render", "drawn.gvr", "--set", "look.color=speed", "-o", "uncut.mp4");
    kill_when("cut.mp4.parts/segment-000000.mp4",
              (const char *const[]){"render", "drawn.gvr", "--set", "look.color=speed", "-o",
                                    "cut.mp4", NULL});
    cli_fails(5, "'cut.mp4' unfinished `gravreel resume", "info", "cut.mp4");
    assert_int_equal(rename(cli_path("drawn.gvr"), cli_path("moved.gvr")), 0);
    cli_fails(5, "'drawn.gvr' not there --run", "resume", "cut.mp4");
    cli_fails(2, "'another.gvr' not the one", "resume", "cut.mp4", "--run", "another.gvr");
    const struct run *run = cli(0, "resume", "cut.mp4", "--run", "moved.gvr");
    assert_says(run->err, "drawn from the run 'moved.gvr'");
    assert_says(run->err, "of 400 frames are done");
    assert_null(strstr(run->err, "the simulation "));
    assert_says(run->err, "shown from a run");
    assert_same_files("uncut.mp4", "cut.mp4");
    /* in its place again, it is found */
    assert_int_equal(rename(cli_path("moved.gvr"), cli_path("drawn.gvr")), 0);
    kill_when("cut2.mp4.parts/segment-000000.mp4",
              (const char *const[]){"render", "drawn.gvr", "--set", "look.color=speed", "-o",
                                    "cut2.mp4", NULL});
    run = cli(0, "resume", "cut2.mp4.parts");
    assert_says(run->err, "shown from a run");
    assert_same_files("uncut.mp4", "cut2.mp4");
}

/* A film that needs frames that its run has not is refused before the first one. */
TEST(part_of_a_run)
{
    cli_need_gl();
#define PART                                                                                       \
    "plummer", "--set", "bodies.count=300", "--set", "output.frames=4000", "--set",                \
        "output.segment=4", "--set", "output.size=160x90", "--set", "output.threads=1"
    kill_when("part.gvr.state/checkpoint-000032.h5",
              (const char *const[]){"simulate", PART, "-o", "part.gvr", NULL});
    cli_fails(2, "'part.gvr' of 4000 frames `gravreel simulate` `--frames 0..", "render",
              "part.gvr", "-o", "part.mp4");
    assert_false(cli_exists("part.mp4.parts"));
    cli_fails(2, "of 4000 frames `gravreel simulate`", "render", "part.gvr", "--frames",
              "3990..3999", "--dry-run", "-o", "part.mp4");
    cli(0, "render", "part.gvr", "--frames", "0..8", "-o", "part.mp4");
    cli(0, "render", PART, "--frames", "0..8", "-o", "same.mp4");
    assert_same_files("part.mp4", "same.mp4");
}

TESTS(cli_set_up, cli_tear_down)
