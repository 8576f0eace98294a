#include "cmd/cli/help/page.h"

#include "base/roff.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

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

static void print_rest(FILE *file, const char *rest)
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
    print_rest(file, page->rest);
    roff_section(file, "see also");
    roff_text(file, "`gravreel`(1), `gravreel-scene`(5)");
}
