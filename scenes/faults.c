#include "scenes/faults.h"

#include "base/file.h"
#include "scenes/builtin.h"
#include "scenes/check.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { SCENE_BYTES_MAX = 1 << 20, FAULTS_MOST = 100 };

static size_t indent_of(const char *line)
{
    return strspn(line, " ");
}

static char *line_start(char *text, unsigned long number)
{
    for (; number > 1 && text; number--) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    return text;
}

static bool is_blank(const char *line)
{
    return strchr("\r\n", line[strspn(line, " \t")]) != NULL; /* also true at the end */
}

static char *blank_line(char *line)
{
    const size_t length = strcspn(line, "\r\n");
    memset(line, ' ', length);
    return line[length] ? line + length + 1 : line + length;
}

/* Blanks out the line and the more deeply indented lines below it; false if it is blank already. */
static bool leave_out(char *text, unsigned long number)
{
    char *line = line_start(text, number);
    if (!line || !*line || is_blank(line))
        return false;
    const size_t indent = indent_of(line);
    line = blank_line(line);
    while (*line && (is_blank(line) || indent_of(line) > indent))
        line = is_blank(line) ? line + strcspn(line, "\n") + (strchr(line, '\n') != NULL)
                              : blank_line(line);
    return true;
}

/* The line number in "ORIGIN:LINE: ..."; 0: none. */
static unsigned long line_in(const char *sentence, const char *origin)
{
    const size_t length = strlen(origin);
    if (strncmp(sentence, origin, length) != 0 || sentence[length] != ':')
        return 0;
    return strtoul(sentence + length + 1, NULL, 10);
}

static enum status read_once(struct scene **out, const char *text, const char *origin)
{
    enum status status = scene_parse(out, text, origin);
    if (status == STATUS_OK)
        status = scene_validate(*out);
    if (status != STATUS_OK)
        scene_close(out);
    return status;
}

static enum status read_rest(struct scene **out, char *text, const char *origin,
                             const struct fault_taker *taker)
{
    enum status first = STATUS_OK;
    for (int i = 0; i < FAULTS_MOST; i++) {
        enum status status = read_once(out, text, origin);
        if (status == STATUS_OK)
            break;
        const unsigned long line = line_in(status_text(), origin);
        const bool syntax = strstr(status_text(), "not valid YAML") != NULL;
        if (first == STATUS_OK)
            first = status;
        taker->take(taker->user, status_text());
        if (syntax || line == 0 || !leave_out(text, line))
            break;
    }
    return first;
}

enum status scene_open_faults(struct scene **out, const char *name, const struct fault_taker *taker)
{
    char *text = NULL;
    size_t size = 0;
    enum status status = scene_open(out, name);
    if (status == STATUS_OK)
        status = scene_validate(*out);
    if (status == STATUS_OK)
        return STATUS_OK;
    scene_close(out);
    struct failure first = {0};
    failure_keep(&first, status);
    const bool read = !choice_find(&builtin_registry, name) &&
                      file_read(name, SCENE_BYTES_MAX, &text, &size) == STATUS_OK;
    if (!read || strlen(text) != size) { /* only the whole text shows a NUL byte */
        free(text);
        failure_report(&first);
        taker->take(taker->user, status_text());
        return status;
    }
    status = read_rest(out, text, name, taker);
    free(text);
    return status;
}
