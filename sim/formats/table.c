/* The collision table: mass x y z vx vy vz, white-space separated. An 8th column is
 * the index of the galaxy and makes one component per galaxy. Blank lines and lines that start with
 * # are skipped. */
#include "sim/formats/format.h"

#include "sim/formats/columns.h"
#include "sim/formats/lines.h"
#include "sim/formats/number.h"
#include "sim/formats/output.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NUMBERS = COLUMNS_NEEDED, GALAXIES = BODY_GALAXIES };

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
    row->galaxy = 0;
    return count > NUMBERS ? parse_galaxy(at, words[NUMBERS], &row->galaxy) : STATUS_OK;
}

static enum status read_all(const char *path, struct table_lines *lines, struct body_rows *rows,
                            struct snapshot *out)
{
    for (int columns = 0;;) {
        char *line, *words[NUMBERS + 1];
        struct body_row row = {.mass = 0};
        enum status status = table_lines_next(lines, &line);
        if (status || !line)
            return status;
        if (line[strspn(line, " \t")] == '#')
            continue;
        int count = split(line, words);
        if (count == 0)
            continue;
        struct place at = {path, table_lines_number(lines)};
        status = parse_row(at, words, count, columns, &row);
        rows->has_galaxies = count > NUMBERS;
        if (status == STATUS_OK && columns == 0)
            status = body_rows_begin(rows, out, 0);
        if (status == STATUS_OK)
            status = body_rows_add(rows, &row);
        if (status)
            return status;
        columns = count;
    }
}

static bool probe(const struct format_head *head)
{
    (void)head;
    return true;
}

static enum status read(const char *path, struct snapshot *out)
{
    struct table_lines *lines;
    struct body_rows rows = {.room = 0};
    enum status status = table_lines_open(&lines, path);
    if (status)
        return status;
    status = read_all(path, lines, &rows, out);
    if (status == STATUS_OK && !out->bodies)
        status = status_fail(STATUS_USAGE,
                             "%s:%zu: the file ends without a single body; expected at least one "
                             "line of mass x y z vx vy vz",
                             path, table_lines_number(lines));
    table_lines_close(&lines);
    if (status == STATUS_OK)
        body_rows_end(&rows);
    return status;
}

/* 17 digits keep a float64, 9 a float32. */
static enum status write(const char *path, const struct snapshot *snapshot)
{
    const struct bodies *bodies = snapshot->bodies;
    const int digits = snapshot->single ? 9 : 17;
    const bool galaxies = bodies->component_count > 1;
    struct body_output *output;
    enum status status = body_output_open(&output, path);
    if (status != STATUS_OK)
        return status;
    body_output_print(output, "# mass x y z vx vy vz%s\n", galaxies ? " galaxy" : "");
    for (size_t c = 0, i = 0; c < bodies->component_count; c++)
        for (size_t last = i + bodies->components[c].count; i < last; i++) {
            const double *x = bodies->position[i], *v = bodies->velocity[i];
            body_output_print(output, "%.*g %.*g %.*g %.*g %.*g %.*g %.*g", digits, bodies->mass[i],
                              digits, x[0], digits, x[1], digits, x[2], digits, v[0], digits, v[1],
                              digits, v[2]);
            if (galaxies)
                body_output_print(output, " %zu", c);
            body_output_put(output, "\n", 1);
        }
    return body_output_close(&output, STATUS_OK);
}

const struct format format_table = {
    .name = "table",
    .doc = "text: mass x y z vx vy vz per line, and the galaxy's index if any",
    .extensions = "tab dat txt",
    .probe = probe,
    .read = read,
    .write = write,
    .keeps = KEEPS_COMPONENTS | KEEPS_DOUBLES,
};
