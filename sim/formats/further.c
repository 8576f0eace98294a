#include "sim/formats/further.h"

#include "base/memory.h"
#include "base/text.h"
#include "sim/formats/column_units.h"
#include "sim/formats/columns.h"
#include "sim/formats/kernel.h"

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
    columns->list = memory_grow(columns->list, columns->count + 1, sizeof *columns->list);
    struct body_column *column = &columns->list[columns->count++];
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

bool further_narrow(const struct body_column *column, size_t count)
{
    size_t i = 0;
    if (!column->single)
        return false;
    while (i < count &&
           (isnan(column->value[i]) || (double)(float)column->value[i] == column->value[i]))
        i++;
    return i == count;
}
