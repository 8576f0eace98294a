#include "sim/formats/further.h"

#include "base/functions/fn.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "sim/formats/columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Words with another meaning in an archive of arrays or in HDF5. */
static const char *const words[] = {"masses",      "dynamicalmasses", "ids",
                                    "particleids", "galaxies",        "time"};

static bool is_taken(const char *name)
{
    int column;
    double unit;
    (void)column_read(name, &column, &unit);
    if (column >= 0 || column_find_vector(name, strlen(name)) >= 0 || strcmp(name, "t") == 0)
        return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(name, words[i]) == 0)
            return true;
    return false;
}

static bool is_plain(const char *text, const char *without)
{
    for (const char *at = text; *at; at++)
        if (text_control(at) || strchr(without, *at))
            return false;
    return true;
}

static bool is_name(const char *name)
{
    const size_t length = strlen(name);
    return length > 0 && length < BODY_COLUMN_NAME && strcmp(name, BODY_KERNEL) != 0 &&
           name[0] != ' ' && name[length - 1] != ' ' && is_plain(name, ",;\"/[]()") &&
           !is_taken(name);
}

const char *const further_names[] = {"name", "names", "designation", "label", NULL};

bool further_is_name(const char *column)
{
    const char *const *name = further_names;
    while (*name && strcasecmp(*name, column) != 0)
        name++;
    return *name != NULL;
}

bool further_wanted(struct snapshot *snapshot, const struct body_columns *columns, const char *name)
{
    const struct column_choice *choice = &snapshot->choice;
    const bool asked =
        choice->all || column_named(choice, name) || (choice->kernel && kernel_takes(name));
    if (asked && columns->count < BODY_COLUMNS_MAX && is_name(name) &&
        !body_columns_find(columns, name))
        return true;
    snapshot_leave(snapshot, name);
    return false;
}

void further_note(struct body_columns *columns, const char *name, const char *unit, bool single)
{
    struct body_column *column = MEMORY_ADD(columns->list, columns->count);
    *column = (struct body_column){.single = single};
    (void)snprintf(column->name, sizeof column->name, "%s", name);
    if (strlen(unit) < sizeof column->unit && is_plain(unit, ",;\"[]"))
        (void)snprintf(column->unit, sizeof column->unit, "%s", unit);
}

/* Copies the text without surrounding blanks; "" if it does not fit. */
static void cut(char *out, size_t size, const char *text, size_t length)
{
    while (length > 0 && (*text == ' ' || *text == '\t'))
        text++, length--;
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        length--;
    (void)snprintf(out, size, "%.*s", length < size ? (int)length : 0, text);
}

void further_split(const char *word, char name[BODY_COLUMN_NAME], char unit[BODY_COLUMN_UNIT])
{
    const size_t length = strcspn(word, "[(");
    const char *inside = word + length, *end = inside;
    if (*inside)
        end = strrchr(++inside, word[length] == '[' ? ']' : ')');
    cut(name, BODY_COLUMN_NAME, word, length);
    cut(unit, BODY_COLUMN_UNIT, inside, end ? (size_t)(end - inside) : strlen(inside));
}

bool further_fits(const struct body_column *column, size_t count)
{
    size_t i = 0;
    while (i < count &&
           (isnan(column->value[i]) || (double)(float)column->value[i] == column->value[i]))
        i++;
    return i == count;
}

bool further_narrow(const struct body_column *column, size_t count)
{
    return column->single && further_fits(column, count);
}

/* ---- kernel ---- */

static const double swift_support = 1.825742; /* of a cubic spline, in SWIFT's smoothing lengths */

/* In order of preference. */
static const struct source {
    const char *name;
    double support; /* in units of the column */
} sources[] = {
    {"SmoothingLength", 1},
    {"SmoothingLengths", swift_support},
    {"hsml", 1},
    {"smooth", 2},
    {"h", 2},
};
enum { SOURCES = sizeof sources / sizeof *sources };

static const char density_name[] = "Density";

bool kernel_takes(const char *name)
{
    for (size_t i = 0; i < SOURCES; i++)
        if (strcasecmp(name, sources[i].name) == 0)
            return true;
    return strcmp(name, density_name) == 0;
}

static const struct body_column *find_source(const struct body_columns *columns, size_t *which)
{
    for (*which = 0; *which < SOURCES; (*which)++)
        for (size_t c = 0; c < columns->count; c++)
            if (!columns->list[c].words &&
                strcasecmp(columns->list[c].name, sources[*which].name) == 0)
                return &columns->list[c];
    return NULL;
}

