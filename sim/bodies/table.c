#include "sim/bodies/rows.h"
#include "sim/bodies/lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const column_names[] = {"mass", "x", "y", "z", "vx", "vy", "vz", "galaxy"};

struct place {
    const char *path;
    size_t line;
};

static enum status bad_word(struct place at, const char *word, int column, const char *wanted)
{
    return status_fail(STATUS_USAGE,
                       "%s:%zu: %s (column %d) is '%.40s', expected %s; correct or "
                       "comment out the line with #",
                       at.path, at.line, column_names[column], column + 1, word, wanted);
}

static enum status parse_number(struct place at, const char *word, int column, double *out)
{
    char *end;
    *out = strtod(word, &end);
    /* strtod also takes inf, nan and hexadecimal */
    if (end == word || *end || word[strspn(word, "0123456789+-.eE")] || !isfinite(*out))
        return bad_word(at, word, column, "a finite number");
    return STATUS_OK;
}

static enum status parse_galaxy(struct place at, const char *word, uint32_t *out)
{
    double value;
    enum status status = parse_number(at, word, ROW_NUMBERS, &value);
    if (status || value < 0 || value >= ROW_GALAXIES || value != floor(value))
        return bad_word(at, word, ROW_NUMBERS, "the galaxy's index, a whole number from 0 to 1023");
    *out = (uint32_t)value;
    return STATUS_OK;
}

/* Splits at white space; returns how many words there are, though only the first 8 are stored. */
static int split(char *line, char *words[ROW_NUMBERS + 1])
{
    int count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(line, " \t\v\f\r", &rest); word;
         word = strtok_r(NULL, " \t\v\f\r", &rest)) {
        if (count <= ROW_NUMBERS)
            words[count] = word;
        count++;
    }
    return count;
}

static enum status parse_row(struct place at, char *words[], int count, int columns,
                             struct row *row)
{
    if (count != columns) {
        const char *as_first = columns ? " as in the first row" : "";
        if (columns == ROW_NUMBERS + 1 || (!columns && count > ROW_NUMBERS + 1))
            return status_fail(STATUS_USAGE,
                               "%s:%zu: expected %s (mass x y z vx vy vz galaxy)%s, found %d; "
                               "correct or comment out the line with #",
                               at.path, at.line, columns ? "8 numbers" : "7 or 8 numbers", as_first,
                               count);
        if (columns || count < ROW_NUMBERS)
            return status_fail(STATUS_USAGE,
                               "%s:%zu: expected 7 numbers (mass x y z vx vy vz)%s, found %d; "
                               "correct or comment out the line with #",
                               at.path, at.line, as_first, count);
    }
    for (int i = 0; i < ROW_NUMBERS; i++) {
        enum status status = parse_number(at, words[i], i, &row->number[i]);
        if (status)
            return status;
    }
    if (row->number[0] < 0)
        return bad_word(at, words[0], 0, "a mass that is not negative");
    row->galaxy = 0;
    return count > ROW_NUMBERS ? parse_galaxy(at, words[ROW_NUMBERS], &row->galaxy) : STATUS_OK;
}

static enum status grow(struct rows *rows)
{
    size_t room = rows->room ? 2 * rows->room : 4096;
    struct row *row = reallocarray(rows->row, room, sizeof *row);
    if (!row)
        return status_fail(STATUS_RUNTIME, "no memory left for more than %zu bodies", rows->count);
    rows->row = row;
    rows->room = room;
    return STATUS_OK;
}

static enum status read_all(struct rows *out, const char *path, struct table_lines *lines)
{
    for (;;) {
        char *line, *words[ROW_NUMBERS + 1];
        enum status status = table_lines_next(lines, &line);
        if (status || !line)
            return status;
        if (line[strspn(line, " \t")] == '#')
            continue;
        int count = split(line, words);
        if (count == 0)
            continue;
        if (out->count == out->room && (status = grow(out)) != STATUS_OK)
            return status;
        struct place at = {path, table_lines_number(lines)};
        status = parse_row(at, words, count, out->columns, &out->row[out->count]);
        if (status)
            return status;
        out->columns = count;
        out->count++;
    }
}

enum status rows_read(struct rows *out, const char *path)
{
    *out = (struct rows){.count = 0};
    struct table_lines *lines;
    enum status status = table_lines_open(&lines, path);
    if (status)
        return status;
    status = read_all(out, path, lines);
    if (status == STATUS_OK && out->count == 0)
        status = status_fail(STATUS_USAGE,
                             "%s:%zu: the file ends without a single body; expected at least one "
                             "line of mass x y z vx vy vz",
                             path, table_lines_number(lines));
    table_lines_close(&lines);
    if (status)
        rows_free(out);
    return status;
}

void rows_free(struct rows *rows)
{
    free(rows->row);
    *rows = (struct rows){.count = 0};
}
