/* The letters of the overlay: missing fonts, and texts that are too long or invalid. */
#include "tests/support/test.h"

#include "render/overlay/ink.h"

#include <math.h>
#include <string.h>
#include <sys/wait.h>

/* Fontconfig reads its settings once per process: each case is its own process. */
static void warnings_of(const char *settings, const char *font, char *out, size_t size)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        if (settings)
            setenv("FONTCONFIG_FILE", settings, 1);
        struct ink *ink;
        const uint8_t *pixels;
        int width, height, lit = 0;
        if (ink_create(&ink, font, 4) != STATUS_OK)
            _exit(1);
        for (int turn = 0; turn < 3; turn++) {
            if (ink_begin(ink, 200, 60) != STATUS_OK)
                _exit(1);
            ink_text(ink, 10, 40, 20 + turn, 1, "0.59 Gyr");
            if (ink_end(ink, &pixels, &width, &height) != STATUS_OK)
                _exit(2);
            lit = 0;
            for (int at = 0; at < 4 * width * height; at += 4)
                lit += pixels[at] > 128;
        }
        ink_destroy(&ink);
        _exit(lit > 50 ? 0 : 3);
    }
    close(ends[1]);
    size_t used = 0;
    for (ssize_t got; used + 1 < size && (got = read(ends[0], out + used, size - used - 1)) > 0;)
        used += (size_t)got;
    out[used] = '\0';
    close(ends[0]);
    int end;
    assert_int_equal(waitpid(child, &end, 0), child);
    assert_true(WIFEXITED(end));
    assert_int_equal(WEXITSTATUS(end), 0);
}

static int warnings_in(const char *text)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, "warning: the ")); at++)
        count++;
    for (const char *at = text; (at = strstr(at, "warning: no font")); at++)
        count++;
    return count;
}

/* First, before this process reads fonts. */
TEST(missing_fonts_warn_once)
{
    static const char no_folders[] = "<fontconfig></fontconfig>";
    char text[4096], settings[] = "/tmp/gravreel-fonts-XXXXXX";
    int file = mkstemp(settings);
    assert_true(file >= 0);
    assert_int_equal(write(file, no_folders, strlen(no_folders)), strlen(no_folders));
    assert_int_equal(close(file), 0);
    warnings_of(settings, "DejaVu Sans", text, sizeof text);
    assert_int_equal(unlink(settings), 0);
    assert_int_equal(warnings_in(text), 1);
    assert_says(text, "font installed");
    warnings_of(NULL, "No Such Family", text, sizeof text);
    assert_int_equal(warnings_in(text), 1);
    if (!strstr(text, "no font is installed"))
        assert_says(text, "font 'No Such Family' installed");
    warnings_of(NULL, "sans-serif", text, sizeof text);
    assert_lacks(text, "'sans-serif'");
}

TEST(long_titles_end_in_an_ellipsis)
{
    struct ink *ink;
    assert_ok(ink_create(&ink, "DejaVu Sans", 5));
    static const char *const letters[] = {"W",  "\xc3\xa9",         "\xe6\x98\x9f",
                                          "i ", "\xf0\x9f\x8c\x80", "e\xcc\x81"};
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
        char text[512 + 4] = "";
        while (strlen(text) + strlen(letters[i]) <= 400)
            strcat(text, letters[i]);
        ink_fit(ink, 20, 300, text);
        const size_t length = strlen(text);
        assert_true(length > 3 && strcmp(text + length - 3, "\xe2\x80\xa6") == 0);
        assert_true(ink_width(ink, 20, text) <= 300);
        assert_true(ink_width(ink, 20, text) > 300 - ink_width(ink, 20, letters[i]) - 20);
        assert_int_equal((length - 3 + (i == 3)) % strlen(letters[i]),
                         0); /* whole letters, with marks */
    }
    char fits[64] = "short", none[64] = "no room";
    ink_fit(ink, 20, 300, fits);
    assert_string_equal(fits, "short");
    ink_fit(ink, 20, 5, none);
    assert_string_equal(none, "");
    char odd[64] = "a\tb\nc\x7f", bad[64] = "bad \xff\xc3 end", good[64] = "Gal\xc3\xa1xias";
    ink_clean(ink, odd);
    ink_clean(ink, bad);
    ink_clean(ink, good);
    assert_string_equal(odd, "a b c ");
    assert_string_equal(bad, "bad ?? end");
    assert_string_equal(good, "Gal\xc3\xa1xias");
    ink_destroy(&ink);
    assert_null(ink);
}

