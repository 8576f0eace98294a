#include "scenes/condition.h"

#include "base/text.h"
#include "scenes/keys.h"
#include "scenes/value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum status unknown(const char *path)
{
    return status_fail(STATUS_USAGE,
                       "there is no key '%.80s'; write section.key, or "
                       "section.list[1].key for an item of a list",
                       path);
}

enum status condition_value(const struct scene *scene, const char *path, char **out)
{
    char section[32] = "", name[64] = "", field[64] = "", whole[100];
    unsigned item = 0;
    int used = 0;
    *out = NULL;
    const int found = sscanf(path, "%31[^.[].%63[a-z_]%n[%u].%63[a-z_]%n", section, name, &used,
                             &item, field, &used);
    snprintf(whole, sizeof whole, "%s.%s", section, name);
    const struct key *key = found >= 2 ? key_path_find(whole) : NULL;
    if (!key || path[used] || (item > 0) != (field[0] != '\0'))
        return unknown(path);
    if (key->type != KEY_LIST && item == 0) {
        *out = value_text(key, (const char *)scene + key->offset);
        return STATUS_OK;
    }
    if (key->type != KEY_LIST)
        return unknown(path);
    const uint32_t count = *list_count(key, (void *)(size_t)scene);
    if (item == 0) {
        *out = text_format("%u", count);
        return STATUS_OK;
    }
    const int at = key_list_find(key->list, field);
    if (at < 0)
        return unknown(path);
    if (item > count)
        return STATUS_OK;
    *out = value_text(&key->list->keys[at], list_items(key, scene) +
                                                (item - 1) * key->list->item_size +
                                                key->list->keys[at].offset);
    return STATUS_OK;
}

static bool compare(double value, const char *sign, double bound)
{
    const bool equal = value == bound && strchr(sign, '=');
    return equal || (sign[0] == '<' && value < bound) || (sign[0] == '>' && value > bound);
}

static enum status check_one(const struct scene *scene, const char *text, bool *holds)
{
    char path[CONDITION_MAX], sign[3], *value = NULL, *end;
    double bound;
    int used = 0;
    if (sscanf(text, " %127[^<>= ] %2[<>=] %lf %n", path, sign, &bound, &used) != 3 || text[used] ||
        (sign[0] == '=' && sign[1]) || (sign[0] != '=' && sign[1] && sign[1] != '='))
        return status_fail(STATUS_USAGE,
                           "expected conditions such as 'bodies.pericentre <= 20', separated by "
                           "commas, found '%.80s'",
                           text);
    const enum status status = condition_value(scene, path, &value);
    if (status != STATUS_OK)
        return status;
    *holds = false;
    if (!value)
        return STATUS_OK;
    const double number = strtod(value, &end);
    const bool is_number = end != value && !*end;
    free(value);
    if (!is_number)
        return status_fail(STATUS_USAGE, "'%.80s' is not a number, so it cannot be compared", path);
    *holds = compare(number, sign, bound);
    return STATUS_OK;
}

enum status condition_holds(const struct scene *scene, const char *text, bool *holds,
                            char failed[CONDITION_MAX])
{
    char one[CONDITION_MAX];
    *holds = true;
    failed[0] = '\0';
    while (*text && *holds) {
        const size_t length = strcspn(text, ",");
        snprintf(one, sizeof one, "%.*s", (int)length, text);
        const enum status status = check_one(scene, one, holds);
        if (status != STATUS_OK)
            return status;
        if (!*holds)
            snprintf(failed, CONDITION_MAX, "%s", one + strspn(one, " "));
        text += length + (text[length] == ',');
    }
    return STATUS_OK;
}
