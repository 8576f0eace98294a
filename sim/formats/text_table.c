#include "sim/formats/text_rows.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "sim/formats/columns.h"
#include "sim/formats/formats.h"
#include "sim/formats/further.h"
#include "sim/formats/table_names.h"
#include "sim/formats/text_lines.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const orders[] = {
    [TEXT_PLAIN] = "mass x y z vx vy vz",
    [TEXT_IDS] = "id mass x y z vx vy vz",
};

/* The decimal marks of the numbers read so far. */
struct marks {
    bool points, commas;
    /* The first number such as 1,234, which is 1.234 only if others have decimal commas. */
    struct place doubtful; /* line 0: there is none */
    char word[16];
};

enum ids { IDS_UNKNOWN, IDS_NONE /* all are -1 */, IDS_KEPT, IDS_LEFT };

struct text_table {
    struct place at; /* the current line */
    enum text_columns assumed;
    char separator;
    struct table_comments comments; /* before the first row */
    struct table_names names;
    bool named;                   /* the names are in the first line */
    bool in_comment;              /* the names are in a comment */
    int count;                    /* number of fields in each line; 0: before the first row */
    int meaning[FIELDS_MAX];      /* a field's column; from COLUMNS on an additional one; or -1 */
    double further[FIELDS_MAX];   /* values in the current line */
    bool rounded[FIELDS_MAX];     /* a value has lost digits */
    bool has_numbers[FIELDS_MAX]; /* an additional column has had a value */
    double scale[COLUMNS];        /* factor on a column's numbers */
    double unit[COLUMN_KINDS];    /* after scaling, in kg, m, m/s; 0: unknown */
    bool galaxy;
    struct body_columns groups; /* where galaxies are words: a column with these words */
    bool by_galaxy;             /* the words are galaxies, not components */
    bool asked; /* the format was asked for, and says what the columns are, not a comment */
    enum ids ids;
    struct marks marks;
    struct snapshot *out; /* NULL: only reads the names, without warnings */
};

/* ---- numbers ---- */

/* 0,5 as 0.5: one comma between digits, no point. *doubtful: it may separate thousands. */
static bool comma_number(const char *word, double *out, bool *doubtful)
{
    enum { THREE = 3 };
    char text[64];
    const char *comma = strchr(word, ',');
    if (!comma || strlen(word) >= sizeof text || strpbrk(word, ".") || strchr(comma + 1, ',') ||
        !isdigit((unsigned char)comma[1]))
        return false;
    snprintf(text, sizeof text, "%.*s.%s", (int)(comma - word), word, comma + 1);
    const char *first = word + (*word == '-' || *word == '+');
    *doubtful = comma > first && comma - first <= THREE && *first != '0' &&
                strspn(comma + 1, "0123456789") == THREE && !comma[1 + THREE];
    return body_number(text, out);
}

/* Whether the field is a number; *mixed: it is, but others have the other decimal mark. */
static bool read_number(struct text_table *table, const char *field, double *out, bool *mixed)
{
    struct marks *marks = &table->marks;
    bool point, doubtful;
    *mixed = false;
    if (body_number_point(field, out, &point)) {
        marks->points |= point;
        *mixed = point && (marks->commas || marks->doubtful.line > 0);
        return true;
    }
    if (!comma_number(field, out, &doubtful))
        return false;
    *mixed = marks->points;
    if (!doubtful && !*mixed)
        marks->commas = true;
    else if (!*mixed && !marks->commas && marks->doubtful.line == 0) {
        marks->doubtful = table->at;
        snprintf(marks->word, sizeof marks->word, "%s", field);
    }
    return true;
}

/* A word that stands for a missing number. */
static bool is_missing(const char *field)
{
    static const char *const words[] = {"",  "nan", "-nan", "na",  "n/a",  "#n/a", "null",  "none",
                                        "-", "--",  "---",  "...", "\"\"", "<na>", "masked"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(field, words[i]) == 0)
            return true;
    return false;
}

