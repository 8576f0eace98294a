#include "base/suggest.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { WORD_MAX = 64 };

/* Edits (insert, delete, replace, swap neighbours) from one word to the other. */
static size_t edit_distance(const char *a, size_t n, const char *b, size_t m)
{
    size_t rows[3][WORD_MAX + 1];
    size_t *before = rows[0], *above = rows[1], *here = rows[2];
    for (size_t j = 0; j <= m; j++)
        above[j] = j;
    for (size_t i = 1; i <= n; i++) {
        here[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t best = above[j - 1] + (a[i - 1] != b[j - 1]);
            if (above[j] + 1 < best)
                best = above[j] + 1;
            if (here[j - 1] + 1 < best)
                best = here[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            here[j] = best;
        }
        size_t *oldest = before;
        before = above;
        above = here;
        here = oldest;
    }
    return above[m];
}

/* Names used by other programs, and the corresponding name here. */
static bool is_called(const char *word, const char *candidate)
{
    static const char *const names[][2] = {
        {"gpu", "cuda"},    {"nvidia", "cuda"}, {"360", "equirect"}, {"vr", "equirect"},
        {"h265", "hevc"},   {"x265", "hevc"},   {"265", "hevc"},     {"x264", "h264"},
        {"264", "h264"},    {"avc", "h264"},    {"aom", "av1"},      {"sbs", "side-by-side"},
        {"octree", "tree"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(word, names[i][0]) == 0 && strcmp(candidate, names[i][1]) == 0)
            return true;
    return false;
}

void suggest_offer(struct suggestion *suggestion, const char *candidate)
{
    const size_t n = strlen(suggestion->word), m = strlen(candidate);
    if (n == 0 || n > WORD_MAX || m > WORD_MAX)
        return;
    size_t distance = edit_distance(suggestion->word, n, candidate, m);
    if (is_called(suggestion->word, candidate))
        distance = 0;
    if (strncmp(suggestion->word, candidate, n) == 0 && n >= 3 && distance > 1)
        distance = 1; /* an abbreviation */
    const size_t near = n < 4 ? 1 : 1 + n / 4;
    if (distance <= near && (!suggestion->best || distance < suggestion->distance)) {
        suggestion->best = candidate;
        suggestion->distance = distance;
    }
}

const char *suggest_text(const struct suggestion *suggestion)
{
    static _Thread_local char text[WORD_MAX + 32];
    text[0] = '\0';
    if (suggestion->best)
        snprintf(text, sizeof text, "; did you mean '%s'?", suggestion->best);
    return text;
}
