/* Predictions of --dry-run, against runs. */
#include "tests/support/test.h"

#include "tests/faults/faults.h"
#include "tests/support/programs/cli.h"
#include "tests/support/films/sink_fixture.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *temporary, *setting;

static int set_up(void **state)
{
    cli_set_up(state);
    temporary = fixture_folder();
    const size_t size = strlen(temporary) + sizeof "TMPDIR=";
    setting = malloc(size);
    assert_non_null(setting);
    snprintf(setting, size, "TMPDIR=%s", temporary);
    return 0;
}

static int tear_down(void **state)
{
    free(setting);
    fixture_remove_folder(temporary);
    return cli_tear_down(state);
}

#define forecast(code, ...)                                                                        \
    cli_run(ARGUMENTS(setting), code, ARGUMENTS("render", "--dry-run", __VA_ARGS__))

/* The number after `label` at the start of a line, in bytes or seconds according to its unit. */
static double figure(const char *text, const char *label)
{
    static const struct {
        const char *unit;
        double factor;
    } units[] = {{"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"s", 1}};
    const size_t length = strlen(label);
    for (const char *line = text; *line; line += *line == '\n') {
        if (strncmp(line, label, length) == 0) {
            char unit[8];
            double value;
            if (sscanf(line + length, " about %lf %7[A-Za-z]", &value, unit) == 2)
                for (size_t u = 0; u < sizeof units / sizeof units[0]; u++)
                    if (strcmp(unit, units[u].unit) == 0)
                        return value * units[u].factor;
        }
        line += strcspn(line, "\n");
    }
    fail_msg("no figure for '%s' in:\n%s", label, text);
    return NAN;
}

static double size_of(const char *name)
{
    struct stat found;
    assert_int_equal(stat(cli_path(name), &found), 0);
    return (double)found.st_size;
}

static void near_to(const char *what, double said, double real)
{
    if (!(fabs(said / real - 1) <= 0.25))
        fail_msg("%s: %.0f bytes were said, and there are %.0f", what, said, real);
}

#define SMALL "plummer", "-n", "200", "--size", "128x72"

TEST(all_four_are_told_and_nothing_is_left)
{
    cli_need_gl();
    const char *const outputs[] = {"film.mp4", "deep/%04d.png", "film.mkv", "film.y4m", "film.hash",
                                   "-",        "film.webm"};
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        const char *text = forecast(0, SMALL, "--frames", "60", "-o", outputs[i])->out;
        assert_true(figure(text, "time") > 0);
        assert_true(figure(text, "disk") > 0);
        assert_true(figure(text, "memory") > 10e6);
        assert_contains(text, "\nGPU memory  ");
        assert_says(text, "nothing written");
        assert_int_equal(fixture_count_files(cli_folder), 0);
        assert_int_equal(fixture_count_files(temporary), 0);
    }
    /* Also short films, which have fewer frames than the trial would use. */
    const char *const lengths[] = {"1", "2", "3", "4", "5", "9"};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        assert_true(
            figure(forecast(0, SMALL, "--frames", lengths[i], "-o", "film.mp4")->out, "disk") > 0);
    assert_int_equal(fixture_count_files(temporary), 0);
}

TEST(the_size_is_right)
{
    cli_need_gl();
    double said = figure(forecast(0, SMALL, "--frames", "90", "-o", "size.mp4")->out, "disk");
    cli(0, "render", SMALL, "--frames", "90", "-o", "size.mp4");
    near_to("mp4", said, size_of("size.mp4"));

    said = figure(forecast(0, SMALL, "--frames", "12", "-o", "short.mkv")->out, "disk");
    cli(0, "render", SMALL, "--frames", "12", "-o", "short.mkv");
    near_to("mkv of 12 frames", said, size_of("short.mkv"));

    said = figure(forecast(0, SMALL, "--frames", "30", "-o", "png/%02d.png")->out, "disk");
    cli(0, "render", SMALL, "--frames", "30", "-o", "png/%02d.png");
    double real = 0;
    for (int f = 0; f < 30; f++) {
        char name[32];
        snprintf(name, sizeof name, "png/%02d.png", f);
        real += size_of(name);
    }
    near_to("pictures", said, real);
}

/* Merging galaxies: the first frames alone would predict too little. */
TEST(the_size_of_a_film_that_changes)
{
    cli_need_gl();
#define MEETING "-n", "512", "--size", "256x144", "--frames", "120"
    double said = figure(forecast(0, MEETING, "-o", "meeting.mp4")->out, "disk");
    cli(0, "render", MEETING, "-o", "meeting.mp4");
    near_to("galaxies", said, size_of("meeting.mp4"));
}

/* Such a short run draws only frame 0, and the film begins in black. */
TEST(black_first_frames_do_not_stand_for_others)
{
    cli_need_gl();
#define LIT SMALL, "--set", "look.fade_in=0.2", "--frames", "10..12", "-o", "lit/%02d.png"
    const double said = figure(forecast(0, LIT)->out, "disk");
    cli(0, "render", LIT);
    near_to("pictures", said,
            size_of("lit/10.png") + size_of("lit/11.png") + size_of("lit/12.png"));
}

TEST(the_memory_is_right)
{
    cli_need_gl();
    cli_need_memory();
    static const char *const encoders[] = {"1", "2"};
    for (size_t i = 0; i < 2; i++) {
#define SEGMENTS                                                                                   \
    SMALL, "--frames", "200", "--set", "output.segment=50", "--encoders", encoders[i], "-o",       \
        "memory.mp4"
        double said = figure(forecast(0, SEGMENTS, "-y")->out, "memory");
        const struct run *run = cli(0, "render", SEGMENTS, "-y");
        assert_says(run->err, "memory");
        near_to(encoders[i], said, (double)run->peak_kb * 1024);
    }
}

/* Two encoders at once, for films that differ only in length. */
TEST(memory_does_not_grow_with_the_film)
{
    cli_need_gl();
    cli_need_memory();
    static const char *const frames[] = {"60", "600"};
    double said[2];
    long peak[2];
    for (int k = 0; k < 2; k++) {
#define STEADY                                                                                     \
    "plummer", "-n", "16", "--size", "64x36", "--frames", frames[k], "--set", "output.segment=20", \
        "--encoders", "2", "-y", "-o", "steady.mp4"
        said[k] = figure(forecast(0, STEADY)->out, "memory");
        peak[k] = cli(0, "render", STEADY)->peak_kb;
    }
    if (labs(peak[1] - peak[0]) > 10000)
        fail_msg("%ld kB for 60 frames, %ld kB for 600", peak[0], peak[1]);
    near_to("600 frames against 60", said[1], said[0]);
}

TEST(a_signal_leaves_nothing)
{
    cli_need_gl();
    const char *const *fault = fault_environment("halt 1");
    const struct run_options options = {
        .folder = cli_folder, .environment = ARGUMENTS(setting, fault[0], fault[1], fault[2])};
    struct run_process process;
    struct run run;
    run_start(&process, &options,
              ARGUMENTS("render", "--dry-run", "-n", "256", "--size", "128x72", "--frames", "2000",
                        "-o", "film.mp4"));
    assert_true(run_wait_until_halted(&process));
    assert_true(fixture_count_files(temporary) > 0);
    run_signal(&process, SIGTERM);
    run_signal(&process, SIGCONT);
    run_finish(&process, &run);
    assert_int_equal(run.code, 128 + SIGTERM);
    run_free(&run);
    assert_int_equal(fixture_count_files(temporary), 0);
}

TEST(no_room_for_temporary_files)
{
    cli_need_gl();
    const struct run *run = cli_with(("TMPDIR=/nowhere/at/all"), 5, "render", "--dry-run", SMALL,
                                     "--frames", "5", "-o", "film.mp4");
    assert_says(run->err, "TMPDIR /nowhere/at/all");
}

TESTS(set_up, tear_down)
