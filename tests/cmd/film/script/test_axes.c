/* The smoothed axis of camera.align, and films with it. */
#include "tests/support/test.h"

#include "base/memory.h"
#include "cmd/film/script/axes.h"
#include "tests/support/programs/cli.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 90 };

/* Turns by a degree a frame in the plane of x and z, and trembles by 5. */
static struct camera_axis *turning(size_t count, double tremble)
{
    struct camera_axis *axis = memory_new(count, sizeof *axis);
    for (size_t k = 0; k < count; k++) {
        const double angle = ((double)k + (k % 2 ? tremble : -tremble)) * M_PI / 180;
        axis[k].up[0] = sin(angle);
        axis[k].up[2] = cos(angle);
    }
    return axis;
}

static double degrees(const struct camera_axis *axis)
{
    assert_true(fabs(hypot(hypot(axis->up[0], axis->up[1]), axis->up[2]) - 1) < 1e-12);
    return atan2(axis->up[0], axis->up[2]) * 180 / M_PI;
}

TEST(an_axis_is_smoothed)
{
    const struct frame_clock clock = {.dt = 0.5, .steps_per_frame = 2};
    struct axes axes = {.axis = turning(FRAMES, 5), .count = FRAMES};
    struct camera_axis *own = axes_smooth(&axes, 1, &clock, FRAMES, 0, false);
    struct camera_axis *smooth = axes_smooth(&axes, 1, &clock, FRAMES, 20, false);
    struct camera_axis *loop = axes_smooth(&axes, 1, &clock, FRAMES, 20, true);
    struct camera_axis *twice = axes_smooth(&axes, 2, &clock, FRAMES, 20, false);
    for (int f = 0; f < FRAMES; f++) {
        assert_true(fabs(degrees(&own[f]) - (f + (f % 2 ? 5 : -5))) < 1e-9);
        if (f < 10 || f >= FRAMES - 10)
            continue;
        assert_true(fabs(degrees(&smooth[f]) - f) < 0.05);
        assert_true(memcmp(&smooth[f], &loop[f], sizeof *loop) == 0);
    }
    assert_true(fabs(degrees(&loop[0]) - degrees(&loop[FRAMES - 1])) < 15);
    assert_true(fabs(degrees(&twice[60]) - 30) < 0.1); /* samples are two frames apart */
    free(own);
    free(smooth);
    free(loop);
    free(twice);
    axes_end(&axes);
}

/* Of frame 32. */
static void hash_of(const char *name, char out[64])
{
    char *text = cli_read(name);
    const char *line = strstr(text, "32 ");
    while (line && line > text && line[-1] != '\n')
        line = strstr(line + 1, "32 ");
    assert_non_null(line);
    snprintf(out, 64, "%.*s", (int)strcspn(line, "\n"), line);
    free(text);
}

#define SCENE "align.yaml", "--backend", "cpu", "-y"

/* A range and a film of a run are those of the whole; 0 is no smoothing. */
TEST(a_film_with_a_smoothed_axis)
{
    cli_need_gl();
    cli_write("align.yaml",
              "bodies: {count: 600, galaxies: [{name: A, inclination: 50}, {name: B}]}\n"
              "camera: {align: A, align_time: 2, follow: A, distance: 30, elevation: 90}\n"
              "look: {exposure: 1}\n"
              "output: {frames: 60, size: 96x54, start_number: 0}\n");
    cli(0, "render", SCENE, "--frames", "30..33", "-o", "a.hash");
    cli(0, "render", SCENE, "--frames", "32..32", "-o", "b.hash");
    cli(0, "simulate", SCENE, "-o", "run.gvr");
    cli(0, "render", "run.gvr", "--frames", "32..32", "-o", "c.hash");
    cli(0, "render", SCENE, "--set", "camera.align_time=0", "--frames", "32..32", "-o", "d.hash");
    char a[64], other[64];
    hash_of("a.hash", a);
    hash_of("b.hash", other);
    assert_string_equal(a, other);
    hash_of("c.hash", other);
    assert_string_equal(a, other);
    hash_of("d.hash", other);
    assert_string_not_equal(a, other);
}

TESTS(cli_set_up, cli_tear_down)
