#include "cmd/cli/help/help_page.h"

#include "base/memory.h"
#include "base/text.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMN = 27 };

static void print_usage(FILE *file, const struct help_page *page)
{
    const char *words = page->words ? page->words : "", *before = "Usage:";
    do {
        const int length = (int)strcspn(words, "\n");
        fprintf(file, "%-6s %s [OPTION...]%s%.*s\n", before, page->name, length ? " " : "", length,
                words);
        words += length;
        before = "  or:";
    } while (*words++);
}

static void print_row(FILE *file, const struct help_row *row)
{
    char *form = help_row_form(row);
    int column = fprintf(file, "  %s%s", row->letter ? "" : "    ", form);
    if (column + 2 > COLUMN) {
        fputc('\n', file);
        column = 0;
    }
    text_wrap(file, column, COLUMN, row->doc);
    free(form);
}

static void text_print_rest(FILE *file, const char *rest)
{
    while (*rest) {
        const int length = (int)strcspn(rest, "\n");
        char *line = text_format("%.*s", length, rest);
        if (strncmp(line, "  ", 2) == 0) {
            fprintf(file, "%s\n", line);
        } else {
            fputc('\n', file);
            text_wrap(file, 0, 0, line);
        }
        free(line);
        rest += length + strspn(rest + length, "\n");
    }
}

void help_print_text(FILE *file, const struct help_page *page)
{
    const char *title = "";
    print_usage(file, page);
    text_wrap(file, 0, 0, page->intro);
    for (size_t i = 0; i < page->count; i++) {
        const char *now = help_group_title(page->rows[i].group);
        if (strcmp(now, title) != 0)
            fprintf(file, "\n%s:\n", now);
        title = now;
        print_row(file, &page->rows[i]);
    }
    text_print_rest(file, page->rest);
}

/* The groups in the order in which they are shown. */
static const struct {
    int group;
    const char *title;
} groups[] = {
    {HELP_FILES, "Input and output"},
    {HELP_SCENE, "Scene"},
    {HELP_ENCODING, "Encoding"},
    {HELP_ACCEPT, "Accepting changes"},
    {HELP_RUN, "Running"},
    {HELP_LIMITS, "Limits"},
    {HELP_REPORTS, "Reports"},
    {HELP_OTHER, "Options"},
    {HELP_MESSAGES, "Messages and help"},
};

enum { GROUPS = sizeof groups / sizeof groups[0] };

const char *help_group_title(int group)
{
    for (int i = 0; i < GROUPS; i++)
        if (groups[i].group == group)
            return groups[i].title;
    return help_group_title(HELP_OTHER);
}

static bool is_end(const struct argp_option *option)
{
    return !option->name && !option->key && !option->doc;
}

static char *filtered(const struct argp *argp, int key, const char *text)
{
    char *made = argp->help_filter ? argp->help_filter(key, text, NULL) : (char *)text;
    return made && made != text ? made : memory_text(text ? text : "");
}

static void add(struct help_page *page, struct help_row row)
{
    *MEMORY_ADD(page->rows, page->count) = row;
}

static void add_group(struct help_page *page, const struct argp *argp, const char *title)
{
    for (const struct argp_option *option = argp->options; option && !is_end(option); option++) {
        if (!option->name || (option->flags & OPTION_HIDDEN) ||
            strcmp(help_group_title(option->group), title) != 0)
            continue;
        add(page, (struct help_row){
                      .name = option->name,
                      .letter = option->key > ' ' && option->key < 127 ? (char)option->key : 0,
                      .argument = option->arg,
                      .optional = (option->flags & OPTION_ARG_OPTIONAL) != 0,
                      .group = option->group,
                      .doc = filtered(argp, option->key, option->doc),
                  });
    }
}

void help_page_make(struct help_page *page, const struct argp *argp, const char *name)
{
    const char *doc = argp->doc ? argp->doc : "", *rest = strchr(doc, '\v');
    *page = (struct help_page){.name = name, .words = argp->args_doc};
    page->intro = text_format("%.*s", (int)strcspn(doc, "\v"), doc);
    page->rest = memory_text(rest ? rest + 1 : "");
    for (int i = 0; i < GROUPS; i++)
        add_group(page, argp, groups[i].title);
    add(page, (struct help_row){.name = "help",
                                .letter = 'h',
                                .argument = "man",
                                .optional = true,
                                .group = HELP_MESSAGES,
                                .doc = memory_text("Print this, or the manual page")});
    add(page, (struct help_row){.name = "usage",
                                .group = HELP_MESSAGES,
                                .doc = memory_text("Print all options in a few lines")});
}

void help_page_free(struct help_page *page)
{
    for (size_t i = 0; i < page->count; i++)
        free(page->rows[i].doc);
    free(page->rows);
    free(page->intro);
    free(page->rest);
    *page = (struct help_page){0};
}

char *help_row_form(const struct help_row *row)
{
    char letter[8] = "";
    if (row->letter)
        snprintf(letter, sizeof letter, "-%c, ", row->letter);
    const char *argument = row->argument ? row->argument : "";
    return text_format("%s--%s%s%s%s%s", letter, row->name, row->optional ? "[" : "",
                       row->argument ? "=" : "", argument, row->optional ? "]" : "");
}

static void print_synopsis(FILE *file, const struct help_page *page)
{
    const char *words = page->words ? page->words : "";
    roff_section(file, "synopsis");
    do {
        const int length = (int)strcspn(words, "\n");
        char *line =
            text_format("`%s` [OPTION...]%s%.*s", page->name, length ? " " : "", length, words);
        roff_text(file, line);
        free(line);
        words += length;
        if (*words)
            fputs(".br\n", file);
    } while (*words++);
}

/* Whether a paragraph is a heading: one word and a colon. */
static bool is_heading(const char *text, int length)
{
    return length > 1 && text[length - 1] == ':' && !memchr(text, ' ', (size_t)length);
}

static void manual_print_rest(FILE *file, const char *rest)
{
    bool command = false, fresh = true; /* fresh: directly after a heading */
    if (*rest && strncmp(rest, "Examples:", 9) != 0)
        roff_section(file, "notes");
    while (*rest) {
        const int length = (int)strcspn(rest, "\n");
        const bool now = strncmp(rest, "  ", 2) == 0;
        const int skip = now ? 2 : 0;
        char *line = text_format("%.*s", length - skip, rest + skip);
        if (now) {
            fputs(command ? "" : ".nf\n", file);
            roff_literal(file, line);
        } else {
            fputs(command ? ".fi\n" : "", file);
            if (is_heading(line, length)) {
                line[length - 1] = '\0';
                roff_section(file, line);
            } else {
                fputs(fresh ? "" : ".PP\n", file);
                roff_text(file, line);
            }
        }
        command = now;
        fresh = false;
        free(line);
        rest += length + strspn(rest + length, "\n");
    }
    fputs(command ? ".fi\n" : "", file);
}

void help_print_manual(FILE *file, const struct help_page *page)
{
    const char *title = "";
    print_synopsis(file, page);
    roff_section(file, "description");
    roff_text(file, page->intro);
    roff_section(file, "options");
    for (size_t i = 0; i < page->count; i++) {
        const char *now = help_group_title(page->rows[i].group);
        if (strcmp(now, title) != 0)
            fprintf(file, ".SS %s\n", now);
        title = now;
        char *form = help_row_form(&page->rows[i]);
        roff_term(file, form);
        roff_text(file, page->rows[i].doc);
        free(form);
    }
    manual_print_rest(file, page->rest);
    roff_section(file, "see also");
    roff_text(file, "`gravreel`(1), `gravreel-scene`(5)");
}
