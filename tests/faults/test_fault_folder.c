/* Work folders that are damaged, missing or of another run. */
#include "tests/support/test.h"

#include "base/file.h"
#include "tests/faults/films.h"

#include "cmd/film/manifest/manifest.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* In segments of three frames, so that checkpoints are at 3, 6, ... */
#define SCENE                                                                                      \
    "plummer", "--size", "64x36", "--frames", "15", "--set", "output.segment=3", "--codec", "h264"
static const struct fault_film film = {"film", "film.mp4",
                                       ARGUMENTS(SCENE, "-n", "120", "--encoders", "1"), false};

#define SEGMENTS "cut/film.mp4.parts/"
#define MANIFEST SEGMENTS "manifest.json"

static struct manifest *read_manifest(void)
{
    static struct manifest manifest;
    int format;
    char *text = cli_read(MANIFEST);
    manifest = (struct manifest){.lock = -1};
    assert_ok(manifest_from_json(&manifest, text, strlen(text), &format));
    free(text);
    return &manifest;
}

/* A run killed after three segments, and an uninterrupted film, in "whole". */
static void cut(void)
{
    cli_need_gl();
    fault_remove("cut");
    if (!cli_exists("whole"))
        assert_true(fault_count(&film, "whole") > 0);
    static long step = 70;
    for (;; step += 5) {
        char fault[32];
        snprintf(fault, sizeof fault, "kill %ld", step);
        assert_int_equal(fault_run(&film, "cut", fault, NULL, NULL), 1000 + 9);
        struct manifest *manifest = cli_exists(MANIFEST) ? read_manifest() : NULL;
        const bool enough =
            manifest && manifest->segment_count >= 3 && manifest->checkpoint_count >= 2;
        if (manifest)
            manifest_contents_free(manifest);
        if (enough)
            return;
        fault_remove("cut");
    }
}

/* Resumes: `said` must be in the messages, and the film must be the same. */
static void resumes(const char *said)
{
    struct run run;
    if (fault_run(&film, "cut", NULL, "--resume", &run) != 0)
        fail_msg("ended with %d: %s", run.code, run.err);
    assert_says(run.err, said);
    run_free(&run);
    fault_same(&film, "cut", "whole");
}

/* In a new file: the kill may have come while the manifest and the previous one were the same file.
 */
static void damage(const char *name)
{
    char *bytes;
    size_t size;
    assert_ok(file_read(cli_path(name), 1 << 28, &bytes, &size));
    bytes[size / 2] ^= 0x40;
    assert_ok(file_write(cli_path(name), bytes, size));
    free(bytes);
}

TEST(a_damaged_checkpoint)
{
    cut();
    struct manifest *manifest = read_manifest();
    const struct manifest_checkpoint *last = &manifest->checkpoints[manifest->checkpoint_count - 1];
    char name[128], said[256];
    snprintf(name, sizeof name, SEGMENTS "%s", last->file);
    snprintf(
        said, sizeof said,
        "'%s' has changed since it was written, so the run continues from an earlier checkpoint",
        name);
    manifest_contents_free(manifest);
    damage(name);
    resumes(said);
}

TEST(a_damaged_and_a_lost_segment)
{
    cut();
    damage(SEGMENTS "segment-000001.mp4");
    resumes("segment-000001.mp4' has changed since it was written, so frames 3 to 5 are rendered "
            "again");
    cut();
    assert_int_equal(unlink(cli_path(SEGMENTS "segment-000000.mp4")), 0);
    resumes("so frames 0 to 2 are rendered again");
}

TEST(a_damaged_manifest)
{
    struct run run;
    cut();
    damage(MANIFEST);
    resumes("continuing from the one before it");
    cut();
    assert_int_equal(truncate(cli_path(MANIFEST), 100), 0);
    damage(SEGMENTS "manifest.previous.json");
    assert_int_equal(fault_run(&film, "cut", NULL, "--resume", &run), STATUS_IO);
    assert_says(run.err, "start -y");
    run_free(&run);
    assert_int_equal(fault_run(&film, "cut", NULL, "-y", NULL), 0);
    fault_same(&film, "cut", "whole");
}