static enum status refuse_number(const struct text_table *table, int column, int place,
                                 const char *field, bool mixed)
{
    const struct place *at = &table->at;
    const char *name = column_names[column];
    if (mixed)
        return status_fail(
            STATUS_USAGE,
            "%s:%zu: %s (column %d) is '%.40s', and numbers before it have the other "
            "decimal mark; save the file with decimal points only",
            at->path, at->line, name, place, field);
    if (!*field)
        return status_fail(STATUS_USAGE,
                           "%s:%zu: %s (column %d) is empty, expected a finite number; correct the "
                           "line, or comment it out with #",
                           at->path, at->line, name, place);
    if (is_missing(field))
        return status_fail(STATUS_USAGE,
                           "%s:%zu: %s (column %d) is '%.40s', a missing value, expected a finite "
                           "number; correct the line, or comment it out with #",
                           at->path, at->line, name, place, field);
    if (isdigit((unsigned char)field[strspn(field, "+-")]) && strchr(field, ','))
        return status_fail(
            STATUS_USAGE,
            "%s:%zu: %s (column %d) is '%.40s', which has separators of thousands or "
            "several decimal marks; save the file with decimal points only",
            at->path, at->line, name, place, field);
    return status_fail(STATUS_USAGE,
                       "%s:%zu: %s (column %d) is '%.40s', expected a finite number%s; correct the "
                       "line, or comment it out with #",
                       at->path, at->line, name, place, field,
                       *field == '*' ? " (Fortran writes * for a number that does not fit)" : "");
}

/* ---- the first line ---- */

/* How many fields are numbers, and how many name columns of bodies. */
static void count_fields(const struct fields *fields, int *numbers, int *known)
{
    double number;
    bool doubtful;
    struct table_names names = {0};
    *numbers = 0;
    for (int i = 0; i < fields->count && i < FIELDS_MAX; i++)
        *numbers +=
            body_number(fields->at[i], &number) || comma_number(fields->at[i], &number, &doubtful);
    table_names_take(&names, fields, 0);
    *known = table_names_known(&names);
    table_names_free(&names);
}

static bool has_empty(const struct fields *fields)
{
    int i = 0;
    while (i < fields->count && i < FIELDS_MAX && *fields->at[i])
        i++;
    return i < fields->count;
}

char text_table_separator(const char *line, size_t length)
{
    static const char separators[] = "\t;|, ";
    char best = '\0';
    int most = -1;
    bool gaps = false; /* tabs that align columns rather than separate them */
    for (const char *separator = separators; *separator; separator++) {
        struct fields fields;
        int numbers, known;
        if (*separator != ' ' && !memchr(line, *separator, length))
            continue;
        char *copy = text_format("%.*s", (int)length, line);
        fields_split(copy, *separator, true, &fields);
        fields_drop_empty(&fields, 1);
        count_fields(&fields, &numbers, &known);
        if (numbers + known > most || (*separator == ' ' && gaps && numbers + known == most)) {
            most = numbers + known;
            best = *separator;
            gaps = *separator == '\t' && has_empty(&fields);
        }
        free(copy);
    }
    return best;
}

/* Names of columns, rather than a row: most fields that mean anything are names. */
static bool are_names(const struct fields *fields)
{
    int numbers, known;
    count_fields(fields, &numbers, &known);
    return numbers == 0 || known > numbers;
}

/* ---- names ---- */

/* Handles a column's unit: known, missing or not supported. Columns of one kind are converted to
 * the unit of the first. */
static enum status take_unit(struct text_table *table, int column, enum column_unit what,
                             double unit, const char *field)
{
    const enum column_kind kind = column_kind(column);
    if (what == COLUMN_REFUSED)
        return status_fail(STATUS_USAGE,
                           "%s:%zu: the unit of '%.40s' is not known; write one such as %s, or "
                           "leave out the units of all columns where G = 1",
                           table->at.path, table->names.line, field,
                           kind == COLUMN_OF_MASS     ? "Msun, 1e10 Msun or kg"
                           : kind == COLUMN_OF_LENGTH ? "kpc, pc, au or m"
                                                      : "km/s, kpc/Gyr or m/s");
    if (what == COLUMN_UNIT && table->unit[kind] == 0)
        table->unit[kind] = unit;
    if (what == COLUMN_UNIT)
        table->scale[column] = unit / table->unit[kind];
    return STATUS_OK;
}

