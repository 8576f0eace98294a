/* Sequences of pictures that share a folder with others; output for programs, and a reader that
 * stops reading. */
#include "tests/support/test.h"

#include "render/picture/png_pdf.h"
#include "tests/support/programs/cli.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SCENE  "plummer", "-n", "64", "--size", "32x32", "--backend", "cpu"
#define RENDER "render", SCENE, "--quiet", "--set"

TEST(pictures_of_another_sequence)
{
    cli_need_gl();
    cli(0, RENDER, "output.frames=4", "-o", "seq/%02d.png");
    cli(0, "still", SCENE, "--at", "0", "-o", "seq/90.png");
    cli_write("seq/91.png", "a picture of somebody's");
    cli_write("seq/00.jpg", "another");
    const struct run *run = cli(2, RENDER, "output.frames=20", "--seed", "2", "--frames", "10..12",
                                "-o", "seq/%02d.png");
    assert_says(run->err, "seq/00.png picture sequence");
    assert_false(cli_exists("seq/10.png"));
    run = cli(0, "render", SCENE, "--set", "output.frames=20", "--seed", "2", "--frames", "10..12",
              "-y", "-o", "seq/%02d.png");
    assert_says(run->err, "4 pictures sequence seq/00.png seq/03.png");
    static const char *const gone[] = {"seq/00.png", "seq/01.png", "seq/02.png", "seq/03.png"};
    static const char *const there[] = {"seq/10.png", "seq/11.png", "seq/12.png",
                                        "seq/90.png", "seq/91.png", "seq/00.jpg"};
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
        assert_false(cli_exists(gone[i]));
    for (size_t i = 0; i < sizeof there / sizeof *there; i++)
        assert_true(cli_exists(there[i]));
    /* Another range of the same sequence is not another sequence. */
    cli(0, RENDER, "output.frames=20", "--seed", "2", "--frames", "13..13", "-o", "seq/%02d.png");
    cli(0, RENDER, "output.frames=20", "--seed", "2", "--frames", "13..13", "-y", "-o",
        "seq/%02d.png");
    for (size_t i = 0; i < sizeof there / sizeof *there; i++)
        assert_true(cli_exists(there[i]));
}

/* Frame 0 has the given number, also in a range, and the pictures are those of the frames. */
TEST(numbers_from_1001)
{
    cli_need_gl();
    cli(0, RENDER, "output.frames=3", "-o", "shot/a_####.png", "--start-number", "1001");
    assert_true(cli_exists("shot/a_1001.png") && cli_exists("shot/a_1003.png"));
    assert_false(cli_exists("shot/a_1000.png") || cli_exists("shot/a_1004.png") ||
                 cli_exists("shot/a_0000.png"));
    cli_fails(2, "shot/a_1003.png exists", RENDER, "output.frames=3", "--frames", "2..2", "-o",
              "shot/a_%04d.png", "--start-number", "1001");
    cli(0, RENDER, "output.frames=3", "--frames", "2..2", "-o", "range/%04d.png", "--start-number",
        "1001");
    assert_true(cli_exists("range/1003.png") && !cli_exists("range/1002.png"));
    cli(0, "compare", "range/1003.png", "shot/a_1003.png");
    cli(0, "verify", "shot/a_%04d.png");
}

TEST(two_sequences_in_a_folder)
{
    cli_need_gl();
    cli(0, RENDER, "output.frames=2", "-o", "two/a_%02d.png");
    cli(0, RENDER, "output.frames=3", "-o", "two/b_%02d.png");
    cli(0, RENDER, "output.frames=1", "-o", "two/%02d.png");
    char *a = cli_read("two/a.scene.yaml"), *b = cli_read("two/b.scene.yaml"),
         *none = cli_read("two/scene.yaml");
    assert_contains(a, "frames: 2\n");
    assert_contains(b, "frames: 3\n");
    assert_contains(none, "frames: 1\n");
    free(a);
    free(b);
    free(none);
    assert_true(cli_exists("two/a_01.png") && cli_exists("two/b_02.png"));
}