/* Changes the plan's program; the rest stays the same. */
TEST(a_folder_of_another_version_or_backend)
{
    static const char *const programs[] = {"0.0.1 with cpu", GRAVREEL_VERSION " with cuda"};
    for (int i = 0; i < 2; i++) {
        cut();
        struct run run;
        struct manifest *manifest = read_manifest();
        free((char *)manifest->plan.program);
        manifest->plan.program = strdup(programs[i]);
        char *text = manifest_to_json(manifest);
        assert_non_null(text);
        cli_write(MANIFEST, text);
        manifest_contents_free(manifest);
        assert_int_equal(fault_run(&film, "cut", NULL, "--resume", &run), STATUS_USAGE);
        assert_says(run.err, programs[i]);
        assert_says(run.err, "version --backend start -y");
        run_free(&run);
        char *after = cli_read(MANIFEST); /* refused, and nothing lost */
        assert_string_equal(after, text);
        free(after);
        free(text);
    }
}

static void refused(const struct fault_film *other, const char *said)
{
    struct run run;
    char *before = cli_read(MANIFEST);
    const int code = fault_run(other, "cut", NULL, "--resume", &run);
    if (code != STATUS_USAGE)
        fail_msg("ended with %d instead of being refused for '%s'", code, said);
    assert_says(run.err, said);
    run_free(&run);
    char *after = cli_read(MANIFEST);
    assert_string_equal(before, after);
    free(before);
    free(after);
}

TEST(a_folder_of_another_film)
{
    struct run run;
    cut();
#define OTHER(...) &(struct fault_film){"other", "film.mp4", ARGUMENTS(__VA_ARGS__), false}
    refused(OTHER(SCENE, "-n", "121"), "bodies.count 120 121");
    refused(OTHER(SCENE, "-n", "120", "--set", "simulation.dt=0.07"), "simulation.dt");
    /* --resume would set it aside: test_fault_look */
    assert_int_equal(fault_run(OTHER(SCENE, "-n", "120", "--crf", "20"), "cut", NULL, NULL, &run),
                     STATUS_USAGE);
    assert_says(run.err, "look otherwise output.crf default 20");
    run_free(&run);
    refused(OTHER("plummer", "-n", "120", "--size", "64x36", "--set", "output.frames=15", "--set",
                  "output.segment=3", "--codec", "h264", "--frames", "0..9"),
            "frames 0..14 15");
    resumes("frames are done");
    /* Another name has no such folder: the film starts at its first frame. */
    cut();
    struct fault_film other = film;
    other.output = "other.mp4";
    assert_int_equal(fault_run(&other, "cut", NULL, "--resume", &run), 0);
    assert_says(run.err, "cut/other.mp4.parts resume");
    run_free(&run);
    FAULT_HOLDS("cut", "film.mp4.parts", "other.mp4", "other.scene.yaml");
}

TEST(bodies_that_have_changed)
{
    cli_need_gl();
    const struct fault_film bodies = {
        "bodies", "film.mp4",
        ARGUMENTS(SCENE, "--bodies-from", "two.tab", "--set", "simulation.dt=0.01", "--set",
                  "simulation.softening=0.03", "--set", "simulation.steps_per_frame=4"),
        false};
    struct run run;
    cli_write("two.tab", "1 -1 0 0 0 0.3 0\n1 1 0 0 0 -0.3 0\n");
    char fault[32];
    snprintf(fault, sizeof fault, "kill %ld", fault_count(&bodies, "bodies") / 2);
    assert_int_equal(fault_run(&bodies, "cut", fault, NULL, NULL), 1000 + 9);
    cli_write("two.tab", "1 -1 0 0 0 0.4 0\n1 1 0 0 0 -0.3 0\n");
    assert_int_equal(fault_run(&bodies, "cut", NULL, "--resume", &run), STATUS_USAGE);
    assert_says(run.err, "bodies file start -y");
    run_free(&run);
    cli_write("two.tab", "1 -1 0 0 0 0.3 0\n1 1 0 0 0 -0.3 0\n");
    assert_int_equal(fault_run(&bodies, "cut", NULL, "--resume", NULL), 0);
    fault_same(&bodies, "cut", "bodies");
    fault_remove("bodies");
}

