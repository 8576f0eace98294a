/* The nearest of some words to a mistyped one. Pure, thread-safe. */
#pragma once

#include <stddef.h>

/* Keeps the best so far: start with {word, NULL, 0}, offer candidates, read `best` (NULL when none
 * is near enough to be what was meant). */
struct suggestion {
    const char *word, *best;
    size_t distance;
};
void suggest_offer(struct suggestion *suggestion, const char *candidate);

/* "; did you mean 'best'?" or "". Points into a per-thread buffer. */
const char *suggest_text(const struct suggestion *suggestion);
