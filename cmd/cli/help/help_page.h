/* The help page of a command, generated from its parser. Used by one thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The groups that options are shown in: the `group` of a struct argp_option. */
enum help_group {
    HELP_OTHER,
    HELP_FILES,
    HELP_SCENE,
    HELP_RUN,
    HELP_MESSAGES,
    HELP_ENCODING,
    HELP_ACCEPT,
    HELP_LIMITS = 8,
    HELP_REPORTS,
};

struct help_row {
    const char *name;     /* long, without dashes */
    char letter;          /* 0: none */
    const char *argument; /* NULL: none; "a|b|c" if only these words are possible */
    bool optional;        /* the argument may be left out */
    int group;
    char *doc;
};

struct help_page {
    const char *name;  /* "gravreel render" */
    const char *words; /* its arguments besides options, alternative forms separated by line feeds,
                        * or NULL */
    char *intro;       /* one paragraph */
    /* Paragraphs after the options, separated by line feeds. Lines that begin with two spaces are
     * commands, and stay lines. */
    char *rest;
    size_t count;
    struct help_row *rows; /* [count], grouped in the order shown */
};

/* Creates the page of a parser without children, with the texts of its filter. Free it with
 * help_page_free. */
struct argp;
void help_page_make(struct help_page *page, const struct argp *argp, const char *name);
void help_page_free(struct help_page *page);

/* The title of a group, such as "Encoding". */
const char *help_group_title(int group);

/* An option as shown, such as "-n, --bodies=N". The caller frees it. */
char *help_row_form(const struct help_row *row);

/* Prints the page for a terminal of 80 columns, or as man(1) source (base/text.h) after its title.
 */
void help_print_text(FILE *file, const struct help_page *page);
void help_print_manual(FILE *file, const struct help_page *page);
