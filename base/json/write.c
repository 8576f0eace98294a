#include "base/json/text.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* A function that makes a value returns NULL for one that JSON cannot hold; the library passes that
 * on from whatever it was to be put into. */

static json_t *members_json(const struct json_form *form, const struct json_member *members,
                            bool tuple, const struct json_place *place);

/* ---- what there is nothing to say of ---- */

static size_t count_of(const struct json_member *member, const struct json_place *place)
{
    if (member->shape == SHAPE_ONE)
        return 1;
    return member->count_size ? (size_t)whole_at(counted_in(member, place), member->count_size)
                              : (size_t)member->most;
}

static const char *values_of(const struct json_member *member, const struct json_place *place)
{
    const char *at = (const char *)place->item + member->offset;
    return member->shape == SHAPE_LIST || member->shape == SHAPE_MAP ? *(char *const *)at : at;
}

static bool says_nothing(const struct json_member *member, const char *at)
{
    switch (json_kind(member)) {
    case AS_TEXT:
    case AS_LINES:
        return !*(char *const *)at || !**(char *const *)at;
    case AS_NAME:
    case AS_HASH:
        return !*at;
    case AS_REAL:
        return member->infinite ? isnan(*(const double *)at) : !isfinite(*(const double *)at);
    case AS_OBJECT:
        return says_nothing(member->members, at + member->members->offset);
    default:
        for (size_t i = 0; i < member->size; i++)
            if (at[i] != 0)
                return false;
        return true;
    }
}

static bool is_left_out(const struct json_member *member, const struct json_place *place)
{
    const char *values = values_of(member, place);
    if (!(member->as & OPTIONAL))
        return false;
    if (member->has)
        return !((const char *)place->item)[member->has];
    if (member->shape == SHAPE_MAP)
        return count_of(member, place) == 0;
    if (member->shape == SHAPE_LIST)
        return !values;
    for (size_t i = 0; member->shape == SHAPE_FIXED && i < member->most; i++)
        if (!isnan(((const double *)values)[i]))
            return false;
    return member->shape == SHAPE_FIXED || says_nothing(member, values);
}

/* ---- values ---- */

static json_t *text_json(const struct json_form *form, const char *text)
{
    if (!form->mend)
        return json_string(text);
    char *mended = form->mend(text);
    json_t *value = json_string(mended);
    free(mended);
    return value;
}

static json_t *lines_json(const char *text)
{
    json_t *lines = json_array();
    for (const char *line = text ? text : "", *end; lines && *line; line = end + (*end == '\n')) {
        end = strchrnul(line, '\n');
        if (json_array_append_new(lines, json_stringn(line, (size_t)(end - line))) != 0) {
            json_decref(lines);
            lines = NULL;
        }
    }
    return lines;
}

static json_t *real_json(const struct json_member *member, double value)
{
    if (isinf(value) && member->infinite)
        return json_sprintf("%s%s", value < 0 ? "-" : "", member->infinite);
    return isfinite(value) ? json_real(value) : member->as & NULLABLE ? json_null() : NULL;
}

static json_t *codes_json(const uint8_t *codes, size_t count)
{
    char *digits = memory_new(2 * count + 1, 1);
    for (size_t i = 0; i < count; i++)
        snprintf(digits + 2 * i, 3, "%02x", codes[i]);
    json_t *value = json_string(digits);
    free(digits);
    return value;
}

static json_t *index_json(int64_t index)
{
    return index < 0 ? json_null() : json_integer(index);
}

static json_t *word_json(const struct json_member *member, int index)
{
    const struct choice *word = index < 0 ? NULL : choice_at(member->words, (size_t)index);
    return word ? json_string(word->name) : json_null();
}

static json_t *derived_json(const struct json_member *member, const struct json_place *place)
{
    char *text = member->derive(place);
    json_t *value = json_string(text);
    free(text);
    return value;
}

