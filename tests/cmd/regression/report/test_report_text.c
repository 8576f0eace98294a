/* A report at the terminal: short, failures first, and safe for any names. */
#include "tests/support/test.h"

#include "base/memory.h"
#include "cmd/regression/report/writers.h"
#include "tests/support/films/report_fixture.h"

#include <stdlib.h>
#include <string.h>

static char *printed(const struct report_fixture *fixture, struct text_style style)
{
    struct report report;
    char *text;
    size_t size;
    report_fixture_make(&report, fixture);
    FILE *memory = open_memstream(&text, &size);
    assert_non_null(memory);
    report_print(&report, memory, style);
    fclose(memory);
    report_free(&report);
    return text;
}

/* The lines on a terminal of that width. */
static int lines(const char *text, int width)
{
    int count = 0, column = 0;
    for (; *text; text++) {
        if (*text == '\n' || (width > 0 && column == width)) {
            count++;
            column = 0;
        }
        if (*text == '\033')
            text = strchr(text, 'm');
        else
            column += *text != '\n' && ((unsigned char)*text & 0xc0) != 0x80;
    }
    return count;
}

TEST(failures_come_first)
{
    char *text = printed(&(struct report_fixture){.cases = 3}, (struct text_style){0});
    assert_says(
        text, "check '1 of 3' cases CHANGED default physics frame 17 energy drift 1.2e-3 scene ok "
              "start light from what baseline stored physics.energy 0.0012 limit 1e-06 1,200 x 47");
    assert_contains(text, "Mesa 22.3.6 > 25.0.7, x264 164 > 165, commit none > 4f1c2ab");
    assert_says(text, "run gravreel check baselines/default --frame 17");
    assert_contains(text, "accept     gravreel baseline --accept report.json");
    assert_true(strstr(text, "default:") < strstr(text, "exact:"));
    for (const char *at = text; *at; at++)
        assert_true(*at == '\n' || (*at >= ' ' && *at <= '~'));
    free(text);
}

TEST(it_is_short)
{
    static const uint32_t cases[] = {0, 1, 2, 5, 17, 18, 19, 20, 21, 50, 200};
    static const int widths[] = {0, 32, 40, 80, 120};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
            for (uint32_t only = 0; only <= FIXTURE_KINDS; only++) {
                struct text_style style = {true, true, widths[w]};
                char *text =
                    printed(&(struct report_fixture){cases[c], only, NULL, NULL, NULL}, style);
                assert_in_range(lines(text, widths[w]), 1, TEXT_LINES);
                free(text);
            }
}

TEST(what_is_left_out_is_counted)
{
    struct text_style style = {0};
    char *text = printed(&(struct report_fixture){.cases = 50}, style);
    assert_says(text, "'30 of 50' cases");
    assert_contains(text, "\nand 13 more that do not pass\n");
    assert_contains(text, "\n20 cases pass\n");
    free(text);
    text = printed(&(struct report_fixture){.cases = 50, .only = 3}, style);
    assert_says(text, "50 cases");
    assert_contains(text, "\nand 32 more that pass\n");
    free(text);
}

TEST(nothing_compared_does_not_pass)
{
    char *text = printed(&(struct report_fixture){0}, (struct text_style){0});
    assert_says(text, "nothing was compared pass");
    assert_lacks(text, "0 of 0");
    free(text);
    text = printed(&(struct report_fixture){.cases = 1, .only = 4}, (struct text_style){0});
    assert_says(text, "case default");
    free(text);
}

