/* What few-body programs of NEMO's and the Maryland school exchange: a line `N t` and then N lines
 * of mass, position and velocity (mpv). Of a file with several times the first is read. */
#include "sim/formats/format.h"

#include "base/log.h"
#include "base/text.h"
#include "sim/formats/columns.h"
#include "sim/formats/lines.h"
#include "sim/formats/number.h"
#include "sim/formats/words.h"

#include <string.h>

enum { NUMBERS = COLUMNS_NEEDED, HEADER = 2 };

static bool is_header(char *const words[], int count, uint64_t *bodies, double *time)
{
    return count == HEADER && text_parse_digits(words[0], strlen(words[0]), bodies) &&
           body_number(words[1], time);
}

static bool probe(const struct format_head *head)
{
    char line[WORDS_LINE], *words[NUMBERS];
    uint64_t bodies;
    double time;
    const char *at = (const char *)head->bytes, *end = at + head->size;
    const int first = words_of_head(&at, end, line, words, NUMBERS);
    return is_header(words, first, &bodies, &time) && bodies > 0;
}

/* The words of the next line that has some; 0 at the end. */
static enum status next_words(struct table_lines *lines, char **words, int *count)
{
    for (char *line;;) {
        enum status status = table_lines_next(lines, &line);
        *count = status == STATUS_OK && line && !words_are_comment(line)
                     ? words_split(line, words, NUMBERS + 1)
                     : 0;
        if (status != STATUS_OK || !line || *count > 0)
            return status;
    }
}

static enum status read_header(const char *path, struct table_lines *lines, uint64_t *bodies,
                               struct snapshot *out)
{
    char *words[NUMBERS + 1];
    int count;
    enum status status = next_words(lines, words, &count);
    if (status == STATUS_OK && !is_header(words, count, bodies, &out->time))
        return status_fail(STATUS_USAGE,
                           "%s:%zu: expected a line of two numbers, how many bodies there are and "
                           "the time",
                           path, table_lines_number(lines));
    out->time_known = true;
    return status == STATUS_OK ? body_rows_check(path, *bodies) : status;
}

static enum status read_rows(const char *path, struct table_lines *lines, uint64_t bodies,
                             struct body_rows *rows)
{
    char *words[NUMBERS + 1];
    int count;
    enum status status = STATUS_OK;
    for (uint64_t i = 0; i < bodies && status == STATUS_OK; i++) {
        struct body_row row = {.mass = 0};
        status = next_words(lines, words, &count);
        const struct place at = {path, table_lines_number(lines)};
        if (status == STATUS_OK && count != NUMBERS)
            status = status_fail(
                STATUS_USAGE,
                "%s:%zu: expected 7 numbers (mass x y z vx vy vz) for body %llu of "
                "%llu, found %d",
                path, at.line, (unsigned long long)i + 1, (unsigned long long)bodies, count);
        if (status == STATUS_OK)
            status = words_row(at, words, 1, &row);
        if (status == STATUS_OK)
            status = body_rows_add(rows, &row);
    }
    if (status == STATUS_OK)
        status = next_words(lines, words, &count);
    if (status != STATUS_OK || count == 0)
        return status;
    if (count != HEADER)
        return status_fail(STATUS_USAGE,
                           "%s:%zu: there are more rows than the %llu that its first line says",
                           path, table_lines_number(lines), (unsigned long long)bodies);
    log_info("%s holds several times, and the first is read", path);
    return STATUS_OK;
}

static enum status read(const char *path, struct snapshot *out)
{
    struct table_lines *lines;
    struct body_rows rows = {.room = 0};
    uint64_t bodies = 0;
    enum status status = table_lines_open(&lines, path);
    if (status == STATUS_OK)
        status = read_header(path, lines, &bodies, out);
    if (status == STATUS_OK)
        status = body_rows_begin(&rows, out, 0);
    if (status == STATUS_OK)
        status = read_rows(path, lines, bodies, &rows);
    table_lines_close(&lines);
    if (status == STATUS_OK)
        body_rows_end(&rows);
    return status;
}

static enum status write(const char *path, const struct snapshot *snapshot)
{
    const struct bodies *bodies = snapshot->bodies;
    char time[BODY_NUMBER_BYTES];
    struct body_output *output;
    enum status status = body_output_open(&output, path);
    if (status != STATUS_OK)
        return status;
    body_number_text(snapshot->time_known ? snapshot->time : 0, time);
    body_output_print(output, "%zu %s\n", bodies->count, time);
    for (size_t i = 0; i < bodies->count; i++) {
        words_put(output, bodies, i, ' ');
        body_output_put(output, "\n", 1);
    }
    return body_output_close(&output, STATUS_OK);
}

const struct format format_mpv = {
    .name = "mpv",
    .doc = "text: a line of the number of bodies and the time, then mass x y z vx vy vz per line",
    .extensions = "mpv",
    .keeps = KEEPS_TIME | KEEPS_DOUBLES,
    .text = true,
    .probe = probe,
    .read = read,
    .write = write,
};
