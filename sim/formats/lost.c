#include "sim/formats/lost.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool keeps_name(const struct format *to, const char *name)
{
    for (const char *const *at = to->names; at && *at; at++)
        if (strcmp(*at, name) == 0)
            return true;
    return false;
}

static bool keeps_names(const struct bodies *bodies, const struct format *to)
{
    if (to->keeps & KEEPS_NAMES)
        return true;
    if (bodies->component_count == 1 && strcmp(bodies->components[0].name, "bodies") == 0)
        return true; /* not a name that anybody has given */
    for (size_t c = 0; c < bodies->component_count; c++)
        if (bodies->components[c].galaxy[0] || !keeps_name(to, bodies->components[c].name))
            return false;
    return true;
}

static bool keeps_ids(const struct bodies *bodies, const struct format *to)
{
    if (!bodies->id || !(to->keeps & KEEPS_IDS))
        return !bodies->id;
    for (size_t i = 0; to->ids_end > 0 && i < bodies->count; i++)
        if (bodies->id[i] >= to->ids_end)
            return false;
    return true;
}

static bool column_fits(const struct body_column *column, size_t count)
{
    size_t i = 0;
    while (i < count &&
           (isnan(column->value[i]) || (double)(float)column->value[i] == column->value[i]))
        i++;
    return i == count;
}

/* Lists the columns that float32 rounds. */
static void list_digits(const struct bodies *bodies, bool further, char *list, size_t size)
{
    char columns[64] = "", text[128];
    if (!snapshot_fits(bodies->mass, bodies->count))
        text_list(columns, sizeof columns, "masses");
    if (!snapshot_fits(bodies->position[0], 3 * bodies->count))
        text_list(columns, sizeof columns, "positions");
    if (!snapshot_fits(bodies->velocity[0], 3 * bodies->count))
        text_list(columns, sizeof columns, "velocities");
    for (size_t c = 0; further && c < bodies->columns.count; c++)
        if (!bodies->columns.list[c].words && !column_fits(&bodies->columns.list[c], bodies->count))
            text_list(columns, sizeof columns, bodies->columns.list[c].name);
    if (!*columns)
        return;
    snprintf(text, sizeof text, "digits beyond those of float32 (%s)", columns);
    text_list(list, size, text);
}

/* Appends to a growing list, "rho, temp"; NULL is an empty list. */
static void append(char **list, const char *name)
{
    char *longer = *list ? text_format("%s, %s", *list, name) : memory_text(name);
    free(*list);
    *list = longer;
}

/* Lists the additional columns that are lost, or whose units are. */
static void list_columns(const struct body_columns *columns, const struct format *to, char **list)
{
    char *units = NULL;
    for (size_t c = 0; c < columns->count; c++) {
        const struct body_column *column = &columns->list[c];
        if (!(to->keeps & (column->words ? KEEPS_WORDS : KEEPS_COLUMNS)))
            append(list, column->name);
        else if (*column->unit && !(to->keeps & KEEPS_COLUMN_UNITS))
            append(&units, column->name);
    }
    if (units) {
        char *text = text_format("the units of %s", units);
        append(list, text);
        free(text);
    }
    free(units);
}

char *snapshot_lost(const struct snapshot *snapshot, const struct format *to)
{
    const struct bodies *bodies = snapshot->bodies;
    char list[256] = "", text[64];
    if (bodies->component_count > 1 && !(to->keeps & KEEPS_COMPONENTS))
        text_list(list, sizeof list, "the components");
    else if (!keeps_names(bodies, to))
        text_list(list, sizeof list, "the names of the components");
    if (!keeps_ids(bodies, to))
        text_list(list, sizeof list, "the ids");
    if (snapshot->time_known && snapshot->time != 0 && !(to->keeps & KEEPS_TIME)) {
        snprintf(text, sizeof text, "the time %.6g", snapshot->time);
        text_list(list, sizeof list, text);
    }
    if (snapshot->units.length_cm > 0 && !snapshot->units_assumed && !(to->keeps & KEEPS_UNITS))
        text_list(list, sizeof list, "the units");
    if (!(to->keeps & KEEPS_DOUBLES))
        list_digits(bodies, to->keeps & KEEPS_COLUMNS, list, sizeof list);
    char *all = snapshot->unread ? memory_text(snapshot->unread) : NULL;
    list_columns(&bodies->columns, to, &all);
    if (snapshot->rounded) {
        char *digits = text_format("all digits of %s", snapshot->rounded);
        append(&all, digits);
        free(digits);
    }
    if (*list)
        append(&all, list);
    return all;
}
