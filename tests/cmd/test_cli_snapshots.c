/* Snapshots written without and beside a film, and films made of snapshots. */
#include "tests/support/test.h"

#include "base/file.h"
#include "tests/support/programs/cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SMALL "plummer", "-n", "64"
#define TINY  "--size", "64x36", "--set", "output.preset=ultrafast"
#define OWN   "--set", "bodies.units=none" /* G = 1, as in the scene of the test */

static void same_files(const char *a, const char *b)
{
    char *one, *other;
    size_t size, other_size;
    assert_ok(file_read(cli_path(a), 1 << 24, &one, &size));
    assert_ok(file_read(cli_path(b), 1 << 24, &other, &other_size));
    assert_int_equal(size, other_size);
    assert_memory_equal(one, other, size);
    free(one);
    free(other);
}

TEST(snapshots_without_a_film)
{
    const struct run *run =
        cli(0, "simulate", SMALL, "--every", "0.5", "--until", "1.2", "-o", "s_%02d.g2");
    assert_says(run->err,
                "50 steps 0.01 snapshot next 4 snapshots complete s_00.g2 s_03.g2 time 1.2");
    assert_false(cli_exists("s_04.g2"));
    run = cli(2, "simulate", SMALL, "--every", "0.5", "--until", "1.2", "-o", "s_%02d.g2");
    assert_says(run->err, "s_00.g2 -y");
    cli(0, "simulate", SMALL, "--every", "0.5", "--until", "1.2", "-o", "s_%02d.g2", "-y");
    /* Snapshots written on the way change nothing. */
    cli(0, "simulate", SMALL, "--every", "1", "--until", "1", "-o", "one_%d.g2");
    cli(0, "simulate", SMALL, "--every", "0.25", "--until", "1", "-o", "four_%d.g2");
    cli(0, "convert", "one_1.g2", "one.csv");
    cli(0, "convert", "four_4.g2", "four.csv");
    same_files("one.csv", "four.csv");
    /* The film's last frame, by default. */
    run = cli(0, "simulate", SMALL, "--set", "output.frames=6", "--every", "1", "-o", "d_%d.g2");
    assert_says(run->err, "d_0.g2 d_1.g2 time 0.2");
}

/* For a run that starts from a snapshot, time continues from that of its file. */
TEST(time_goes_on)
{
    cli(0, "simulate", SMALL, "--every", "1", "--until", "2", "-o", "on_%d.hdf5");
    const struct run *run = cli(0, "simulate", SMALL, "--bodies-from", "on_2.hdf5", "--every", "1",
                                "--until", "1.5", "-o", "go_%d.mpv");
    assert_says(run->err, "3 snapshots complete go_0.mpv go_2.mpv time 3.5");
    static const double times[] = {2, 3, 3.5};
    for (int k = 0; k < 3; k++) {
        static const char *const names[] = {"go_0.mpv", "go_1.mpv", "go_2.mpv"};
        char *text = cli_read(names[k]);
        assert_true(fabs(strtod(strchr(text, ' '), NULL) - times[k]) < 1e-12);
        free(text);
    }
}

/* Frames are as short as the film's, so that steps are too short only where the film's are: the
 * built-in scene has its closest passage, in slow motion, at t = 15.83. */
TEST(steps_too_short)
{
    cli_write("near.yaml", "bodies: {model: list, list: [{name: a, mass: 1, position: [0, 0, 0], "
                           "velocity: [0, 0, 0]}, {name: b, mass: 1, position: [1e-9, 0, 0], "
                           "velocity: [0, 0, 0]}]}\n"
                           "simulation: {adaptive: 0.0001, softening: 1.0e-9, dt: 1}\n");
    cli_fails(1, "simulation.adaptive simulation.dt", "simulate", "near.yaml", "--every", "9",
              "--until", "9", "-o", "n_%d.csv");
    cli_fails(1, "--every", "simulate", "near.yaml", "--every", "0.5", "--until", "0.5", "-o",
              "m_%d.csv");
    cli(0, "simulate", "pythagorean", "--every", "15.9", "--until", "15.9", "-o", "p_%d.csv");
}

