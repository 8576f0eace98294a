/* Output for programs, against the page that documents it. */
#include "tests/support/test.h"

#include "tests/support/programs/cli.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char *page; /* docs/json.md */

static int set_up(void **state)
{
    const char *source = getenv("GRAVREEL_TEST_SOURCE");
    char path[512];
    cli_set_up(state);
    snprintf(path, sizeof path, "%s/docs/json.md", source ? source : ".");
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    page = calloc(1, 1 << 16);
    assert_true(page && fread(page, 1, (1 << 16) - 1, file) > 0);
    fclose(file);
    return 0;
}

static int tear_down(void **state)
{
    free(page);
    return cli_tear_down(state);
}

/* The section of the page under "## HEADING", which the caller frees. */
static char *part_of_page(const char *heading)
{
    char line[128];
    snprintf(line, sizeof line, "\n## %s\n", heading);
    const char *from = strstr(page, line);
    assert_non_null(from);
    const char *to = strstr(from + 4, "\n## ");
    return strndup(from, to ? (size_t)(to - from) : strlen(from));
}

/* Every name in the object at `text` is in that section of the page. */
static void names_are_listed(const char *heading, const char *text)
{
    char *part = part_of_page(heading), name[80];
    int names = 0;
    assert_int_equal(text[0], '{');
    for (const char *at = text; (at = strchr(at, '"')); at++) {
        const size_t length = strcspn(at + 1, "\"");
        if (at[-1] == ' ' && at[length + 2] == ':') {
            snprintf(name, sizeof name, "`%.*s`", (int)length, at + 1);
            assert_contains(part, name);
            names++;
        }
        at += length + 1;
    }
    assert_true(names > 1);
    free(part);
}

/* Every name in the first column of that section is in `text`. */
static void names_are_told(const char *heading, const char *text)
{
    char *part = part_of_page(heading), name[80];
    int names = 0;
    for (const char *row = part; (row = strstr(row, "\n| `")); row++) {
        const char *end = strchr(row + 3, '|');
        for (const char *at = row; (at = strchr(at, '`')) && at < end; at++) {
            const size_t length = strcspn(at + 1, "`");
            snprintf(name, sizeof name, "\"%.*s\":", (int)length, at + 1);
            assert_contains(text, name);
            at += length + 1;
            names++;
        }
    }
    assert_true(names > 1);
    free(part);
}

/* The number with this name, after the first `object` unless that is NULL. */
static double number(const char *text, const char *object, const char *name)
{
    char key[80];
    if (object) {
        snprintf(key, sizeof key, "\"%s\": {", object);
        text = strstr(text, key);
        assert_non_null(text);
    }
    snprintf(key, sizeof key, "\"%s\": ", name);
    const char *at = strstr(text, key);
    assert_non_null(at);
    return strtod(at + strlen(key), NULL);
}

#define SMALL "-n", "64", "--size", "64x36"

TEST(a_dry_run)
{
    cli_need_gl();
    cli_write("bodies.txt", "1 0 0 0 0 0 0\n1 1 0 0 0 1 0\n");
    cli_write("two.yaml", "bodies: {model: file, file: bodies.txt, count: 0}\n"
                          "simulation: {dt: 0.01, steps_per_frame: 3, softening: 0.1}\n"
                          "look: {panels: [{title: a}, {title: b, subset: 2}]}\n"
                          "output: {frames: 10, size: 64x36, fps: 25}\n");
    const char *text =
        cli(0, "render", "two.yaml", "--dry-run", "--json", "--frames", "2..8", "-o", "a.mp4")->out;
    names_are_listed("render --dry-run --json", text);
    names_are_told("render --dry-run --json", text);
    assert_contains(text, "\"output\": \"a.mp4\"");
    assert_contains(text, "\"complete\": false");
    assert_contains(text, "\"scene\": \"a.scene.yaml\"");
    assert_contains(text, "\"diagnostics\": null");
    assert_contains(text, "\"file\": \"bodies.txt\"");
    assert_true(number(text, NULL, "first_frame") == 2 && number(text, NULL, "last_frame") == 8 &&
                number(text, NULL, "frames") == 7);
    assert_true(number(text, NULL, "width") == 64 && number(text, NULL, "height") == 36 &&
                number(text, NULL, "fps") == 25 && number(text, NULL, "bodies") == 2);
    assert_true(number(text, "simulation", "steps") == 24);
    assert_float_equal(number(text, "simulation", "time"), 0.24, 1e-9);
    /* Two simulations, 24 steps and the start. */
    assert_true(number(text, "simulation", "interactions") >= 25 * (2 + 1));
    static const char *const ranges[] = {"seconds", "bytes"};
    for (int i = 0; i < 2; i++) {
        const double value = number(text, ranges[i], "value");
        assert_true(value > 0 && number(text, ranges[i], "least") <= value &&
                    number(text, ranges[i], "most") >= value);
    }
    assert_true(number(text, NULL, "working_bytes") >= number(text, "bytes", "value"));
    assert_true(number(text, NULL, "peak_memory") > 1e6);
    assert_true(number(text, "trial", "frames") > 0);
    assert_false(cli_exists("a.mp4"));

    /* The same with the other option, when the film itself goes to the standard output, and for
     * steps that are not known in advance. */
    text = cli(0, "render", "plummer", SMALL, "--frames", "3", "--dry-run", "--summary", "json",
               "--set", "simulation.adaptive=0.1", "-o", "-")
               ->out;
    assert_contains(text, "\"adaptive\": true");
    assert_contains(text, "\"interactions\": null");
    assert_lacks(text, "\"steps\"");
    assert_contains(cli(0, "render", "plummer", SMALL, "--frames", "3", "--dry-run", "--json")->out,
                    "\"output\": null");
}