/* Rejects a mixture of columns with and without units. */
static enum status check_units(const struct text_table *table, const enum column_unit *what)
{
    const char *with = NULL, *without = NULL;
    for (int i = 0; i < table->names.count; i++) {
        if (table->meaning[i] < 0 || table->meaning[i] >= COLUMNS ||
            column_kind(table->meaning[i]) == COLUMN_KINDS)
            continue;
        if (what[i] == COLUMN_UNIT)
            with = table->names.name[i];
        else
            without = table->names.name[i];
    }
    if (with && without)
        return status_fail(STATUS_USAGE,
                           "%s:%zu: '%.40s' names a unit and '%.40s' names none; give each column "
                           "of mass, position and velocity one, or leave them out where G = 1",
                           table->at.path, table->names.line, with, without);
    return STATUS_OK;
}

/* Numbers in metres exceed single precision, so SI lengths become astronomical units, and m/s
 * km/s. */
static void shrink_units(struct text_table *table)
{
    static const double au = 1.495978707e11, kms = 1e3;
    double *length = &table->unit[COLUMN_OF_LENGTH], *velocity = &table->unit[COLUMN_OF_VELOCITY];
    for (int c = 0; c < COLUMNS_NEEDED; c++) {
        if (column_kind(c) == COLUMN_OF_LENGTH && *length > 0 && *length < au)
            table->scale[c] *= *length / au;
        if (column_kind(c) == COLUMN_OF_VELOCITY && *velocity > 0 && *velocity < kms)
            table->scale[c] *= *velocity / kms;
    }
    if (*length > 0 && *length < au)
        *length = au;
    if (*velocity > 0 && *velocity < kms)
        *velocity = kms;
}

/* The additional column of a field, or -1 after noting its name as not read. */
static int note_further(const struct text_table *table, struct body_columns *further,
                        const char *field)
{
    char name[BODY_COLUMN_NAME], unit[BODY_COLUMN_UNIT];
    if (!table->out)
        return -1;
    further_split(field, name, unit);
    if (!further_wanted(table->out, further, *name ? name : field))
        return -1;
    further_note(further, name, unit, false);
    return COLUMNS + (int)further->count - 1;
}

static enum status check_needed(const struct text_table *table, const bool *seen)
{
    char missing[256] = "";
    int count = 0;
    for (int c = 0; c < COLUMNS_NEEDED; c++)
        if (!seen[c]) {
            count++;
            text_list(missing, sizeof missing, column_names[c]);
        }
    if (count == 0)
        return STATUS_OK;
    return status_fail(
        STATUS_USAGE,
        "%s:%zu: the %s names no column%s %s; it must name mass, x, y, z, vx, vy and "
        "vz, in any order, and galaxy if there are several",
        table->at.path, table->names.line, table->in_comment ? "comment" : "first line",
        count == 1 ? "" : "s", missing);
}

/* Says that units of a comment in prose were not taken. */
static void tell_units(const struct text_table *table)
{
    size_t line;
    bool known = !table->out;
    for (int kind = 0; kind < COLUMN_KINDS; kind++)
        known |= table->unit[kind] != 0;
    char *unit = known ? NULL : table_comments_unit(&table->comments, &line);
    if (unit)
        log_info_once("%s:%zu: the comment speaks of '%s', but no column names a unit, so the "
                      "numbers are taken to be in the scene's units; write units into the header, "
                      "such as x [kpc]",
                      table->at.path, line, unit);
    free(unit);
}

