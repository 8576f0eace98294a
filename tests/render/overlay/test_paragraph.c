/* Texts of several lines: where they end, how they are broken and shortened. */
#include "tests/support/test.h"

#include "render/overlay/ink.h"

#include <string.h>

static struct ink *ink;

static int open_ink(void **state)
{
    (void)state;
    return ink_create(&ink, "DejaVu Sans", 4) != STATUS_OK;
}

static int close_ink(void **state)
{
    (void)state;
    ink_destroy(&ink);
    return 0;
}

static const char *fitted(const char *text, double width, int lines, bool wraps, int *count)
{
    static char out[OVERLAY_TEXT_MAX + 4];
    const struct paragraph_room room = {20, width, lines, wraps};
    *count = paragraph_fit(out, ink, &room, text);
    assert_int_equal(paragraph_lines(out), *count);
    assert_true(paragraph_width(ink, 20, out) <= width);
    return out;
}

TEST(lines_end_as_anybody_ends_them)
{
    static const struct {
        const char *text, *lines;
    } cases[] = {
        {"one", "one"},
        {"one\n", "one"},
        {"one\ntwo", "one\ntwo"},
        {"one\r\ntwo\rthree\r\n", "one\ntwo\nthree"},
        {"\n\none\n\ntwo\n\n", "one\n\ntwo"},
        {"one\xe2\x80\xa8two\xe2\x80\xa9three", "one\ntwo\nthree"},
        {"one\ttab ", "one tab "},
        {"\xc3\xa9\xce\xb1\n\xd0\x96", "\xc3\xa9\xce\xb1\n\xd0\x96"},
        {"bad \xff\nend", "bad ?\nend"},
        {"", ""},
        {"\n", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int count;
        assert_string_equal(fitted(cases[i].text, 1000, 9, false, &count), cases[i].lines);
    }
}

TEST(too_wide_a_line_is_shortened_or_broken)
{
    static const char text[] = "the first passage takes four billion years\nshort";
    const double width = ink_width(ink, 20, "the first passage xx");
    int count;
    const char *out = fitted(text, width, 9, false, &count);
    assert_int_equal(count, 2);
    assert_contains(out, "\xe2\x80\xa6\nshort");
    assert_string_equal(fitted(text, width, 9, true, &count),
                        "the first passage\ntakes four billion\nyears\nshort");
    assert_int_equal(count, 4);
    /* A word that is too wide by itself. */
    out = fitted("of aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa end", width, 9, true, &count);
    assert_int_equal(count, 3);
    assert_memory_equal(out, "of\naaaa", 7);
    assert_contains(out, "a\xe2\x80\xa6\nend");
    /* Scripts without blanks break anywhere, between whole letters. */
    char many[256] = "";
    for (int i = 0; i < 40; i++)
        strcat(many, "\xe6\x98\x9f");
    out = fitted(many, width, 9, true, &count);
    assert_in_range(count, 2, 9);
    assert_lacks(out, "\xe2\x80\xa6");
    for (const char *at = out; *at; at += *at == '\n' ? 1 : 3)
        assert_true(*at == '\n' || strncmp(at, "\xe6\x98\x9f", 3) == 0);
}

#define STAR "\xe6\x98\x9f"
#define STOP "\xe3\x80\x82" /* a Chinese full stop */
#define HARD "\xc2\xa0"     /* a blank at which no line ends */

TEST(lines_break_where_unicode_allows)
{
    int count;
    const double width = ink_width(ink, 20, STAR STAR STAR) + 1;
    assert_string_equal(fitted(STAR STAR STAR STOP, width, 9, true, &count),
                        STAR STAR "\n" STAR STOP);
    assert_string_equal(
        fitted("about 4" HARD "Gyr", ink_width(ink, 20, "about 4" HARD), 9, true, &count),
        "about\n4" HARD "Gyr");
    assert_string_equal(fitted("half-mass", ink_width(ink, 20, "half-m"), 9, true, &count),
                        "half-\nmass");
}

TEST(no_more_lines_than_there_is_room_for)
{
    int count;
    assert_string_equal(fitted("a\nb\nc\nd", 1000, 3, false, &count), "a\nb\nc");
    assert_string_equal(fitted("a b c d", ink_width(ink, 20, "m"), 2, true, &count), "a\nb");
    char large[2000];
    memset(large, 'x', sizeof large - 1);
    large[sizeof large - 1] = '\0';
    for (int i = 40; i < 1999; i += 41)
        large[i] = '\n';
    fitted(large, 1000, 99, true, &count);
    assert_int_equal(count, 12); /* 512 bytes in all */
    memset(large, 'x', sizeof large - 1);
    fitted(large, 1e6, 9, true, &count);
    assert_int_equal(count, 1);
}

TEST(one_line_after_the_other)
{
    char line[OVERLAY_TEXT_MAX + 4];
    const char *at = "one\n\nthree";
    assert_true(paragraph_next(&at, line));
    assert_string_equal(line, "one");
    assert_true(paragraph_next(&at, line));
    assert_string_equal(line, "");
    assert_true(paragraph_next(&at, line));
    assert_string_equal(line, "three");
    assert_false(paragraph_next(&at, line));
    assert_true(paragraph_width(ink, 20, "i\nwww\ni") == ink_width(ink, 20, "www"));
}

TESTS(open_ink, close_ink)
