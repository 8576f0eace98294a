#include "base/json/text.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

void json_clear_member(const struct json_member *member, char *item)
{
    char *at = item + member->offset;
    const size_t reals = member->shape == SHAPE_FIXED ? member->most : 1;
    if (member->shape > SHAPE_FIXED)
        return;
    for (size_t i = 0; json_kind(member) == AS_REAL && i < reals; i++)
        ((double *)at)[i] = NAN;
    if (json_kind(member) == AS_TEXT && !(member->as & NULLABLE))
        *(char **)at = memory_text("");
    if (json_kind(member) == AS_OBJECT && member->shape == SHAPE_ONE)
        json_clear(member->members, at);
}

void json_clear(const struct json_member *members, void *item)
{
    for (const struct json_member *member = members; member->name; member++)
        json_clear_member(member, item);
}

/* Frees the memory that `count` values of a member own. */
static void free_values(const struct json_member *member, char *values, size_t count)
{
    const enum json_kind kind = json_kind(member);
    const bool text = kind == AS_TEXT || kind == AS_LINES || kind == AS_RAW;
    for (size_t i = 0; i < count; i++, values += member->size)
        if (member->members)
            json_free(member->members, values);
        else if (text)
            free(*(char **)values);
}

void json_free(const struct json_member *members, void *item)
{
    for (const struct json_member *member = members; member->name; member++) {
        const bool list = member->shape >= SHAPE_LIST, one = member->shape == SHAPE_ONE;
        char *values = values_of(member, item), *at = (char *)item + member->offset;
        const size_t count = one ? 1 : count_of(member, &(struct json_place){.item = item});
        free_values(member, values, values ? count : 0);
        if (list)
            free(values);
        memset(at, 0, list ? sizeof(char *) : one ? member->size : 0);
    }
    for (const struct json_member *member = members; member->name; member++)
        if (member->count_size)
            memset((char *)item + member->count, 0, member->count_size);
}
