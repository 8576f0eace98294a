/* HDF5 with one array for each field of the bodies and no groups, as h5py writes it: file["pos"] =
 * x. Names and shapes are those of NumPy's archives (npz.c); the time is an attribute of the file
 * or a dataset. */
#include "sim/formats/hdf5.h"

#include "sim/formats/columns.h"
#include "sim/formats/further.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MEMBERS_MAX = 1024, HALF = sizeof(float) };

struct arrays {
    struct hdf5_file *file;
    const char *path;
    struct snapshot *out;
    uint64_t count;                     /* of bodies; 0: no array found yet */
    char field[COLUMNS][HDF5_TEXT_MAX]; /* the dataset that begins at this column; "": none */
    bool has[COLUMNS];
    struct body_rows rows;
};

/* Notes the dataset that fills a column or the three of a vector. */
static enum status note_field(struct arrays *arrays, const char *name, int column, unsigned across)
{
    struct hdf5_table table;
    enum status status = hdf5_table(arrays->file, name, &table);
    if (status != STATUS_OK || !table.found) /* a group */
        return status;
    if (table.columns != across)
        return status_fail(STATUS_USAGE, "%s: %s does not have the shape (N,%s)", arrays->path,
                           name, across == 3 ? " 3" : "");
    if (arrays->count > 0 && table.rows != arrays->count)
        return status_fail(STATUS_USAGE, "%s: %s has %llu rows, and another array has %llu",
                           arrays->path, name, (unsigned long long)table.rows,
                           (unsigned long long)arrays->count);
    for (unsigned k = 0; k < across; k++) {
        if (arrays->has[column + (int)k])
            return status_fail(STATUS_USAGE, "%s: two arrays are the %s; leave one of them out",
                               arrays->path, column_names[column + (int)k]);
        arrays->has[column + (int)k] = true;
    }
    memcpy(arrays->field[column], name, HDF5_TEXT_MAX);
    arrays->count = table.rows;
    if (column >= COLUMN_X && column < COLUMN_GALAXY)
        arrays->out->single =
            arrays->out->single && table.class == HDF5_FLOAT && table.bytes <= HALF;
    return body_rows_check(arrays->path, table.rows);
}

/* Notes a dataset with one number per body as an additional column; leaves out any other. */
static enum status note_further(struct arrays *arrays, const char *name)
{
    struct hdf5_table table;
    struct hdf5_attribute unit;
    struct body_columns *further = &arrays->rows.further;
    if (!further_wanted(arrays->out, further, name))
        return STATUS_OK;
    if (hdf5_table(arrays->file, name, &table) != STATUS_OK || !table.found || table.columns != 1 ||
        table.rows != arrays->count) {
        snapshot_leave(arrays->out, name);
        return STATUS_OK;
    }
    const enum status status = hdf5_attribute(arrays->file, name, "unit", &unit);
    further_note(further, name, unit.text, table.class == HDF5_FLOAT && table.bytes <= HALF);
    return status;
}

/* The fields first, because they say how many bodies there are. */
static enum status note_all(struct arrays *arrays, bool further)
{
    enum status status = STATUS_OK;
    for (uint64_t k = 0; k < MEMBERS_MAX && status == STATUS_OK; k++) {
        char name[HDF5_TEXT_MAX];
        unsigned across;
        status = hdf5_member(arrays->file, "", k, name);
        if (status != STATUS_OK || !*name)
            break;
        const int column = column_find_array(name, strlen(name), &across);
        if (column >= 0 && !further)
            status = note_field(arrays, name, column, across);
        else if (column == COLUMN_OTHER && further)
            status = note_further(arrays, name);
    }
    return status;
}

static enum status read_time(struct arrays *arrays)
{
    static const char *const names[] = {"time", "Time", "t"};
    struct snapshot *out = arrays->out;
    struct hdf5_attribute got;
    struct hdf5_table table;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sizeof names / sizeof *names && status == STATUS_OK; i++) {
        if (out->time_known)
            break;
        status = hdf5_attribute(arrays->file, "", names[i], &got);
        if (status == STATUS_OK && got.count == 1)
            out->time = got.number[0];
        else if (status == STATUS_OK)
            status = hdf5_table(arrays->file, names[i], &table);
        out->time_known = status == STATUS_OK && got.count == 1;
        if (status == STATUS_OK && !out->time_known && table.found && table.rows == 1 &&
            table.columns == 1) {
            status = hdf5_numbers(arrays->file, names[i], 0, 1, &out->time, 1, false);
            out->time_known = status == STATUS_OK;
        }
    }
    out->time_known = out->time_known && isfinite(out->time);
    return status;
}