TEST(names_and_numbers)
{
    uint64_t frame = 99;
    assert_true(png_name_number("f/a_%03d.png", "a_042.png", &frame) && frame == 42);
    assert_true(png_name_number("a_%03d.png", "a_1234.png", &frame) && frame == 1234);
    assert_true(png_name_number("f/####.png", "0007.png", &frame) && frame == 7);
    assert_true(png_name_number("f/5%%_%d.png", "5%_3.png", &frame) && frame == 3);
    static const char *const others[] = {"a_42.png",   "a_0042.png", "a_042.jpg", "b_042.png",
                                         "a_042.png~", "a_.png",     "a_-42.png", "a_04x.png"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(png_name_number("f/a_%03d.png", others[i], &frame));
    static const char *const stems[][2] = {{"f/%06d.png", ""},
                                           {"f/a_%06d.png", "a"},
                                           {"####.png", ""},
                                           {"x.1/b-####-left.png", "b-left"},
                                           {"%03d_right.png", "right"},
                                           {"5%% %d.png", "5%"}};
    for (size_t i = 0; i < sizeof stems / sizeof *stems; i++) {
        char stem[64];
        png_name_stem(stems[i][0], stem, sizeof stem);
        assert_string_equal(stem, stems[i][1]);
    }
}

TEST(what_programs_read)
{
    cli_need_gl();
    const struct run *run = cli(0, "render", SCENE, "--frames", "3", "--codec", "h264", "--summary",
                                "short", "-o", "short.mp4");
    assert_says(run->err, "short.mp4 3 frames energy drift");
    for (const char *line = run->err; *line;) {
        const size_t length = strcspn(line, "\n");
        assert_true(length <= 80);
        line += length + (line[length] != '\0');
    }
    run = cli(0, "render", SCENE, "--frames", "3", "--codec", "h264", "--quiet", "--summary",
              "json", "-o", "json.mp4");
    assert_int_equal(run->out[0], '{');
    assert_contains(run->out, "\n  \"output\": \"json.mp4\",\n  \"frames\": 3,\n  \"width\": 32,");
    assert_contains(run->out, "\n  \"energy_drift\": ");
    assert_contains(run->out, "\n  \"momentum_drift\": ");
    assert_contains(run->out, "\n  \"angular_momentum_drift\": ");
    cli_fails(2, "short", "render", SCENE, "--summary", "long", "-o", "x.mp4");
    cli_fails(2, "--json standard output", "render", SCENE, "--summary", "json", "-o", "-");
    run = cli(0, "info", "--json", "json.mp4");
    assert_contains(run->out,
                    "{\n  \"film\": {\n    \"format\": \"mp4\",\n    \"codec\": \"h264\",\n"
                    "    \"frames\": 3,");
    assert_contains(run->out, "\n    \"gravreel_frames\": \"0..2 of 3\"");
    run = cli(0, "info", "--json", "plummer");
    assert_contains(run->out, "\n  \"scene\": \"Plummer sphere\",");
    assert_contains(run->out, "\n    \"count\": 16384,");
    assert_contains(run->out, "\n    \"virial_ratio\": ");
    run = cli(0, "doctor", "--json");
    assert_contains(run->out, "\n  \"simulation\": [\n");
    assert_contains(run->out, "\n      \"name\": \"cpu\",\n      \"usable\": true,");
    assert_contains(run->out, "\n  \"encoders\": [\n");
}

/* Numbered from 1, with what a planetarium has to know in plain text beside them. */
TEST(dome_masters)
{
    cli_need_gl();
    cli(0, "render", "plummer", "-n", "64", "--size", "64x64", "--backend", "cpu", "--frames", "3",
        "--set", "camera.projection=dome", "--set", "camera.dome_field=200", "--set",
        "camera.dome_tilt=15", "--set", "output.title=A show", "-o", "show/show_%06d.png");
    assert_true(cli_exists("show/show_000001.png") && cli_exists("show/show_000003.png"));
    assert_false(cli_exists("show/show_000000.png"));
    char *text = cli_read("show/show.dome.txt");
    assert_says(text, "Title: A show equidistant bottom Field of view: 200 Dome tilt: 15 64x64 "
                      "30 per second Frames: 3, from show_000001.png to show_000003.png 0.100");
    free(text);
    cli_fails(2, "dome square 64x32 --size 32x32", "render", "plummer", "-n", "64", "--size",
              "64x32", "--set", "camera.projection=dome", "-o", "x.mp4");
    cli_fails(2, "dome flat", "render", "plummer", "-n", "64", "--size", "64x64", "--set",
              "camera.projection=dome", "-o", "x.html");
    cli_fails(2, "activity sphere flat", "render", "plummer", "-n", "64", "--size", "64x64",
              "--set", "camera.projection=dome", "--set", "look.mode=activity", "-o", "x.mp4");
}

/* Like `| head -1`. */
TEST(a_reader_that_has_gone)
{
    int ends[2];
    struct run run;
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    const struct run_options options = {.folder = cli_folder, .output = ends[1]};
    run_program(&run, &options, ARGUMENTS("scenes", "--keys"));
    close(ends[1]);
    assert_string_equal(run.err, "");
    assert_int_equal(run.code, 128 + SIGPIPE);
    run_free(&run);
}

TESTS(cli_set_up, cli_tear_down)
