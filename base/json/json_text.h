/* Shared by the files of the codec. */
#pragma once

#include "base/json/codec.h"

#include <jansson.h>
#include <string.h>

/* Returns a value's text, which the caller frees; NULL for NULL. */
char *json_text(json_t *value, int style);

/* Clears one member, see json_clear. */
void json_clear_member(const struct json_member *member, char *item);

extern const struct json_member json_no_rows[];

/* Whether a table has a row of that name. */
bool json_has_row(const struct json_member *members, const char *name);

static inline enum json_kind json_kind(const struct json_member *member)
{
    return (enum json_kind)(member->as & 0xFF);
}

/* Reads an unsigned number of 2, 4 or 8 bytes. */
static inline uint64_t whole_at(const void *at, size_t size)
{
    return size == 2   ? *(const uint16_t *)at
           : size == 4 ? *(const uint32_t *)at
                       : *(const uint64_t *)at;
}

/* Returns the address of a list's count. */
static inline const void *count_at(const struct json_member *member, const struct json_place *place)
{
    for (unsigned up = 0; up < member->count_up; up++)
        place = place->up;
    return (const char *)place->item + member->count;
}

static inline size_t count_of(const struct json_member *member, const struct json_place *place)
{
    return member->count_size ? (size_t)whole_at(count_at(member, place), member->count_size)
                              : (size_t)member->most;
}

/* Returns the address of a member's first value. */
static inline char *values_of(const struct json_member *member, const void *item)
{
    char *at = (char *)item + member->offset;
    return member->shape >= SHAPE_LIST ? *(char **)at : at;
}
