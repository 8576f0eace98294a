/* Words that people try as options, and the options that serve them. Constant; thread-safe. */
#pragma once

/* A word that is not an option but is often taken for one. */
struct wish {
    const char *word;
    const char *option;  /* the option to use instead; only for commands that have it */
    const char *example; /* an example of its use */
};

/* Finds `word`, without dashes. NULL: unknown. */
const struct wish *wish_find(const char *word);