/* The column's unit of length in that of the positions; 0: unknown. */
static double unit_of(const struct snapshot *snapshot, const struct body_column *column)
{
    char word[BODY_COLUMN_UNIT + 8];
    int x;
    double metres;
    if (snapshot->scale.length > 0)
        return snapshot->scale.length;
    if (!*column->unit)
        return 1;
    (void)snprintf(word, sizeof word, "x [%s]", column->unit);
    return column_read(word, &x, &metres) == COLUMN_UNIT && snapshot->units.length_cm > 0
               ? 100 * metres / snapshot->units.length_cm
               : 0;
}

static bool is_gas(const struct component *component)
{
    return strcasecmp(component->name, "gas") == 0;
}

/* Whether the bodies of a component have kernels. */
static bool has_kernels(const struct bodies *bodies, size_t component)
{
    for (size_t c = 0; c < bodies->component_count; c++)
        if (is_gas(&bodies->components[c]))
            return is_gas(&bodies->components[component]);
    return true;
}

/* The component of each body in order: from `group`, or from the ranges. */
static size_t component_of(const struct snapshot *snapshot, size_t body, size_t component)
{
    const struct bodies *bodies = snapshot->bodies;
    if (snapshot->group)
        return snapshot->group[body];
    while (component + 1 < bodies->component_count &&
           body >= bodies->components[component].first + bodies->components[component].count)
        component++;
    return component;
}

struct making {
    const double *length, *density; /* exactly one is set */
    char source[BODY_COLUMN_NAME];
    double support; /* in units of the column, or of the cell's radius */
    double unit;    /* of the column, in the positions' unit */
};

static double radius_of(const struct making *how, double mass, size_t body)
{
    const double pi = 3.14159265358979323846;
    const double size =
        how->length ? how->length[body] : fn_cbrt(3 * mass / (4 * pi * how->density[body]));
    const double radius = size * how->support * how->unit;
    return radius > 0 && isfinite(radius) ? radius : NAN;
}

/* Returns how many bodies have a radius. */
static size_t fill(const struct snapshot *snapshot, const struct making *how, double *to)
{
    const struct bodies *bodies = snapshot->bodies;
    const double by_mass = snapshot->scale.mass > 0 ? snapshot->scale.mass : 1;
    size_t found = 0, component = 0;
    bool *has = memory_new(bodies->component_count, sizeof *has);
    for (size_t c = 0; c < bodies->component_count; c++)
        has[c] = has_kernels(bodies, c);
    for (size_t i = 0; i < bodies->count; i++) {
        component = component_of(snapshot, i, component);
        to[i] = has[component] ? radius_of(how, bodies->mass[i] / by_mass, i) : NAN;
        found += !isnan(to[i]);
    }
    free(has);
    return found;
}

/* Chooses the source of the radius; false: the file has none. */
static bool choose(const struct snapshot *snapshot, const char *path, struct making *out)
{
    const struct body_columns *columns = &snapshot->bodies->columns;
    size_t which;
    const struct body_column *length = find_source(columns, &which);
    const struct body_column *density =
        !length && snapshot->scale.length > 0 ? body_columns_find(columns, density_name) : NULL;
    *out = (struct making){.support = 2, .unit = snapshot->scale.length};
    if (density) {
        out->density = density->value;
        (void)snprintf(out->source, sizeof out->source, "the cell size given by mass and %s",
                       density_name);
    }
    if (!length)
        return density;
    out->length = length->value;
    out->support = snapshot->scale.swift ? swift_support : sources[which].support;
    out->unit = unit_of(snapshot, length);
    (void)snprintf(out->source, sizeof out->source, "%s", length->name);
    if (out->unit == 0)
        log_warning("%s: the unit '%s' of the smoothing lengths in the column %s cannot be "
                    "converted to that of the positions, so gas is drawn without them",
                    path, length->unit, length->name);
    return out->unit > 0;
}

/* Removes the columns that were read only for the radius. */
static void drop_sources(struct snapshot *snapshot)
{
    const struct column_choice *choice = &snapshot->choice;
    struct body_columns *columns = &snapshot->bodies->columns;
    for (size_t c = columns->count; c-- > 0 && !choice->all;)
        if (kernel_takes(columns->list[c].name) && !column_named(choice, columns->list[c].name))
            body_columns_remove(columns, c);
}

enum status kernel_make(struct snapshot *snapshot, const char *path)
{
    struct body_columns *columns = &snapshot->bodies->columns;
    struct making how;
    enum status status = STATUS_OK;
    if (choose(snapshot, path, &how)) {
        status = body_columns_add(columns, BODY_KERNEL, "", false, snapshot->bodies->count);
        const size_t found =
            status == STATUS_OK ? fill(snapshot, &how, columns->list[columns->count - 1].value) : 0;
        if (found > 0)
            log_info_once("%s: %zu bodies of gas; the radius of their kernels is %g times %s", path,
                          found, how.support, how.source);
    }
    drop_sources(snapshot);
    return status;
}
