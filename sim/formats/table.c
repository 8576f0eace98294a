/* The collision table: mass x y z vx vy vz, separated by white space. An 8th column is the galaxy's
 * index and makes one component per galaxy. Blank lines and lines that start with # are skipped. */
#include "sim/formats/format.h"

#include "sim/formats/columns.h"
#include "sim/formats/text_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NUMBERS = COLUMNS_NEEDED };

static enum status parse_galaxy(struct place at, const char *word, uint32_t *out)
{
    double value;
    if (!body_number(word, &value) || value < 0 || value >= BODY_GALAXIES || value != floor(value))
        return words_refuse(at, column_names[NUMBERS], NUMBERS + 1, word,
                            "the galaxy's index, a whole number from 0 to 1023, or the format ids "
                            "where the columns are id mass x y z vx vy vz");
    *out = (uint32_t)value;
    return STATUS_OK;
}

/* `columns`: of the first row; 0: this is the first row. */
static enum status parse_row(struct place at, char *words[], int count, int columns,
                             struct body_row *row)
{
    if (count != columns) {
        const char *as_first = columns ? " as in the first row" : "";
        if (columns == NUMBERS + 1 || (!columns && count > NUMBERS + 1))
            return status_fail(STATUS_USAGE,
                               "%s:%zu: expected %s (mass x y z vx vy vz galaxy)%s, found %d; "
                               "correct the line, or comment it out with #",
                               at.path, at.line, columns ? "8 numbers" : "7 or 8 numbers", as_first,
                               count);
        if (columns || count < NUMBERS)
            return status_fail(STATUS_USAGE,
                               "%s:%zu: expected 7 numbers (mass x y z vx vy vz)%s, found %d; "
                               "correct the line, or comment it out with #",
                               at.path, at.line, as_first, count);
    }
    row->galaxy = 0;
    enum status status = words_row(at, words, 1, row);
    return status == STATUS_OK && count > NUMBERS ? parse_galaxy(at, words[NUMBERS], &row->galaxy)
                                                  : status;
}

static enum status parse(void *user, struct place at, char *line, struct body_rows *rows,
                         struct body_row *row, enum text_line *what)
{
    int *columns = user; /* of the first row; 0: this is the first row */
    char *words[NUMBERS + 1];
    const int count = words_are_comment(line) ? 0 : words_split(line, words, NUMBERS + 1);
    if (count == 0)
        return STATUS_OK;
    const enum status status = parse_row(at, words, count, *columns, row);
    rows->has_galaxies = count > NUMBERS;
    *columns = count;
    *what = TEXT_ROW;
    return status;
}

static bool probe(const struct format_head *head)
{
    (void)head;
    return true;
}

static enum status read(const char *path, struct snapshot *out)
{
    int columns = 0;
    return text_rows_read(path, out, parse, &columns,
                          "; expected at least one line of mass x y z vx vy vz");
}

static enum status write(const char *path, const struct snapshot *snapshot)
{
    const struct bodies *bodies = snapshot->bodies;
    const bool galaxies = bodies->component_count > 1;
    struct body_output *output;
    enum status status = body_output_open(&output, path);
    if (status != STATUS_OK)
        return status;
    body_output_print(output, "# mass x y z vx vy vz%s\n", galaxies ? " galaxy" : "");
    for (size_t c = 0, i = 0; c < bodies->component_count; c++)
        for (size_t last = i + bodies->components[c].count; i < last; i++) {
            words_put(output, bodies, i, ' ');
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
    .text = true,
    .probe = probe,
    .read = read,
    .write = write,
    .keeps = KEEPS_COMPONENTS | KEEPS_DOUBLES,
};
