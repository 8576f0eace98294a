#include "render/overlay/paragraph.h"

#include "base/log.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Length of the line ending at `at`; 0: none. */
static size_t line_end(const char *at)
{
    if (at[0] == '\n' || (at[0] == '\r' && at[1] != '\n'))
        return 1;
    if (at[0] == '\r')
        return 2;
    return strncmp(at, "\xe2\x80\xa8", 3) == 0 || strncmp(at, "\xe2\x80\xa9", 3) == 0 ? 3 : 0;
}

/* Normalizes line endings to line feeds and strips them at both ends. The caller frees the
 * result. */
static char *plain_lines(const char *text)
{
    char *out = memory_text(text), *to = out;
    for (const char *at = text; *at;) {
        const size_t end = line_end(at);
        if (!end)
            *to++ = *at++;
        else if (to > out)
            *to++ = '\n';
        at += end;
    }
    while (to > out && to[-1] == '\n')
        to--;
    *to = '\0';
    return out;
}

static bool continues(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

struct paragraph {
    char *out;
    size_t used;
    int lines;
};

static bool add_line(struct paragraph *paragraph, struct ink *ink,
                     const struct paragraph_room *room, const char *line)
{
    char fitted[OVERLAY_TEXT_MAX + 4];
    strcpy(fitted, line);
    ink_fit(ink, room->size, room->width, fitted);
    const size_t length = strlen(fitted), gap = paragraph->lines > 0;
    if (paragraph->lines == room->lines || paragraph->used + gap + length > OVERLAY_TEXT_MAX + 3)
        return false;
    if (gap)
        paragraph->out[paragraph->used++] = '\n';
    memcpy(paragraph->out + paragraph->used, fitted, length + 1);
    paragraph->used += length;
    paragraph->lines++;
    return true;
}

/* The number of lines into which a line breaks at this width. */
static int count_broken(struct ink *ink, double size, double width, const char *line)
{
    int count = 0;
    for (; *line; count++)
        line += ink_break(ink, size, width, line);
    return count;
}

/* The smallest width, to a fiftieth, at which the line breaks into as few lines as at `width`:
 * lines of similar length read better than a last one of a word. */
static double balance(struct ink *ink, double size, double width, const char *line)
{
    const int least = count_broken(ink, size, width, line);
    double balanced = width;
    while (least > 1 && balanced > width / 2 &&
           count_broken(ink, size, balanced - width / 50, line) == least)
        balanced -= width / 50;
    return balanced;
}

static bool add_wrapped(struct paragraph *paragraph, struct ink *ink,
                        const struct paragraph_room *room, const char *line)
{
    char part[OVERLAY_TEXT_MAX + 4];
    const double width = room->wraps ? balance(ink, room->size, room->width, line) : room->width;
    do {
        size_t length = room->wraps ? ink_break(ink, room->size, width, line) : strlen(line);
        memcpy(part, line, length);
        line += length;
        while (*line && length > 0 && part[length - 1] == ' ')
            length--;
        part[length] = '\0';
        if (!add_line(paragraph, ink, room, part))
            return false;
    } while (*line);
    return true;
}

/* Copies a line of the text, cleaned and, if too long, cut between letters. */
static const char *take_line(const char *at, struct ink *ink, char *out)
{
    const size_t whole = strcspn(at, "\n");
    size_t length = whole < OVERLAY_TEXT_MAX ? whole : OVERLAY_TEXT_MAX;
    while (length < whole && length > 0 && continues(at[length]))
        length--;
    memcpy(out, at, length);
    out[length] = '\0';
    ink_clean(ink, out);
    return at[whole] ? at + whole + 1 : NULL;
}

int paragraph_fit(char *out, struct ink *ink, const struct paragraph_room *room, const char *text)
{
    char line[OVERLAY_TEXT_MAX + 4], *plain = plain_lines(text);
    struct paragraph paragraph = {.out = out};
    bool all = true;
    out[0] = '\0';
    for (const char *at = plain; at && all;) {
        at = take_line(at, ink, line);
        all = add_wrapped(&paragraph, ink, room, line);
    }
    if (!all)
        log_warning("the text '%.*s...' has more lines than there is room for, of which %d are "
                    "shown; shorten it or choose a smaller overlay.size",
                    (int)strcspn(out, "\n"), out, paragraph.lines);
    free(plain);
    return paragraph.lines;
}

bool paragraph_next(const char **at, char *out)
{
    if (!*at)
        return false;
    const size_t length = strcspn(*at, "\n");
    memcpy(out, *at, length);
    out[length] = '\0';
    *at = (*at)[length] ? *at + length + 1 : NULL;
    return true;
}

int paragraph_lines(const char *text)
{
    int lines = 1;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

double paragraph_width(struct ink *ink, double size, const char *text)
{
    char line[OVERLAY_TEXT_MAX + 4];
    double widest = 0;
    while (paragraph_next(&text, line))
        widest = fmax(widest, ink_width(ink, size, line));
    return widest;
}
