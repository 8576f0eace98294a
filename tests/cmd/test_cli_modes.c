/* Force modes, integrators, adaptive steps and diagnostics as a user requests them. */
#include "tests/support/test.h"

#include "tests/support/programs/cli.h"
#include "tests/support/films/decode.h"
#include "tests/support/forces/sphere.h"

#include <math.h>
#include <string.h>

#define SMALL "render", "plummer", "-n", "60", "--size", "64x36", "--frames", "8"

/* Column `column` of the row whose first number is `frame`, NAN when there is no such row. */
static double cell(const char *csv, int frame, int column)
{
    for (const char *line = strchr(csv, '\n'); line && line[1]; line = strchr(line + 1, '\n')) {
        char *at;
        if (strtol(line + 1, &at, 10) != frame)
            continue;
        double value = frame;
        for (int c = 0; c < column && *at == ','; c++)
            value = strtod(at + 1, &at);
        return value;
    }
    return NAN;
}

static int lines(const char *text)
{
    int count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

TEST(diagnostics_beside_a_film)
{
    cli_need_gl();
#define EVERY3 "--set", "simulation.diagnostics_every=3"
    const struct run *run = cli(0, SMALL, EVERY3, "-o", "film.mp4");
    assert_says(run->err, "film.diagnostics.csv virial ratio");
    char *csv = cli_read("film.diagnostics.csv");
    assert_int_equal(lines(csv), 5); /* frames 0, 3, 6 and the last, 7 */
    assert_contains(csv, "frame,step,time [time],kinetic energy [mass velocity^2],potential");
    assert_contains(csv, "half-mass radius");
    for (int frame = 0; frame < 8; frame += frame == 6 ? 1 : 3) {
        double kinetic = cell(csv, frame, 3), potential = cell(csv, frame, 4);
        assert_near(cell(csv, frame, 1), 4 * frame, 0);
        assert_near(cell(csv, frame, 2), 0.04 * frame, 1e-12);
        assert_near(cell(csv, frame, 5), kinetic + potential, 1e-15);
        assert_near(cell(csv, frame, 5) / cell(csv, 0, 5), 1, 1e-3);
        assert_near(cell(csv, frame, 6), -2 * kinetic / potential, 1e-12);
        assert_true(cell(csv, frame, 16) > 0.3 && cell(csv, frame, 16) < 1.5);
    }
    assert_true(isnan(cell(csv, 1, 1)) && isnan(cell(csv, 8, 1)));
    free(csv);

    assert_int_equal(remove(cli_path("film.mp4")), 0);
    assert_int_equal(remove(cli_path("film.scene.yaml")), 0);
    run = cli(2, SMALL, EVERY3, "-o", "film.mp4");
    assert_says(run->err, "film.diagnostics.csv");
    assert_false(cli_exists("film.mp4"));
    cli(0, SMALL, EVERY3, "-o", "film.mp4", "-y");
    cli(0, SMALL, EVERY3, "-o", "frames/%03d.png");
    assert_true(cli_exists("frames/diagnostics.csv"));
}

TEST(modes_are_named)
{
    cli_need_gl();
    assert_contains(
        cli(0, SMALL, "--set", "simulation.force=exact", "-o", "a.mp4", "--dry-run")->out,
        ", exact");
    assert_contains(
        cli(0, SMALL, "--set", "simulation.force=double", "-o", "a.mp4", "--dry-run")->out,
        ", double");
    assert_says(cli(0, SMALL, "--set", "simulation.subset=4", "-o", "a.mp4", "--dry-run")->out,
                "1/4 sources turn");
    assert_says(cli(0, SMALL, "--set", "simulation.adaptive=0.05", "-o", "a.mp4", "--dry-run")->out,
                "adaptive steps kdk 0.28");
    assert_says(
        cli(0, SMALL, "--set", "simulation.integrator=yoshida4", "-o", "a.mp4", "--dry-run")->out,
        "28 steps 0.01 yoshida4");
    cli_fails(2, "simulation.damping integrator kdk damp", SMALL, "--set", "simulation.damping=0.5",
              "-o", "a.mp4");
}

/* Body 2 exceeds single precision after the fourth frame: the film so far can be read, the message
 * names body and step, and the diagnostics end with the film. */
TEST(overflow_after_some_frames)
{
    cli_need_gl();
    cli_write("far.tab", "1 -1 0 0 0 0 0\n1 1 0 0 1e18 0 0\n");
    const struct run *run =
        cli(1, "render", "plummer", "--bodies-from", "far.tab", "--size", "64x36", "--frames", "20",
            "--set", "simulation.dt=2.5", "--set", "simulation.steps_per_frame=2", "--set",
            "simulation.diagnostics_every=1", "--set", "bodies.velocity_scale=1", "--set",
            "simulation.softening=0.03", "--set", "camera.frame=fixed", "--backend", "cpu", "-o",
            "far.mp4");
    assert_says(run->err, "no longer finite step 8 simulation.dt 2.5 4 frames far far.mp4");
    struct decoded film;
    assert_true(decode_open(&film, cli_path("far.mp4")));
    while (decode_next(&film)) {
    }
    assert_int_equal(film.frames, 4);
    decode_close(&film);
    char *csv = cli_read("far.diagnostics.csv");
    assert_int_equal(lines(csv), 5);
    free(csv);
}

TESTS(cli_set_up, cli_tear_down)
