/* Signals: the film so far can be played, and a resume completes it. */
#include "tests/support/test.h"

#include "tests/support/films/decode.h"
#include "tests/faults/faults.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* Long enough that a simulation running ahead has not ended by the middle. */
#define SCENE                                                                                      \
    "plummer", "-n", "120", "--size", "64x36", "--frames", "60", "--set", "output.segment=4"
static const struct fault_film films[] = {
    {"film", "film.mp4", ARGUMENTS(SCENE, "--codec", "h264", "--encoders", "2"), false},
    {"sequence", "%02d.png", ARGUMENTS(SCENE), false},
    {"range", "%02d.png",
     ARGUMENTS("plummer", "-n", "120", "--size", "64x36", "--set", "output.frames=70", "--frames",
               "10..69", "--set", "output.segment=4"),
     false},
};
static const struct fault_film *const mp4 = &films[0], *const pictures = &films[1];

static uint64_t count_frames(const char *path)
{
    struct decoded film;
    assert_true(decode_open(&film, cli_path(path)));
    while (decode_next(&film))
        ;
    const uint64_t frames = film.frames;
    decode_close(&film);
    return frames;
}

static void resume(const struct fault_film *film)
{
    assert_int_equal(fault_run(film, "cut", NULL, "--resume", NULL), 0);
    fault_same(film, "cut", "whole");
    fault_remove("cut");
    fault_remove("whole");
}

TEST(a_stopped_film_plays_and_is_resumed)
{
    cli_need_gl();
    struct run run;
    char fault[32], said[96];
    snprintf(fault, sizeof fault, "stop %ld", fault_count(mp4, "whole") / 2);
    assert_int_equal(fault_run(mp4, "cut", fault, NULL, &run), 130);
    const uint64_t frames = count_frames("cut/film.mp4");
    assert_in_range(frames, 1, 59);
    snprintf(said, sizeof said, "stopped by Ctrl-C (SIGINT) after %d of 60 frames", (int)frames);
    assert_says(run.err, said);
    assert_says(run.err, "gravreel resume cut/film.mp4 joining film far");
    run_free(&run);
    FAULT_HOLDS("cut", "film.mp4", "film.mp4.parts", "film.scene.yaml");
    /* Neither lost by a command without -y or --resume, nor doubled by --resume. */
    assert_int_equal(fault_run(mp4, "cut", NULL, NULL, &run), 2);
    assert_says(run.err, "run cut/film.mp4 gravreel resume");
    run_free(&run);
    resume(mp4);
}

TEST(a_stopped_sequence_is_resumed)
{
    cli_need_gl();
    char fault[32];
    snprintf(fault, sizeof fault, "stop %ld", fault_count(pictures, "whole") / 2);
    assert_int_equal(fault_run(pictures, "cut", fault, NULL, NULL), 130);
    assert_true(cli_exists("cut/00.png"));
    assert_true(cli_exists("cut/%02d.png.parts"));
    resume(pictures);
}

static struct run_process start_halted(const struct fault_film *film, const char *fault)
{
    struct run_process process;
    const struct run_options options = {.folder = cli_folder,
                                        .environment = fault_environment(fault)};
    run_start(&process, &options, fault_words(film, "cut", NULL));
    assert_true(run_wait_until_halted(&process));
    return process;
}

/* Less than one segment: there is nothing to resume, and the film so far is not in the way. */
TEST(a_film_stopped_within_its_first_segment)
{
    cli_need_gl();
    const struct fault_film film = {
        "one segment", "film.mkv",
        ARGUMENTS("plummer", "-n", "120", "--size", "64x36", "--frames", "60", "--codec", "ffv1"),
        false};
    struct run run;
    assert_true(fault_count(&film, "whole") > 0);
    struct run_process process = start_halted(&film, "halt 9");
    run_signal(&process, SIGTERM);
    run_signal(&process, SIGCONT);
    run_finish(&process, &run);
    assert_int_equal(run.code, 128 + SIGTERM);
    assert_says(run.err, "ends there");
    FAULT_HOLDS("cut", "film.mkv", "film.mkv.parts", "film.scene.yaml");
    run_free(&run);
    resume(&film);
}

