#include "sim/bodies/edit.h"

#include "base/functions/fn.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool share_is_skewed(void)
{
    static int skewed; /* 0: not known yet; the same from every thread */
    if (skewed == 0)
        skewed = getenv("GRAVREEL_RANKS_SKEW") ? 1 : -1;
    return skewed > 0;
}

void share_out(size_t count, size_t n, const double *weight, size_t *share)
{
    double largest = 0, total = 0;
    size_t given = 0;
    for (size_t k = 0; k < n; k++)
        largest = weight[k] > largest ? weight[k] : largest;
    for (size_t k = 0; k < n; k++)
        total += weight[k] / largest; /* the plain sum could overflow */
    for (size_t k = 0; k < n; k++) {
        double exact = (double)count * (weight[k] / largest / total);
        share[k] = exact < (double)(count - given) ? (size_t)exact : count - given;
        given += share[k];
    }
    while (given < count) {
        size_t best = n;
        double most = 0;
        for (size_t k = 0; k < n; k++) {
            double left = (double)count * (weight[k] / largest / total) - (double)share[k];
            if (weight[k] > 0 && (best == n || left > most))
                best = k, most = left;
        }
        share[best]++;
        given++;
    }
}

void bodies_move(struct bodies *bodies, size_t to, size_t from)
{
    bodies->mass[to] = bodies->mass[from];
    memmove(bodies->position[to], bodies->position[from], sizeof *bodies->position);
    memmove(bodies->velocity[to], bodies->velocity[from], sizeof *bodies->velocity);
    if (bodies->id)
        bodies->id[to] = bodies->id[from];
    body_columns_move(&bodies->columns, to, from);
}

/* Finds the word before the next comma, without surrounding blanks. */
static const char *next_word(const char *text, const char **word, size_t *length)
{
    size_t n = strcspn(text, ",");
    const char *end = text + n;
    while (n && (*text == ' ' || *text == '\t'))
        text++, n--;
    while (n && (text[n - 1] == ' ' || text[n - 1] == '\t'))
        n--;
    *word = text;
    *length = n;
    return *end ? end + 1 : NULL;
}

static bool word_names(const char *word, size_t length, const struct component *component)
{
    char full[2 * BODIES_NAME_MAX];
    int n = snprintf(full, sizeof full, "%s/%s", component->galaxy, component->name);
    const char *name = component->name;
    return (length == strlen(name) && memcmp(word, name, length) == 0) ||
           (length == (size_t)n && memcmp(word, full, length) == 0);
}

static enum status unknown_component(const struct bodies *bodies, const char *word, size_t length)
{
    char list[STATUS_TEXT_MAX / 2] = "";
    for (size_t c = 0; c < bodies->component_count; c++) {
        const struct component *component = &bodies->components[c];
        char full[2 * BODIES_NAME_MAX];
        snprintf(full, sizeof full, "%s%s%s", component->galaxy, *component->galaxy ? "/" : "",
                 component->name);
        text_list(list, sizeof list, full);
    }
    return status_fail(STATUS_USAGE,
                       "bodies.use names the component '%.*s', which is not there; choose from %s",
                       (int)(length < 200 ? length : 200), word, list);
}

enum status bodies_select(struct bodies *bodies, const char *use)
{
    if (!*use || strcmp(use, "all") == 0)
        return STATUS_OK;
    bool *keep = memory_new(bodies->component_count, sizeof *keep);
    for (const char *rest = use, *word; rest;) {
        size_t length, found = 0;
        rest = next_word(rest, &word, &length);
        for (size_t c = 0; c < bodies->component_count; c++) {
            if (word_names(word, length, &bodies->components[c]))
                keep[c] = true, found++;
        }
        if (!found) {
            free(keep);
            return unknown_component(bodies, word, length);
        }
    }

    size_t count = 0, components = 0;
    for (size_t c = 0; c < bodies->component_count; c++) {
        struct component component = bodies->components[c];
        if (!keep[c])
            continue;
        for (size_t i = 0; i < component.count; i++)
            bodies_move(bodies, count + i, component.first + i);
        component.first = count;
        count += component.count;
        bodies->components[components++] = component;
    }
    bodies->count = count;
    bodies->component_count = components;
    free(keep);
    return STATUS_OK;
}

void bodies_drop(struct bodies *bodies, const bool *dropped)
{
    size_t to = 0, components = 0;
    for (size_t c = 0; c < bodies->component_count; c++) {
        struct component component = bodies->components[c];
        const size_t end = component.first + component.count, first = to;
        for (size_t i = component.first; i < end; i++)
            if (!dropped[i])
                bodies_move(bodies, to++, i);
        component.first = first;
        component.count = to - first;
        if (component.count > 0)
            bodies->components[components++] = component;
    }
    bodies->count = to;
    bodies->component_count = components;
}

/* Leaves every component at least one body, if there are enough, at the expense of the largest. */
static void keep_all_alive(size_t count, size_t n, size_t *share)
{
    if (count < n)
        return;
    for (size_t k = 0; k < n; k++) {
        size_t largest = 0;
        for (size_t j = 1; j < n; j++)
            largest = share[j] > share[largest] ? j : largest;
        if (share[k] == 0) {
            share[largest]--;
            share[k]++;
        }
    }
}

uint64_t thin_row(size_t i, size_t share, uint64_t count)
{
    return (uint64_t)((unsigned __int128)(2 * i + 1) * count / (2 * share));
}

