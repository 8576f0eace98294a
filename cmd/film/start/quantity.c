#include "cmd/film/start/quantity.h"

#include "base/choice.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/text.h"
#include "cmd/film/start/tracking.h"
#include "render/colour/colour.h"
#include "render/sprites/modes.h"
#include "sim/bodies/bodies_whole.h"
#include "sim/playback/series.h"
#include "sim/models/models.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static float known(const void *otherwise, double number)
{
    return number >= 0 ? (float)number : *(const float *)otherwise;
}

static const float unknown = -1, none = 0;

/* View columns that show a column of the bodies; if a unit is given, only a column in that unit. */
static const struct {
    struct column_ask ask;
    const char *unit;
} shown[] = {
    {{COLUMN_AGE, "age", .as = known, .by = &unknown, .optional = true}, "Gyr"},
    {{COLUMN_KERNEL, BODY_KERNEL, .as = known, .by = &none}, NULL},
};

enum { SHOWN = sizeof shown / sizeof *shown };

static const double lowest = 0.01, highest = 0.99; /* percentiles */

static enum status list_columns(const struct scene *scene, const struct bodies *bodies)
{
    const char *name = scene->look.quantity;
    struct suggestion near = {name, NULL, 0};
    char list[STATUS_TEXT_MAX / 2] = "";
    size_t offered = 0;
    for (size_t c = 0; c < bodies->columns.count; c++) {
        if (bodies->columns.list[c].words)
            continue;
        offered++;
        suggest_offer(&near, bodies->columns.list[c].name);
        text_list(list, sizeof list, bodies->columns.list[c].name);
    }
    if (offered == 0)
        status_fail(STATUS_USAGE, "the bodies have no columns to be coloured by; choose another "
                                  "look.color, or bodies from a file that has some");
    else if (!*name)
        status_fail(STATUS_USAGE, "look.color is quantity, and no column is named; choose from %s",
                    list);
    else
        status_fail(STATUS_USAGE, "the bodies have no column '%.100s'%s choose from %s", name,
                    near.best ? suggest_text(&near) : ";", list);
    return scene_blame(scene, "look.quantity");
}

/* Reads all columns, only for the message. */
static enum status fail_unknown(const struct scene *scene)
{
    struct bodies_params params = scene->bodies;
    struct bodies *bodies;
    params.all_columns = true;
    enum status status = bodies_make(&params, &bodies);
    if (status == STATUS_OK)
        status = list_columns(scene, bodies);
    bodies_destroy(&bodies);
    return status;
}

/* The column of numbers that look.quantity names; NULL: there is none. */
static const struct body_column *find_quantity(const struct scene *scene,
                                               const struct bodies *bodies)
{
    const struct body_column *column = body_columns_find(&bodies->columns, scene->look.quantity);
    return column && !column->words ? column : NULL;
}

enum status quantity_check(const struct scene *scene, const struct bodies *bodies)
{
    return !look_needs_column(&scene->look, COLUMN_QUANTITY) || find_quantity(scene, bodies)
               ? STATUS_OK
               : fail_unknown(scene);
}

enum status quantity_bodies(const struct scene *scene, enum division division, struct bodies **out)
{
    struct bodies_params params = scene->bodies;
    size_t count = 0, tracked = 0;
    char **followed;
    tracking_columns(scene, &followed);
    while (followed[tracked])
        tracked++;
    const char **columns = memory_new(tracked + SHOWN + 2, sizeof *columns);
    for (size_t i = 0; i < tracked; i++)
        columns[count++] = followed[i];
    if (look_needs_column(&scene->look, COLUMN_QUANTITY))
        columns[count++] = scene->look.quantity;
    for (size_t i = 0; i < SHOWN; i++)
        if (look_needs_column(&scene->look, shown[i].ask.name))
            columns[count++] = shown[i].ask.of;
    params.columns = columns;
    params.words = tracked > 0;
    params.kernel = look_may_need_kernel(&scene->look);
    params.divide = division;
    enum status status = bodies_make(&params, out);
    for (size_t i = 0; i < tracked; i++)
        free(followed[i]);
    free(followed);
    free(columns);
    if (status == STATUS_OK)
        status = quantity_check(scene, *out);
    if (status != STATUS_OK)
        bodies_destroy(out);
    return status;
}

/* Any range will do around numbers that are all the same. */
static void widen(struct quantity *quantity, bool logarithmic)
{
    const double value = quantity->from, half = value == 0 ? 0.5 : fabs(value) / 2;
    if (quantity->from < quantity->to)
        return;
    quantity->from = logarithmic ? value / 10 : value - half;
    quantity->to = logarithmic ? value * 10 : value + half;
}

