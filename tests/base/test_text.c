#include "tests/support/test.h"

#include "base/text.h"

#include <string.h>

TEST(lists_are_separated_and_cut_off)
{
    char list[8] = "";
    text_list(list, sizeof list, "one");
    assert_string_equal(list, "one");
    text_list(list, sizeof list, "two");
    assert_string_equal(list, "one, tw");
    text_list(list, sizeof list, "three");
    assert_string_equal(list, "one, tw");
}

TEST(formats_into_new_memory)
{
    char *text = text_format("%s/%d", "frames", 7);
    assert_string_equal(text, "frames/7");
    free(text);
}

TEST(thousands_are_apart)
{
    static const struct {
        double value;
        const char *text;
    } wanted[] = {{0, "0"},
                  {999.4, "999"},
                  {999.6, "1,000"},
                  {65536, "65,536"},
                  {-123456, "-123,456"},
                  {-12, "-12"},
                  {1234567, "1,234,567"},
                  {1e9, "1,000,000,000"}};
    char text[64];
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        text_whole(text, sizeof text, wanted[k].value);
        assert_string_equal(text, wanted[k].text);
    }
    text_whole(text, 5, 65536);
    assert_string_equal(text, "65,5");
}

TEST(sizes_are_parsed)
{
    static const struct {
        const char *text;
        uint64_t bytes; /* 0: refused */
    } sizes[] = {{"1", 1},
                 {"512M", (uint64_t)512 << 20},
                 {"2g", (uint64_t)2 << 30},
                 {"1.5GiB", (uint64_t)3 << 29},
                 {"3KB", 3072},
                 {"4096b", 4096},
                 {"1T", (uint64_t)1 << 40},
                 {"", 0},
                 {"0", 0},
                 {"-1", 0},
                 {"2X", 0},
                 {"2GG", 0},
                 {"1iB", 0},
                 {"nan", 0},
                 {"inf", 0},
                 {"1e30", 0}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        uint64_t bytes = 0;
        enum status status = text_parse_bytes("--memory", sizes[k].text, &bytes);
        assert_int_equal(status, sizes[k].bytes ? STATUS_OK : STATUS_USAGE);
        assert_true(bytes == sizes[k].bytes);
    }
}

TEST(words_are_quoted_for_a_shell)
{
    static const char *const rows[][2] = {
        {"a/B-9_.:=%+,", "a/B-9_.:=%+,"},
        {"two words", "'two words'"},
        {"", "''"},
        {"$(id)", "'$(id)'"},
        {"it's", "'it'\\''s'"},
        {"~", "'~'"},
        {"a\nb", "'a\nb'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *quoted = text_quoted(rows[i][0]);
        assert_string_equal(quoted, rows[i][1]);
        free(quoted);
    }
}

TEST(ranges_are_parsed)
{
    static const struct {
        const char *text;
        struct text_range range;
    } good[] = {
        {"3..7", {true, true, false, 3, 7, 0}},          {"4..4", {true, true, false, 4, 4, 0}},
        {"5..", {true, false, false, 5, UINT64_MAX, 0}}, {"..9", {false, true, false, 0, 9, 0}},
        {"12", {false, false, true, 0, UINT64_MAX, 12}},
    };
    static const char *const bad[] = {"",      "..",      "7..3",  "a..b",
                                      "1...2", "-1..3",   "1..2x", "0x1",
                                      " 3",    "1..2..3", "1e3",   "1234567890123456789"};
    struct text_range found;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        const struct text_range *range = &good[i].range;
        assert_ok(text_parse_range("--frames", good[i].text, &found));
        assert_true(found.has_first == range->has_first && found.has_last == range->has_last);
        assert_true(found.has_count == range->has_count && found.first == range->first);
        assert_true(found.last == range->last && found.count == range->count);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(text_parse_range("--frames", bad[i], &found), STATUS_USAGE);
        assert_says(status_text(), "--frames A..B");
    }
}

TEST(one_is_singular)
{
    char room[TEXT_WORD];
    assert_string_equal(text_of_count("stars", 1, room), "star");
    assert_string_equal(text_of_count("bodies", 1, room), "body");
    assert_string_equal(text_of_count("stars", 0, room), "stars");
    assert_string_equal(text_of_count("codes", 1.5, room), "codes");
    assert_string_equal(text_of_count("%", 1, room), "%");
    assert_string_equal(text_of_count("", 1, room), "");
}

TEST(lines_are_filled_and_no_longer)
{
    char *text, *line = text_format("%070d 345678 x\n", 0); /* words end in columns 70 and 77 */
    size_t size;
    FILE *file = open_memstream(&text, &size);
    line[strlen(line) - 1] = '\0';
    text_wrap(file, 0, 0, line);        /* and 79: the last that there is */
    text_wrap(file, 4, 4, line);        /* four more */
    text_wrap(file, 0, 2, "two words"); /* at their indent */
    fclose(file);
    char *want = text_format("%s\n%070d\n    345678 x\n  two words\n", line, 0);
    assert_string_equal(text, want);
    free(want);
    free(line);
    free(text);
}

/* Characters that would control a terminal. */
TEST(control_characters_are_shown)
{
    static const struct {
        const char *text;
        int bytes;
    } cases[] = {
        {"\x1b", 1},     {"\x7f", 1},     {"\n", 1},       {" ", 0},        {"~", 0},
        {"", 0},         {"\xc2\x80", 2}, {"\xc2\x9b", 2}, {"\xc2\x9f", 2}, {"\xc2\xa0", 0},
        {"\xc3\x9f", 0}, {"\x1f", 1},     {"\x01", 1},     {"\u200d", 0},   {"\u200e", 3},
        {"\u200f", 3},   {"\u2027", 0},   {"\u2028", 3},   {"\u202a", 3},   {"\u202e", 3},
        {"\u202f", 0},   {"\u2065", 0},   {"\u2066", 3},   {"\u2069", 3},   {"\u206a", 0},
        {"\u061c", 2},   {"\u0628", 0},   {"\u2713", 0},   {"\xe2\x80", 0}, {"\xe2", 0},
        {"\xd8", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(text_control(cases[i].text), cases[i].bytes);
}

TESTS(NULL, NULL)
