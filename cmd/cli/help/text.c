#include "cmd/cli/help/page.h"

#include "base/text.h"

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

static void print_rest(FILE *file, const char *rest)
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
    print_rest(file, page->rest);
}
