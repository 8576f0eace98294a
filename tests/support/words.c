#include "tests/support/test.h"

#include "tests/support/words.h"

#include <ctype.h>
#include <string.h>

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Whether text[0..length) is neither part of a longer word nor of another number. */
static bool is_whole(const char *start, const char *text, size_t length)
{
    const char *end = text + length;
    const char before = text > start ? text[-1] : ' ', farther = text > start + 1 ? text[-2] : ' ';
    const bool digit = isdigit((unsigned char)*text);
    if (is_word(*text) && is_word(before))
        return false;
    if (digit && ((before == '.' && isdigit((unsigned char)farther)) ||
                  (before == '-' && !is_word(farther))))
        return false;
    return !is_word(end[-1]) || !(is_word(*end) || (*end == '.' && isdigit((unsigned char)end[1]) &&
                                                    isdigit((unsigned char)end[-1])));
}

static bool has_word(const char *text, const char *word, size_t length)
{
    for (const char *at = text; (at = memmem(at, strlen(at), word, length)); at++)
        if (is_whole(text, at, length))
            return true;
    return false;
}

bool has_words(const char *text, const char *words)
{
    while (*(words += strspn(words, " "))) {
        const bool quoted = words[0] == '\'' && words[1] != '\'' && strchr(words + 1, '\'');
        words += quoted;
        const size_t length = strcspn(words, quoted ? "'" : " ");
        if (!has_word(text, words, length))
            return false;
        words += length + quoted;
    }
    return true;
}

static bool is_sentence(const char *text)
{
    const size_t length = strlen(text);
    const bool stop = length > 0 && text[length - 1] == '.';
    return length > 0 && !strchr(text, '\n') && (!stop || strcmp(text + length - 3, "...") == 0) &&
           !(isupper((unsigned char)text[0]) && islower((unsigned char)text[1]));
}

void words_check(const char *text, const char *words, bool sentence, const char *file, int line)
{
    if (has_words(text, words) && (!sentence || is_sentence(text)))
        return;
    print_error("'%s' %s '%s'\n", text,
                has_words(text, words) ? "is not one sentence; said:" : "does not say", words);
    _fail(file, line);
}

void contains_check(const char *text, const char *part, bool wanted, const char *file, int line)
{
    if ((strstr(text, part) != NULL) == wanted)
        return;
    print_error("'%s' %s '%s'\n", text, wanted ? "does not contain" : "contains", part);
    _fail(file, line);
}
