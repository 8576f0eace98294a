/* Mistakes in using `check` rather than in rendering: nothing compared, another film, an edited
 * baseline, limits loosened without a reason, a report that cannot be written. None may pass.
 * Prints the table. */
#include "tests/support/test.h"

#include "base/file.h"
#include "tests/support/programs/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char scene[] = "bodies: {model: plummer, count: 128}\n"
                            "simulation: {force: exact}\n"
                            "output: {size: 96x64, frames: 4, threads: 1, bits: 0}\n";

static int set_up(void **state)
{
    unsetenv("CI");
    unsetenv("GRAVREEL_TEST_UPDATE");
    return cli_set_up(state);
}

static void need_baseline(void)
{
    cli_need_gl();
    if (!cli_exists("b/a.json")) {
        cli_write("a.yaml", scene);
        cli(0, "baseline", "a.yaml", "-o", "b", "--quiet");
    }
}

/* The check ends with the code, and says this on either stream. */
static void row(const char *control, const struct run *run, const char *says)
{
    if (!has_words(run->out, says) && !has_words(run->err, says))
        fail_msg("%s: '%s' is said neither in '%s' nor in '%s'", control, says, run->out, run->err);
    print_message("system    %-32s exit %d, %s\n", control, run->code, says);
}

TEST(an_honest_check_passes)
{
    need_baseline();
    row("nothing", cli(0, "check", "b"), "'4 of 4' frames '7 of 7' stages");
}

TEST(nothing_is_compared)
{
    need_baseline();
    row("no baseline", cli(5, "check", "nowhere"), "nowhere");
    assert_ok(file_make_folder(cli_path("empty")));
    cli_write("empty/readme", "");
    row("no films", cli(3, "check", "empty"), "compared");
    row("nothing named", cli(2, "check"), "no baseline given");
}

TEST(another_film)
{
    need_baseline();
    static const struct {
        const char *control, *key, *from, *to, *says;
    } rows[] = {
        {"other size", "size", "96x64", "98x64", "output.size 98x64"},
        {"other depth", "bits", "bits: 0", "bits: 10", "output.bits 10"},
        {"other number of frames", "frames", "frames: 4", "frames: 5", "output.frames 5"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[sizeof scene + 8];
        const char *at = strstr(scene, rows[i].from);
        assert_non_null(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - scene), scene, rows[i].to,
                 at + strlen(rows[i].from));
        cli_write("a.yaml", text);
        row(rows[i].control, cli(3, "check", "b"), rows[i].says);
    }
    cli_write("a.yaml", scene);
    cli(0, "check", "b", "--quiet");
}

/* Output of an earlier run does not replace this one's. */
TEST(outputs_of_the_last_run)
{
    need_baseline();
    cli(0, "check", "b", "-o", "out", "--junit", "out/junit.xml", "--quiet");
    char *before = cli_read("out/junit.xml"), *report = cli_read("out/report.json");
    assert_contains(report, "\"same\"");
    char *text = cli_read("b/a.json");
    char *at = strstr(text, "\"bodies\": 128");
    assert_non_null(at);
    at[strlen("\"bodies\": 12")] = '9';
    assert_ok(file_make_folder(cli_path("d")));
    cli_write("d/a.json", text);
    row("outputs of the last run",
        cli(5, "check", "d", "-y", "-o", "out", "--junit", "out/junit.xml"), "'not judged' hand");
    char *after = cli_read("out/junit.xml"), *now = cli_read("out/report.json");
    assert_string_not_equal(before, after);
    assert_string_not_equal(report, now);
    assert_contains(now, "\"not judged\"");
    row("edited baseline", cli(5, "check", "d"), "hand");
    text[strlen(text) / 2] = '\0';
    cli_write("d/a.json", text);
    row("damaged baseline", cli(5, "check", "d"), "'not judged' JSON");
    free(before);
    free(after);
    free(report);
    free(now);
    free(text);
}

TEST(one_file_twice)
{
    need_baseline();
    cli(0, "render", "a.yaml", "--quiet", "-o", "film.mp4");
    row("A and B one file", cli(3, "compare", "film.mp4", "film.mp4"), "A B file");
}

TEST(limits_without_a_reason)
{
    need_baseline();
    cli_write("l.yaml", "picture.counted: {fail: 99}\n");
    row("limit loosened silently", cli(2, "check", "b", "--limits", "l.yaml"), "because");
    cli_write("l.yaml",
              "picture.counted: {fail: 99, because: x, measured: 9, expires: 2001-01-01}\n");
    row("limit loosened for ever", cli(2, "check", "b", "--limits", "l.yaml"), "expired");
    cli_write("l.yaml",
              "picture.counted: {fail: 99, because: x, measured: 900, expires: 2999-01-01}\n");
    row("limit that was not measured", cli(2, "check", "b", "--limits", "l.yaml"), "measured");
}

TEST(reports_that_cannot_be_written)
{
    need_baseline();
    static const char *const options[] = {"--json", "--html", "--junit", "--markdown"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        char full[32], lost[48];
        snprintf(full, sizeof full, "%s=/dev/full", options[i]);
        snprintf(lost, sizeof lost, "%s=no/such/folder.x", options[i]);
        row("disk full while reporting", cli(5, "check", "b", full), "space");
        row("a folder that is not there", cli(5, "check", "b", lost), "no/such/folder.x");
    }
    /* A device is written to, and is not replaced. */
    struct stat found;
    assert_int_equal(stat("/dev/full", &found), 0);
    assert_true(S_ISCHR(found.st_mode));
}

TESTS(set_up, cli_tear_down)