static enum status read_names(struct text_table *table, struct body_columns *further)
{
    const struct table_names *names = &table->names;
    bool seen[COLUMNS] = {false};
    enum column_unit what[FIELDS_MAX];
    char others[256] = "";
    int other_count = 0;
    table->count = names->count;
    for (int i = 0; i < names->count; i++) {
        int column;
        double unit = 1;
        what[i] = column_read(names->name[i], &column, &unit);
        table->meaning[i] = column;
        if (column >= 0 && column != COLUMN_ID && seen[column])
            return status_fail(STATUS_USAGE,
                               "%s:%zu: two columns are the %s; leave one of them out",
                               table->at.path, names->line, column_names[column]);
        if (column >= 0 && !seen[column]) {
            seen[column] = true;
            if (column_kind(column) != COLUMN_KINDS &&
                take_unit(table, column, what[i], unit, names->name[i]) != STATUS_OK)
                return STATUS_USAGE;
            continue;
        }
        table->meaning[i] = note_further(table, further, names->name[i]);
        if (table->meaning[i] >= 0)
            continue;
        other_count++;
        text_list(others, sizeof others, *names->name[i] ? names->name[i] : "without a name");
    }
    table->galaxy = seen[COLUMNS_NEEDED];
    if (check_needed(table, seen) != STATUS_OK || check_units(table, what) != STATUS_OK)
        return STATUS_USAGE;
    shrink_units(table);
    tell_units(table);
    if (*others && table->out)
        log_info_once("%s: the column%s %s %s not read", table->at.path,
                      other_count == 1 ? "" : "s", others, other_count == 1 ? "is" : "are");
    return STATUS_OK;
}

static enum status refuse_columns(const struct text_table *table, int count)
{
    return status_fail(STATUS_USAGE, "%s:%zu: %d columns are more than %d; leave some out",
                       table->at.path, table->at.line, count, FIELDS_MAX);
}

static enum status refuse_quotes(const struct text_table *table, int column)
{
    return status_fail(STATUS_USAGE,
                       "%s:%zu: the quotes that begin column %d do not end before a separator in "
                       "this line; correct the line, or comment it out with #",
                       table->at.path, table->at.line, column);
}

static void tell_order(const struct text_table *table)
{
    const char *order = orders[table->assumed], *last = table->galaxy ? " galaxy" : "";
    if (!table->out || (table->asked && table->names.count == 0))
        return;
    if (table->asked)
        log_info_once(
            "%s: its columns are read as %s%s, as the format %s says, whatever line %zu names",
            table->at.path, order, last, table->out->format->name, table->names.line);
    else if (table->assumed == TEXT_IDS)
        log_info_once("%s: its columns are read as %s; if the first is the mass and the last a "
                      "galaxy, say so with the format table",
                      table->at.path, order);
    else
        log_info_once("%s: no line names its columns, which are read as %s%s", table->at.path,
                      order, last);
}

/* Takes the columns to be those of the format. */
static enum status assume(struct text_table *table, int count)
{
    const bool ids = table->assumed == TEXT_IDS;
    if (count != COLUMNS_PLAIN && (ids || count != COLUMNS_NEEDED))
        return status_fail(
            STATUS_USAGE,
            "%s:%zu: expected %s, found %d; if they mean something else, or other columns are "
            "among them, put a first line before them that names each, such as "
            "x,y,z,vx,vy,vz,mass",
            table->at.path, table->at.line,
            ids ? "8 numbers (id mass x y z vx vy vz)"
                : "7 or 8 numbers (mass x y z vx vy vz galaxy)",
            count);
    table->count = count;
    for (int i = 0; i < count; i++)
        table->meaning[i] = ids ? (i + COLUMN_ID) % COLUMNS : i;
    table->galaxy = !ids && count == COLUMNS_PLAIN;
    tell_order(table);
    tell_units(table);
    table_names_free(&table->names);
    return STATUS_OK;
}

/* Finds names in comments for the fields of the first row, with or without empty ones at its end.
 */
