/* Tables with columns separated by commas or semicolons, or named by a header line. A header's
 * names may come in any order; unknown names are additional columns. Without a header the columns
 * are those of the plain table. Blank lines and lines that start with # are skipped. */
#include "sim/formats/format.h"

#include "base/log.h"
#include "base/text.h"
#include "sim/formats/column_units.h"
#include "sim/formats/columns.h"
#include "sim/formats/further.h"
#include "sim/formats/lines.h"
#include "sim/formats/text_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { FIELDS = 256, COLUMN_VX = 4 };

struct csv {
    struct place at;           /* the current line */
    char separator;            /* ',', ';' or ' ' for white space */
    int count;                 /* number of fields in each line; 0: no line read yet */
    int meaning[FIELDS];       /* a field's column; from COLUMNS on an additional one; or -1 */
    double further[FIELDS];    /* values in the current line */
    double scale[COLUMNS];     /* factor on a column's numbers */
    double unit[COLUMN_KINDS]; /* after scaling, in kg, m, m/s; 0: unknown */
    bool galaxy, id;
    struct snapshot *out; /* NULL: only reads the header, without warnings */
};

static char separator_of(const char *line, size_t length)
{
    return memchr(line, ',', length) ? ',' : memchr(line, ';', length) ? ';' : ' ';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Trims white space and one pair of double quotes. */
static char *trim(char *field)
{
    while (is_blank(*field))
        field++;
    size_t length = strlen(field);
    while (length > 0 && is_blank(field[length - 1]))
        length--;
    field[length] = '\0';
    if (length >= 2 && field[0] == '"' && field[length - 1] == '"') {
        field[length - 1] = '\0';
        field++;
    }
    return field;
}

/* Returns the number of fields; stores the first FIELDS. */
static int split(const struct csv *csv, char *line, char *fields[FIELDS])
{
    int count = 0;
    for (char *at = line; at; count++) {
        const bool white = csv->separator == ' ';
        if (white)
            at += strspn(at, " \t\r");
        if (white && !*at)
            break;
        char *end = at + strcspn(at, white ? " \t\r" : csv->separator == ',' ? "," : ";");
        char *next = *end ? end + 1 : NULL;
        *end = '\0';
        if (count < FIELDS)
            fields[count] = trim(at);
        at = next;
    }
    return count;
}

/* Handles a column's unit: known, missing or not supported. Columns of one kind are converted to
 * the unit of the first. */
static enum status take_unit(struct csv *csv, int column, enum column_unit what, double unit,
                             const char *field)
{
    const enum column_kind kind = column_kind(column);
    if (what == COLUMN_REFUSED)
        return status_fail(STATUS_USAGE,
                           "%s:%zu: the unit of '%.40s' is not known; write one such as %s, or "
                           "leave out the units of all columns where G = 1",
                           csv->at.path, csv->at.line, field,
                           kind == COLUMN_MASS     ? "Msun, 1e10 Msun or kg"
                           : kind == COLUMN_LENGTH ? "kpc, pc, au or m"
                                                   : "km/s, kpc/Gyr or m/s");
    if (what == COLUMN_UNIT && csv->unit[kind] == 0)
        csv->unit[kind] = unit;
    if (what == COLUMN_UNIT)
        csv->scale[column] = unit / csv->unit[kind];
    return STATUS_OK;
}

/* Rejects a mixture of columns with and without units. */
static enum status check_units(const struct csv *csv, char *fields[FIELDS],
                               const enum column_unit *what)
{
    const char *with = NULL, *without = NULL;
    for (int i = 0; i < csv->count; i++) {
        if (csv->meaning[i] < 0 || csv->meaning[i] >= COLUMNS ||
            column_kind(csv->meaning[i]) == COLUMN_KINDS)
            continue;
        if (what[i] == COLUMN_UNIT)
            with = fields[i];
        else
            without = fields[i];
    }
    if (with && without)
        return status_fail(STATUS_USAGE,
                           "%s:%zu: '%.40s' names a unit and '%.40s' names none; give each column "
                           "of mass, position and velocity one, or leave them out where G = 1",
                           csv->at.path, csv->at.line, with, without);
    return STATUS_OK;
}

/* Numbers in metres exceed single precision, so SI lengths become astronomical units, and m/s
 * km/s. */
static void shrink_units(struct csv *csv)
{
    static const double au = 1.495978707e11, kms = 1e3;
    double *length = &csv->unit[COLUMN_LENGTH], *velocity = &csv->unit[COLUMN_VELOCITY];
    for (int c = 0; c < COLUMNS_NEEDED; c++) {
        if (column_kind(c) == COLUMN_LENGTH && *length > 0 && *length < au)
            csv->scale[c] *= *length / au;
        if (column_kind(c) == COLUMN_VELOCITY && *velocity > 0 && *velocity < kms)
            csv->scale[c] *= *velocity / kms;
    }
    if (*length > 0 && *length < au)
        *length = au;
    if (*velocity > 0 && *velocity < kms)
        *velocity = kms;
}

/* The additional column of a field, or -1 after noting its name as not read. */
static int note_further(const struct csv *csv, struct body_columns *further, const char *field)
{
    char name[BODY_COLUMN_NAME], unit[BODY_COLUMN_UNIT];
    if (!csv->out)
        return -1;
    further_split(field, name, unit);
    if (!further_wanted(csv->out, further, *name ? name : field))
        return -1;
    further_note(further, name, unit, false);
    return COLUMNS + (int)further->count - 1;
}

static enum status read_header(struct csv *csv, char *fields[FIELDS], struct body_columns *further)
{
    bool seen[COLUMNS] = {false};
    enum column_unit what[FIELDS];
    char others[256] = "", missing[256] = "";
    int other_count = 0, missing_count = 0;
    for (int i = 0; i < csv->count; i++) {
        int column;
        double unit = 1;
        what[i] = column_read(fields[i], &column, &unit);
        csv->meaning[i] = column;
        if (column >= 0 && seen[column])
            return status_fail(STATUS_USAGE,
                               "%s:%zu: two columns are the %s; leave one of them out",
                               csv->at.path, csv->at.line, column_names[column]);
        if (column >= 0) {
            seen[column] = true;
            if (column_kind(column) != COLUMN_KINDS &&
                take_unit(csv, column, what[i], unit, fields[i]) != STATUS_OK)
                return STATUS_USAGE;
            continue;
        }
        csv->meaning[i] = note_further(csv, further, fields[i]);
        if (csv->meaning[i] >= 0)
            continue;
        other_count++;
        text_list(others, sizeof others, fields[i]);
    }
    for (int c = 0; c < COLUMNS_NEEDED; c++)
        if (!seen[c]) {
            missing_count++;
            text_list(missing, sizeof missing, column_names[c]);
        }
    csv->galaxy = seen[COLUMNS_NEEDED];
    csv->id = seen[COLUMN_ID];
    if (*missing)
        return status_fail(
            STATUS_USAGE,
            "%s:%zu: the first line names no column%s %s; it must name mass, x, y, z, "
            "vx, vy and vz, in any order, and galaxy if there are several",
            csv->at.path, csv->at.line, missing_count == 1 ? "" : "s", missing);
    if (check_units(csv, fields, what) != STATUS_OK)
        return STATUS_USAGE;
    shrink_units(csv);
    if (*others && csv->out)
        log_info("%s: the column%s %s %s not read", csv->at.path, other_count == 1 ? "" : "s",
                 others, other_count == 1 ? "is" : "are");
    return STATUS_OK;
}

/* Interprets the first line; *header: it names the columns. */
static enum status begin(struct csv *csv, char *fields[FIELDS], int count, bool *header,
                         struct body_columns *further)
{
    double number;
    csv->count = count;
    for (int c = 0; c < COLUMNS; c++)
        csv->scale[c] = 1;
    *header = !body_number(fields[0], &number);
    if (count > FIELDS)
        return status_fail(STATUS_USAGE, "%s:%zu: %d columns are more than %d; leave some out",
                           csv->at.path, csv->at.line, count, FIELDS);
    if (*header)
        return read_header(csv, fields, further);
    if (count != COLUMNS_PLAIN && count != COLUMNS_NEEDED)
        return status_fail(
            STATUS_USAGE,
            "%s:%zu: expected 7 or 8 numbers (mass, x, y, z, vx, vy, vz, galaxy), found "
            "%d; if they mean something else, or other columns are among them, put "
            "a first line before them that names each, such as x,y,z,vx,vy,vz,mass",
            csv->at.path, csv->at.line, count);
    for (int i = 0; i < count; i++)
        csv->meaning[i] = i;
    csv->galaxy = count == COLUMNS_PLAIN;
    return STATUS_OK;
}

/* Reads a number of an additional column; an empty field or a word such as "nan" is a missing
 * value. */
static bool further_number(const char *field, double *out)
{
    static const char *const missing[] = {"",     "nan",  "-nan", "na", "n/a",
                                          "null", "none", "-",    "--"};
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        if (strcasecmp(field, missing[i]) == 0) {
            *out = NAN;
            return true;
        }
    if (strcasecmp(field, "inf") == 0 || strcasecmp(field, "-inf") == 0) {
        *out = *field == '-' ? -INFINITY : INFINITY;
        return true;
    }
    return body_number(field, out);
}

/* Drops an additional column that turns out not to be numeric. */
static void forget_further(struct csv *csv, struct body_columns *further, int field,
                           const char *found)
{
    const int gone = csv->meaning[field];
    const char *name = further->list[gone - COLUMNS].name;
    log_info("%s:%zu: skipped the column %s, because '%.40s' is not a number", csv->at.path,
             csv->at.line, name, found);
    snapshot_leave(csv->out, name);
    body_columns_remove(further, (size_t)(gone - COLUMNS));
    csv->meaning[field] = -1;
    for (int i = 0; i < csv->count; i++)
        csv->meaning[i] -= csv->meaning[i] > gone;
}

static void read_further(struct csv *csv, char *fields[FIELDS], struct body_columns *further)
{
    for (int i = 0; i < csv->count; i++) {
        double value;
        const int column = csv->meaning[i] - COLUMNS;
        if (column < 0 || (size_t)column >= further->count)
            continue; /* the last fields may have been dropped for lack of room */
        if (further_number(fields[i], &value))
            csv->further[column] = value;
        else
            forget_further(csv, further, i, fields[i]);
    }
}

static enum status read_row(const struct csv *csv, char *fields[FIELDS], int count,
                            struct body_row *row)
{
    double value[COLUMNS_PLAIN] = {0};
    row->has_id = true;
    if (count != csv->count)
        return status_fail(STATUS_USAGE,
                           "%s:%zu: expected %d columns as in the first line, found %d",
                           csv->at.path, csv->at.line, csv->count, count);
    for (int i = 0; i < count; i++) {
        const int column = csv->meaning[i];
        if (column >= COLUMNS)
            continue;
        if (column == COLUMN_ID)
            row->has_id = text_parse_digits(fields[i], strlen(fields[i]), &row->id);
        else if (column >= 0 && !body_number(fields[i], &value[column]))
            return status_fail(STATUS_USAGE,
                               "%s:%zu: %s (column %d) is '%.40s', expected a finite number; "
                               "correct the line, or comment it out with #",
                               csv->at.path, csv->at.line, column_names[column], i + 1, fields[i]);
    }
    for (int c = 0; c < COLUMNS_NEEDED; c++)
        value[c] *= csv->scale[c];
    enum status status = column_row(value, csv->galaxy, row);
    return status == STATUS_OK ? status
                               : status_prefix(status, "%s:%zu", csv->at.path, csv->at.line);
}

static enum status parse(void *user, struct place at, char *line, struct body_rows *rows,
                         struct body_row *row, enum text_line *what)
{
    struct csv *csv = user;
    char *fields[FIELDS] = {NULL};
    bool header = false;
    enum status status = STATUS_OK;
    const char first = line[strspn(line, " \t\r")];
    if (!first || first == '#')
        return STATUS_OK;
    csv->at = at;
    if (csv->count == 0)
        csv->separator = separator_of(line, strlen(line));
    const int count = split(csv, line, fields);
    if (csv->count == 0)
        status = begin(csv, fields, count, &header, body_rows_further(rows));
    if (status == STATUS_OK && !header)
        status = read_row(csv, fields, count, row);
    if (status == STATUS_OK && !header)
        read_further(csv, fields, body_rows_further(rows));
    row->further = csv->further;
    if (status != STATUS_OK || header)
        return status;
    rows->has_galaxies = csv->galaxy;
    rows->has_ids = csv->id && (row->has_id || rows->snapshot->bodies);
    *what = TEXT_ROW;
    return STATUS_OK;
}

static struct snapshot_units units_of(const struct csv *csv)
{
    return (struct snapshot_units){.length_cm = 1e2 * csv->unit[COLUMN_LENGTH],
                                   .mass_g = 1e3 * csv->unit[COLUMN_MASS],
                                   .velocity_cms = 1e2 * csv->unit[COLUMN_VELOCITY]};
}

static enum status read(const char *path, struct snapshot *out)
{
    struct csv csv = {.out = out};
    enum status status = text_rows_read(path, out, parse, &csv, "");
    out->units = units_of(&csv);
    return status;
}

/* Reads only up to the header. */
static enum status read_units(const char *path, struct snapshot *out)
{
    struct csv csv = {.count = 0};
    struct table_lines *lines;
    char *line = NULL;
    enum status status = table_lines_open(&lines, path);
    while (status == STATUS_OK && csv.count == 0) {
        struct body_rows rows = {.snapshot = out};
        struct body_row row = {.mass = 0};
        enum text_line what;
        status = table_lines_next(lines, &line);
        if (status != STATUS_OK || !line)
            break;
        const struct place at = {path, table_lines_number(lines)};
        status = parse(&csv, at, line, &rows, &row, &what);
    }
    table_lines_close(&lines);
    out->units = units_of(&csv);
    return status;
}

static void put_further(struct body_output *output, const struct body_columns *columns, size_t i)
{
    for (size_t k = 0; k < columns->count; k++) {
        char text[BODY_NUMBER_BYTES];
        const double value = columns->list[k].value[i];
        const int length =
            isnan(value) ? snprintf(text, sizeof text, "nan") : body_number_text(value, text);
        body_output_put(output, ",", 1);
        body_output_put(output, text, (size_t)length);
    }
}

static enum status write(const char *path, const struct snapshot *snapshot)
{
    const struct bodies *bodies = snapshot->bodies;
    const bool galaxies = bodies->component_count > 1;
    struct body_output *output;
    enum status status = body_output_open(&output, path);
    if (status != STATUS_OK)
        return status;
    body_output_print(output, "mass,x,y,z,vx,vy,vz%s%s", galaxies ? ",galaxy" : "",
                      bodies->id ? ",id" : "");
    for (size_t k = 0; k < bodies->columns.count; k++) {
        const struct body_column *column = &bodies->columns.list[k];
        body_output_print(output, ",%s%s%s%s", column->name, *column->unit ? " [" : "",
                          column->unit, *column->unit ? "]" : "");
    }
    body_output_put(output, "\n", 1);
    for (size_t c = 0, i = 0; c < bodies->component_count; c++)
        for (size_t last = i + bodies->components[c].count; i < last; i++) {
            words_put(output, bodies, i, ',');
            if (galaxies)
                body_output_print(output, ",%zu", c);
            if (bodies->id)
                body_output_print(output, ",%llu", (unsigned long long)bodies->id[i]);
            put_further(output, &bodies->columns, i);
            body_output_put(output, "\n", 1);
        }
    return body_output_close(&output, STATUS_OK);
}

/* Finds the first line that is not a comment; returns its length. */
static size_t first_line(const char *head, size_t size, const char **line)
{
    const char *at = head, *end = head + size;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const size_t length = (size_t)((stop ? stop : end) - at);
        size_t blank = 0;
        while (blank < length && is_blank(at[blank]))
            blank++;
        if (blank < length && at[blank] != '#') {
            *line = at + blank;
            return length - blank;
        }
        at += length + 1;
    }
    return 0;
}

/* Recognizes a separator, or names of columns, where "vx" is unambiguous. */
static bool probe(const struct format_head *head)
{
    const char *line = NULL, *text = (const char *)head->bytes;
    const size_t mark = table_lines_mark(text, head->size);
    const size_t length = first_line(text + mark, head->size - mark, &line);
    if (length == 0 || memchr(line, '\0', length))
        return false;
    if (separator_of(line, length) != ' ')
        return true;
    for (size_t i = 0, word; i < length; i = word + 1) {
        for (word = i; word < length && !is_blank(line[word]);)
            word++;
        if (column_find(line + i, word - i) == COLUMN_VX)
            return true;
    }
    return false;
}

const struct format format_csv = {
    .name = "csv",
    .doc = "text: columns separated by commas or semicolons; a first line may name them and their "
           "units",
    .extensions = "csv tsv",
    .text = true,
    .probe = probe,
    .read = read,
    .read_units = read_units,
    .write = write,
    .keeps = KEEPS_COMPONENTS | KEEPS_IDS | KEEPS_DOUBLES | KEEPS_COLUMNS | KEEPS_COLUMN_UNITS,
};
