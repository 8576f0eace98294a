#include "cmd/cli/help/page.h"

#include "base/memory.h"
#include "base/text.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    page->rows = memory_grow(page->rows, page->count + 1, sizeof *page->rows);
    page->rows[page->count++] = row;
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
