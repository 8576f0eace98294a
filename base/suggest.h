/* The nearest of some words to a mistyped one. Pure, thread-safe. */
#pragma once

#include <stddef.h>

/* Keeps the best candidate so far: start with {word, NULL, 0}, offer candidates, read `best` (NULL
 * if none is similar enough). */
struct suggestion {
    const char *word, *best;
    size_t distance;
};
void suggest_offer(struct suggestion *suggestion, const char *candidate);

/* "; did you mean 'best'?" or "". Points into a per-thread buffer. */
const char *suggest_text(const struct suggestion *suggestion);