TEST(weights_by_role)
{
    struct ink *ink;
    double width[INK_ROLES];
    assert_ok(ink_create(&ink, "DejaVu Sans", 4));
    const double usual = ink_width(ink, 40, "Merger");
    ink_role(ink, INK_TITLE); /* says nothing yet */
    assert_true(ink_width(ink, 40, "Merger") == usual);
    ink_weigh(ink);
    for (int role = 0; role < INK_ROLES; role++) {
        ink_role(ink, (enum ink_role)role);
        width[role] = ink_width(ink, 40, "Merger");
        assert_ok(ink_begin(ink, 300 + 100 * role, 80)); /* a larger surface has the same face */
        assert_true(ink_width(ink, 40, "Merger") == width[role]);
    }
    assert_true(fabs(width[INK_TEXT] - usual) < 0.01 && fabs(width[INK_NUMBER] - usual) < 0.01);
    ink_destroy(&ink);
    if (!(width[INK_TITLE] > 1.03 * usual))
        outcome_skip(MISSING_FONT, "DejaVu Sans Bold");
}

static int lit_columns(struct ink *ink, const char *text, int *first)
{
    const uint8_t *pixels;
    int width, height, last = -1;
    *first = -1;
    assert_ok(ink_begin(ink, 200, 60));
    ink_text(ink, 20, 45, 40, 1, text);
    assert_ok(ink_end(ink, &pixels, &width, &height));
    for (int x = 0; x < width; x++)
        for (int y = 0; y < height; y++)
            if (pixels[4 * (y * width + x)] > 128) {
                *first = *first < 0 ? x : *first;
                last = x;
            }
    return last - *first + 1;
}

TEST(figures_as_wide_as_each_other)
{
    struct ink *ink;
    char letters[INK_LETTERS];
    int first, begins;
    assert_ok(ink_create(&ink, "Inter", 4));
    ink_letters(ink, letters);
    if (strncmp(letters, "Inter,", 6) != 0) {
        ink_destroy(&ink);
        outcome_skip(MISSING_FONT, "Inter");
    }
    const double one = ink_width(ink, 40, "1.11"), eight = ink_width(ink, 40, "8.88");
    assert_true(one < 0.9 * eight);
    ink_weigh(ink);
    assert_true(ink_width(ink, 40, "1.11") < 0.9 * ink_width(ink, 40, "8.88"));
    ink_role(ink, INK_NUMBER);
    const double even = ink_width(ink, 40, "8.88 Gyr");
    assert_true(fabs(ink_width(ink, 40, "1.11 Gyr") - even) < 0.01);
    assert_true(fabs(ink_width(ink, 40, "4.90 Gyr") - even) < 0.01);
    /* A narrow digit is centred in its place. */
    const double place = ink_width(ink, 40, "1");
    const int lit = lit_columns(ink, "1", &first);
    assert_true(fabs(first + lit / 2.0 - 20 - place / 2) < 0.1 * place);
    lit_columns(ink, "11", &begins);
    assert_int_equal(begins, first);
    assert_true(fabs(lit_columns(ink, "11", &begins) - lit - place) < 1.5);
    ink_destroy(&ink);
}

/* Whole words and phrases, the longest first; letters are never cut. */
TEST(words_in_another_language)
{
    static const struct word_params words[] = {{"before", "vor"},
                                               {"before first passage", "vor der Begegnung"},
                                               {"Gyr", "Mrd. J."},
                                               {"away", "weg \xc3\xbc"}};
    static const char *const cases[][2] = {
        {"0.3 Gyr before first passage", "0.3 Mrd. J. vor der Begegnung"},
        {"0.3 Gyr before", "0.3 Mrd. J. vor"},
        {"beforehand, away", "beforehand, weg \xc3\xbc"},
        {"Gyrs", "Gyrs"},
        {"", ""}};
    char out[64], small[6];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ink_in_words(out, sizeof out, words, 4, cases[i][0]);
        assert_string_equal(out, cases[i][1]);
    }
    ink_in_words(small, sizeof small, words, 0, "weg \xc3\xbc");
    assert_string_equal(small, "weg ");
}

TESTS(NULL, NULL)