/* "Complete" is reported only for a film of these bodies, and for pictures that can be read. */
TEST(finished_is_looked_at)
{
    cli_need_gl();
    struct run run;
    for (int sequence = 0; sequence < 2; sequence++) {
        const struct fault_film bodies = {
            "bodies", sequence ? "%02d.png" : "film.mp4",
            ARGUMENTS("plummer", "--size", "64x36", "--frames", "5", "--bodies-from", "two.tab",
                      "--set", "simulation.dt=0.01", "--set", "simulation.softening=0.03", "--set",
                      "simulation.steps_per_frame=4"),
            false};
        fault_remove("cut");
        cli_write("two.tab", "1 -1 0 0 0 0.3 0\n1 1 0 0 0 -0.3 0\n");
        assert_int_equal(fault_run(&bodies, "cut", NULL, NULL, NULL), 0);
        assert_int_equal(fault_run(&bodies, "cut", NULL, "--resume", &run), 0);
        assert_says(run.err, "complete resume");
        run_free(&run);
        assert_says(cli(0, "resume", sequence ? "cut/%02d.png" : "cut/film.mp4")->err,
                    "complete resume");
        cli_write("two.tab", "1 -1 0 0 0 0.4 0\n1 1 0 0 0 -0.3 0\n");
        assert_int_equal(fault_run(&bodies, "cut", NULL, "--resume", &run), STATUS_USAGE);
        assert_says(run.err, "bodies although scene");
        run_free(&run);
        cli_write("two.tab", "1 -1 0 0 0 0.3 0\n1 1 0 0 0 -0.3 0\n");
        for (int picture = 0; sequence && picture < 5; picture += 3) {
            char name[32];
            snprintf(name, sizeof name, "cut/%02d.png", picture);
            cli_write(name, "");
            assert_int_not_equal(fault_run(&bodies, "cut", NULL, "--resume", &run), 0);
            assert_says(run.err, name);
            assert_lacks(run.err, "complete");
            run_free(&run);
            assert_int_equal(fault_run(&bodies, "cut", NULL, "-y", NULL), 0);
        }
    }
    fault_remove("cut");
}

TEST(nothing_to_resume)
{
    cli_need_gl();
    struct run run;
    fault_remove("cut");
    cut(); /* makes "whole" */
    fault_remove("cut");
    resumes("there is no 'cut/film.mp4.parts' to resume: the film starts at its first frame");
    resumes("'cut/film.mp4' is complete: nothing is left to resume");
    /* The remains of a run that was killed while it cleaned up are removed as well. */
    assert_int_equal(mkdir(cli_path("cut/film.mp4.parts"), 0777), 0);
    cli_write(SEGMENTS "segment-000004.mp4", "rest");
    resumes("is complete");
    cli_fails(2, "--resume film segments", "render", "--resume", "-o", "-");
    cli_fails(2, "--resume", "render", "--resume", "-o", "cut/film.hash");
    /* A film of another origin is not replaced by the resumed one. */
    cut();
    cli_write("cut/film.mp4", "mine");
    assert_int_equal(fault_run(&film, "cut", NULL, "--resume", &run), STATUS_USAGE);
    assert_says(run.err, "exists resumed");
    run_free(&run);
}

TEST(started_over)
{
    cut();
    assert_int_equal(fault_run(&film, "cut", NULL, "-y", NULL), 0);
    fault_same(&film, "cut", "whole");
    cut();
    assert_int_equal(fault_run(OTHER(SCENE, "-n", "121"), "cut", NULL, "-y", NULL), 0);
    FAULT_HOLDS("cut", "film.mp4", "film.scene.yaml");
}

/* A file in the folder that only the user can have put there. */
TEST(files_of_others_stay)
{
    cut();
    cli_write(SEGMENTS "notes.txt", "mine");
    struct run run;
    assert_int_equal(fault_run(&film, "cut", NULL, "--resume", &run), 0);
    assert_says(run.err, "files film");
    run_free(&run);
    FAULT_HOLDS("cut/film.mp4.parts", "notes.txt");
}

TEST(two_at_once)
{
    cli_need_gl();
    fault_remove("cut");
    const struct fault_film longer = {"longer", "film.mp4",
                                      ARGUMENTS("plummer", "-n", "120", "--size", "64x36",
                                                "--frames", "12", "--set", "output.segment=3",
                                                "--codec", "h264"),
                                      false};
    assert_true(fault_count(&longer, "long") > 0);
    const struct run_options options = {.folder = cli_folder,
                                        .environment = fault_environment("halt 7")};
    struct run_process process;
    struct run run;
    run_start(&process, &options, fault_words(&longer, "cut", NULL));
    assert_true(run_wait_until_halted(&process));
    static const char *const extras[] = {NULL, "-y", "--resume"};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(fault_run(&longer, "cut", NULL, extras[i], &run), STATUS_USAGE);
        assert_says(run.err, "run cut/film.mp4.parts process");
        run_free(&run);
    }
    run_signal(&process, SIGCONT);
    run_finish(&process, &run);
    assert_int_equal(run.code, 0);
    run_free(&run);
    fault_same(&longer, "cut", "long");
}

TESTS(cli_set_up, cli_tear_down)
