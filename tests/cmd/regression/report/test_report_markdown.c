/* A report for a pull request: short, and names have no effect as Markdown. */
#include "tests/support/test.h"

#include "base/file.h"
#include "cmd/regression/report/writers.h"
#include "tests/support/films/report_fixture.h"

#include <string.h>

static const char path[] = "report-markdown.md";

static char *written(const struct report_fixture *fixture)
{
    struct report report;
    char *text;
    report_fixture_make(&report, fixture);
    assert_ok(report_write_markdown(&report, path));
    assert_ok(file_read(path, 1 << 24, &text, NULL));
    report_free(&report);
    return text;
}

static int lines(const char *text)
{
    int count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

TEST(it_says_what_failed)
{
    char *text = written(&(struct report_fixture){.cases = 5});
    assert_says(text, "**gravreel check '3 of 5' cases pass** 192");
    assert_contains(text, "| ✗ default | changed | ✓ | ✓ | ✗ at 17 | follows | ✗ at 23 |");
    assert_contains(text, "| ? stereo | not judged |");
    assert_contains(text, "| ✓ panels | same |");
    assert_says(text, "physics frame 17 energy drift");
    assert_contains(text, "Mesa 22.3.6 &#62; 25.0.7");
    assert_contains(text, "\n    gravreel check baselines/default --frame 17");
    assert_contains(text, "\n    gravreel baseline --accept report.json");
    free(text);
}

TEST(it_is_short)
{
    static const uint32_t cases[] = {0, 1, 2, 3, 6, 7, 50, 200};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (uint32_t only = 0; only <= FIXTURE_KINDS; only++) {
            char *text = written(&(struct report_fixture){.cases = cases[c], .only = only});
            assert_in_range(lines(text), 1, MARKDOWN_LINES);
            free(text);
        }
    char *text = written(&(struct report_fixture){.cases = 50});
    assert_contains(text, "| and 44 more |");
    free(text);
}

TEST(nothing_compared_does_not_pass)
{
    char *text = written(&(struct report_fixture){0});
    assert_says(text, "compared pass");
    free(text);
}

/* Outside of the indented commands, in which Markdown has no effect. */
TEST(hostile_names_do_nothing)
{
    char *text = written(&(struct report_fixture){.cases = 5, .text = fixture_hostile});
    char *rest = text;
    assert_in_range(lines(text), 1, MARKDOWN_LINES);
    for (char *line; (line = strsep(&rest, "\n"));) {
        for (const char *at = line; *at; at++)
            assert_true((unsigned char)*at >= ' ' && *at != 0x7f);
        if (strncmp(line, "    ", 4) == 0 || strcmp(line, "<!-- -->") == 0)
            continue;
        assert_null(strpbrk(line, "<>`[]@$~\\"));
        assert_lacks(line, "://");
        assert_lacks(line, "\xe2\x80\xae");
        if (line[0] == '|') { /* no more cells than the header */
            int cells = 0;
            for (const char *at = line; *at; at++)
                cells += *at == '|';
            assert_int_equal(cells, 10);
        }
    }
    free(text);
}

TESTS(report_fixture_enter, report_fixture_leave)
