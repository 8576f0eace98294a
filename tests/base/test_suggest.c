/* Suggestions for mistyped words, and words without a suggestion. */
#include "tests/support/test.h"

#include "base/choice.h"

#include <string.h>

static const char *nearest(const char *word)
{
    static const char *const words[] = {"hevc",  "render",   "resume", "cuda",
                                        "orbit", "equirect", "av1",    "x"};
    struct suggestion suggestion = {word, NULL, 0};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        suggest_offer(&suggestion, words[i]);
    return suggestion.best ? suggestion.best : "";
}

TEST(the_nearest_word_is_offered)
{
    assert_string_equal(nearest("rendr"), "render");   /* a letter is missing */
    assert_string_equal(nearest("redner"), "render");  /* neighbours are swapped */
    assert_string_equal(nearest("resumee"), "resume"); /* a letter too many */
    assert_string_equal(nearest("va1"), "av1");
    assert_string_equal(nearest("curda"), "cuda");
    assert_string_equal(nearest("cdua"), "cuda");
    assert_string_equal(nearest("equi"), "equirect"); /* an abbreviation */
    assert_string_equal(nearest("eq"), "");           /* too short for a suggestion */
    assert_string_equal(nearest("NVIDIA"), "cuda");   /* another program's name */
    assert_string_equal(nearest("x265"), "hevc");
    assert_string_equal(nearest("nebula"), "");
    assert_string_equal(nearest("obt"), "");
    assert_string_equal(nearest(""), "");
}

TEST(of_equally_near_words_the_first_is_kept)
{
    struct suggestion suggestion = {"lost", NULL, 0};
    suggest_offer(&suggestion, "last");
    suggest_offer(&suggestion, "list");
    assert_string_equal(suggest_text(&suggestion), "; did you mean 'last'?");
    suggest_offer(&suggestion, "lost");
    assert_string_equal(suggest_text(&suggestion), "; did you mean 'lost'?");
    assert_string_equal(suggest_text(&(struct suggestion){"lost", NULL, 0}), "");
}

TEST(words_of_any_length_are_accepted)
{
    char word[201];
    memset(word, 'a', 200);
    word[200] = '\0';
    assert_string_equal(nearest(word), "");
    struct suggestion suggestion = {"aaa", NULL, 0};
    suggest_offer(&suggestion, word);
    assert_null(suggestion.best);
    suggestion.word = word + 135; /* one letter longer than the longest word that is compared */
    suggest_offer(&suggestion, word + 136);
    assert_null(suggestion.best);
    suggestion.word = word + 136;
    suggest_offer(&suggestion, word + 136);
    assert_non_null(suggestion.best);
}

TESTS(NULL, NULL)
