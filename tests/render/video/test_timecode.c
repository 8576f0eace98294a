#include "tests/support/test.h"

#include "render/video/timecode.h"

#include <string.h>

static void assert_at(const char *text, uint32_t num, uint32_t den, uint64_t frame,
                      const char *want)
{
    char found[TIMECODE_TEXT];
    assert_ok(timecode_check(text, num, den));
    timecode_at(text, num, den, frame, found);
    assert_string_equal(found, want);
}

/* SMPTE ST 12-1: an hour of drop-frame timecode has 107,892 frames. */
TEST(frames_have_the_numbers_of_the_standard)
{
    assert_at("01:00:00:00", 25, 1, 0, "01:00:00:00");
    assert_at("01:00:00:00", 25, 1, 25 * 60 + 24, "01:01:00:24");
    assert_at("23:59:59:23", 24000, 1001, 1, "00:00:00:00");
    assert_at("00:00:59;28", 30000, 1001, 2, "00:01:00;02");
    assert_at("00:00:00;00", 30000, 1001, 1799, "00:00:59;29");
    assert_at("00:00:00;00", 30000, 1001, 1800, "00:01:00;02");
    assert_at("00:09:59;29", 30000, 1001, 1, "00:10:00;00");
    assert_at("00:00:00;00", 30000, 1001, 107892, "01:00:00;00");
    assert_at("00:00:59;59", 60000, 1001, 1, "00:01:00;04");
    assert_at("00:00:00:00", 30000, 1001, 1800, "00:01:00:00");
    assert_at("00:00:00:98", 100, 1, 3, "00:00:01:01");
    assert_at("23:59:59;29", 30000, 1001, 1, "00:00:00;00");
}

/* Every frame of an hour and a half is one number after the former. */
TEST(numbers_count_up_and_none_is_left_out_that_exists)
{
    char before[TIMECODE_TEXT] = "00:29:59;29";
    for (uint64_t frame = 0; frame < 160000; frame++) {
        char now[TIMECODE_TEXT], next[TIMECODE_TEXT];
        timecode_at("00:30:00;00", 30000, 1001, frame, now);
        timecode_at(before, 30000, 1001, 1, next);
        assert_string_equal(now, next);
        assert_true(frame == 0 || strcmp(before, now) < 0);
        assert_ok(timecode_check(now, 30000, 1001));
        memcpy(before, now, sizeof before);
    }
}

TEST(what_is_no_timecode_is_refused)
{
    static const struct {
        const char *text;
        uint32_t num, den;
        const char *words;
    } cases[] = {
        {"1:00:00:00", 25, 1, "HH:MM:SS:FF"},       {"01:00:00", 25, 1, "HH:MM:SS:FF"},
        {"01-00-00-00", 25, 1, "HH:MM:SS:FF"},      {"01:00:00.00", 25, 1, "HH:MM:SS:FF"},
        {"24:00:00:00", 25, 1, "no timecode 25"},   {"00:60:00:00", 25, 1, "no timecode"},
        {"00:00:60:00", 25, 1, "no timecode"},      {"00:00:00:25", 25, 1, "no timecode 25"},
        {"00:00:00;00", 25, 1, "output.fps 29.97"}, {"00:00:00;00", 30, 1, "output.fps 30"},
        {"00:01:00;01", 30000, 1001, "left out"},   {"00:00:00:00", 12, 1, "12 output.timecode 24"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_fails(timecode_check(cases[i].text, cases[i].num, cases[i].den), STATUS_USAGE,
                     cases[i].words);
}

TESTS(NULL, NULL)
