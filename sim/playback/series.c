#include "sim/playback/series.h"

#include "base/file.h"
#include "base/memory.h"
#include "sim/bodies/edit.h"
#include "sim/formats/formats.h"
#include "sim/formats/units.h"

#include <stdlib.h>
#include <string.h>

static enum status fail_time(const struct series *series, const char *path)
{
    return status_fail(STATUS_USAGE,
                       "'%s' does not say at which time it is, so that it has no place among the "
                       "snapshots of '%s'; name files of a format that does, such as GADGET's",
                       path, series->params->file);
}

/* Only the header is read, where the format has one. */
static enum status read_head(const struct bodies_params *params, const char *path,
                             struct snapshot *out)
{
    enum status status = format_read_units(path, params->format, out);
    if (status != STATUS_OK || out->time_known || out->format->read_units)
        return status;
    snapshot_free(out);
    return format_read(path, params->format, out);
}

static enum status read_time(const struct series *series, struct series_file *file)
{
    struct snapshot head;
    const struct bodies_params *params = series->params;
    enum status status = read_head(params, file->path, &head);
    if (status != STATUS_OK)
        return status;
    const struct snapshot_units units = units_of_file(&head, params->file_units);
    const struct unit_factors by = units_factors(&params->units, &units);
    file->time =
        head.time * (by.position / by.velocity) * (params->position_scale / params->velocity_scale);
    if (!head.time_known)
        status = fail_time(series, file->path);
    snapshot_free(&head);
    return status;
}

static int by_time(const void *a, const void *b)
{
    const struct series_file *x = a, *y = b;
    return x->time != y->time ? (x->time > y->time) - (x->time < y->time)
                              : strverscmp(x->path, y->path);
}

static enum status check_times(const struct series *series)
{
    const struct series_file *files = series->files;
    for (size_t k = 1; k < series->count; k++)
        if (!(files[k].time > files[k - 1].time))
            return status_fail(
                STATUS_USAGE,
                "'%s' and '%s' are both at time %.10g; name only one of them, and of "
                "a snapshot in several files the first, as in 'snapshot_*.0.hdf5'",
                files[k - 1].path, files[k].path, files[k].time);
    return STATUS_OK;
}

static enum status find_files(struct series *series)
{
    char **found;
    const char *pattern = series->params->file;
    series->count = file_matches(pattern, &found);
    series->files = memory_new(series->count + 1, sizeof *series->files);
    for (size_t k = 0; k < series->count; k++)
        series->files[k].path = found[k];
    free(found);
    if (series->count == 0)
        return status_fail(STATUS_IO,
                           "no file is called '%s'; name the snapshots with a pattern in quotes, "
                           "such as 'snapshot_*.hdf5'",
                           pattern);
    if (series->count == 1)
        return status_fail(STATUS_USAGE,
                           "'%s' is the only file that '%s' means, and a film needs two snapshots "
                           "or more; for one, give --bodies-from",
                           series->files[0].path, pattern);
    return STATUS_OK;
}

enum status series_open(struct series *out, const struct bodies_params *params)
{
    *out = (struct series){.params = params};
    enum status status = find_files(out);
    for (size_t k = 0; k < out->count && status == STATUS_OK; k++)
        status = read_time(out, &out->files[k]);
    if (status == STATUS_OK) {
        qsort(out->files, out->count, sizeof *out->files, by_time);
        status = check_times(out);
    }
    if (status != STATUS_OK)
        series_close(out);
    return status;
}

void series_close(struct series *series)
{
    for (size_t k = 0; k < series->count; k++)
        free(series->files[k].path);
    free(series->files);
    *series = (struct series){.params = NULL};
}

static enum status number_rows(struct bodies *bodies)
{
    enum status status = bodies_add_ids(bodies, bodies->count);
    for (size_t i = 0; i < bodies->count && status == STATUS_OK; i++)
        bodies->id[i] = i + 1;
    return status;
}

enum status series_read(const struct series *series, size_t k, struct snapshot *out)
{
    const struct bodies_params *params = series->params;
    enum status status = format_read(series->files[k].path, params->format, out);
    if (status != STATUS_OK)
        return status;
    const struct snapshot_units units = units_of_file(out, params->file_units);
    const struct unit_factors by = units_factors(&params->units, &units);
    if (by.position != 1 || by.velocity != 1 || by.mass != 1)
        bodies_scale(out->bodies, by.position, by.velocity, by.mass);
    out->box *= by.position;
    if (!out->bodies->id)
        status = number_rows(out->bodies);
    if (status != STATUS_OK)
        snapshot_free(out);
    return status;
}

char *series_first(const char *pattern)
{
    char **found;
    const size_t count = file_matches(pattern, &found);
    char *first = count > 0 ? found[0] : NULL;
    for (size_t k = 1; k < count; k++)
        free(found[k]);
    free(found);
    return first;
}