static void stop(const struct fault_film *film)
{
    char fault[32];
    snprintf(fault, sizeof fault, "stop %ld", fault_count(film, "whole") / 2);
    assert_int_equal(fault_run(film, "cut", fault, NULL, NULL), 130);
}

/* Not "exists already", which would suggest -y and discard the work. */
TEST(an_option_that_differs_is_named)
{
    cli_need_gl();
    stop(mp4);
    const struct run *run =
        cli(2, "render", SCENE, "--codec", "h264", "-o", "cut/film.mp4", "--resume", "-n", "121");
    assert_says(run->err, "bodies.count 120 121");
    run = cli(2, "render", SCENE, "--codec", "h264", "-o", "cut/film.mp4", "--resume", "--seed",
              "9", "--crf", "25");
    assert_says(run->err, "bodies.seed 9 1");
    resume(mp4);
}

/* The second stop continues the segment's list where the first ended. */
TEST(a_film_stopped_twice_within_one_segment)
{
    cli_need_gl();
    const struct fault_film film = {"twice", "film.mkv",
                                    ARGUMENTS("plummer", "-n", "120", "--size", "64x36", "--frames",
                                              "60", "--codec", "ffv1", "--set",
                                              "output.segment=60"),
                                    false};
    assert_true(fault_count(&film, "whole") > 0);
    assert_int_equal(fault_run(&film, "cut", "drawn 8", NULL, NULL), 130);
    const uint64_t once = count_frames("cut/film.mkv");
    assert_in_range(once, 1, 50);
    assert_true(cli_exists("cut/film.mkv.parts/pictures-000000.raw"));
    assert_int_equal(fault_run(&film, "cut", "drawn 8", "--resume", NULL), 130);
    const uint64_t twice = count_frames("cut/film.mkv");
    assert_in_range(twice, once + 1, 59);
    char name[80];
    snprintf(name, sizeof name, "cut/film.mkv.parts/pictures-%06d.raw", (int)once);
    assert_true(cli_exists("cut/film.mkv.parts/pictures-000000.raw") && cli_exists(name));
    /* of both not one is drawn again */
    struct run run;
    char said[64];
    assert_int_equal(fault_run(&film, "cut", NULL, "--resume", &run), 0);
    snprintf(said, sizeof said, "%d of 60 frames are done", (int)twice);
    assert_says(run.err, said);
    run_free(&run);
    fault_same(&film, "cut", "whole");
    fault_remove("cut");
    fault_remove("whole");
}

TEST(resume_needs_nothing_but_the_name)
{
    cli_need_gl();
    static const struct {
        const struct fault_film *film;
        const char *name;
    } cases[] = {{&films[0], "cut/film.mp4"},
                 {&films[0], "cut/film.mp4.parts/"},
                 {&films[1], "cut/%02d.png"},
                 {&films[2], "cut/%02d.png"},
                 {&films[2], "cut/%02d.png.10-69.parts"}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        stop(cases[c].film);
        const bool brief = c == 1;
        const struct run *run =
            cli(0, "resume", cases[c].name, "--summary", brief ? "short" : "json");
        assert_says(run->err, brief ? "of them now" : "frames done");
        if (!brief)
            assert_contains(run->out, "\"frames_per_second\": ");
        fault_same(cases[c].film, "cut", "whole");
        if (c == 0)
            assert_says(cli(0, "resume", cases[c].name)->err, "complete");
        fault_remove("cut");
        fault_remove("whole");
    }
    cli_fails(2, "other.mp4.parts", "resume", "other.mp4");
    cli_fails(2, "found long", "resume", "other.mp4", "--summary", "long");
    cli_fails(2, "no film", "resume");
    cli_fails(2, "only one film", "resume", "a.mp4", "b.mp4");
}