static json_t *value_json(const struct json_form *form, const struct json_member *member,
                          const void *at, size_t index, const struct json_place *place)
{
    const char *const *text = at;
    const int32_t *const pair = at;
    switch (json_kind(member)) {
    case AS_TEXT:
        return !*text && member->as & NULLABLE ? json_null() : text_json(form, *text ? *text : "");
    case AS_LINES:
        return lines_json(*text);
    case AS_RAW:
        return json_loads(*text, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL);
    case AS_NAME:
    case AS_HASH:
        return json_string(at);
    case AS_WHOLE: {
        const uint64_t whole = whole_at(at, member->size);
        return whole > INT64_MAX ? NULL : json_integer((json_int_t)whole);
    }
    case AS_SIGNED:
        return json_integer(*(const int32_t *)at);
    case AS_INDEX:
        return index_json(*(const int64_t *)at);
    case AS_PLACE:
        return pair[0] < 0 || pair[1] < 0 ? json_null() : json_pack("[i, i]", pair[0], pair[1]);
    case AS_FLAG:
        return json_boolean(*(const bool *)at);
    case AS_REAL:
        return real_json(member, *(const double *)at);
    case AS_CODES:
        return codes_json(at, member->size);
    case AS_WORD:
        return word_json(member, *(const int *)at);
    case AS_ENTRY:
        return json_string((*(const struct choice *const *)at)->name);
    case AS_DERIVED:
        return derived_json(member, place);
    case AS_FORMAT:
        return json_integer((json_int_t)member->most);
    case AS_SEAL:
        break;
    case AS_OBJECT:
    case AS_TUPLE:
        return members_json(
            form, member->members, json_kind(member) == AS_TUPLE,
            &(struct json_place){.up = place, .index = index, .item = at, .user = place->user});
    }
    return NULL;
}

/* ---- lists and objects ---- */

static json_t *list_json(const struct json_form *form, const struct json_member *member,
                         const struct json_place *place)
{
    const char *values = values_of(member, place);
    const size_t count = count_of(member, place);
    json_t *list = json_array();
    int error = 0;
    if (!values && member->as & LIST_NULLABLE)
        return json_null();
    for (size_t i = 0; i < count; i++)
        error |= json_array_append_new(
            list, value_json(form, member, values + i * member->size, i, place));
    if (!error)
        return list;
    json_decref(list);
    return NULL;
}

/* Adds the entries of a map, whose names may be neither there nor those of `rows`. */
static int add_map(json_t *object, const struct json_form *form, const struct json_member *member,
                   const struct json_member *rows, const struct json_place *place)
{
    const struct json_member *name = &member->members[0], *value = &member->members[1];
    int error = 0;
    for (size_t i = 0; i < count_of(member, place); i++) {
        const char *item = values_of(member, place) + i * member->size, *key = item + name->offset;
        if (json_kind(name) == AS_TEXT)
            key = *(char *const *)key;
        error |= json_has_row(rows, key) || json_object_get(object, key) ||
                 json_object_set_new(object, key,
                                     value_json(form, value, item + value->offset, i, place));
    }
    return error;
}

static json_t *map_json(const struct json_form *form, const struct json_member *member,
                        const struct json_place *place)
{
    static const struct json_member none[] = {{0}};
    json_t *map = json_object();
    if (add_map(map, form, member, none, place) == 0)
        return map;
    json_decref(map);
    return NULL;
}

static json_t *member_json(const struct json_form *form, const struct json_member *member,
                           const struct json_place *place)
{
    if (member->shape == SHAPE_ONE)
        return value_json(form, member, values_of(member, place), 0, place);
    return member->shape == SHAPE_MAP ? map_json(form, member, place)
                                      : list_json(form, member, place);
}

static json_t *members_json(const struct json_form *form, const struct json_member *members,
                            bool tuple, const struct json_place *place)
{
    json_t *all = tuple ? json_array() : json_object();
    int error = 0;
    for (const struct json_member *member = members; member->name; member++)
        if (json_kind(member) == AS_SEAL || is_left_out(member, place))
            continue;
        else if (!*member->name)
            error |= add_map(all, form, member, members, place);
        else if (tuple)
            error |= json_array_append_new(all, member_json(form, member, place));
        else
            error |= json_object_set_new(all, member->name, member_json(form, member, place));
    if (!error)
        return all;
    json_decref(all);
    return NULL;
}

char *json_write(const struct json_form *form, const void *from, void *user)
{
    json_t *root =
        members_json(form, form->members, false, &(struct json_place){.item = from, .user = user});
    char *text = json_text(root, form->style);
    json_decref(root);
    return text;
}
