#include "sim/bodies/components.h"

#include "base/log.h"
#include "base/memory.h"
#include "sim/bodies/edit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_first(const void *a, const void *b)
{
    const struct component_params *x = *(const struct component_params *const *)a;
    const struct component_params *y = *(const struct component_params *const *)b;
    return (x->first > y->first) - (x->first < y->first);
}

static enum status check_component(const struct component_params *component, const char *path,
                                   size_t rows, bool by_id)
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
    if (component->last < component->first ||
        (!by_id && (component->first < 1 || component->last > rows)))
        return status_fail(
            STATUS_USAGE,
            by_id ? "component '%s%s%s' has the ids %llu to %llu, which are not in order; give the "
                    "lower one first"
                  : "component '%s%s%s' has the rows %llu to %llu, and %s has rows 1 to %zu; give "
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
        status = check_component(sorted[c], params->file, rows, params->by_id);
    }
    if (status == STATUS_OK)
        qsort(sorted, n, sizeof *sorted, by_first);
    for (size_t c = 1; c < n && status == STATUS_OK; c++) {
        const struct component_params *a = sorted[c - 1], *b = sorted[c];
        if (b->first <= a->last)
            status = status_fail(STATUS_USAGE,
                                 "components '%s%s%s' and '%s%s%s' both have %s %llu; give ranges "
                                 "that do not overlap",
                                 a->galaxy, *a->galaxy ? "/" : "", a->name, b->galaxy,
                                 *b->galaxy ? "/" : "", b->name, params->by_id ? "id" : "row",
                                 (unsigned long long)b->first);
    }
    free(sorted);
    return status;
}

static void name_component(struct component *component, const struct component_params *from)
{
    *component =
        (struct component){.draw = from->draw, .light = from->light, .softening = from->softening};
    snprintf(component->name, BODIES_NAME_MAX, "%s", from->name);
    snprintf(component->galaxy, BODIES_NAME_MAX, "%s", from->galaxy);
}

/* Whether the ranges are consecutive and cover all rows. */
static bool is_in_order(const struct bodies_params *params, size_t rows)
{
    uint64_t next = 1;
    for (size_t c = 0; c < params->component_count; next = params->components[c++].last + 1)
        if (params->components[c].first != next)
            return false;
    return next == rows + 1;
}

/* Finds for each body the component whose range contains its row or id; n: none. */
static void find_groups(const struct bodies *bodies, const struct bodies_params *params,
                        uint32_t *group)
{
    const size_t n = params->component_count;
    const struct component_params *ranges = params->components;
    for (size_t i = 0; i < bodies->count; i++) {
        const uint64_t number = params->by_id ? bodies->id[i] : i + 1;
        size_t c = 0;
        while (c < n && (number < ranges[c].first || number > ranges[c].last))
            c++;
        group[i] = (uint32_t)c;
    }
}

/* Sorts by component; bodies outside all ranges come last and are cut off. `size`: number of bodies
 * per component. */
static enum status sort_ranges(struct bodies *bodies, const struct bodies_params *params,
                               size_t *size)
{
    const size_t n = params->component_count;
    uint32_t *group = malloc(bodies->count * sizeof *group);
    if (!group)
        return status_fail(STATUS_RUNTIME,
                           "no memory left for sorting %zu bodies into components, which takes %zu "
                           "bytes",
                           bodies->count, bodies->count * sizeof *group);
    find_groups(bodies, params, group);
    bodies_sort(bodies, group, n + 1, size);
    bodies->count -= size[n];
    free(group);
    for (size_t c = 0; c < n; c++)
        if (size[c] == 0)
            return status_fail(STATUS_USAGE,
                               "component '%s' has the ids %llu to %llu, but no body of %s has an "
                               "id in that range; correct the range",
                               params->components[c].name,
                               (unsigned long long)params->components[c].first,
                               (unsigned long long)params->components[c].last, params->file);
    return STATUS_OK;
}

static enum status arrange_ranges(struct bodies *bodies, const struct bodies_params *params)
{
    const size_t n = params->component_count;
    size_t *size = memory_new(n + 1, sizeof *size), first = 0;
    enum status status = STATUS_OK;
    for (size_t c = 0; c < n; c++)
        size[c] = params->components[c].last - params->components[c].first + 1;
    if (params->by_id || !is_in_order(params, bodies->count))
        status = sort_ranges(bodies, params, size);
    if (status == STATUS_OK) {
        free(bodies->components);
        bodies->component_count = n;
        bodies->components = memory_new(n, sizeof *bodies->components);
    }
    for (size_t c = 0; status == STATUS_OK && c < n; c++) {
        struct component *component = &bodies->components[c];
        name_component(component, &params->components[c]);
        component->first = first;
        component->count = size[c];
        first += size[c];
    }
    free(size);
    return status;
}

void bodies_arrange_own(struct bodies *bodies, uint32_t *group)
{
    const size_t groups = bodies->component_count;
    if (group) {
        size_t *size = memory_new(groups, sizeof *size);
        bodies_sort(bodies, group, groups, size);
        for (size_t c = 0; c < groups; c++)
            bodies->components[c].count = size[c];
        free(size);
    }
    bodies->component_count = 0;
    for (size_t c = 0, first = 0; c < groups; c++) {
        struct component component = bodies->components[c];
        component.first = first;
        first += component.count;
        if (component.count > 0)
            bodies->components[bodies->component_count++] = component;
    }
}

enum status bodies_arrange(struct bodies *bodies, const struct bodies_params *params,
                           uint32_t *group)
{
    enum status status = STATUS_OK;
    if (params->component_count > 0) {
        if (params->by_id && !bodies->id)
            status = status_fail(STATUS_USAGE,
                                 "the components are given by ids, and the bodies of %s have none; "
                                 "leave out bodies.by_id and give rows",
                                 params->file);
        if (status == STATUS_OK)
            status = check_components(params, bodies->count);
        if (status == STATUS_OK)
            return arrange_ranges(bodies, params);
        if (status != STATUS_USAGE || !params->components_optional)
            return status;
        log_warning("%s; the scene's components are left out", status_text());
    }
    bodies_arrange_own(bodies, group);
    return STATUS_OK;
}
