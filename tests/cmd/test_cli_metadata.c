/* --metadata: the tags of films and stills, and that a resumed run writes no more. */
#include "tests/support/test.h"

#include "render/reader/stream.h"
#include "tests/support/programs/cli.h"
#include "tests/support/films/decode.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define SMALL "plummer", "-n", "64", "--size", "64x64", "--frames", "6"

TEST(films_say_what_was_asked)
{
    cli_need_gl();
    static const char *const names[] = {"a.mp4", "a.mkv", "a.webm", "seq/%02d.png"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *read = strchr(names[i], '%') ? "seq/00.png" : names[i];
        cli(0, "render", SMALL, "-y", "-o", names[i]);
        const char *full = cli(0, "render", read, "--save-scene", "-")->out;
        assert_contains(full, "count: 64\n");
        cli(0, "render", SMALL, "-y", "-o", names[i], "--metadata", "short");
        cli_fails(2, "gravreel_scene", "render", read, "--save-scene", "-");
        cli(0, "render", SMALL, "-y", "-o", names[i], "--metadata", "none");
        cli_fails(2, "gravreel_scene", "render", read, "--save-scene", "-");
        if (read != names[i])
            continue;
        const char *info = cli(0, "info", names[i])->out;
        assert_lacks(info, "ravreel");
        assert_lacks(info, "Plummer sphere");
        cli(0, "render", SMALL, "-y", "-o", names[i], "--metadata", "short");
        info = cli(0, "info", names[i])->out;
        assert_contains(info, "Plummer sphere");
        if (!strstr(info, "gravreel_scene_hash"))
            assert_contains(info, "GRAVREEL_SCENE_HASH"); /* Matroska's upper case */
        assert_lacks(info, "count: 64");
    }
    cli_fails(2, "--metadata short none", "render", SMALL, "-o", "b.mp4", "--metadata", "some");
}

/* Three for other programs, all for gravreel; the pictures have the same bytes in all cases. */
TEST(others_see_three_tags)
{
    cli_need_gl();
    static const char *const kinds[] = {"packed", "full", "short", "none"};
    static const char *const names[] = {"a.mp4", "a.mkv"};
    for (size_t n = 0; n < 2; n++) {
        struct stream first = {0};
        for (size_t k = 0; k < 4; k++) {
            struct stream stream;
            struct decoded film;
            cli(0, "render", SMALL, "-y", "-o", names[n], "--metadata", kinds[k]);
            assert_ok(stream_read(cli_path(names[n]), &stream));
            assert_true(decode_open(&film, cli_path(names[n])));
            const char *line = decode_tag(&film, "gravreel");
            assert_int_equal(line != NULL, k == 0);
            assert_int_equal(decode_tag(&film, "gravreel_scene") != NULL, k == 1);
            assert_int_equal(decode_tag(&film, "gravreel_version") != NULL, k == 1 || k == 2);
            assert_int_equal(decode_tag(&film, "title") != NULL, k < 3);
            if (line)
                assert_null(strchr(line, '\n'));
            decode_close(&film);
            if (k == 0) {
                first = stream;
                continue;
            }
            assert_int_equal(stream.count, first.count);
            for (size_t i = 0; i < stream.count; i++)
                assert_string_equal(stream.packets[i].hash, first.packets[i].hash);
            stream_free(&stream);
        }
        stream_free(&first);
    }
}

/* Films with packed tags are joined into one with packed tags. */
TEST(joined_films_are_packed_alike)
{
    cli_need_gl();
    cli(0, "render", SMALL, "-y", "-o", "whole.mkv");
    cli(0, "render", "plummer", "-n", "64", "--size", "64x64", "--set", "output.frames=6",
        "--frames", "0..2", "-y", "-o", "p.mkv");
    cli(0, "render", "plummer", "-n", "64", "--size", "64x64", "--set", "output.frames=6",
        "--frames", "3..5", "-y", "-o", "q.mkv");
    cli(0, "join", "p.mkv", "q.mkv", "-y", "-o", "joined.mkv");
    struct decoded whole, joined;
    assert_true(decode_open(&whole, cli_path("whole.mkv")));
    assert_true(decode_open(&joined, cli_path("joined.mkv")));
    assert_non_null(decode_tag(&joined, "gravreel"));
    assert_string_equal(decode_tag(&whole, "gravreel"), decode_tag(&joined, "gravreel"));
    decode_close(&whole);
    decode_close(&joined);
}

TEST(stills_too)
{
    cli_need_gl();
    cli(0, "still", "plummer", "-n", "64", "--size", "64x64", "--at", "0", "-o", "full.png");
    assert_contains(cli(0, "render", "full.png", "--save-scene", "-")->out, "count: 64\n");
    cli(0, "still", "plummer", "-n", "64", "--size", "64x64", "--at", "0", "-o", "none.png",
        "--metadata", "none");
    cli_fails(2, "gravreel_scene", "render", "none.png", "--save-scene", "-");
}

/* An interrupted run without metadata continues without metadata. */
TEST(a_resumed_run_says_no_more)
{
    cli_need_gl();
    struct run_process process;
    struct run run;
    const struct run_options options = {.folder = cli_folder};
    run_start(&process, &options,
              ARGUMENTS("render", "plummer", "-n", "64", "--size", "64x64", "--frames", "1200",
                        "--set", "output.segment=30", "-o", "long.mp4", "--metadata", "none"));
    assert_true(run_wait_for_file(&process, cli_path("long.mp4.parts/segment-000000.mp4"), 1));
    run_signal(&process, SIGTERM);
    run_finish(&process, &run);
    assert_int_equal(run.code, 143);
    run_free(&run);
    cli_fails(2, "metadata none", "render", "plummer", "-n", "64", "--size", "64x64", "--frames",
              "1200", "--set", "output.segment=30", "-o", "long.mp4", "--resume");
    /* The film so far has no metadata either, so it could be any program's. */
    cli_fails(2, "away", "resume", "long.mp4");
    assert_int_equal(unlink(cli_path("long.mp4")), 0);
    cli(0, "resume", "long.mp4");
    const char *info = cli(0, "info", "long.mp4")->out;
    assert_contains(info, "1200 frames");
    assert_lacks(info, "ravreel");
}

TESTS(cli_set_up, cli_tear_down)
