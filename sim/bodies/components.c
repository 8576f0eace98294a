#include "sim/bodies/components.h"

#include "base/log.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_row(struct bodies *bodies, size_t i, const struct body_row *row)
{
    bodies->mass[i] = row->mass;
    memcpy(bodies->position[i], row->position, sizeof *bodies->position);
    memcpy(bodies->velocity[i], row->velocity, sizeof *bodies->velocity);
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
    const struct component_params **sorted = memory_new(n, sizeof *sorted);
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

static enum status gather_ranges(struct bodies **out, const struct bodies_params *params,
                                 const struct body_rows *rows)
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

static enum status gather_groups(struct bodies **out, const struct body_rows *rows)
{
    size_t *next = memory_new(rows->group_count, sizeof *next), components = 0, first = 0;
    for (size_t i = 0; i < rows->count; i++)
        next[rows->row[i].group]++;
    for (size_t g = 0; g < rows->group_count; g++)
        components += next[g] > 0;
    enum status status = bodies_create(out, rows->count, components);
    for (size_t g = 0, c = 0; status == STATUS_OK && g < rows->group_count; g++) {
        const size_t count = next[g];
        next[g] = first;
        if (count == 0)
            continue;
        struct component *component = &(*out)->components[c++];
        *component = rows->group[g];
        component->first = first;
        component->count = count;
        first += count;
    }
    for (size_t i = 0; status == STATUS_OK && i < rows->count; i++)
        put_row(*out, next[rows->row[i].group]++, &rows->row[i]);
    free(next);
    return status;
}

enum status bodies_from_rows(struct bodies **out, const struct bodies_params *params,
                             const struct body_rows *rows)
{
    *out = NULL;
    if (params->component_count == 0)
        return gather_groups(out, rows);
    enum status status = check_components(params, rows->count);
    if (status == STATUS_OK)
        return gather_ranges(out, params, rows);
    if (status != STATUS_USAGE || !params->components_optional)
        return status;
    log_warning("%s; the scene's components are left out", status_text());
    return gather_groups(out, rows);
}