static enum status read_galaxies(struct arrays *arrays, const char *name)
{
    double *values = NULL;
    bool rounded = false;
    enum status status = body_rows_add_galaxies(&arrays->rows);
    if (status == STATUS_OK && !body_column_resize(&values, arrays->count, sizeof *values))
        status = status_fail(STATUS_RUNTIME, "no memory left for the galaxies of %llu bodies",
                             (unsigned long long)arrays->count);
    if (status == STATUS_OK)
        status = hdf5_values(arrays->file, name, 0, arrays->count, values, &rounded);
    for (uint64_t i = 0; i < arrays->count && status == STATUS_OK; i++) {
        if (!column_is_galaxy(values[i]))
            status =
                status_fail(STATUS_USAGE,
                            "%s: the galaxy of body %llu is %g, but must be a whole number "
                            "from 0 to %d",
                            arrays->path, (unsigned long long)i + 1, values[i], BODY_GALAXIES - 1);
        else
            arrays->out->group[i] = (uint32_t)values[i];
    }
    free(values);
    return status;
}

static enum status read_ids(const struct arrays *arrays, const char *name)
{
    struct snapshot *out = arrays->out;
    uint64_t good = 0;
    enum status status = bodies_add_ids(out->bodies, arrays->rows.room);
    if (status == STATUS_OK)
        status = hdf5_ids(arrays->file, name, 0, arrays->count, out->bodies->id, &good);
    return status == STATUS_OK ? snapshot_check_ids(out, arrays->path, name, good, arrays->count)
                               : status;
}

static enum status read_field(struct arrays *arrays, int column)
{
    const struct bodies *bodies = arrays->out->bodies;
    const char *name = arrays->field[column];
    if (!*name)
        return STATUS_OK;
    if (column == COLUMN_ID)
        return read_ids(arrays, name);
    if (column == COLUMN_GALAXY)
        return read_galaxies(arrays, name);
    double *to = column == COLUMN_MASS ? bodies->mass
                 : column < COLUMN_VX  ? bodies->position[0] + (column - COLUMN_X)
                                       : bodies->velocity[0] + (column - COLUMN_VX);
    return hdf5_numbers(arrays->file, name, 0, arrays->count, to, column == COLUMN_MASS ? 1 : 3,
                        column == COLUMN_MASS);
}

static enum status read_further(const struct arrays *arrays)
{
    const struct body_columns *columns = &arrays->out->bodies->columns;
    enum status status = STATUS_OK;
    for (size_t c = 0; c < columns->count && status == STATUS_OK; c++) {
        bool rounded = false;
        status = hdf5_values(arrays->file, columns->list[c].name, 0, arrays->count,
                             columns->list[c].value, &rounded);
        if (rounded)
            snapshot_round(arrays->out, columns->list[c].name);
    }
    return status;
}

static enum status read_all(struct arrays *arrays)
{
    enum status status = body_rows_begin(&arrays->rows, arrays->out, (size_t)arrays->count);
    if (status == STATUS_OK)
        arrays->out->bodies->count = (size_t)arrays->count;
    for (int c = 0; c < COLUMNS && status == STATUS_OK; c++)
        status = read_field(arrays, c);
    if (status == STATUS_OK)
        status = read_further(arrays);
    if (status == STATUS_OK)
        body_rows_end(&arrays->rows);
    return status;
}

enum status hdf5_arrays_units(struct hdf5_file *file, const char *path, struct snapshot *out,
                              bool *found)
{
    struct arrays arrays = {.file = file, .path = path, .out = out};
    enum status status = note_all(&arrays, false);
    *found = status == STATUS_OK && arrays.count > 0;
    return *found ? read_time(&arrays) : status;
}

enum status hdf5_arrays_read(struct hdf5_file *file, const char *path, struct snapshot *out,
                             bool *found)
{
    struct arrays arrays = {.file = file, .path = path, .out = out};
    out->single = true;
    enum status status = note_all(&arrays, false);
    *found = status == STATUS_OK && arrays.count > 0;
    if (!*found)
        return status;
    status =
        columns_check_arrays(arrays.path, arrays.has,
                             "with h5py as file['mass'] = m, file['pos'] = x, file['vel'] = v,");
    if (status == STATUS_OK)
        status = note_all(&arrays, true);
    if (status == STATUS_OK)
        status = read_time(&arrays);
    if (status == STATUS_OK)
        status = read_all(&arrays);
    body_columns_free(&arrays.rows.further);
    return status;
}
