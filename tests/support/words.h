/* Compares a text by the words that carry its meaning: keys, names of files, numbers, options,
 * terms. Tests do not pin the wording of messages, so that a better one breaks none of them; only
 * tests/messages pins whole messages. */
#pragma once

#include <stdbool.h>

/* Whether all the words, separated by blanks, are in the text, in any order. 'Big Dwarf' is one
 * word. Words are found whole: "dt" is not in "width", nor "1" in "12", "0.1" or "-1". */
bool has_words(const char *text, const char *words);

/* Fails unless the text has all the words. */
#define assert_says(text, words) words_check(text, words, false, __FILE__, __LINE__)
/* The same, of one sentence: one line, no full stop, no capital first letter but of a name. */
#define assert_sentence(text, words) words_check(text, words, true, __FILE__, __LINE__)
void words_check(const char *text, const char *words, bool sentence, const char *file, int line);

/* Fails unless, or if, the text contains the part exactly: for formats, which are not sentences. */
#define assert_contains(text, part) contains_check(text, part, true, __FILE__, __LINE__)
#define assert_lacks(text, part)    contains_check(text, part, false, __FILE__, __LINE__)
void contains_check(const char *text, const char *part, bool wanted, const char *file, int line);