/* The drawn bodies' values at the start, or over the film for snapshots. */
static enum status take_numbers(const struct scene *scene, const struct bodies *bodies,
                                const struct body_column *column, double **out, size_t *count)
{
    if (scene->bodies.model->plays)
        return playback_numbers(&scene->bodies, bodies, column->name, out, count);
    *count = 0;
    *out = malloc(bodies->count * sizeof **out);
    if (!*out)
        return status_fail(STATUS_RUNTIME, "no memory left for the numbers of %zu bodies",
                           bodies->count);
    for (size_t i = bodies_drawn(bodies, 0); i < bodies->count; i = bodies_drawn(bodies, i + 1))
        (*out)[(*count)++] = column->value[i];
    return STATUS_OK;
}

static enum status find_range(struct quantity *out, const struct scene *scene,
                              const struct bodies *bodies, const struct body_column *column)
{
    const struct look_params *look = &scene->look;
    double *values;
    size_t all, count = 0;
    bool any;
    enum status status = take_numbers(scene, bodies, column, &values, &all);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < all; i++)
        if (quantity_has_place(look->quantity_scale, values[i]))
            values[count++] = values[i];
    any = count > 0;
    status = whole_any(bodies, &any);
    sort_doubles(values, count);
    if (status == STATUS_OK && any)
        status = whole_percentile(bodies, values, count, lowest, false, &out->from);
    if (status == STATUS_OK && any)
        status = whole_percentile(bodies, values, count, highest, true, &out->to);
    free(values);
    if (status == STATUS_OK && any)
        widen(out, look->quantity_scale->logarithmic);
    if (status != STATUS_OK || any)
        return status;
    status_fail(STATUS_USAGE,
                "no body that is drawn has a number of the column '%s'%s; choose "
                "another, or draw the components that have it",
                column->name, look->quantity_scale->logarithmic ? " above 0" : "");
    return scene_blame(scene, "look.quantity");
}

/* A range in the scene takes precedence. */
static enum status choose_range(struct quantity *out, const struct scene *scene,
                                const struct bodies *bodies, const struct body_column *column)
{
    const struct look_params *look = &scene->look;
    if (look->quantity_from == look->quantity_to)
        return find_range(out, scene, bodies, column);
    out->from = look->quantity_from;
    out->to = look->quantity_to;
    if (out->from > 0 || !look->quantity_scale->logarithmic)
        return STATUS_OK;
    status_fail(STATUS_USAGE,
                "expected a number above 0, where look.quantity_scale is %s, found %g",
                look->quantity_scale->name, out->from);
    return scene_blame(scene, "look.quantity_from");
}

enum status quantity_find(struct quantity *out, const struct scene *scene,
                          const struct bodies *bodies)
{
    *out = (struct quantity){0};
    if (!look_needs_column(&scene->look, COLUMN_QUANTITY))
        return STATUS_OK;
    enum status status = quantity_check(scene, bodies);
    if (status != STATUS_OK)
        return status;
    const struct body_column *column = find_quantity(scene, bodies);
    out->name = scene->look.quantity;
    out->scale = scene->look.quantity_scale;
    out->unit = column->unit;
    return choose_range(out, scene, bodies, column);
}

static float place(const void *by, double number)
{
    const struct quantity *quantity = by;
    return quantity_place(quantity->scale, quantity->from, quantity->to, number);
}

struct column_ask quantity_ask(const struct quantity *quantity, const struct bodies *bodies,
                               const char *name)
{
    size_t i = 0;
    while (i < SHOWN && strcmp(shown[i].ask.name, name) != 0)
        i++;
    if (strcmp(name, COLUMN_QUANTITY) == 0)
        return (struct column_ask){name, quantity->name, .as = place, .by = quantity};
    if (i == SHOWN)
        return (struct column_ask){.name = name};
    struct column_ask ask = shown[i].ask;
    const struct body_column *column = body_columns_find(&bodies->columns, ask.of);
    if (column && shown[i].unit && strcmp(column->unit, shown[i].unit) != 0)
        ask.of = "";
    return ask;
}

void quantity_give(const struct quantity *quantity, struct renderer_params *params)
{
    params->labels.quantity_unit = quantity->unit;
    params->found.look.quantity_from = quantity->from;
    params->found.look.quantity_to = quantity->to;
}

/* ==== kernels ==== */

enum status kernel_drawn(const struct bodies *bodies, bool *out)
{
    const struct body_column *column = body_columns_find(&bodies->columns, BODY_KERNEL);
    *out = false;
    for (size_t i = bodies_drawn(bodies, 0); column && !*out && i < bodies->count;
         i = bodies_drawn(bodies, i + 1))
        *out = column->value[i] > 0;
    return whole_any(bodies, out);
}

enum status kernel_check(const struct scene *scene, const struct look_params *chosen,
                         const struct bodies *bodies)
{
    bool drawn;
    if (!look_needs_column(chosen, COLUMN_KERNEL))
        return STATUS_OK;
    const enum status status = kernel_drawn(bodies, &drawn);
    if (status != STATUS_OK || drawn)
        return status;
    status_fail(STATUS_USAGE,
                "look.size is %s, and no body that is drawn has a smoothing length; use adaptive, "
                "or a file of gas with SmoothingLength",
                chosen->size->name);
    return scene_blame(scene, "look.size");
}
