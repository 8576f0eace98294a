#include "sim/bodies/bodies.h"

#include "base/hash.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Requests pages of 2 MiB, if the system has them: faulting in a large column in pages of 4 KiB
 * takes longer than reading it from a file. */
static void *in_large_pages(void *column, size_t count, size_t size)
{
    enum { LARGE = 2 << 20, WORTH = 2 * LARGE };
    const size_t bytes = count * size, over = (size_t)column % LARGE;
    if (column && bytes >= WORTH)
        (void)madvise((char *)column + (over ? LARGE - over : 0), bytes - LARGE, MADV_HUGEPAGE);
    return column;
}

/* Zeroed memory for the values of bodies, in large pages if the system has them. NULL: out of
 * memory. The caller frees it. */
static void *body_column_memory(size_t count, size_t size)
{
    return in_large_pages(calloc(count > 0 ? count : 1, size), count, size);
}

bool body_column_resize(void *column, size_t room, size_t size)
{
    void *const old = *(void **)column, *const now = reallocarray(old, room > 0 ? room : 1, size);
    if (now)
        *(void **)column = in_large_pages(now, room, size);
    return now;
}

/* ---- words ---- */

/* The slot of a word, or the free one where it belongs. */
static uint32_t *slot_of(const struct body_words *words, const char *word)
{
    size_t at = hash_word(word) & (words->slots - 1);
    while (words->slot[at] > 0 && strcmp(words->list[words->slot[at] - 1], word) != 0)
        at = (at + 1) & (words->slots - 1);
    return &words->slot[at];
}

static void widen(struct body_words *words, size_t slots)
{
    free(words->slot);
    words->slots = slots;
    words->slot = memory_new(slots, sizeof *words->slot);
    for (size_t k = 0; k < words->count; k++)
        *slot_of(words, words->list[k]) = (uint32_t)k + 1;
}

void body_column_begin_words(struct body_column *column)
{
    enum { FIRST = 16 };
    column->words = memory_new(1, sizeof *column->words);
    widen(column->words, FIRST);
}

double body_column_word(struct body_column *column, const char *word)
{
    struct body_words *words = column->words;
    uint32_t *slot = slot_of(words, word);
    if (*slot > 0)
        return *slot - 1;
    *MEMORY_ADD(words->list, words->count) = memory_text(word);
    *slot = (uint32_t)words->count;
    if (2 * words->count > words->slots)
        widen(words, 2 * words->slots);
    return (double)(words->count - 1);
}

const char *body_column_word_of(const struct body_column *column, size_t body)
{
    return column->words && !isnan(column->value[body])
               ? column->words->list[(size_t)column->value[body]]
               : NULL;
}

static void free_column(struct body_column *column)
{
    struct body_words *words = column->words;
    for (size_t k = 0; words && k < words->count; k++)
        free(words->list[k]);
    if (words) {
        free(words->list);
        free(words->slot);
    }
    free(words);
    free(column->value);
}

void body_columns_drop_words(struct body_columns *columns)
{
    for (size_t c = columns->count; c-- > 0;)
        if (columns->list[c].words)
            body_columns_remove(columns, c);
}

/* ---- columns ---- */

enum status body_columns_add(struct body_columns *columns, const char *name, const char *unit,
                             bool single, size_t room)
{
    struct body_column column = {.single = single,
                                 .value = body_column_memory(room, sizeof(double))};
    if (!column.value)
        return status_fail(STATUS_RUNTIME,
                           "the column %s of %zu bodies needs %.0f MiB, which do not fit in memory",
                           name, room, (double)room * sizeof(double) / (1 << 20));
    (void)snprintf(column.name, sizeof column.name, "%s", name);
    (void)snprintf(column.unit, sizeof column.unit, "%s", unit);
    *MEMORY_ADD(columns->list, columns->count) = column;
    return STATUS_OK;
}

struct body_column *body_columns_find(const struct body_columns *columns, const char *name)
{
    for (size_t c = 0; c < columns->count; c++)
        if (strcmp(columns->list[c].name, name) == 0)
            return &columns->list[c];
    return NULL;
}

void body_columns_remove(struct body_columns *columns, size_t index)
{
    free_column(&columns->list[index]);
    columns->count--;
    memmove(&columns->list[index], &columns->list[index + 1],
            (columns->count - index) * sizeof *columns->list);
}

enum status body_columns_copy(struct body_columns *out, const struct body_columns *columns,
                              size_t count)
{
    enum status status = STATUS_OK;
    for (size_t c = 0; c < columns->count && status == STATUS_OK; c++) {
        const struct body_column *from = &columns->list[c];
        status = body_columns_add(out, from->name, from->unit, from->single, count);
        if (status != STATUS_OK)
            break;
        memcpy(out->list[c].value, from->value, count * sizeof *from->value);
        if (from->words)
            body_column_begin_words(&out->list[c]);
        for (size_t k = 0; from->words && k < from->words->count; k++)
            (void)body_column_word(&out->list[c], from->words->list[k]);
    }
    if (status != STATUS_OK)
        body_columns_free(out);
    return status;
}