static void find_names(struct text_table *table, struct fields *row)
{
    const int least = table->assumed == TEXT_IDS ? COLUMNS_PLAIN : COLUMNS_NEEDED;
    const int count = row->count;
    table_comments_find(&table->comments, count, &table->names);
    if (table->names.count != count) {
        fields_drop_empty(row, least);
        if (row->count < count)
            table_comments_find(&table->comments, row->count, &table->names);
    }
    table->in_comment = table->names.count > 0;
}

/* Finds what the columns are, with the fields of the first row. */
static enum status settle(struct text_table *table, struct fields *row,
                          struct body_columns *further)
{
    for (int c = 0; c < COLUMNS; c++)
        table->scale[c] = 1;
    if (row->count > FIELDS_MAX)
        return refuse_columns(table, row->count);
    if (table->named)
        fields_drop_empty(row, table->names.count);
    else
        find_names(table, row);
    const int count = row->count;
    if (table->names.count == 0 || (table->in_comment && table->asked))
        return assume(table, count);
    if (table->in_comment && table->names.count != count &&
        table_names_begin(&table->names, table->assumed == TEXT_IDS))
        return assume(table, count);
    if (table->in_comment && table->names.count != count)
        return status_fail(
            STATUS_USAGE,
            "%s:%zu: this comment names %d columns, and line %zu has %d; name each of "
            "them, or say with the format table that they are mass x y z vx vy vz",
            table->at.path, table->names.line, table->names.count, table->at.line, count);
    table_comments_add_units(&table->comments, &table->names);
    return read_names(table, further);
}

/* ---- rows ---- */

/* Whether the number has lost digits: a whole number that no double is. */
static bool is_rounded(const char *field, double value)
{
    static const double whole = 9007199254740992, end = 18446744073709551616.0; /* 2^53, 2^64 */
    const char *digits = field + (*field == '-' || *field == '+');
    uint64_t exact;
    if (!(fabs(value) >= whole) || digits[strspn(digits, "0123456789")])
        return false;
    return fabs(value) >= end || body_id_read(digits, &exact) != BODY_ID ||
           (uint64_t)fabs(value) != exact;
}

/* Reads a number of an additional column; a missing value is NaN. */
static bool further_number(struct text_table *table, const char *field, int column, double *out)
{
    bool mixed;
    if (is_missing(field)) {
        *out = NAN;
        return true;
    }
    if (strcasecmp(field, "inf") == 0 || strcasecmp(field, "-inf") == 0) {
        *out = *field == '-' ? -INFINITY : INFINITY;
        return true;
    }
    if (!read_number(table, field, out, &mixed) || mixed)
        return false;
    table->rounded[column] |= is_rounded(field, *out);
    return true;
}

/* Drops an additional column that turns out not to be numeric. */
static void forget_further(struct text_table *table, struct body_columns *further, int field,
                           const char *found)
{
    const int gone = table->meaning[field], index = gone - COLUMNS;
    const char *name = further->list[index].name;
    log_info("%s:%zu: skipped the column %s, because '%.40s' is not a number", table->at.path,
             table->at.line, name, found);
    snapshot_leave(table->out, name);
    body_columns_remove(further, (size_t)index);
    memmove(table->rounded + index, table->rounded + index + 1,
            sizeof table->rounded - (size_t)index - 1);
    memmove(table->has_numbers + index, table->has_numbers + index + 1,
            sizeof table->has_numbers - (size_t)index - 1);
    table->meaning[field] = -1;
    for (int i = 0; i < table->count; i++)
        table->meaning[i] -= table->meaning[i] > gone;
}

/* Reads a field of an additional column, which the first value makes one of numbers or of words. */
static bool further_value(struct text_table *table, const char *field, int index,
                          struct body_column *column, double *out)
{
    const bool may = table->out->choice.words && !table->has_numbers[index];
    if (may && !column->words && further_is_name(column->name))
        body_column_begin_words(column);
    if (!column->words && further_number(table, field, index, out)) {
        table->has_numbers[index] |= !isnan(*out);
        return true;
    }
    if (!may)
        return false;
    if (!column->words)
        body_column_begin_words(column);
    *out = *field ? body_column_word(column, field) : NAN;
    return true;
}