void thin_weigh(struct bodies *bodies, size_t first, size_t share, double ratio, double before,
                double after)
{
    const struct body_column *kernel = body_columns_find(&bodies->columns, BODY_KERNEL);
    for (size_t i = first; kernel && i < first + share; i++) /* keeps the overlap of kernels */
        kernel->value[i] *= fn_cbrt(ratio);
    for (size_t i = first; i < first + share; i++)
        bodies->mass[i] = after > 0 ? bodies->mass[i] * (before / after) : before / (double)share;
}

/* Moves the bodies that a component keeps to `to`. */
static void thin_component(struct bodies *bodies, const struct component *component, size_t share,
                           size_t to)
{
    double before = 0, after = 0;
    for (size_t i = 0; i < component->count; i++)
        before += bodies->mass[component->first + i];
    for (size_t i = 0; i < share; i++) {
        bodies_move(bodies, to + i, component->first + thin_row(i, share, component->count));
        after += bodies->mass[to + i];
    }
    thin_weigh(bodies, to, share, (double)component->count / (double)share, before, after);
}

void thin_share(const struct bodies *bodies, size_t count, size_t *share)
{
    double *weight = memory_new(bodies->component_count, sizeof *weight);
    for (size_t c = 0; c < bodies->component_count; c++)
        weight[c] = (double)component_whole(&bodies->components[c]);
    share_out(count, bodies->component_count, weight, share);
    keep_all_alive(count, bodies->component_count, share);
    free(weight);
}

enum status bodies_thin(struct bodies *bodies, size_t count)
{
    if (count > bodies->count)
        return status_fail(STATUS_USAGE,
                           "%zu bodies were asked for, but there are only %zu; ask for at most "
                           "that many with -n, or for 0 to take all",
                           count, bodies->count);
    if (count == 0)
        return status_fail(STATUS_USAGE, "0 bodies cannot be simulated; ask for at least one");
    if (count == bodies->count)
        return STATUS_OK;
    size_t *share = memory_new(bodies->component_count, sizeof *share);
    thin_share(bodies, count, share);

    size_t to = 0, components = 0;
    for (size_t c = 0; c < bodies->component_count; c++) {
        struct component component = bodies->components[c];
        if (share[c] == 0)
            continue;
        thin_component(bodies, &component, share[c], to);
        component.first = to;
        component.count = share[c];
        to += share[c];
        bodies->components[components++] = component;
    }
    bodies->count = count;
    bodies->component_count = components;
    free(share);
    return STATUS_OK;
}

enum status bodies_slice(struct bodies *bodies, unsigned part, unsigned parts)
{
    size_t to = 0;
    for (size_t c = 0; c < bodies->component_count; c++) {
        struct component *component = &bodies->components[c];
        const size_t begin = component->first + share_begin(component->count, part, parts),
                     end = component->first + share_begin(component->count, part + 1, parts);
        component->first = to;
        component->count = end - begin;
        for (size_t i = begin; i < end; i++)
            bodies_move(bodies, to++, i);
    }
    bodies->count = to;
    return bodies_make_room(bodies, to);
}

void bodies_scale(struct bodies *bodies, double position, double velocity, double mass)
{
    const struct body_column *kernel = body_columns_find(&bodies->columns, BODY_KERNEL);
    for (size_t i = 0; kernel && i < bodies->count; i++)
        kernel->value[i] *= position;
    if (position == 1 && velocity == 1 && mass == 1)
        return;
    for (size_t i = 0; i < bodies->count; i++) {
        bodies->mass[i] *= mass;
        for (int k = 0; k < 3; k++) {
            bodies->position[i][k] *= position;
            bodies->velocity[i][k] *= velocity;
        }
    }
}

static void swap_bytes(void *a, void *b, size_t size)
{
    unsigned char kept[3 * sizeof(double)];
    memcpy(kept, a, size);
    memcpy(a, b, size);
    memcpy(b, kept, size);
}

static void swap_bodies(struct bodies *bodies, size_t a, size_t b)
{
    swap_bytes(&bodies->mass[a], &bodies->mass[b], sizeof *bodies->mass);
    swap_bytes(bodies->position[a], bodies->position[b], sizeof *bodies->position);
    swap_bytes(bodies->velocity[a], bodies->velocity[b], sizeof *bodies->velocity);
    if (bodies->id)
        swap_bytes(&bodies->id[a], &bodies->id[b], sizeof *bodies->id);
    body_columns_swap(&bodies->columns, a, b);
}

/* A counting sort: each body's group is replaced by its new place, then bodies are swapped along
 * each cycle of the permutation. */
void bodies_sort(struct bodies *bodies, uint32_t *group, size_t groups, size_t *size)
{
    size_t *next = memory_new(groups, sizeof *next), first = 0;
    memset(size, 0, groups * sizeof *size);
    for (size_t i = 0; i < bodies->count; i++)
        size[group[i]]++;
    for (size_t g = 0; g < groups; g++) {
        next[g] = first;
        first += size[g];
    }
    for (size_t i = 0; i < bodies->count; i++)
        group[i] = (uint32_t)next[group[i]]++;
    free(next);
    for (size_t i = 0; i < bodies->count; i++)
        while (group[i] != i) {
            const uint32_t to = group[i];
            swap_bodies(bodies, i, to);
            group[i] = group[to];
            group[to] = to;
        }
}
