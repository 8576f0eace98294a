/* What people look for among the options, and where it is. Constant; thread-safe. */
#ifndef CMD_CLI_WISH_H
#define CMD_CLI_WISH_H

/* A word that is no option but is often taken for one. */
struct wish {
    const char *word;
    const char *option;  /* the one that serves it: only of use to commands that have it */
    const char *example; /* how it is written */
};

/* NULL: nothing is known to be meant by `word`, which has no dashes. */
const struct wish *wish_find(const char *word);

#endif