static void read_further(struct text_table *table, const struct fields *fields,
                         struct body_columns *further)
{
    for (int i = 0; i < table->count; i++) {
        double value;
        const int column = table->meaning[i] - COLUMNS;
        if (column < 0 || (size_t)column >= further->count)
            continue; /* the last fields may have been dropped for lack of room */
        if (further_value(table, fields->at[i], column, &further->list[column], &value))
            table->further[column] = value;
        else
            forget_further(table, further, i, fields->at[i]);
    }
}

static void leave_ids(struct text_table *table, struct body_rows *rows, const char *field,
                      enum body_id what)
{
    double value;
    const char *why = what == BODY_ID_NONE ? "means that this body has none, as others have one"
                      : what == BODY_ID    ? "follows -1, which means none"
                      : !*field            ? "means that one is missing"
                      : body_number(field, &value) && value > 0 && value == floor(value)
                          ? "may have been rounded as a float, or is above 2^64 - 1"
                          : "is not a whole number from 0 to 2^64 - 1";
    table->ids = IDS_LEFT;
    log_info("%s:%zu: the ids are not read, because '%.40s' %s", table->at.path, table->at.line,
             field, why);
    body_rows_leave_ids(rows);
}

static void read_id(struct text_table *table, struct body_rows *rows, const char *field,
                    struct body_row *row)
{
    const enum body_id what = body_id_read(field, &row->id);
    if (table->ids == IDS_LEFT)
        return;
    if (what == BODY_ID_BAD || (what == BODY_ID_NONE && table->ids == IDS_KEPT) ||
        (what == BODY_ID && table->ids == IDS_NONE))
        leave_ids(table, rows, field, what);
    else
        table->ids = what == BODY_ID ? IDS_KEPT : IDS_NONE;
}

static enum status refuse_galaxy(const struct text_table *table, int place, const char *field)
{
    return words_refuse(
        table->at, column_names[COLUMNS_NEEDED], place, field,
        table->names.count == 0
            ? "the galaxy's index, a whole number from 0 to 1023, or the format ids "
              "where the columns are id mass x y z vx vy vz"
            : "the galaxy's index, a whole number from 0 to 1023");
}

/* Reads the name of a group, if the first row has one: words are components, in the order in which
 * they appear. */
static bool read_group(struct text_table *table, const struct body_rows *rows, int i,
                       const char *field, double *out)
{
    static const char *const none = "others";
    const char *header = table->names.count > 0 ? table->names.name[i] : "";
    if (table->groups.count == 0) {
        if (!*header || !*field || rows->snapshot->bodies || body_number(field, out))
            return false;
        further_note(&table->groups, "group", "", false);
        body_column_begin_words(&table->groups.list[0]);
        table->by_galaxy = strncasecmp(header, "galax", 5) == 0;
    }
    *out = body_column_word(&table->groups.list[0], *field ? field : none);
    return true;
}

static enum status refuse_count(const struct text_table *table, int count)
{
    const struct place *at = &table->at;
    if (table->names.count == 0)
        return status_fail(
            STATUS_USAGE,
            "%s:%zu: expected %d numbers (%s%s) as in the first row, found %d; correct "
            "the line, or comment it out with #",
            at->path, at->line, table->count, orders[table->assumed],
            table->galaxy ? " galaxy" : "", count);
    return status_fail(STATUS_USAGE,
                       "%s:%zu: expected %d columns, which line %zu names, found %d%s; correct the "
                       "line, or comment it out with #",
                       at->path, at->line, table->count, table->names.line, count,
                       table->separator == ',' && count == 2 * table->count
                           ? " (numbers with decimal commas need another separator, or quotes)"
                           : "");
}

