#include "sim/playback/series.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "sim/bodies/edit.h"
#include "sim/formats/units.h"
#include "sim/playback/directory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum status fail_time(const struct series *series, const char *path)
{
    return status_fail(STATUS_USAGE,
                       "'%s' does not store its time, so it has no place among the snapshots of "
                       "'%s'; name files of a format that does, such as GADGET's",
                       path, series->params->file);
}

static enum status read_time(const struct series *series, struct series_file *file)
{
    struct snapshot head;
    const struct bodies_params *params = series->params;
    enum status status = format_read_time(file->path, params->format, &head);
    if (status != STATUS_OK)
        return status;
    const struct snapshot_units units = units_of_file(&head, params);
    const struct unit_factors by = units_factors(&params->units, &units);
    const bool grows = head.expansion > 0 && !series_comoves(series);
    file->time = bodies_time(params, &head);
    file->scale = head.scale_factor;
    for (int c = 0; c < 3; c++)
        file->centre[c] = grows ? head.box[c] / 2 * by.position : 0;
    status =
        head.time_known ? bodies_convert(params, &head, file->path) : fail_time(series, file->path);
    file->cosmology = head.cosmology;
    memcpy(file->box, head.box, sizeof file->box);
    snapshot_free(&head);
    return status;
}

struct cosmology series_cosmology(const struct series *series)
{
    struct cosmology of = series->files[0].cosmology;
    of.hubble *= series->params->velocity_scale / series->params->position_scale;
    return of;
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
    for (size_t k = 1; k < series->count && series_comoves(series); k++)
        if (!(files[k].scale > files[k - 1].scale))
            return status_fail(
                STATUS_USAGE,
                "'%s' is later than '%s' but has the scale factor %.10g after %.10g, so "
                "they are of different universes; name the snapshots of one "
                "simulation, or set bodies.frame to physical",
                files[k].path, files[k - 1].path, files[k].scale, files[k - 1].scale);
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
    return series->count > 0
               ? STATUS_OK
               : status_fail(STATUS_IO,
                             "no file is called '%s'; name the snapshots with a pattern in quotes, "
                             "such as 'snapshot_*.hdf5'",
                             pattern);
}

static bool is_called(const struct series_file *file, char *name)
{
    const bool same = name && strcmp(file->path, name) == 0;
    free(name);
    return same;
}

/* The first file of a snapshot in several files names them all, so later parts are skipped, unless
 * they are snapshots of different times that are merely named like parts. */
static bool is_part_of(const struct series_file *file, const struct series_file *first)
{
    return file->time == first->time && (is_called(first, parts_name(file->path, 0)) ||
                                         is_called(file, parts_whole(first->path)));
}

static enum status drop_parts(struct series *series)
{
    size_t kept = 0;
    for (size_t k = 0; k < series->count; k++)
        if (kept > 0 && is_part_of(&series->files[k], &series->files[kept - 1]))
            free(series->files[k].path);
        else
            series->files[kept++] = series->files[k];
    series->count = kept;
    if (kept > 1)
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "only '%s' matches '%s', and a film needs at least two snapshots; for a "
                       "single one, use --bodies-from",
                       series->files[0].path, series->params->file);
}

