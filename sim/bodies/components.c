#include "base/log.h"
#include "sim/bodies/bodies.h"
#include "sim/bodies/rows.h"
#include "sim/models/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_row(struct bodies *bodies, size_t i, const struct row *row)
{
    bodies->mass[i] = row->number[0];
    memcpy(bodies->position[i], &row->number[1], sizeof *bodies->position);
    memcpy(bodies->velocity[i], &row->number[4], sizeof *bodies->velocity);
}

static int by_first(const void *a, const void *b)
{
    const struct component_params *x = *(const struct component_params *const *)a;
    const struct component_params *y = *(const struct component_params *const *)b;
    return (x->first > y->first) - (x->first < y->first);
}

static enum status check_component(const struct component_params *component, const char *path,
                                   size_t rows)
{
    const char *galaxy = component->galaxy, *slash = *galaxy ? "/" : "", *name = component->name;
    if (strlen(name) >= BODIES_NAME_MAX || strlen(galaxy) >= BODIES_NAME_MAX)
        return status_fail(STATUS_USAGE,
                           "component '%s%s%s' has a name longer than %d bytes; shorten it", galaxy,
                           slash, name, BODIES_NAME_MAX - 1);
    if (!(isfinite(component->light) && component->light >= 0))
        return status_fail(STATUS_USAGE,
                           "component '%s%s%s' has light %g; give a finite number "
                           "not below 0",
                           galaxy, slash, name, component->light);
    if (component->first < 1 || component->last < component->first || component->last > rows)
        return status_fail(
            STATUS_USAGE,
            "component '%s%s%s' is rows %llu to %llu, and %s has rows 1 to %zu; give "
            "a range within them",
            galaxy, slash, name, (unsigned long long)component->first,
            (unsigned long long)component->last, path, rows);
    return STATUS_OK;
}

static enum status check_components(const struct bodies_params *params, size_t rows)
{
    const size_t n = params->component_count;
    const struct component_params **sorted = calloc(n, sizeof *sorted);
    if (!sorted)
        return status_fail(STATUS_RUNTIME, "no memory left to check the components");
    enum status status = STATUS_OK;
    for (size_t c = 0; c < n && status == STATUS_OK; c++) {
        sorted[c] = &params->components[c];
        status = check_component(sorted[c], params->file, rows);
    }
    if (status == STATUS_OK)
        qsort(sorted, n, sizeof *sorted, by_first);
    for (size_t c = 1; c < n && status == STATUS_OK; c++) {
        const struct component_params *a = sorted[c - 1], *b = sorted[c];
        if (b->first <= a->last)
            status = status_fail(STATUS_USAGE,
                                 "components '%s%s%s' and '%s%s%s' both have row %llu; give ranges "
                                 "that do not overlap",
                                 a->galaxy, *a->galaxy ? "/" : "", a->name, b->galaxy,
                                 *b->galaxy ? "/" : "", b->name, (unsigned long long)b->first);
    }
    free(sorted);
    return status;
}

static enum status gather_ranges(const struct bodies_params *params, const struct rows *rows,
                                 struct bodies **out)
{
    size_t count = 0, to = 0;
    for (size_t c = 0; c < params->component_count; c++)
        count += params->components[c].last - params->components[c].first + 1;
    enum status status = bodies_create(out, count, params->component_count);
    if (status)
        return status;
    for (size_t c = 0; c < params->component_count; c++) {
        const struct component_params *from = &params->components[c];
        struct component *component = &(*out)->components[c];
        *component = (struct component){.first = to,
                                        .count = from->last - from->first + 1,
                                        .draw = from->draw,
                                        .light = from->light,
                                        .softening = from->softening};
        snprintf(component->name, BODIES_NAME_MAX, "%s", from->name);
        snprintf(component->galaxy, BODIES_NAME_MAX, "%s", from->galaxy);
        for (size_t i = 0; i < component->count; i++)
            put_row(*out, to++, &rows->row[from->first - 1 + i]);
    }
    return STATUS_OK;
}

/* By the 8th column, a component a galaxy; without it all rows are one component. */
static enum status gather_galaxies(const struct rows *rows, struct bodies **out)
{
    size_t counts[ROW_GALAXIES] = {0}, next[ROW_GALAXIES], components = 0, first = 0;
    for (size_t i = 0; i < rows->count; i++)
        counts[rows->row[i].galaxy]++;
    for (size_t g = 0; g < ROW_GALAXIES; g++)
        components += counts[g] > 0;
    enum status status = bodies_create(out, rows->count, components);
    if (status)
        return status;
    struct component *component = (*out)->components;
    for (size_t g = 0; g < ROW_GALAXIES; g++) {
        next[g] = first;
        if (counts[g] == 0)
            continue;
        *component = (struct component){
            .name = "bodies", .first = first, .count = counts[g], .draw = true, .light = 1};
        if (rows->columns > ROW_NUMBERS) {
            snprintf(component->name, BODIES_NAME_MAX, "galaxy %zu", g);
            snprintf(component->galaxy, BODIES_NAME_MAX, "galaxy %zu", g);
        }
        first += counts[g];
        component++;
    }
    for (size_t i = 0; i < rows->count; i++)
        put_row(*out, next[rows->row[i].galaxy]++, &rows->row[i]);
    return STATUS_OK;
}

enum status bodies_read_table(const struct bodies_params *params, struct bodies **out)
{
    *out = NULL;
    if (!*params->file)
        return status_fail(STATUS_USAGE, "the model 'file' wants a bodies file and none is given; "
                                         "set bodies.file or give --bodies-from");
    struct rows rows;
    enum status status = rows_read(&rows, params->file);
    if (status)
        return status;
    bool ranges = params->component_count > 0;
    if (ranges) {
        status = check_components(params, rows.count);
        if (status == STATUS_USAGE && params->components_optional) {
            log_warning("%s; the scene's components are left out", status_text());
            ranges = false;
            status = STATUS_OK;
        }
    }
    if (status == STATUS_OK)
        status = ranges ? gather_ranges(params, &rows, out) : gather_galaxies(&rows, out);
    rows_free(&rows);
    return status;
}

const struct bodies_model model_file = {
    .name = "file",
    .doc = "a table of mass x y z vx vy vz, plain or gzip",
    .make = bodies_read_table,
};
