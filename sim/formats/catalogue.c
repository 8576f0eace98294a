#include "sim/formats/catalogue.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "sim/formats/formats.h"
#include "sim/formats/text_lines.h"
#include "sim/hdf5/hdf5_reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void catalogue_free(struct catalogue *catalogue)
{
    free(catalogue->halos);
    *catalogue = (struct catalogue){0};
}

const struct halo *catalogue_find(const struct catalogue *catalogue, uint64_t id)
{
    for (size_t i = 0; i < catalogue->count; i++)
        if (catalogue->halos[i].id == id)
            return &catalogue->halos[i];
    return NULL;
}

/* ---- text ---- */

enum column { ID, X, Y, Z, RADIUS, MASS, NEEDED, NEXT = NEEDED, NEXT_SCALE, SCALE, COLUMNS };

/* In the order of preference, separated by spaces; several definitions of radius and mass exist. */
static const char *const column_names[COLUMNS] = {
    [ID] = "id haloid",
    [X] = "x xc",
    [Y] = "y yc",
    [Z] = "z zc",
    [RADIUS] = "rvir r200b r200c radius rhalo",
    [MASS] = "mvir m200b m200c mass mhalo",
    [NEXT] = "descid desc_id",
    [NEXT_SCALE] = "desc_scale",
    [SCALE] = "scale",
};

struct text_catalogue {
    struct catalogue *out;
    const char *path;
    struct table_lines *lines;
    int column[COLUMNS]; /* -1: absent */
    bool named;
};

/* Whether a name of the header, "#ID", "Xc(6)" or "mvir", is the word of this length. */
static bool is_called(const char *name, const char *word, size_t length)
{
    name += strspn(name, "#");
    return strncasecmp(name, word, length) == 0 && strchr("(", name[length]) != NULL;
}

static int find_column(const struct fields *fields, const char *words)
{
    for (const char *word = words; *word;) {
        const size_t length = strcspn(word, " ");
        for (int f = 0; f < fields->count && f < FIELDS_MAX; f++)
            if (is_called(fields->at[f], word, length))
                return f;
        word += length + strspn(word + length, " ");
    }
    return -1;
}

static void read_names(struct text_catalogue *text, char *line)
{
    struct fields fields;
    int column[COLUMNS];
    bool all = true;
    fields_split(line, ' ', false, &fields);
    for (int c = 0; c < COLUMNS; c++) {
        column[c] = find_column(&fields, column_names[c]);
        all = all && (column[c] >= 0 || c >= NEEDED);
    }
    if (!all)
        return;
    const bool ahf = find_column(&fields, "hosthalo") >= 0;
    memcpy(text->column, column, sizeof column);
    text->named = true;
    text->out->kind = ahf ? "AHF" : "Rockstar";
    text->out->length_kpc = ahf ? 1 : 1000;
    text->out->radius_unit = ahf ? 1 : 1e-3;
    text->out->linked = column[NEXT] >= 0;
}

/* 0, which is unknown, where the text begins with no such number. */
static double finite_number(const char *text)
{
    const double number = strtod(text, NULL);
    return isfinite(number) ? number : 0;
}

/* "#a = 0.5", "#Om = 0.3; Ol = 0.7; h = 0.7" and "h0 = 0.7". */
static void read_remark(struct catalogue *out, const char *line)
{
    const char *h = strstr(line, "h = "), *h0 = strstr(line, "h0 = ");
    if (strncmp(line, "#a = ", 5) == 0)
        out->scale = finite_number(line + 5);
    if (h || h0)
        out->hubble = finite_number(h ? h + 4 : h0 + 5);
}

static enum status read_row(struct text_catalogue *text, char *line)
{
    struct fields fields;
    double number[COLUMNS];
    struct catalogue *out = text->out;
    fields_split(line, ' ', false, &fields);
    if (fields_are_empty(&fields))
        return STATUS_OK;
    for (int c = 0; c < COLUMNS; c++) {
        const int f = text->column[c];
        char *end = NULL;
        number[c] = -1;
        if (f < 0)
            continue;
        if (f < fields.count)
            number[c] = strtod(fields.at[f], &end);
        if (!end || end == fields.at[f] || *end || !isfinite(number[c]))
            return status_fail(
                STATUS_USAGE,
                "'%s', line %zu: column %d of the catalogue of haloes is %s%s%s, not "
                "a number; mend the line",
                text->path, table_lines_number(text->lines), f + 1, end ? "'" : "missing",
                end ? fields.at[f] : "", end ? "'" : "");
    }
    if (text->column[SCALE] >= 0)
        out->scale = number[SCALE];
    *MEMORY_ADD(out->halos, out->count) = (struct halo){
        .id = strtoull(fields.at[text->column[ID]], NULL, 10),
        .group = -1,
        .next = text->column[NEXT] >= 0 ? strtoll(fields.at[text->column[NEXT]], NULL, 10) : -1,
        .before = -1,
        .next_scale = number[NEXT_SCALE],
        .position = {number[X], number[Y], number[Z]},
        .radius = number[RADIUS],
        .mass = number[MASS]};
    return STATUS_OK;
}