enum status series_open(struct series *out, const struct bodies_params *params)
{
    *out = (struct series){.params = params};
    enum status status = find_files(out);
    for (size_t k = 0; k < out->count && status == STATUS_OK; k++)
        status = read_time(out, &out->files[k]);
    if (status == STATUS_OK) {
        qsort(out->files, out->count, sizeof *out->files, by_time);
        status = drop_parts(out);
    }
    if (status == STATUS_OK) {
        memcpy(out->centre, out->files[0].centre, sizeof out->centre);
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

/* Gives the bodies ids from 1 on, in the order of the whole snapshot. */
static enum status number_rows(struct snapshot *snapshot)
{
    struct bodies *bodies = snapshot->bodies;
    enum status status = bodies_add_ids(bodies, bodies->count + 1);
    uint64_t before = 1;
    for (size_t i = 0; !snapshot->whole && i < bodies->count && status == STATUS_OK; i++)
        bodies->id[i] = i + 1;
    for (size_t c = 0; snapshot->whole && c < bodies->component_count && status == STATUS_OK; c++) {
        const struct component *component = &bodies->components[c];
        const uint64_t whole = snapshot->whole[c];
        const uint64_t first =
            before + share_begin(whole, (unsigned)ranks_own(), (unsigned)ranks_count());
        for (size_t i = 0; i < component->count; i++)
            bodies->id[component->first + i] = first + i;
        before += whole;
    }
    return status;
}

static void shift(struct bodies *bodies, const double to[3], const double from[3])
{
    for (size_t i = 0; i < bodies->count; i++)
        for (int c = 0; c < 3; c++)
            bodies->position[i][c] += to[c] - from[c];
}

static enum status finish(const struct series *series, size_t k, struct snapshot *out)
{
    enum status status = bodies_convert(series->params, out, series->files[k].path);
    if (status == STATUS_OK && series->centre[0] + series->centre[1] + series->centre[2] > 0)
        shift(out->bodies, series->centre, series->files[k].centre);
    if (status == STATUS_OK && !out->bodies->id)
        status = number_rows(out);
    if (status != STATUS_OK)
        snapshot_free(out);
    return status;
}

enum status series_read(const struct series *series, size_t k, const struct column_choice *choice,
                        struct snapshot *out)
{
    const enum status status =
        format_read_chosen(series->files[k].path, series->params->format, choice, out);
    return status == STATUS_OK ? finish(series, k, out) : status;
}

enum status series_read_slice(const struct series *series, size_t k,
                              const struct column_choice *choice, struct snapshot *out)
{
    const enum status status =
        format_read_slice(series->files[k].path, series->params->format, choice,
                          (unsigned)ranks_own(), (unsigned)ranks_count(), out);
    return status == STATUS_OK ? finish(series, k, out) : status;
}

static enum status add_file(struct hash_stream *stream, const char *path)
{
    enum { SOME = 1 << 18 };
    char *bytes = memory_new(SOME, 1);
    FILE *file = fopen(path, "rb");
    long size = -1;
    bool good = file != NULL;
    if (good) {
        const size_t head = fread(bytes, 1, SOME, file);
        hash_add(stream, bytes, head);
        good = !ferror(file) && fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0;
    }
    if (good)
        good = fseek(file, size > SOME ? size - SOME : 0, SEEK_SET) == 0;
    if (good) {
        hash_add(stream, bytes, fread(bytes, 1, SOME, file));
        hash_add(stream, &size, sizeof size);
        good = !ferror(file);
    }
    const int reason = errno;
    if (file)
        (void)fclose(file);
    free(bytes);
    return good ? STATUS_OK
                : status_fail(STATUS_IO, "cannot read the snapshot '%s': %s", path,
                              strerror(reason));
}

enum status series_hash(const struct bodies_params *params, char out[HASH_TEXT])
{
    struct series series;
    *out = '\0';
    enum status status = series_open(&series, params);
    if (status != STATUS_OK)
        return status;
    struct hash_stream *stream = hash_open();
    for (size_t k = 0; k < series.count && status == STATUS_OK; k++) {
        hash_add(stream, &series.files[k].time, sizeof series.files[k].time);
        status = add_file(stream, series.files[k].path);
    }
    hash_end(&stream, status == STATUS_OK ? out : NULL);
    series_close(&series);
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

/* ---- numbers ---- */

struct numbers {
    struct series series;
    /* The ids of the drawn bodies, or their directory if bodies are shared. */
    struct ids ids;
    struct directory *directory;
    const char *column;
    double *list;
    size_t count;
};

/* Collective. */
static enum status take_shared_ids(struct numbers *numbers, const struct bodies *bodies)
{
    uint64_t *id = malloc((bodies->count + 1) * sizeof *id);
    struct directory_twice twice;
    size_t count = 0;
    if (!id)
        return status_fail(STATUS_RUNTIME, "no memory left for the ids of %zu bodies",
                           bodies->count);
    for (size_t i = bodies_drawn(bodies, 0); i < bodies->count; i = bodies_drawn(bodies, i + 1))
        id[count++] = bodies->id[i];
    const enum status status = directory_open(&numbers->directory, id, count, &twice);
    free(id);
    return status;
}

static enum status take_ids(struct numbers *numbers, const struct bodies *bodies)
{
    if (bodies->shared)
        return take_shared_ids(numbers, bodies);
    enum status status = ids_open(&numbers->ids, bodies->count);
    for (size_t i = bodies_drawn(bodies, 0); i < bodies->count && status == STATUS_OK;
         i = bodies_drawn(bodies, i + 1))
        status = ids_add(&numbers->ids, bodies->id[i]);
    return status;
}

static enum status add(struct numbers *numbers, const struct bodies *bodies)
{
    const struct body_column *column = body_columns_find(&bodies->columns, numbers->column);
    const size_t stride = (bodies->count + NUMBERS_ROWS - 1) / NUMBERS_ROWS;
    if (!column)
        return STATUS_OK;
    const size_t room = numbers->count + (bodies->count + stride - 1) / stride;
    double *larger = realloc(numbers->list, room * sizeof *larger);
    if (!larger)
        return status_fail(STATUS_RUNTIME, "no memory left for %zu numbers of the column '%s'",
                           room, numbers->column);
    numbers->list = larger;
    for (size_t i = 0, guess = 0; i < bodies->count; i += stride, guess++) {
        const size_t place = ids_find(&numbers->ids, bodies->id[i], guess);
        if (place == SIZE_MAX)
            continue;
        numbers->list[numbers->count++] = column->value[i];
        guess = place;
    }
    return STATUS_OK;
}

/* Collective: adds the numbers of this rank's slice, from the same rows as in one process. */
static enum status add_shared(struct numbers *numbers, const struct snapshot *snapshot)
{
    const struct bodies *bodies = snapshot->bodies;
    const struct body_column *column = body_columns_find(&bodies->columns, numbers->column);
    uint64_t all = 0, first = 0;
    size_t taken = 0;
    for (size_t c = 0; c < bodies->component_count; c++)
        all += snapshot->whole[c];
    const uint64_t stride = (all + NUMBERS_ROWS - 1) / NUMBERS_ROWS;
    uint64_t *id = malloc((bodies->count + 1) * sizeof *id);
    struct whereabouts *where = malloc((bodies->count + 1) * sizeof *where);
    double *value = malloc((bodies->count + 1) * sizeof *value),
           *larger = realloc(numbers->list, (numbers->count + bodies->count + 1) * sizeof *larger);
    enum status status =
        id && where && value && larger
            ? STATUS_OK
            : status_fail(STATUS_RUNTIME, "no memory left for %zu numbers", bodies->count);
    if (larger)
        numbers->list = larger;
    for (size_t c = 0; c < bodies->component_count && column && status == STATUS_OK;
         first += snapshot->whole[c++]) {
        const struct component *component = &bodies->components[c];
        const uint64_t begin =
            first + share_begin(snapshot->whole[c], (unsigned)ranks_own(), (unsigned)ranks_count());
        for (size_t i = 0; i < component->count; i++)
            if ((begin + i) % stride == 0) {
                id[taken] = bodies->id[component->first + i];
                value[taken++] = column->value[component->first + i];
            }
    }
    if (status == STATUS_OK)
        status = directory_find(numbers->directory, id, taken, where);
    for (size_t i = 0; i < taken && status == STATUS_OK; i++)
        if (where[i].rank != DIRECTORY_NOWHERE)
            numbers->list[numbers->count++] = value[i];
    free(id);
    free(where);
    free(value);
    return status;
}

static enum status add_snapshot(struct numbers *numbers, size_t k)
{
    struct snapshot snapshot;
    const struct column_choice choice = {.names = (const char *const[]){numbers->column, NULL}};
    const bool shared = numbers->directory != NULL;
    enum status status = shared ? series_read_slice(&numbers->series, k, &choice, &snapshot)
                                : series_read(&numbers->series, k, &choice, &snapshot);
    if (status != STATUS_OK)
        return status;
    status = shared ? add_shared(numbers, &snapshot) : add(numbers, snapshot.bodies);
    snapshot_free(&snapshot);
    return status;
}

enum status playback_numbers(const struct bodies_params *params, const struct bodies *bodies,
                             const char *column, double **out, size_t *count)
{
    struct numbers numbers = {.column = column};
    enum status status = series_open(&numbers.series, params);
    if (status == STATUS_OK)
        status = take_ids(&numbers, bodies);
    const size_t all = numbers.series.count;
    const size_t taken = all < NUMBERS_SNAPSHOTS ? all : NUMBERS_SNAPSHOTS;
    for (size_t i = 0; i < taken && status == STATUS_OK; i++)
        status =
            add_snapshot(&numbers, i * (all - 1) / (taken - 1)); /* a series has at least two */
    series_close(&numbers.series);
    ids_close(&numbers.ids);
    directory_close(&numbers.directory);
    *out = status == STATUS_OK ? numbers.list : NULL;
    *count = status == STATUS_OK ? numbers.count : 0;
    if (status != STATUS_OK)
        free(numbers.list);
    return status;
}
