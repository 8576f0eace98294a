#include "base/roff.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* Escapes `length` bytes. A backquote toggles `*bold`, unless that is NULL. */
static void put(FILE *file, const char *text, size_t length, bool *bold)
{
    if (length > 0 && (*text == '.' || *text == '\''))
        fputs("\\&", file);
    for (size_t i = 0; i < length; i++) {
        switch (text[i]) {
        case '\\':
            fputs("\\e", file);
            break;
        case '-':
            fputs("\\-", file);
            break;
        case '\'':
            fputs("\\(aq", file);
            break;
        case '^':
            fputs("\\(ha", file);
            break;
        case '~':
            fputs("\\(ti", file);
            break;
        case '`':
            if (bold) {
                *bold = !*bold;
                fputs(*bold ? "\\fB" : "\\fR", file);
                break;
            }
            fputs("\\(ga", file);
            break;
        default:
            fputc(text[i], file);
        }
    }
}

static void put_line(FILE *file, const char *text, size_t length)
{
    bool bold = false;
    put(file, text, length, &bold);
    fputs(bold ? "\\fR\n" : "\n", file);
}

void roff_title(FILE *file, const char *name, int section, const char *doc)
{
    fputs(".TH ", file);
    for (const char *at = name; *at; at++)
        fputc(toupper((unsigned char)*at), file);
    fprintf(file, " %d \"\" \"gravreel %s\" \"gravreel\"\n.SH NAME\n", section, GRAVREEL_VERSION);
    put(file, name, strlen(name), NULL);
    fputs(" \\- ", file);
    put_line(file, doc, strlen(doc));
}

void roff_section(FILE *file, const char *title)
{
    fputs(".SH ", file);
    for (const char *at = title; *at; at++)
        fputc(toupper((unsigned char)*at), file);
    fputc('\n', file);
}

void roff_term(FILE *file, const char *term)
{
    fputs(".TP\n\\fB", file);
    put(file, term, strlen(term), NULL);
    fputs("\\fR\n", file);
}

void roff_text(FILE *file, const char *text)
{
    if (*text)
        put_line(file, text, strlen(text));
}

void roff_literal(FILE *file, const char *line)
{
    put(file, line, strlen(line), NULL);
    fputc('\n', file);
}

/* Prints a row "| `term` | meaning |"; skips the row of dashes and the headings before it. */
static void put_row(FILE *file, const char *line, size_t length)
{
    const char *second = memchr(line + 1, '|', length - 1);
    if (!second || line[2] != '`')
        return;
    fputs(".TP\n", file);
    put_line(file, line + 2, (size_t)(second - line) - 3);
    put_line(file, second + 2, length - (size_t)(second - line) - 4);
}

void roff_markdown(FILE *file, const char *text)
{
    bool code = false, fresh = false;
    while (*text) {
        const size_t length = strcspn(text, "\n");
        if (strncmp(text, "```", 3) == 0) {
            code = !code;
            fputs(code ? ".PP\n.nf\n" : ".fi\n", file);
        } else if (code) {
            put(file, text, length, NULL);
            fputc('\n', file);
        } else if (strncmp(text, "# ", 2) == 0) {
            fputs(".SH DESCRIPTION\n", file);
            fresh = true;
        } else if (strncmp(text, "## ", 3) == 0) {
            fprintf(file, ".SH %.*s\n", (int)length - 3, text + 3);
            fresh = true;
        } else if (text[0] == '|') {
            put_row(file, text, length);
            fresh = false;
        } else if (length == 0) {
            if (!fresh && text[1] && !strchr("#`|", text[1]))
                fputs(".PP\n", file);
        } else {
            put_line(file, text, length);
            fresh = false;
        }
        text += length + (text[length] == '\n');
    }
}
