#include "base/json/json_text.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Functions return NULL for a value that JSON cannot hold; the library reports an error when a NULL
 * is added to a list or an object. */

static json_t *members_json(const struct json_member *members, bool tuple,
                            const struct json_place *place);

/* ---- optional members ---- */

static bool is_zero(const char *at, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (at[i] != 0)
            return false;
    return true;
}

static bool says_nothing(const struct json_member *member, const char *at)
{
    switch (json_kind(member)) {
    case AS_TEXT:
        return !*(char *const *)at || !**(char *const *)at;
    case AS_HASH:
        return !*at;
    case AS_REAL:
        return member->infinite ? isnan(*(const double *)at) : !isfinite(*(const double *)at);
    case AS_OBJECT:
        return says_nothing(member->members, at + member->members->offset);
    default:
        return is_zero(at, member->size);
    }
}

static bool is_left_out(const struct json_member *member, const struct json_place *place)
{
    const char *values = values_of(member, place->item);
    if (json_kind(member) == AS_SEAL)
        return true;
    if (!(member->as & OPTIONAL))
        return false;
    if (member->has)
        return !((const char *)place->item)[member->has];
    if (member->shape == SHAPE_MAP)
        return count_of(member, place) == 0;
    for (size_t i = 0; member->shape == SHAPE_FIXED && i < member->most; i++)
        if (!isnan(((const double *)values)[i]))
            return false;
    return !values || member->shape == SHAPE_FIXED ||
           (member->shape == SHAPE_ONE && says_nothing(member, values));
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

/* Writes AS_WHOLE, AS_SIGNED and AS_INDEX. */
static json_t *whole_json(const struct json_member *member, const void *at)
{
    const uint64_t bits = whole_at(at, member->size);
    const bool wide = member->size == sizeof bits;
    const int64_t value = wide || json_kind(member) == AS_WHOLE ? (int64_t)bits : (int32_t)bits;
    if (json_kind(member) == AS_INDEX && value < 0)
        return json_null();
    return json_kind(member) == AS_WHOLE && value < 0 ? NULL : json_integer(value);
}

static json_t *value_json(const struct json_member *member, const void *at, size_t index,
                          const struct json_place *place)
{
    const char *const *text = at;
    switch (json_kind(member)) {
    case AS_TEXT:
        return *text || !(member->as & NULLABLE) ? text_json(place->form, *text ? *text : "")
                                                 : json_null();
    case AS_LINES:
        return lines_json(*text);
    case AS_RAW:
        return json_loads(*text, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL);
    case AS_NAME:
    case AS_HASH:
        return json_string(at);
    case AS_WHOLE:
    case AS_SIGNED:
    case AS_INDEX:
        return whole_json(member, at);
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
    case AS_OBJECT:
    case AS_TUPLE:
        return members_json(member->members, json_kind(member) == AS_TUPLE,
                            &(struct json_place){place, at, index, place->form, place->user});
    case AS_SEAL:
        break;
    }
    return NULL;
}

/* ---- lists and objects ---- */

/* Returns the value, or frees it and returns NULL after an error. */
static json_t *unless(int error, json_t *value)
{
    if (!error)
        return value;
    json_decref(value);
    return NULL;
}

static json_t *list_json(const struct json_member *member, const struct json_place *place)
{
    const char *values = values_of(member, place->item);
    const size_t count = count_of(member, place);
    json_t *list = json_array();
    int error = 0;
    for (size_t i = 0; i < count; i++)
        error |=
            json_array_append_new(list, value_json(member, values + i * member->size, i, place));
    return unless(error, list);
}

/* Whether a list is NULL, or an array has a number below 0. */
static bool is_no_list(const struct json_member *member, const char *values)
{
    for (size_t i = 0; member->shape == SHAPE_FIXED && i < member->most; i++)
        if (((const int32_t *)values)[i] < 0)
            return true;
    return !values;
}

/* Adds the entries of a map; fails if a name is taken or is one of `rows`. */
static int add_map(json_t *object, const struct json_member *member, const struct json_member *rows,
                   const struct json_place *place)
{
    const struct json_member *name = &member->members[0], *value = &member->members[1];
    const char *item = values_of(member, place->item);
    int error = 0;
    for (size_t i = 0; i < count_of(member, place); i++, item += member->size) {
        const char *at = item + name->offset;
        const char *key = json_kind(name) == AS_TEXT ? *(char *const *)at : at;
        error |=
            json_has_row(rows, key) || json_object_get(object, key) ||
            json_object_set_new(object, key, value_json(value, item + value->offset, i, place));
    }
    return error;
}

static json_t *member_json(const struct json_member *member, const struct json_place *place)
{
    const char *values = values_of(member, place->item);
    json_t *map;
    switch (member->shape) {
    case SHAPE_ONE:
        return value_json(member, values, 0, place);
    case SHAPE_MAP:
        map = json_object();
        return unless(add_map(map, member, json_no_rows, place), map);
    default:
        return member->as & LIST_NULLABLE && is_no_list(member, values) ? json_null()
                                                                        : list_json(member, place);
    }
}

static json_t *members_json(const struct json_member *members, bool tuple,
                            const struct json_place *place)
{
    json_t *all = tuple ? json_array() : json_object();
    int error = 0;
    for (const struct json_member *member = members; member->name; member++)
        if (is_left_out(member, place))
            continue;
        else if (!*member->name)
            error |= add_map(all, member, members, place);
        else if (tuple)
            error |= json_array_append_new(all, member_json(member, place));
        else
            error |= json_object_set_new(all, member->name, member_json(member, place));
    return unless(error, all);
}

char *json_write(const struct json_form *form, const void *from, void *user)
{
    const struct json_place whole = {.item = from, .form = form, .user = user};
    json_t *root = members_json(form->members, false, &whole);
    char *text = json_text(root, form->style);
    json_decref(root);
    return text;
}