TEST(a_run)
{
    cli_need_gl();
    const char *text =
        cli(0, "render", "plummer", SMALL, "--frames", "3", "--json", "-o", "film.mp4")->out;
    names_are_listed("render --json", text);
    names_are_told("render --json", text);
    assert_true(number(text, NULL, "frames") == 3);
    cli_fails(2, "--json", "render", "plummer", SMALL, "--json", "-o", "-");

    text = cli(0, "render", "plummer", SMALL, "--frames", "3", "--json", "--dry-run", "--resume",
               "-o", "film.mp4")
               ->out;
    names_are_listed("render --dry-run --json", text);
    assert_contains(text, "\"complete\": true");
}

TEST(what_there_is)
{
    names_are_listed("info --json", cli(0, "info", "plummer", "--json")->out);
    const char *text = cli(0, "doctor", "--json")->out;
    names_are_listed("doctor --json", text);
    names_are_told("doctor --json", text);
}

/* Every key of the lines, in the order of the page, and no other. */
TEST(a_progress)
{
    cli_need_gl();
    struct stat film;
    cli(0, "render", "plummer", SMALL, "--frames", "3", "-o", "p.mp4", "--progress", "p.txt");
    cli(0, "render", "plummer", SMALL, "--frames", "3", "-y", "-o", "p.mp4", "--progress", "p.txt");
    char *text = cli_read("p.txt"), *part = part_of_page("render --progress FILE"), *rest = text;
    const char *at = strstr(part, "|---|---|"), *last = strrchr(text, '=');
    assert_string_equal(last, "=end\n");
    assert_ptr_equal(strstr(text, "progress=end"), last - strlen("progress")); /* begun anew */
    for (char *line; (line = strsep(&rest, "\n")) && *line;) {
        char name[80];
        snprintf(name, sizeof name, "`%.*s`", (int)strcspn(line, "="), line);
        if (strncmp(line, "frame=", 6) == 0)
            at = strstr(part, "|---|---|");
        at = strstr(at, name);
        if (!at)
            fail_msg("%s is not on the page, or in another place", name);
        at++;
        if (strcmp(name, "`size`") == 0 && strstr(rest, "progress=end") == rest) {
            assert_int_equal(stat(cli_path("p.mp4"), &film), 0);
            assert_int_equal(strtoll(line + 5, NULL, 10), film.st_size);
        }
    }
    free(text);
    text = cli_read("p.txt");
    int names = 0;
    for (const char *row = part; (row = strstr(row, "\n| `")); row++)
        for (const char *tick = row; (tick = strchr(tick, '`')) && tick < strchr(row + 3, '|');) {
            char key[80];
            const size_t length = strcspn(tick + 1, "`");
            snprintf(key, sizeof key, "%.*s=", (int)length, tick + 1);
            assert_contains(text, key);
            tick += length + 2;
            names++;
        }
    assert_int_equal(names, 12);
    free(part);
    free(text);
}

/* The names of a report and those of the page are the same. */
TEST(a_report)
{
    cli_need_gl();
#define FILM "render", "plummer", SMALL, "--frames", "3", "--quiet"
    cli(0, "baseline", "plummer", SMALL, "--frames", "3", "-o", "b");
    cli(0, "check", "b", "--output", "kept");
    cli(0, FILM, "-o", "a.mp4");
    cli(0, FILM, "-o", "b.mp4", "--set", "camera.azimuth=40");
    cli(3, "compare", "a.mp4", "b.mp4", "--html", "c.html", "--json", "c.json");
    char *checked = cli_read("kept/report.json"), *compared = cli_read("c.json"),
         *both = calloc(1, strlen(checked) + strlen(compared) + 1);
    strcat(strcat(both, checked), compared);
    names_are_listed("Reports", checked);
    names_are_listed("Reports", compared);
    names_are_told("Reports", both);
    free(checked);
    free(compared);
    free(both);
}

/* Removes the text between the brackets after the key: lines of a scene, names of boxes. */
static void empty(char *text, const char *key, char close)
{
    char *from = strstr(text, key);
    assert_non_null(from);
    from += strlen(key);
    const char *to = strchr(from, close);
    assert_non_null(to);
    memmove(from, to, strlen(to) + 1);
}

TEST(a_manifest)
{
    cli_need_gl();
    cli(0, "render", "plummer", SMALL, "--frames", "2", "--quiet", "--set",
        "look.panels=[{}, {subset: 2, title: half}]", "-o", "m.mp4", "--manifest", "m.json");
    char *text = cli_read("m.json");
    empty(text, "\n \"scene\": [", ']');
    empty(text, "\n \"boxes\": {", '}');
    names_are_listed("render --manifest FILE", text);
    names_are_told("render --manifest FILE", text);
    free(text);
}

TEST(a_bench)
{
    const char *text =
        cli(0, "bench", "--suite", "solver", "-n", "300", "--quick", "--backend", "cpu", "--json")
            ->out;
    names_are_listed("bench --json", text);
    names_are_told("bench --json", text);
}

/* U+202E lets a terminal show a name backwards. */
TEST(marks_of_direction_are_escaped)
{
    cli_write("marks.yaml", "bodies: {model: plummer, count: 8}\n"
                            "output: {title: \"film \\u202egpj.exe \\u2066\u00e4\"}\n");
    const struct run *run = cli(0, "info", "--json", "marks.yaml");
    assert_contains(run->out, "film \\u202egpj.exe \\u2066\u00e4\"");
    assert_lacks(run->out, "\u202e");
    run = cli(0, "info", "marks.yaml");
    assert_contains(run->out, "film \\xe2\\x80\\xaegpj.exe \\xe2\\x81\\xa6\u00e4\n");
    assert_lacks(run->out, "\u202e");
}

TESTS(set_up, tear_down)