/* NAME_mtree_idx has a row for each halo: its id and that of its main progenitor. */
static enum status read_progenitors(const char *path, struct catalogue *out)
{
    static const char end[] = "_halos";
    if (!text_ends_with(path, end))
        return STATUS_OK;
    char *name = text_format("%.*s_mtree_idx", (int)(strlen(path) - strlen(end)), path);
    struct table_lines *lines = NULL;
    char *line = NULL;
    size_t at = 0;
    enum status status = file_exists(name) ? table_lines_open(&lines, name) : STATUS_OK;
    out->linked = lines != NULL;
    while (lines && status == STATUS_OK && (status = table_lines_next(lines, &line)) == STATUS_OK &&
           line) {
        unsigned long long id, before;
        if (sscanf(line, "%llu %llu", &id, &before) != 2)
            continue;
        /* The rows are in the catalogue's order, but for haloes without a progenitor. */
        size_t tried = 0;
        while (tried < out->count && out->halos[(at + tried) % out->count].id != id)
            tried++;
        if (tried < out->count) {
            at = (at + tried) % out->count;
            out->halos[at].before = (int64_t)before;
        }
    }
    table_lines_close(&lines);
    free(name);
    return status;
}

static enum status read_text(const char *path, struct catalogue *out)
{
    struct text_catalogue text = {.out = out, .path = path};
    char *line;
    enum status status = table_lines_open(&text.lines, path);
    while (status == STATUS_OK && (status = table_lines_next(text.lines, &line)) == STATUS_OK &&
           line) {
        if (line[0] == '#' && text.named)
            read_remark(out, line);
        else if (line[0] == '#')
            read_names(&text, line);
        else if (text.named)
            status = read_row(&text, line);
        else
            break;
    }
    table_lines_close(&text.lines);
    if (status == STATUS_OK && !text.named)
        status = status_fail(STATUS_USAGE,
                             "'%s' is no catalogue of haloes: its first lines name no columns id, "
                             "x, y, z, rvir and mvir; give text of Rockstar or AHF, or "
                             "fof_subhalo_tab of GADGET-4",
                             path);
    const char *z = strstr(path, ".z");
    if (status == STATUS_OK && strcmp(out->kind, "AHF") == 0) {
        out->scale = z ? 1 / (1 + fmax(finite_number(z + 2), 0)) : 0; /* NAME.z0.500.AHF_halos */
        status = read_progenitors(path, out);
    }
    return status;
}

/* ---- SUBFIND ---- */

/* A table of the catalogue, joined from all of its files. */
struct column_read {
    const char *name;
    uint32_t columns;
    double *numbers; /* [rows][columns] */
    uint64_t rows;
    bool found, fits; /* in at least one file; with this number of columns in all */
};

enum { PLACE, HALF, BOUND, READ_SUBHALOS, FIRST = READ_SUBHALOS, R200, READ_COLUMNS };
enum { PARTS_MOST = 65536 };

static void columns_free(struct column_read *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(list[i].numbers);
}

static enum status append(struct hdf5_file *file, struct column_read *out)
{
    struct hdf5_table table;
    bool rounded = false;
    enum status status = hdf5_table(file, out->name, &table);
    if (status != STATUS_OK || !table.found)
        return status;
    out->fits = (out->fits || !out->found) && table.columns == out->columns;
    out->found = true;
    if (!out->fits)
        return STATUS_OK;
    out->numbers =
        memory_grow(out->numbers, (out->rows + table.rows) * out->columns + 1, sizeof(double));
    double *to = out->numbers + out->rows * out->columns;
    out->rows += table.rows;
    return out->columns > 1 ? hdf5_numbers(file, out->name, 0, table.rows, to, out->columns, false)
                            : hdf5_values(file, out->name, 0, table.rows, to, &rounded);
}

/* Finds the number of the catalogue's files. `path` must be the first of them. */
static enum status count_parts(struct hdf5_file *file, const char *path, size_t *count)
{
    struct hdf5_attribute said;
    enum status status = hdf5_attribute(file, "Header", "NumFiles", &said);
    *count = 1;
    if (status != STATUS_OK || !(said.count > 0 && said.number[0] > 1))
        return status;
    char *first = parts_name(path, 0);
    if (!first || strcmp(first, path) != 0)
        status =
            status_fail(STATUS_USAGE,
                        "'%s' is one of %.0f files of a catalogue; name only the first file of "
                        "each catalogue, as in 'fof_subhalo_tab_*.0.hdf5'",
                        path, said.number[0]);
    else if (said.number[0] > PARTS_MOST)
        status = status_fail(STATUS_USAGE,
                             "'%s' states %.0f files for its catalogue, more than %d; correct "
                             "NumFiles in its Header",
                             path, said.number[0], PARTS_MOST);
    else
        *count = (size_t)said.number[0];
    free(first);
    return status;
}

