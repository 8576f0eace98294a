/* Letters that the overlay's font lacks, and scripts with joined letters or written from right to
 * left. */
#include "tests/support/test.h"

#include "render/overlay/ink.h"
#include "tests/support/films/overlay_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* MATHEMATICAL BOLD CAPITAL A is in DejaVu Serif but not in DejaVu Sans. U+10FFFD is in no font. */
#define BOLD_A "\xf0\x9d\x90\x80"
#define NONE   "\xf4\x8f\xbf\xbd"

struct words {
    const char *const *texts; /* NULL behind the last */
    bool weighed;             /* each role in a weight of its own */
};

static void clean(void *data)
{
    const struct words *words = data;
    struct ink *ink;
    assert_ok(ink_create(&ink, "DejaVu Sans", 4));
    if (words->weighed)
        ink_weigh(ink);
    for (const char *const *text = words->texts; *text; text++) {
        char copy[256];
        snprintf(copy, sizeof copy, "%s", *text);
        ink_clean(ink, copy);
        assert_string_equal(copy, *text);
    }
    ink_destroy(&ink);
}

static int warnings_of(struct words words, char *out, size_t size)
{
    int count = 0;
    stderr_of(clean, &words, out, size);
    for (const char *at = out; (at = strstr(at, "warning: ")); at++)
        count++;
    return count;
}
#define WORDS(...)          ((const char *const[]){__VA_ARGS__, NULL})
#define warned(...)         warnings_of((struct words){WORDS(__VA_ARGS__), false}, said, sizeof said)
#define warned_weighed(...) warnings_of((struct words){WORDS(__VA_ARGS__), true}, said, sizeof said)

TEST(other_fonts_help_out)
{
    struct ink *ink;
    char said[4096], letters[INK_LETTERS], text[] = "a" BOLD_A "b" BOLD_A;
    if (warned(BOLD_A) > 0)
        outcome_skip(MISSING_FONT, "a font with U+1D400, such as DejaVu Serif");
    assert_ok(ink_create(&ink, "DejaVu Sans", 4));
    ink_letters(ink, letters);
    assert_lacks(letters, " and ");
    const double plain = ink_width(ink, 40, "ab");
    ink_clean(ink, text);
    ink_letters(ink, letters);
    assert_says(letters, "DejaVu Sans");
    const double letter = ink_width(ink, 40, BOLD_A);
    assert_true(ink_width(ink, 40, "ab") == plain);
    assert_true(fabs(ink_width(ink, 40, text) - plain - 2 * letter) < 0.01);

    /* Each begins where the one before ends. */
    const uint8_t *pixels;
    int width, height, columns[2][4] = {{0}};
    for (int turn = 0; turn < 2; turn++) {
        const double b = ink_width(ink, 40, "a" BOLD_A);
        assert_ok(ink_begin(ink, 200, 80));
        ink_text(ink, 10, 60, 40, 1, turn ? "b" : text);
        if (turn == 1) {
            assert_ok(ink_end(ink, &pixels, &width, &height));
            assert_ok(ink_begin(ink, 200, 80));
            ink_text(ink, 10, 60, 40, 1, "a");
            ink_text(ink, 10 + ink_width(ink, 40, "a"), 60, 40, 1, BOLD_A);
            ink_text(ink, 10 + b, 60, 40, 1, "b");
            ink_text(ink, 10 + b + ink_width(ink, 40, "b"), 60, 40, 1, BOLD_A);
        }
        assert_ok(ink_end(ink, &pixels, &width, &height));
        for (int at = 0; at < width * height; at++)
            columns[turn][at % width / 50] += pixels[4 * at];
    }
    for (int i = 0; i < 3; i++) {
        assert_true(columns[0][i] > 5000);
        assert_true(abs(columns[0][i] - columns[1][i]) < columns[0][i] / 100);
    }
    ink_destroy(&ink);
}

TEST(what_is_missing_is_named)
{
    char said[4096];
    assert_int_equal(warned("a plain title", "\xce\xb1 \xd0\x96 \xc3\xa9 \xe2\x88\x92"), 0);
    assert_int_equal(warned("first " NONE, "second " NONE, "first " NONE), 2);
    assert_says(said, "U+10FFFD text second install font");
}

/* Several threads look for the same letter: there is still a warning, and only one. */
TEST(what_is_missing_in_weights_is_named)
{
    char said[4096];
    assert_int_equal(warned_weighed("a plain title"), 0);
    assert_int_equal(warned_weighed("third " NONE, "fourth " NONE, "third " NONE), 2);
    assert_says(said, "U+10FFFD text third");
}

#define YOD  "\xd7\x99"
#define SHIN "\xd7\xa9"
#define BEH  "\xd8\xa8"

static double first_pixels(struct ink *ink, const char *text)
{
    const uint8_t *pixels;
    int width, height;
    double sum = 0;
    assert_ok(ink_begin(ink, 200, 80));
    ink_text(ink, 10, 60, 40, 1, text);
    assert_ok(ink_end(ink, &pixels, &width, &height));
    for (int at = 0; at < width * height; at++)
        sum += at % width < 20 ? pixels[4 * at] : 0;
    return sum;
}

TEST(letters_join_and_run_to_the_left)
{
    struct ink *ink;
    char said[4096];
    assert_int_equal(warned("\xce\xb1\xd1\x8f"), 0);
    if (warned(YOD SHIN, BEH) > 0)
        outcome_skip(MISSING_FONT, "a font with Hebrew and Arabic, such as DejaVu Sans");
    assert_ok(ink_create(&ink, "DejaVu Sans", 4));
    const double joined = ink_width(ink, 40, BEH BEH BEH), one = ink_width(ink, 40, BEH);
    assert_true(joined < 0.8 * 3 * one);
    const double both = first_pixels(ink, YOD SHIN), shin = first_pixels(ink, SHIN);
    assert_true(fabs(both - shin) < 0.01 * shin); /* yod, read first, is on the right */
    assert_true(fabs(both - first_pixels(ink, YOD)) > 0.1 * shin);
    /* Kerned. */
    assert_true(ink_width(ink, 40, "AV") < ink_width(ink, 40, "A") + ink_width(ink, 40, "V") - 1);
    ink_destroy(&ink);
}

/* Marks that control the layout are neither drawn nor reported as missing. */
TEST(invisible_marks)
{
    struct ink *ink;
    char said[4096];
    assert_int_equal(warned("a\xef\xbb\xbf"
                            "b\xe2\x80\x8b"
                            "c\xef\xb8\x8f"),
                     0);
    assert_ok(ink_create(&ink, "DejaVu Sans", 4));
    assert_true(fabs(ink_width(ink, 20,
                               "a\xef\xb8\x8f"
                               "b") -
                     ink_width(ink, 20, "ab")) < 0.5);
    ink_destroy(&ink);
}

TESTS(NULL, NULL)
