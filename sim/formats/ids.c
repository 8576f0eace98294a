/* Tables of id mass x y z vx vy vz. A table whose eighth column is a galaxy has equally many
 * columns; rows at the beginning of the file decide which it is. It is this format if every row
 * begins with an integer, and either the last column has a value that cannot be a galaxy's index,
 * or the first numbers count the rows or are all -1, which masses are not. */
#include "sim/formats/format.h"

#include "base/log.h"
#include "base/text.h"
#include "sim/formats/columns.h"
#include "sim/formats/text_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS = COLUMNS_NEEDED + 1 };

/* Programs without ids write -1. */
static bool parse_id(const char *word, uint64_t *id, bool *none)
{
    *none = strcmp(word, "-1") == 0;
    return *none || text_parse_digits(word, strlen(word), id);
}

static bool is_galaxy(const char *word)
{
    double value;
    return body_number(word, &value) && value >= 0 && value < BODY_GALAXIES &&
           value == floor(value);
}

static bool probe(const struct format_head *head)
{
    char line[WORDS_LINE], *words[NUMBERS];
    const char *at = (const char *)head->bytes, *end = at + head->size;
    bool galaxies = true, none = false, any_none = false, counting = true;
    int rows = 0;
    for (uint64_t id = 0, last = 0;; last = id, rows++) {
        const int count = words_of_head(&at, end, line, words, NUMBERS);
        double number;
        if (count == 0)
            break;
        if (count != NUMBERS || !parse_id(words[0], &id, &none) || !body_number(words[1], &number))
            return false;
        any_none |= none;
        counting &= !none && (rows == 0 || id == last + 1);
        galaxies &= is_galaxy(words[NUMBERS - 1]);
    }
    return rows > 0 && (!galaxies || any_none || (counting && rows > 1));
}

static enum status parse(void *user, struct place at, char *line, struct body_rows *rows,
                         struct body_row *row, enum text_line *what)
{
    char *words[NUMBERS];
    bool none;
    const int count = words_are_comment(line) ? 0 : words_split(line, words, NUMBERS);
    (void)user;
    if (count == 0)
        return STATUS_OK;
    if (count != NUMBERS)
        return status_fail(STATUS_USAGE,
                           "%s:%zu: expected 8 numbers (id mass x y z vx vy vz), found %d; correct "
                           "the line, or comment it out with #",
                           at.path, at.line, count);
    if (!parse_id(words[0], &row->id, &none))
        return words_refuse(at, "id", 1, words[0], "a whole number, or -1 for none");
    row->has_id = !none;
    if (!rows->snapshot->bodies)
        rows->has_ids = row->has_id;
    *what = TEXT_ROW;
    return words_row(at, words + 1, 2, row);
}

static enum status read(const char *path, struct snapshot *out)
{
    const enum status status = text_rows_read(path, out, parse, NULL, "");
    if (status == STATUS_OK)
        log_info("%s: its columns are read as id mass x y z vx vy vz%s; if the first is the mass "
                 "and the last a galaxy, say so with the format table",
                 path, out->bodies->id ? "" : ", and no body has an id (all are -1)");
    return status;
}

static enum status write(const char *path, const struct snapshot *snapshot)
{
    const struct bodies *bodies = snapshot->bodies;
    struct body_output *output;
    enum status status = body_output_open(&output, path);
    if (status != STATUS_OK)
        return status;
    body_output_print(output, "# id mass x y z vx vy vz\n");
    for (size_t i = 0; i < bodies->count; i++) {
        if (bodies->id)
            body_output_print(output, "%llu ", (unsigned long long)bodies->id[i]);
        else
            body_output_print(output, "-1 ");
        words_put(output, bodies, i, ' ');
        body_output_put(output, "\n", 1);
    }
    return body_output_close(&output, STATUS_OK);
}

const struct format format_ids = {
    .name = "ids",
    .doc = "text: id mass x y z vx vy vz per line",
    .extensions = "ids",
    .keeps = KEEPS_IDS | KEEPS_DOUBLES,
    .text = true,
    .probe = probe,
    .read = read,
    .write = write,
};