/* Reads the tables of all files of a catalogue, one file at a time, because each open file takes a
 * process. */
static enum status read_columns(const char *path, struct column_read *list, size_t columns)
{
    size_t count = 1;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        struct hdf5_file *file = NULL;
        char *name = i > 0 ? parts_name(path, i) : memory_text(path);
        status = hdf5_open(&file, name);
        if (status == STATUS_OK && i == 0)
            status = count_parts(file, path, &count);
        for (size_t c = 0; c < columns && status == STATUS_OK; c++)
            status = append(file, &list[c]);
        hdf5_close(&file);
        free(name);
    }
    return status;
}

/* The first subhalo of a group, which may be in another file, has the group's number and radius. */
static void give_groups(const struct column_read *list, struct catalogue *out)
{
    const struct column_read *first = &list[FIRST], *radius = &list[R200];
    const bool radii = radius->fits && radius->rows == first->rows;
    for (uint64_t g = 0; first->fits && g < first->rows; g++) {
        if (!(first->numbers[g] >= 0 && first->numbers[g] < (double)out->count))
            continue;
        struct halo *halo = &out->halos[(size_t)first->numbers[g]];
        halo->group = (int64_t)g;
        if (radii && radius->numbers[g] > 0)
            halo->radius = radius->numbers[g];
    }
}

static enum status read_descendants(const char *path, struct catalogue *out)
{
    static const char own[] = "fof_subhalo_tab";
    const char *at = strstr(path, own);
    struct column_read next = {.name = "Subhalo/DescSubhaloNr", .columns = 1};
    if (!at)
        return STATUS_OK;
    char *name = text_format("%.*ssubhalo_desc%s", (int)(at - path), path, at + strlen(own));
    const enum status status = file_exists(name) ? read_columns(name, &next, 1) : STATUS_OK;
    out->linked = status == STATUS_OK && next.fits && next.rows == out->count;
    for (size_t i = 0; out->linked && i < out->count; i++) {
        const double to = next.numbers[i];
        out->halos[i].next = to >= 0 && to < 1e15 ? (int64_t)to : -1;
    }
    columns_free(&next, 1);
    free(name);
    return status;
}

static enum status read_hdf5(const char *path, struct catalogue *out)
{
    struct column_read list[READ_COLUMNS] = {
        [PLACE] = {.name = "Subhalo/SubhaloPos", .columns = 3},
        [HALF] = {.name = "Subhalo/SubhaloHalfmassRad", .columns = 1},
        [BOUND] = {.name = "Subhalo/SubhaloMass", .columns = 1},
        [FIRST] = {.name = "Group/GroupFirstSub", .columns = 1},
        [R200] = {.name = "Group/Group_R_Crit200", .columns = 1},
    };
    enum status status = read_columns(path, list, READ_COLUMNS);
    bool all = true;
    for (int c = 0; c < READ_SUBHALOS; c++)
        all = all && list[c].fits && list[c].rows == list[PLACE].rows;
    if (status == STATUS_OK && !all)
        status = status_fail(STATUS_USAGE,
                             "'%s' is no catalogue of SUBFIND: Subhalo/SubhaloPos, "
                             "SubhaloHalfmassRad or SubhaloMass is missing; give "
                             "fof_subhalo_tab of GADGET-4",
                             path);
    if (status == STATUS_OK) {
        const double *place = list[PLACE].numbers;
        out->kind = "SUBFIND";
        out->radius_unit = 1;
        out->count = list[PLACE].rows;
        out->halos = memory_new(out->count, sizeof *out->halos);
        for (size_t i = 0; i < out->count; i++)
            out->halos[i] =
                (struct halo){.id = i,
                              .group = -1,
                              .next = -1,
                              .before = -1,
                              .next_scale = -1,
                              .position = {place[3 * i], place[3 * i + 1], place[3 * i + 2]},
                              .radius = list[HALF].numbers[i],
                              .mass = list[BOUND].numbers[i]};
        give_groups(list, out);
        status = read_descendants(path, out);
    }
    columns_free(list, READ_COLUMNS);
    return status;
}

enum status catalogue_read(const char *path, struct catalogue *out)
{
    unsigned char head[4096];
    FILE *file = fopen(path, "rb");
    const size_t size = file ? fread(head, 1, sizeof head, file) : 0;
    if (file)
        (void)fclose(file);
    *out = (struct catalogue){0};
    return superblock_found(head, size) ? read_hdf5(path, out) : read_text(path, out);
}