TEST(what_cannot_be_simulated)
{
    static const struct {
        const char *output, *every, *says;
    } cases[] = {
        {"x.g2", "1", "-o name number"},
        {"x_%d_%d.g2", "1", "-o name number"},
        {"x_%s.g2", "1", "-o name number"},
        {"x_%d.mp4", "1", "extension format bodies"},
        {"x_%d.g2", "0", "--every simulated time 0"},
        {"x_%d.g2", "1 Myr", "--every simulated time 0"},
        {"x_%d.g2", "1e-9", "snapshots time"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cli_fails(2, cases[i].says, "simulate", SMALL, "-o", cases[i].output, "--every",
                  cases[i].every);
    cli_fails(2, "no output given", "simulate", SMALL, "--every", "1");
    cli_fails(2, "--every time snapshot", "simulate", SMALL, "-o", "x_%d.g2");
    assert_says(cli(0, "simulate", SMALL, "--every", "1", "--until", "1", "-o", "x_%d.csv")->err,
                "time");
}

TEST(a_film_of_snapshots)
{
    cli(0, "simulate", SMALL, "--every", "0.5", "--until", "1.5", "-o", "film_%d.g2");
    const struct run *run = cli(0, "render", "plummer", "--snapshots", "film_*.g2", OWN,
                                "--dry-run", "--set", "output.frames=7", "-o", "none.mp4");
    assert_says(run->err, "4 snapshots 1.5 time 7 frames covers 0.25");
    run = cli(0, "render", "plummer", "--snapshots", "film_%d.g2", OWN, "--set", "output.frames=7",
              "--save-scene", "film.yaml");
    char *scene = cli_read("film.yaml");
    assert_contains(scene, "model: snapshots");
    assert_contains(scene, "file: \"film_%d.g2\"");
    assert_contains(scene, "dt: 0.25\n");
    free(scene);
    /* Another length, but still to the last snapshot. */
    cli(0, "render", "plummer", "--snapshots", "film_*.g2", OWN, "--duration", "0.5",
        "--save-scene", "long.yaml");
    scene = cli_read("long.yaml");
    assert_contains(scene, "frames: 15\n");
    assert_contains(scene, "dt: 0.107142857142857");
    free(scene);
    run = cli(2, "render", "plummer", "--snapshots", "film_*.g2", OWN, "--set", "simulation.dt=1",
              "--set", "output.frames=7", TINY, "-o", "none.mp4");
    assert_says(run->err, "snapshots 1.5");
    run = cli(2, "render", "--snapshots", "film_*.g2", "--bodies-from", "film_0.g2", "-o", "x.mp4");
    assert_says(run->err, "leave out");
    run = cli(5, "render", "--snapshots", "other_*.g2", "-o", "x.mp4");
    assert_says(run->err, "other_*.g2");
    run = cli(2, "simulate", "film.yaml", "--every", "1", "-o", "again_%d.g2");
    assert_says(run->err, "snapshots already");
}

TEST(drawn)
{
    cli_need_gl();
    cli(0, "simulate", SMALL, "--every", "0.25", "--until", "0.5", "-o", "draw_%d.g2");
    const struct run *run = cli(0, "render", "plummer", "--snapshots", "draw_*.g2", OWN, TINY,
                                "--set", "output.frames=5", "-o", "draw.mp4");
    assert_lacks(run->err, "drift");
    assert_lacks(run->err, "drift "); /* because the forces are unknown */
    assert_lacks(run->err, "virial");
    assert_says(run->err, "no energy bodies snapshots");
    cli(0, "verify", "draw.mp4");
    run = cli(0, "render", "draw.mp4", "--summary", "short", "-o", "short.mp4");
    assert_says(run->err, "slowest");
    assert_lacks(run->err, "energy");
    run = cli(0, "render", "draw.mp4", "--json", "-o", "json.mp4");
    assert_contains(run->out, "\"slowest\"");
    assert_lacks(run->out, "energy");
    cli(0, "render", "draw.mp4", "-o", "again.mp4");
    same_files("draw.mp4", "again.mp4");
    cli(0, "still", "draw.mp4", "--at", "end", "-o", "end.png");
}

/* The same with and without a film; those of an earlier run are in the way. */
TEST(snapshots_beside_a_film)
{
    cli_need_gl();
    cli(0, "simulate", SMALL, "--every", "0.08", "--until", "0.24", "-o", "alone_%d.g2");
    const struct run *run =
        cli(0, "render", SMALL, TINY, "--set", "output.frames=8", "--save-snapshots", "with_%d.g2",
            "--every", "0.08", "-o", "with.mp4");
    assert_says(run->err, "4 snapshots with_%d.g2");
    cli(0, "convert", "alone_3.g2", "alone.csv");
    cli(0, "convert", "with_3.g2", "with.csv");
    same_files("alone.csv", "with.csv");
    run = cli(2, "render", SMALL, TINY, "--set", "output.frames=8", "--save-snapshots",
              "with_%d.g2", "--every", "0.08", "-o", "other.mp4");
    assert_says(run->err, "with_0.g2");
    assert_false(cli_exists("other.mp4"));
    run = cli(2, "render", SMALL, TINY, "--save-snapshots", "x_%d.g2", "--every", "0.001", "-o",
              "x.mp4");
    assert_says(run->err, "shorter frame");
    cli_fails(2, "--save-snapshots give both", "render", SMALL, "--save-snapshots", "x_%d.g2", "-o",
              "x.mp4");
}

/* Values derived from a column for the film are not written. */
TEST(kernels_are_not_in_snapshots)
{
    cli_need_gl();
    cli_write("gas.csv", "mass,x,y,z,vx,vy,vz,hsml\n1,0,0,0,0,0,0,1\n1,9,0,0,0,0,0,4.5\n"
                         "1,0,9,0,0,0,0,2\n1,0,0,9,0,0,0,nan\n");
    const struct run *run =
        cli(0, "render", "--bodies-from", "gas.csv", TINY, "--set", "output.frames=3", "--set",
            "simulation.dt=0.01", "--set", "simulation.steps_per_frame=1", "--save-snapshots",
            "gas_%d.csv", "--every", "0.01", "-o", "gas.mp4");
    assert_says(run->err, "3 bodies gas");
    char *text = cli_read("gas_1.csv");
    assert_contains(text, ",hsml\n");
    free(text);
}

/* Columns of a file, or of the model, are in the snapshots of the run. */
TEST(columns_are_in_snapshots)
{
    cli_write("hot.csv", "mass,x,y,z,vx,vy,vz,Heat [K]\n1,0,0,0,0,0,0,1\n1,9,0,0,0,0,0,4.5\n"
                         "1,0,9,0,0,0,0,2\n1,0,0,9,0,0,0,nan\n");
    static const char heat[] = "columns:    Heat [K]  1..4.5, missing for 1 body\n";
    const struct run *run = cli(0, "simulate", "plummer", "--bodies-from", "hot.csv", "--every",
                                "0.5", "--until", "0.5", "-o", "hot_%d.hdf5");
    assert_lacks(run->err, "keep");
    assert_contains(cli(0, "info", "hot_1.hdf5")->out, heat);
    assert_says(cli(0, "simulate", "plummer", "--bodies-from", "hot.csv", "--every", "0.5",
                    "--until", "0.5", "-o", "hot_%d.g2")
                    ->err,
                "files format gadget2 Heat");
    cli(0, "simulate", "mice", "-n", "200", "--every", "1", "--until", "1", "-o", "old_%d.hdf5");
    run = cli(0, "info", "old_1.hdf5");
    assert_contains(run->out, "birth_radius [scale lengths]");
    assert_contains(run->out, "age [Gyr]");
}

/* Names stay with their bodies, in formats that keep them; nothing is coloured by them. */
TEST(words_are_in_snapshots)
{
    cli_write("named.csv", "name,mass,x,y,z,vx,vy,vz\nSun,1,0,0,0,0,0,0\n\"b, c\",1,9,0,0,0,0,0\n");
    const char *const simulate[] = {"named_%d.csv", "named_%d.hdf5"};
    for (int i = 0; i < 2; i++) {
        const struct run *run = cli(0, "simulate", "plummer", "--bodies-from", "named.csv",
                                    "--every", "0.5", "--until", "0.5", "-o", simulate[i]);
        if (i == 0)
            assert_lacks(run->err, "keep");
        else
            assert_says(run->err, "files format hdf5 do not keep name");
    }
    assert_contains(cli(0, "info", "named_1.csv")->out, "columns:    name  2 words, Sun to b, c\n");
    char *text = cli_read("named_1.csv");
    assert_contains(text, ",\"b, c\"\n");
    free(text);
    assert_says(cli(0, "convert", "named_1.csv", "named.npz")->err, "does not keep name");
    cli_fails(2, "no columns", "still", "--at", "start", "--bodies-from", "named.csv", "--set",
              "look.color=quantity", "--set", "look.quantity=name", "-o", "named.png");
}

TEST(columns_are_in_snapshots_beside_a_film)
{
    cli_need_gl();
    const struct run *run =
        cli(0, "render", "plummer", "--bodies-from", "hot.csv", TINY, "--set", "output.frames=3",
            "--save-snapshots", "warm_%d.hdf5", "--every", "150", "-o", "warm.mp4");
    assert_lacks(run->err, "is not read");
    assert_lacks(run->err, "skipped the column");
    assert_contains(cli(0, "info", "warm_1.hdf5")->out, "columns:    Heat [K]  1..4.5");
    cli(0, "render", "plummer", "--snapshots", "hot_*.hdf5", OWN, TINY, "--set", "output.frames=3",
        "--save-snapshots", "between_%d.hdf5", "--every", "0.25", "-o", "between.mp4");
    assert_contains(cli(0, "info", "between_1.hdf5")->out, "columns:    Heat [K]  1..4.5");
    cli(0, "still", "between.mp4", "--set", "look.color=quantity", "--set", "look.quantity=Heat",
        "--at", "frame 1", "-o", "heat.png");
}

TESTS(cli_set_up, cli_tear_down)
