/* The collision table: mass x y z vx vy vz, plain or gzip, white-space separated. An 8th column is
 * the index of the galaxy and makes one component per galaxy. Blank lines and lines that start with
 * # are skipped. */
#include "sim/bodies/formats.h"

#include "sim/bodies/columns.h"
#include "sim/bodies/lines.h"
#include "sim/bodies/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NUMBERS = COLUMNS_NEEDED, GALAXIES = COLUMN_GALAXIES };

struct place {
    const char *path;
    size_t line;
};

static enum status bad_word(struct place at, const char *word, int column, const char *expected)
{
    return status_fail(STATUS_USAGE,
                       "%s:%zu: %s (column %d) is '%.40s', expected %s; correct or "
                       "comment out the line with #",
                       at.path, at.line, column_names[column], column + 1, word, expected);
}

static enum status parse_number(struct place at, const char *word, int column, double *out)
{
    if (!body_number(word, out))
        return bad_word(at, word, column, "a finite number");
    return STATUS_OK;
}

static enum status parse_galaxy(struct place at, const char *word, uint32_t *out)
{
    double value;
    enum status status = parse_number(at, word, NUMBERS, &value);
    if (status || value < 0 || value >= GALAXIES || value != floor(value))
        return bad_word(at, word, NUMBERS, "the galaxy's index, a whole number from 0 to 1023");
    *out = (uint32_t)value;
    return STATUS_OK;
}

/* Splits at white space; returns how many words there are, though only the first 8 are stored. */
static int split(char *line, char *words[NUMBERS + 1])
{
    int count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(line, " \t\v\f\r", &rest); word;
         word = strtok_r(NULL, " \t\v\f\r", &rest)) {
        if (count <= NUMBERS)
            words[count] = word;
        count++;
    }
    return count;
}

/* `columns`: those of the first row, 0 when this is it. */
static enum status parse_row(struct place at, char *words[], int count, int columns,
                             struct body_row *row)
{
    if (count != columns) {
        const char *as_first = columns ? " as in the first row" : "";
        if (columns == NUMBERS + 1 || (!columns && count > NUMBERS + 1))
            return status_fail(STATUS_USAGE,
                               "%s:%zu: expected %s (mass x y z vx vy vz galaxy)%s, found %d; "
                               "correct or comment out the line with #",
                               at.path, at.line, columns ? "8 numbers" : "7 or 8 numbers", as_first,
                               count);
        if (columns || count < NUMBERS)
            return status_fail(STATUS_USAGE,
                               "%s:%zu: expected 7 numbers (mass x y z vx vy vz)%s, found %d; "
                               "correct or comment out the line with #",
                               at.path, at.line, as_first, count);
    }
    double *const numbers[NUMBERS] = {
        &row->mass,        &row->position[0], &row->position[1], &row->position[2],
        &row->velocity[0], &row->velocity[1], &row->velocity[2],
    };
    for (int i = 0; i < NUMBERS; i++) {
        enum status status = parse_number(at, words[i], i, numbers[i]);
        if (status)
            return status;
    }
    if (row->mass < 0)
        return bad_word(at, words[0], 0, "a mass that is not negative");
    row->group = 0;
    return count > NUMBERS ? parse_galaxy(at, words[NUMBERS], &row->group) : STATUS_OK;
}

static enum status read_all(const char *path, struct table_lines *lines, struct body_rows *rows,
                            int *columns)
{
    for (*columns = 0;;) {
        char *line, *words[NUMBERS + 1];
        enum status status = table_lines_next(lines, &line);
        if (status || !line)
            return status;
        if (line[strspn(line, " \t")] == '#')
            continue;
        int count = split(line, words);
        if (count == 0)
            continue;
        struct place at = {path, table_lines_number(lines)};
        status = body_rows_reserve(rows);
        if (status == STATUS_OK)
            status = parse_row(at, words, count, *columns, &rows->row[rows->count]);
        if (status)
            return status;
        *columns = count;
        rows->count++;
    }
}

static bool probe(const unsigned char *head, size_t size)
{
    (void)head;
    (void)size;
    return true;
}

static enum status read(const char *path, struct body_rows *rows)
{
    struct table_lines *lines;
    int columns;
    enum status status = table_lines_open(&lines, path);
    if (status)
        return status;
    status = read_all(path, lines, rows, &columns);
    if (status == STATUS_OK && rows->count == 0)
        status = status_fail(STATUS_USAGE,
                             "%s:%zu: the file ends without a single body; expected at least one "
                             "line of mass x y z vx vy vz",
                             path, table_lines_number(lines));
    table_lines_close(&lines);
    column_groups(rows, columns > NUMBERS);
    return status;
}

const struct body_format body_format_table = {
    .name = "table",
    .doc = "text, plain or gzip: mass x y z vx vy vz per line, and the galaxy's index if any",
    .probe = probe,
    .read = read,
};