static enum status read_row(struct text_table *table, const struct fields *fields,
                            struct body_rows *rows, struct body_row *row)
{
    double value[COLUMNS_PLAIN] = {0};
    if (fields->count != table->count)
        return refuse_count(table, fields->count);
    for (int i = 0; i < fields->count; i++) {
        const int column = table->meaning[i];
        bool mixed = false;
        if (column == COLUMN_ID)
            read_id(table, rows, fields->at[i], row);
        else if (column == COLUMN_GALAXY &&
                 read_group(table, rows, i, fields->at[i], &value[column]))
            ;
        else if (column >= 0 && column < COLUMNS &&
                 (!read_number(table, fields->at[i], &value[column], &mixed) || mixed))
            return column == COLUMNS_NEEDED && !mixed && *fields->at[i]
                       ? refuse_galaxy(table, i + 1, fields->at[i])
                       : refuse_number(table, column, i + 1, fields->at[i], mixed);
        if ((column == 0 && value[0] < 0) ||
            (column == COLUMNS_NEEDED && !column_is_galaxy(value[COLUMNS_NEEDED])))
            return column == 0 ? words_refuse(table->at, column_names[0], i + 1, fields->at[i],
                                              "a mass that is not negative")
                               : refuse_galaxy(table, i + 1, fields->at[i]);
    }
    for (int c = 0; c < COLUMNS_NEEDED; c++)
        value[c] *= table->scale[c];
    const enum status status = column_row(value, table->galaxy, row);
    return status == STATUS_OK ? status
                               : status_prefix(status, "%s:%zu", table->at.path, table->at.line);
}

/* Whether the fields underline the names (--- ---) or are the types of RDB (10N 5S). */
static bool are_rules(const struct fields *fields)
{
    int rules = 0, types = 0, empty = 0;
    for (int i = 0; i < fields->count && i < FIELDS_MAX; i++) {
        const char *field = fields->at[i], *type = field + strspn(field, "0123456789");
        empty += !*field;
        rules += *field && !field[strspn(field, "-=:")];
        types += (*type == 'N' || *type == 'S') && !type[1];
    }
    return (rules > 0 && rules + empty == fields->count) || types == fields->count;
}

/* Reads a line before the first row: *row is whether it is that row. */
static enum status read_first(struct text_table *table, char *line, struct fields *fields,
                              struct body_columns *further, bool *row)
{
    *row = false;
    if (!table->separator && strncmp(line, "sep=", 4) == 0 && line[4] && !line[5]) {
        table->separator = line[4]; /* as spreadsheets write it */
        return STATUS_OK;
    }
    if (!table->separator)
        table->separator = text_table_separator(line, strlen(line));
    char *copy = memory_text(line);
    fields_split(copy, table->separator, true, fields);
    fields_drop_empty(fields, 1);
    const bool empty = fields_are_empty(fields);
    bool names = !empty && !table->named && are_names(fields);
    if (names)
        table_names_take(&table->names, fields, table->at.line);
    else if (!empty && table->named)
        names = are_rules(fields) || table_names_add_units(&table->names, fields);
    free(copy);
    if (names && fields->open > 0)
        return refuse_quotes(table, fields->open);
    if (names && fields->count > FIELDS_MAX)
        return refuse_columns(table, fields->count);
    table->named |= names;
    if (names || empty)
        return STATUS_OK;
    *row = true;
    fields_split(line, table->separator, false, fields);
    return fields->open > 0 ? refuse_quotes(table, fields->open) : settle(table, fields, further);
}

