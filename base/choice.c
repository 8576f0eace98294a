#include "base/choice.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- suggest ---- */

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

/* Names used by other programs or for other things, and the corresponding name here. */
static bool is_called(const char *word, const char *candidate)
{
    static const char *const names[][2] = {
        {"gpu", "cuda"},    {"nvidia", "cuda"}, {"360", "equirect"}, {"vr", "equirect"},
        {"h265", "hevc"},   {"x265", "hevc"},   {"265", "hevc"},     {"x264", "h264"},
        {"264", "h264"},    {"avc", "h264"},    {"aom", "av1"},      {"sbs", "side-by-side"},
        {"octree", "tree"}, {"at", "from"},
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

/* ---- choice ---- */

const void *choice_at(const struct registry *registry, size_t i)
{
    if (i >= registry->count)
        return NULL;
    if (registry->stride == 0)
        return ((const struct choice *const *)registry->entries)[i];
    const struct choice *entry =
        (const void *)((const char *)registry->entries + i * registry->stride);
    return entry->name ? entry : NULL;
}

const void *choice_find(const struct registry *registry, const char *name)
{
    const struct choice *entry;
    for (size_t i = 0; (entry = choice_at(registry, i)); i++)
        if (strcmp(entry->name, name) == 0)
            return entry;
    return NULL;
}

enum status choice_require(const struct registry *registry, const char *name,
                           const struct choice **out)
{
    *out = choice_find(registry, name);
    if (*out)
        return STATUS_OK;
    for (const struct choice *old = registry->retired; old && old->name; old++)
        if (strcmp(old->name, name) == 0)
            return status_fail(STATUS_USAGE, "%s %s %s", registry->what, name, old->doc);
    struct suggestion suggestion = {name, NULL, 0};
    const struct choice *entry;
    char names[STATUS_TEXT_MAX / 2];
    for (size_t i = 0; (entry = choice_at(registry, i)); i++)
        suggest_offer(&suggestion, entry->name);
    choice_names(registry, names, sizeof names);
    return status_fail(STATUS_USAGE, "there is no %s '%s'%s%s choose one of %s%s", registry->what,
                       name, suggest_text(&suggestion), suggestion.best ? "" : ";",
                       registry->automatic ? "auto, " : "", names);
}

void choice_names(const struct registry *registry, char *out, size_t size)
{
    const struct choice *entry;
    static const char more[] = ", ...";
    out[0] = '\0';
    for (size_t i = 0; (entry = choice_at(registry, i)); i++) {
        const size_t used = strlen(out), end = choice_at(registry, i + 1) ? sizeof more : 1;
        if (used + strlen(entry->name) + (used ? 2 : 0) + end > size) {
            snprintf(out + used, size - used, "%s", used ? more : "...");
            return;
        }
        text_list(out, size, entry->name);
    }
}
