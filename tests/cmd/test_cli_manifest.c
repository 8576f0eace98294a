/* `render --manifest`: its content, and when it is not written. */
#include "tests/support/test.h"

#include "cmd/regression/record/record.h"
#include "tests/faults/faults.h"
#include "tests/support/programs/cli.h"
#include "tests/support/films/sink_fixture.h"

#include <math.h>
#include <signal.h>
#include <string.h>

enum { FRAMES = 12 };

#define SMALL                                                                                      \
    "render", "plummer", "-n", "64", "--size", "64x36", "--set", "output.frames=12", "--set",      \
        "output.segment=4"
#define QUICK SMALL, "--preset", "veryfast"

static bool have_gl;

static int set_up(void **state)
{
    if (cli_set_up(state) != 0)
        return -1;
    have_gl = cli_has_gl();
    return 0;
}

static void need_gl(void)
{
    if (!have_gl)
        outcome_skip(MISSING_GL, "see above");
}

static void read_record(const char *name, struct record *out)
{
    assert_ok(record_read(out, cli_path(name)));
}

TEST(films_and_their_manifests)
{
    struct record record;
    (void)state;
    need_gl();
    cli(0, QUICK, "-o", "plain.mp4");
    cli(0, QUICK, "-o", "a.mp4", "--manifest", "a.json");
    cli(0, QUICK, "-o", "b.mp4", "--manifest", "new/b.json", "--encoders", "3");
    assert_true(fixture_same_files(cli_path("plain.mp4"), cli_path("a.mp4")));
    assert_true(fixture_same_files(cli_path("a.json"), cli_path("new/b.json")));
    read_record("a.json", &record);
    assert_int_equal(record.count, FRAMES);
    const char *commit = strstr(cli(0, "--version")->out, "\ncommit     ");
    assert_non_null(commit);
    char *built = strndup(commit + 12, strcspn(commit + 12, "\n"));
    assert_string_equal(record.commit, strcmp(built, "unknown") == 0 ? "" : built);
    free(built);
    /* the film's own bytes say which build of the encoder it was */
    const char *told = cli(0, "info", "a.mp4")->out, *encoder = strstr(told, "encoded by: x264 - ");
    assert_non_null(encoder);
    built = strndup(encoder + 12, strcspn(encoder + 12, "\n"));
    assert_contains(record.platform.encoder, built);
    free(built);
    for (int f = 0; f < FRAMES; f++) {
        const struct frame_record *frame = &record.frames[f];
        assert_true(*frame->state && *frame->light && *frame->picture && *frame->packet &&
                    *frame->decoded);
        assert_true(frame->psnr_y > 20 && frame->bodies[0].diagnostics.energy < 0);
    }
    record_free(&record);
}

/* The pictures are the same as in every other format, and the files are not larger. */
TEST(ranges_sequences_and_hashes)
{
    struct record whole, part, hashes;
    (void)state;
    need_gl();
    cli(0, SMALL, "-o", "%02d.png", "--manifest", "whole.json");
    cli(0, SMALL, "-y", "-o", "%02d.png", "--manifest", "part.json", "--frames", "5..8");
    cli(0, SMALL, "-o", "x.hash", "--manifest", "hash.json", "--frames", "5..8");
    read_record("whole.json", &whole);
    read_record("part.json", &part);
    read_record("hash.json", &hashes);
    assert_int_equal(part.count, 4);
    for (uint64_t i = 0; i < part.count; i++) {
        const struct frame_record *frame = &part.frames[i];
        assert_memory_equal(frame, record_frame(&whole, 5 + i), sizeof *frame);
        assert_string_equal(frame->picture, hashes.frames[i].picture);
        assert_string_equal(hashes.frames[i].decoded, "");
        assert_true(isinf(frame->psnr_y));
    }
    record_free(&whole);
    record_free(&part);
    record_free(&hashes);
}

TEST(what_cannot_be_recorded)
{
    need_gl();
    cli_fails(2, "--manifest needs output film -o", QUICK, "--manifest", "n.json", "--save-scene",
              "n.yaml");
    cli_fails(2, "standard output", SMALL, "-o", "-", "--format", "y4m", "--manifest", "n.json");
    cli_fails(2, "discarded", SMALL, "-o", "n", "--format", "null", "--manifest", "n.json");
    cli_fails(2, "/dev/null", SMALL, "-o", "/dev/null", "--format", "y4m", "--manifest", "n.json");
    cli_fails(2, "--resume", QUICK, "-o", "n.mp4", "--manifest", "n.json", "--resume");
    cli_fails(2, "already", QUICK, "-o", "n.mp4", "--manifest", "n.mp4", "-y");
    cli_fails(2, "already", QUICK, "-o", "n.mp4", "--manifest", "n.scene.yaml", "-y");
    cli_write("there.json", "precious\n");
    cli_fails(2, "--manifest exists", QUICK, "-o", "n.mp4", "--manifest", "there.json");
    cli(0, QUICK, "-o", "n.mp4", "--manifest", "n.json", "--dry-run");
    assert_false(cli_exists("n.json"));
    assert_false(cli_exists("n.mp4"));
    char *text = cli_read("there.json");
    assert_string_equal(text, "precious\n");
    free(text);
    cli(0, QUICK, "-o", "n.mp4", "--manifest", "there.json", "-y");
    struct record record;
    read_record("there.json", &record);
    record_free(&record);
}

/* This is reported before anything is drawn. */
TEST(a_manifest_that_cannot_be_written)
{
    need_gl();
    cli_write("file", "no folder\n");
    const struct run *run = cli(5, QUICK, "-o", "kept.mp4", "--manifest", "file/a.json");
    assert_says(run->err, "file");
    assert_false(cli_exists("kept.mp4"));
    cli(3, QUICK, "-o", "strict.mp4", "--manifest", "strict.json", "--set",
        "expect.energy_drift=1e-15");
    assert_true(cli_exists("strict.json"));
}

/* The film so far is kept; there is no partial manifest. */
TEST(a_run_that_is_stopped)
{
    need_gl();
    const struct run_options options = {.folder = cli_folder,
                                        .environment = fault_environment("halt 30")};
    struct run_process process;
    struct run run;
    run_start(&process, &options,
              ARGUMENTS(QUICK, "--set", "output.frames=500", "--set", "output.segment=4", "-o",
                        "stopped.mp4", "--manifest", "stopped.json"));
    const bool going = run_wait_until_halted(&process);
    run_signal(&process, SIGINT);
    run_signal(&process, SIGCONT);
    run_finish(&process, &run);
    assert_true(going);
    assert_int_equal(run.code, 130);
    assert_says(run.err, "manifest");
    assert_true(cli_exists("stopped.mp4"));
    assert_false(cli_exists("stopped.json"));
    run_free(&run);
}

TESTS(set_up, cli_tear_down)