TEST(a_second_signal_leaves_at_once)
{
    cli_need_gl();
    const long count = fault_count(mp4, "whole");
    char fault[32];
    snprintf(fault, sizeof fault, "leave %ld", count / 2);
    assert_int_equal(fault_run(mp4, "cut", fault, NULL, NULL), 130);
    assert_false(cli_exists("cut/film.mp4"));
    assert_true(cli_exists("cut/film.mp4.parts/manifest.json"));
    resume(mp4);
}

TEST(a_signal_while_the_film_is_joined)
{
    cli_need_gl();
    const struct fault_film film = {"joined", "film.mkv",
                                    ARGUMENTS("plummer", "-n", "120", "--size", "64x36", "--frames",
                                              "8", "--set", "output.segment=4", "--codec", "ffv1"),
                                    false};
    struct run run;
    assert_true(fault_count(&film, "whole") > 0);
    assert_int_equal(fault_run(&film, "cut", "join 1", NULL, &run), 130);
    assert_says(run.err, "joining '8 of 8' frames");
    FAULT_HOLDS("cut", "film.mkv.parts");
    run_free(&run);
    resume(&film);
}

TEST(a_run_that_sleeps_wakes_again)
{
    cli_need_gl();
    assert_true(fault_count(mp4, "whole") > 0);
    struct run_process process = start_halted(mp4, "naps 13");
    struct run run;
    for (int i = 0; i < 4; i++) {
        assert_true(run_wait_until_halted(&process));
        run_signal(&process, SIGCONT);
    }
    run_finish(&process, &run);
    assert_int_equal(run.code, 0);
    run_free(&run);
    fault_same(mp4, "cut", "whole");
    fault_remove("cut");
    fault_remove("whole");
}

/* Its bodies are read again up to the frame where the film continues. */
TEST(a_film_of_snapshots_is_resumed)
{
    cli_need_gl();
    const struct fault_film film = {"snapshots", "film.mp4",
                                    ARGUMENTS("plummer", "--snapshots", "snap_*.g2", "--set",
                                              "bodies.units=none", "--size", "64x36", "--set",
                                              "output.frames=60", "--set", "output.segment=4",
                                              "--set", "look.exposure=adapt"),
                                    false};
    static const char *const faults[] = {"stop", "kill"};
    cli(0, "simulate", "plummer", "-n", "64", "--every", "0.25", "--until", "0.75", "-o",
        "snap_%d.g2");
    const long count = fault_count(&film, "whole");
    for (long k = 0; k < 2; k++) {
        char fault[32];
        snprintf(fault, sizeof fault, "%s %ld", faults[k], count / 2);
        assert_int_not_equal(fault_interrupt(&film, "whole", fault), 0);
    }
    fault_remove("whole");
    /* Frames not shown yet must be the same, too. */
    struct run run;
    char fault[32];
    snprintf(fault, sizeof fault, "stop %ld", count / 2);
    assert_int_equal(fault_run(&film, "cut", fault, NULL, NULL), 130);
    cli(0, "simulate", "plummer", "-n", "64", "--seed", "5", "--every", "0.25", "--until", "0.75",
        "-o", "other_%d.g2");
    char last[256];
    snprintf(last, sizeof last, "%s", cli_path("snap_3.g2"));
    assert_int_equal(rename(cli_path("other_3.g2"), last), 0);
    assert_int_equal(fault_run(&film, "cut", NULL, "--resume", &run), 2);
    assert_says(run.err, "bodies");
    run_free(&run);
    fault_remove("cut");
}

/* Commands that finish nothing when they are stopped, and every command before it has begun. */
TEST(whatever_is_stopped_says_so)
{
    struct run run;
    const struct run_options options = {.folder = cli_folder,
                                        .environment = fault_environment("stop 1")};
    cli(0, "simulate", "plummer", "-n", "64", "--every", "1", "--until", "1", "-o", "still_%d.g2");
    run_program(&run, &options, ARGUMENTS("convert", "still_0.g2", "cut.npz"));
    assert_int_equal(run.code, 130);
    assert_string_equal(run.err, "gravreel: stopped by Ctrl-C (SIGINT)\n");
    run_free(&run);
}

TESTS(cli_set_up, cli_tear_down)