/* Three have a line each, and the others are counted. */
TEST(every_failure_is_named)
{
    static const enum rule_name failing[] = {RULE_PICTURE_PIXEL,     RULE_PICTURE_COUNTED,
                                             RULE_PICTURE_TILE_MEAN, RULE_PICTURE_BIAS,
                                             RULE_PICTURE_LIGHT,     RULE_SEQUENCE_FAILED};
    enum { COUNT = sizeof failing / sizeof *failing };
    struct report report = {.command = memory_text("compare")};
    struct case_report *one = report_add_case(&report, "film");
    struct stage_report *stage = &one->stages[JUDGED_PICTURE];
    stage->planned = stage->compared = 4;
    struct limits *limits;
    limits_open(&limits);
    for (size_t i = 0; i < COUNT; i++)
        stage_measured(stage, limits, &rules[failing[i]], 1000);
    stage_measured(stage, limits, &rules[RULE_PICTURE_COLOUR], 0.5);
    limits_close(&limits);
    stage_conclude(stage);
    case_conclude(one);
    report_conclude(&report);
    char *text;
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    report_print(&report, memory, (struct text_style){0});
    fclose(memory);
    const char *lines_of = strstr(text, "worst  ");
    assert_non_null(lines_of);
    for (size_t i = 0; i < COUNT; i++) {
        const char *at = strstr(lines_of, rules[failing[i]].name);
        assert_non_null(at);
        assert_lacks(at + 1, rules[failing[i]].name);
    }
    assert_says(text, "beyond limits");
    assert_lacks(lines_of, rules[RULE_PICTURE_COLOUR].name);
    free(text);
    report_free(&report);
}

/* A command is never shortened. The longest one shown ends in the last column of the last line. */
TEST(lines_are_used_up)
{
    enum { WIDTH = 100, INDENTED = 15, MOST = TEXT_LINES * WIDTH };
    char command[MOST + 1];
    size_t longest = 0;
    struct limits *limits;
    limits_open(&limits);
    for (size_t length = 1; length < MOST; length++) {
        struct report report = {.command = memory_text("check")};
        struct case_report *one = report_add_case(&report, "film");
        struct stage_report *stage = &one->stages[JUDGED_PICTURE];
        stage->planned = stage->compared = 4;
        stage_measured(stage, limits, &rules[RULE_PICTURE_PIXEL], 1000);
        stage_conclude(stage);
        case_conclude(one);
        report_conclude(&report);
        memset(command, 'x', length);
        command[length] = '\0';
        one->accept = memory_text(command);
        char *text;
        size_t size;
        FILE *memory = open_memstream(&text, &size);
        report_print(&report, memory, (struct text_style){false, false, WIDTH});
        fclose(memory);
        if (strstr(text, command))
            longest = length;
        assert_in_range(lines(text, WIDTH), 1, TEXT_LINES);
        free(text);
        report_free(&report);
    }
    limits_close(&limits);
    assert_true(longest > WIDTH);
    assert_int_equal((longest + INDENTED) % WIDTH, 0);
}

TEST(hostile_names_do_nothing)
{
    for (int rich = 0; rich < 2; rich++) {
        struct text_style style = {rich, rich, 0};
        char *text = printed(&(struct report_fixture){.cases = 5, .text = fixture_hostile}, style);
        for (const char *at = text; *at; at++) {
            assert_true(*at == '\n' || *at == '\033' || (unsigned char)*at >= ' ');
            if (*at == '\033') /* only the program's own colours */
                assert_true(rich &&
                            (strncmp(at, "\033[3", 3) == 0 || strncmp(at, "\033[0m", 4) == 0));
        }
        assert_lacks(text, "\033[31mred");
        assert_lacks(text, "\xe2\x80\xae");
        assert_lacks(text, "\xff");
        assert_in_range(lines(text, 0), 1, TEXT_LINES);
        free(text);
    }
}

TEST(colour_is_for_terminals)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    struct text_style style = text_style_of(file);
    assert_false(style.colour || style.symbols);
    assert_int_equal(style.width, 0);
    fclose(file);
    char *text =
        printed(&(struct report_fixture){.cases = 1}, (struct text_style){true, true, 100});
    assert_says(text, "physics 17");
    free(text);
}

TESTS(NULL, NULL)