static enum status parse(void *user, struct place at, char *line, struct body_rows *rows,
                         struct body_row *row, enum text_line *what)
{
    struct text_table *table = user;
    struct fields fields;
    enum status status = STATUS_OK;
    const char *comment = words_of_comment(line);
    bool is_row = true;
    if (comment && table->count == 0)
        table_comments_keep(&table->comments, comment, at.line);
    if (comment || !line[strspn(line, " \t\v\f")])
        return STATUS_OK;
    table->at = at;
    if (table->count == 0) {
        status = read_first(table, line, &fields, body_rows_further(rows), &is_row);
    } else {
        fields_split(line, table->separator, false, &fields);
        fields_drop_empty(&fields, table->count);
    }
    if (status != STATUS_OK || !is_row || !table->out || fields_are_empty(&fields))
        return status;
    if (fields.open > 0)
        return refuse_quotes(table, fields.open);
    status = read_row(table, &fields, rows, row);
    if (status != STATUS_OK)
        return status;
    read_further(table, &fields, body_rows_further(rows));
    row->further = table->further;
    if (!rows->snapshot->bodies) {
        rows->has_galaxies = table->galaxy;
        rows->has_ids = table->ids == IDS_KEPT;
    }
    *what = TEXT_ROW;
    return STATUS_OK;
}

static struct snapshot_units units_of(const struct text_table *table)
{
    return (struct snapshot_units){.length_cm = 1e2 * table->unit[COLUMN_OF_LENGTH],
                                   .mass_g = 1e3 * table->unit[COLUMN_OF_MASS],
                                   .velocity_cms = 1e2 * table->unit[COLUMN_OF_VELOCITY]};
}

static enum status end(const struct text_table *table)
{
    const struct marks *marks = &table->marks;
    if (marks->doubtful.line > 0 && !marks->commas)
        return status_fail(
            STATUS_USAGE,
            "%s:%zu: '%s' may mean a decimal comma or thousands, and no other number "
            "of the file shows which; save it with decimal points",
            marks->doubtful.path, marks->doubtful.line, marks->word);
    const struct body_words *groups = table->groups.count > 0 ? table->groups.list[0].words : NULL;
    for (size_t g = 0; groups && g < groups->count; g++) {
        struct component *component = &table->out->bodies->components[g];
        snprintf(component->name, sizeof component->name, "%s", groups->list[g]);
        snprintf(component->galaxy, sizeof component->galaxy, "%s",
                 table->by_galaxy ? groups->list[g] : "");
    }
    for (size_t c = 0; c < table->out->bodies->columns.count; c++)
        if (table->rounded[c])
            snapshot_round(table->out, table->out->bodies->columns.list[c].name);
    return STATUS_OK;
}

static struct text_table *create(const struct snapshot *out, enum text_columns assumed)
{
    struct text_table *table = memory_new(1, sizeof *table);
    table->assumed = assumed;
    table->asked = out->forced && strcmp(out->format->name, "csv") != 0;
    return table;
}

static void destroy(struct text_table *table)
{
    table_comments_free(&table->comments);
    table_names_free(&table->names);
    body_columns_free(&table->groups);
    free(table);
}

enum status text_table_read(const char *path, struct snapshot *out, enum text_columns assumed)
{
    struct text_table *table = create(out, assumed);
    table->out = out;
    enum status status = text_rows_read(path, out, parse, table,
                                        "; expected at least one line of mass x y z vx vy vz");
    if (status == STATUS_USAGE && table->named && table->count == 0) {
        struct body_columns none = {0}; /* a file without rows: its names may be wrong, too */
        (void)read_names(table, &none);
        body_columns_free(&none);
    }
    if (status == STATUS_OK)
        status = end(table);
    out->units = units_of(table);
    destroy(table);
    return status;
}

enum status text_table_read_units(const char *path, struct snapshot *out)
{
    struct text_table *table = create(out, TEXT_PLAIN);
    struct table_lines *lines;
    char *line = NULL;
    enum status status = table_lines_open(&lines, path);
    while (status == STATUS_OK && table->count == 0) {
        struct body_rows rows = {.snapshot = out};
        struct body_row row = {.mass = 0};
        enum text_line what;
        status = table_lines_next(lines, &line);
        if (status != STATUS_OK || !line)
            break;
        const struct place at = {path, table_lines_number(lines)};
        status = parse(table, at, line, &rows, &row, &what);
    }
    table_lines_close(&lines);
    out->units = units_of(table);
    destroy(table);
    return status;
}