/* Resizes each column to `room` bodies; existing bodies stay. false: out of memory. */
static bool body_columns_make_room(struct body_columns *columns, size_t room)
{
    bool fits = true;
    for (size_t c = 0; c < columns->count && fits; c++)
        fits = body_column_resize(&columns->list[c].value, room, sizeof(double));
    return fits;
}

void body_columns_move(struct body_columns *columns, size_t to, size_t from)
{
    for (size_t c = 0; c < columns->count; c++)
        columns->list[c].value[to] = columns->list[c].value[from];
}

void body_columns_swap(struct body_columns *columns, size_t a, size_t b)
{
    for (size_t c = 0; c < columns->count; c++) {
        double *value = columns->list[c].value;
        const double kept = value[a];
        value[a] = value[b];
        value[b] = kept;
    }
}

void body_columns_lack(struct body_columns *columns, size_t body)
{
    for (size_t c = 0; c < columns->count; c++)
        columns->list[c].value[body] = NAN;
}

struct body_column_range body_column_range(const struct body_column *column, size_t count)
{
    struct body_column_range range = {.least = NAN, .largest = NAN};
    for (size_t i = 0; i < count; i++) {
        if (isfinite(column->value[i])) {
            range.least = fmin(range.least, column->value[i]); /* fmin ignores NaN */
            range.largest = fmax(range.largest, column->value[i]);
        } else {
            range.missing++;
        }
    }
    return range;
}

void body_columns_free(struct body_columns *columns)
{
    for (size_t c = 0; c < columns->count; c++)
        free_column(&columns->list[c]);
    free(columns->list);
    *columns = (struct body_columns){0};
}

static enum status no_room(size_t count)
{
    return status_fail(
        STATUS_RUNTIME,
        "%zu bodies need %.0f MiB, which do not fit in memory; ask for fewer with -n", count,
        (double)count * 7 * sizeof(double) / (1 << 20));
}

enum status bodies_create(struct bodies **out, size_t count, size_t components)
{
    struct bodies *bodies = *out = memory_new(1, sizeof *bodies);
    bodies->count = count;
    bodies->mass = body_column_memory(count, sizeof *bodies->mass);
    bodies->position = body_column_memory(count, sizeof *bodies->position);
    bodies->velocity = body_column_memory(count, sizeof *bodies->velocity);
    bodies->component_count = components;
    bodies->components = memory_new(components, sizeof *bodies->components);
    if (bodies->mass && bodies->position && bodies->velocity)
        return STATUS_OK;
    bodies_destroy(out);
    return no_room(count);
}

enum status bodies_add_ids(struct bodies *bodies, size_t room)
{
    if (!bodies->id)
        bodies->id = body_column_memory(room, sizeof *bodies->id);
    return bodies->id ? STATUS_OK : no_room(room);
}

enum status bodies_make_room(struct bodies *bodies, size_t room)
{
    const bool fits = body_column_resize(&bodies->mass, room, sizeof *bodies->mass) &&
                      body_column_resize(&bodies->position, room, sizeof *bodies->position) &&
                      body_column_resize(&bodies->velocity, room, sizeof *bodies->velocity) &&
                      (!bodies->id || body_column_resize(&bodies->id, room, sizeof *bodies->id)) &&
                      body_columns_make_room(&bodies->columns, room);
    return fits ? STATUS_OK : no_room(room);
}

enum status bodies_copy(struct bodies **out, const struct bodies *bodies)
{
    enum status status = bodies_create(out, bodies->count, bodies->component_count);
    if (status != STATUS_OK)
        return status;
    (*out)->shared = bodies->shared;
    memcpy((*out)->mass, bodies->mass, bodies->count * sizeof *bodies->mass);
    memcpy((*out)->position, bodies->position, bodies->count * sizeof *bodies->position);
    memcpy((*out)->velocity, bodies->velocity, bodies->count * sizeof *bodies->velocity);
    memcpy((*out)->components, bodies->components,
           bodies->component_count * sizeof *bodies->components);
    if (bodies->id && (status = bodies_add_ids(*out, bodies->count)) == STATUS_OK)
        memcpy((*out)->id, bodies->id, bodies->count * sizeof *bodies->id);
    if (status == STATUS_OK)
        status = body_columns_copy(&(*out)->columns, &bodies->columns, bodies->count);
    if (status != STATUS_OK)
        bodies_destroy(out);
    return status;
}

size_t bodies_drawn(const struct bodies *bodies, size_t i)
{
    for (size_t c = 0; c < bodies->component_count; c++) {
        const struct component *component = &bodies->components[c];
        const size_t first = i > component->first ? i : component->first;
        if (component->draw && first < component->first + component->count)
            return first;
    }
    return bodies->count;
}

void bodies_destroy(struct bodies **bodies)
{
    if (!*bodies)
        return;
    free((*bodies)->mass);
    free((*bodies)->position);
    free((*bodies)->velocity);
    free((*bodies)->id);
    body_columns_free(&(*bodies)->columns);
    free((*bodies)->components);
    free(*bodies);
    *bodies = NULL;
}
