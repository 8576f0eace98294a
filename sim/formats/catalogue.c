#include "sim/formats/catalogue.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
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
    size_t room;
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

/* "#a = 0.5", "#Om = 0.3; Ol = 0.7; h = 0.7" and "h0 = 0.7". */
static void read_remark(struct catalogue *out, const char *line)
{
    const char *h = strstr(line, "h = "), *h0 = strstr(line, "h0 = ");
    if (strncmp(line, "#a = ", 5) == 0)
        out->scale = strtod(line + 5, NULL);
    if (h || h0)
        out->hubble = strtod(h ? h + 4 : h0 + 5, NULL);
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
    if (out->count == text->room) {
        text->room = 2 * text->room + 256;
        out->halos = memory_grow(out->halos, text->room, sizeof *out->halos);
    }
    if (text->column[SCALE] >= 0)
        out->scale = number[SCALE];
    out->halos[out->count++] = (struct halo){
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
        out->scale = z ? 1 / (1 + strtod(z + 2, NULL)) : 0; /* NAME.z0.500.AHF_halos */
        status = read_progenitors(path, out);
    }
    return status;
}

/* ---- SUBFIND ---- */

/* Reads a table of one or three columns; NULL without a failure if it is missing or has another
 * number of rows. */
static enum status read_table(struct hdf5_file *file, const char *name, uint64_t rows,
                              uint32_t columns, double **out)
{
    struct hdf5_table table;
    bool rounded = false;
    *out = NULL;
    enum status status = hdf5_table(file, name, &table);
    if (status != STATUS_OK || !table.found || table.rows != rows || table.columns != columns)
        return status;
    *out = memory_new(rows * columns + 1, sizeof **out);
    return columns > 1 ? hdf5_numbers(file, name, 0, rows, *out, columns, false)
                       : hdf5_values(file, name, 0, rows, *out, &rounded);
}

/* The first subhalo of a group has the group's number and radius. */
static enum status read_groups(struct hdf5_file *file, struct catalogue *out)
{
    struct hdf5_table table;
    double *first = NULL, *radius = NULL;
    enum status status = hdf5_table(file, "Group/GroupFirstSub", &table);
    if (status == STATUS_OK && table.found)
        status = read_table(file, "Group/GroupFirstSub", table.rows, 1, &first);
    if (status == STATUS_OK && table.found)
        status = read_table(file, "Group/Group_R_Crit200", table.rows, 1, &radius);
    for (uint64_t g = 0; status == STATUS_OK && first && g < table.rows; g++) {
        if (!(first[g] >= 0 && first[g] < (double)out->count))
            continue;
        struct halo *halo = &out->halos[(size_t)first[g]];
        halo->group = (int64_t)g;
        if (radius && radius[g] > 0)
            halo->radius = radius[g];
    }
    free(first);
    free(radius);
    return status;
}

static enum status read_descendants(const char *path, struct catalogue *out)
{
    static const char own[] = "fof_subhalo_tab";
    const char *at = strstr(path, own);
    struct hdf5_file *file = NULL;
    double *next = NULL;
    if (!at)
        return STATUS_OK;
    char *name = text_format("%.*ssubhalo_desc%s", (int)(at - path), path, at + strlen(own));
    enum status status = file_exists(name) ? hdf5_open(&file, name) : STATUS_OK;
    if (file)
        status = read_table(file, "Subhalo/DescSubhaloNr", out->count, 1, &next);
    out->linked = next != NULL;
    for (size_t i = 0; next && i < out->count && status == STATUS_OK; i++)
        out->halos[i].next = next[i] >= 0 && next[i] < 1e15 ? (int64_t)next[i] : -1;
    hdf5_close(&file);
    free(next);
    free(name);
    return status;
}

static enum status read_hdf5(const char *path, struct catalogue *out)
{
    struct hdf5_file *file;
    struct hdf5_attribute files;
    struct hdf5_table table = {0};
    double *place = NULL, *radius = NULL, *mass = NULL;
    enum status status = hdf5_open(&file, path);
    if (status == STATUS_OK)
        status = hdf5_attribute(file, "Header", "NumFiles", &files);
    if (status == STATUS_OK)
        status = hdf5_table(file, "Subhalo/SubhaloPos", &table);
    if (status == STATUS_OK && files.count > 0 && files.number[0] > 1)
        status = status_fail(STATUS_USAGE,
                             "the catalogue '%s' is one of %.0f files of its time, and only "
                             "catalogues in a single file are read; join them",
                             path, files.number[0]);
    if (status == STATUS_OK)
        status = read_table(file, "Subhalo/SubhaloPos", table.rows, 3, &place);
    if (status == STATUS_OK)
        status = read_table(file, "Subhalo/SubhaloHalfmassRad", table.rows, 1, &radius);
    if (status == STATUS_OK)
        status = read_table(file, "Subhalo/SubhaloMass", table.rows, 1, &mass);
    if (status == STATUS_OK && !(place && radius && mass))
        status = status_fail(STATUS_USAGE,
                             "'%s' is no catalogue of SUBFIND: Subhalo/SubhaloPos, "
                             "SubhaloHalfmassRad or SubhaloMass is missing; give "
                             "fof_subhalo_tab of GADGET-4",
                             path);
    if (status == STATUS_OK) {
        out->kind = "SUBFIND";
        out->radius_unit = 1;
        out->count = table.rows;
        out->halos = memory_new(out->count, sizeof *out->halos);
        for (size_t i = 0; i < out->count; i++)
            out->halos[i] =
                (struct halo){.id = i,
                              .group = -1,
                              .next = -1,
                              .before = -1,
                              .next_scale = -1,
                              .position = {place[3 * i], place[3 * i + 1], place[3 * i + 2]},
                              .radius = radius[i],
                              .mass = mass[i]};
        status = read_groups(file, out);
    }
    if (status == STATUS_OK)
        status = read_descendants(path, out);
    hdf5_close(&file);
    free(place);
    free(radius);
    free(mass);
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
