#include "base/json/json_text.h"
#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>

/* ---- clear ---- */

/* Clears one member, see json_clear. */
static void json_clear_member(const struct json_member *member, char *item)
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

/* ---- read ---- */

static bool read_members(const struct json_member *members, bool tuple, json_t *from,
                         const struct json_place *place);

/* ---- sentences: each function returns false; the path is prefixed on the way out ---- */

static bool wrong(const char *name, const json_t *found, const char *wanted)
{
    enum { SHOWN_MOST = 60 };
    char *text = json_dumps(found, JSON_ENCODE_ANY | JSON_COMPACT | JSON_ENSURE_ASCII);
    if (!found)
        status_fail(STATUS_IO, "'%s' is missing", name);
    else
        status_fail(STATUS_IO, "'%s' is %.*s%s, not a %s", name, SHOWN_MOST, text ? text : "?",
                    text && strlen(text) > SHOWN_MOST ? "..." : "", wanted);
    free(text);
    return false;
}

static bool wrong_count(const char *name, size_t found, const char *than, size_t wanted)
{
    char word[TEXT_WORD];
    status_fail(STATUS_IO, "'%s' has %zu %s, %s %zu", name, found,
                text_of_count("entries", (double)found, word), than, wanted);
    return false;
}

/* ---- values: each function returns NULL, or, if it failed, what it expected ---- */

static const char *read_text(const struct json_member *member, const json_t *value, char **out)
{
    if (json_is_null(value) && member->as & NULLABLE && !(member->as & OPTIONAL))
        return NULL;
    if (!json_is_string(value))
        return "text";
    *out = memory_text(json_string_value(value));
    return NULL;
}

static const char *read_lines(const json_t *lines, char **out)
{
    size_t at, size;
    json_t *line;
    const char *wanted = json_is_array(lines) ? NULL : "list of lines";
    FILE *text = text_begin(out, &size);
    json_array_foreach(lines, at, line)
    {
        if (!json_is_string(line) || strchr(json_string_value(line), '\n'))
            wanted = "list of lines";
        else
            fprintf(text, "%s\n", json_string_value(line));
    }
    text_end(text);
    return wanted;
}

static const char *read_name(const json_t *value, char *out, size_t size)
{
    const char *name = json_string_value(value);
    if (!name || strlen(name) >= size || strchr(name, '/'))
        return "name";
    memcpy(out, name, strlen(name) + 1);
    return NULL;
}

/* Whether the text is `count` hexadecimal digits. */
static bool is_digits(const char *text, size_t count)
{
    return text && strlen(text) == count && strspn(text, "0123456789abcdef") == count;
}

static const char *read_hash(const struct json_member *member, const json_t *value, char *out)
{
    const char *hash = json_string_value(value);
    const bool none = hash && !*hash && member->as & NULLABLE;
    if (!none && !is_digits(hash, HASH_TEXT - 1))
        return "hash";
    memcpy(out, hash, strlen(hash) + 1);
    return NULL;
}

static const char *read_codes(const json_t *value, uint8_t *out, size_t count)
{
    const char *digits = json_string_value(value);
    if (!is_digits(digits, 2 * count))
        return "text of two hexadecimal digits per value";
    for (size_t i = 0; i < count; i++)
        out[i] = (uint8_t)strtoul((const char[]){digits[2 * i], digits[2 * i + 1], '\0'}, NULL, 16);
    return NULL;
}

static bool is_within(const json_t *value, json_int_t least, json_int_t most)
{
    return json_is_integer(value) && json_integer_value(value) >= least &&
           json_integer_value(value) <= most;
}

static void put_whole(void *at, size_t size, uint64_t value)
{
    if (size == sizeof(uint16_t))
        *(uint16_t *)at = (uint16_t)value;
    else if (size == sizeof(uint32_t))
        *(uint32_t *)at = (uint32_t)value;
    else
        *(uint64_t *)at = value;
}

/* Reads AS_WHOLE, AS_SIGNED and AS_INDEX. A list's `most` limits its length, not its numbers. */
static const char *read_whole(const struct json_member *member, const json_t *value, void *at)
{
    const bool is_signed = json_kind(member) != AS_WHOLE;
    const int64_t of_size[] = {
        [2] = UINT16_MAX, [4] = is_signed ? INT32_MAX : UINT32_MAX, [8] = INT64_MAX};
    const bool limited = member->shape == SHAPE_ONE && member->most > 0;
    const int64_t most = limited ? (int64_t)member->most : of_size[member->size],
                  least = json_kind(member) == AS_SIGNED ? INT32_MIN : (int64_t)member->least;
    const bool none = json_is_null(value) && member->as & NULLABLE;
    static _Thread_local char wanted[64];
    if (!none && !is_within(value, least, most)) {
        snprintf(wanted, sizeof wanted, "whole number from %lld to %lld", (long long)least,
                 (long long)most);
        return wanted;
    }
    put_whole(at, member->size, none ? UINT64_MAX : (uint64_t)json_integer_value(value));
    return NULL;
}

static const char *read_real(const struct json_member *member, const json_t *value, double *out)
{
    const char *word = json_string_value(value), *infinite = member->infinite;
    const bool below = word && *word == '-';
    *out = json_is_number(value) ? json_number_value(value) : (double)NAN;
    if (json_is_number(value) || (json_is_null(value) && member->as & NULLABLE))
        return NULL;
    if (!word || !infinite || strcmp(word + below, infinite) != 0)
        return "number";
    *out = below ? -INFINITY : INFINITY;
    return NULL;
}

static const char *read_word(const struct json_member *member, const json_t *value, int *out)
{
    const char *name = json_string_value(value);
    const struct choice *word;
    *out = -1;
    if (json_is_null(value) && member->as & NULLABLE)
        return NULL;
    for (int i = 0; name && (word = choice_at(member->words, (size_t)i)); i++)
        if (strcmp(word->name, name) == 0)
            *out = i;
    return *out >= 0 ? NULL : member->words->what;
}

static const char *read_entry(const struct json_member *member, const json_t *value,
                              const void **out)
{
    const char *name = json_string_value(value);
    *out = name ? choice_find(member->words, name) : NULL;
    return *out ? NULL : member->words->what;
}

static const char *read_simple(const struct json_member *member, json_t *value, void *at)
{
    switch (json_kind(member)) {
    case AS_TEXT:
        return read_text(member, value, at);
    case AS_LINES:
        return read_lines(value, at);
    case AS_RAW:
        *(char **)at = json_text(value, STYLE_LINES);
        return NULL;
    case AS_NAME:
        return read_name(value, at, member->size);
    case AS_HASH:
        return read_hash(member, value, at);
    case AS_WHOLE:
    case AS_SIGNED:
    case AS_INDEX:
        return read_whole(member, value, at);
    case AS_FLAG:
        *(bool *)at = json_is_true(value);
        return json_is_boolean(value) ? NULL : "flag (true or false)";
    case AS_REAL:
        return read_real(member, value, at);
    case AS_CODES:
        return read_codes(value, at, member->size);
    case AS_WORD:
        return read_word(member, value, at);
    case AS_ENTRY:
        return read_entry(member, value, at);
    default:
        return NULL;
    }
}

/* Reads a single value, or entry `index` of a list. */
static bool read_value(const struct json_member *member, json_t *value, void *at, size_t index,
                       const struct json_place *place)
{
    const struct json_place inner = {place, at, index, place->form, place->user};
    const bool tuple = json_kind(member) == AS_TUPLE, one = member->shape == SHAPE_ONE;
    if (!member->members) {
        const char *wanted = read_simple(member, value, at);
        return !wanted || wrong(member->name, value, wanted);
    }
    if (tuple ? !json_is_array(value) : !json_is_object(value))
        return wrong(member->name, value, tuple ? "list" : "JSON object");
    if (read_members(member->members, tuple, value, &inner))
        return true;
    status_prefix(STATUS_IO, one ? "%s" : "%s[%zu]", member->name, index);
    return false;
}

/* ---- lists and objects ---- */

/* Allocates a list's entries; an array of the struct has them already. NULL if out of memory. */
static char *make_room(const struct json_member *member, size_t count, void *item)
{
    char *at = (char *)item + member->offset;
    if (member->shape < SHAPE_LIST)
        return at;
    char *room = *(char **)at = calloc(count ? count : 1, member->size);
    if (!room)
        status_fail(STATUS_IO, "'%s' has %zu entries, which do not fit in memory", member->name,
                    count);
    return room;
}

static bool check_count(const struct json_member *member, size_t found,
                        const struct json_place *place)
{
    const bool exact = member->as & COUNTED || member->shape == SHAPE_FIXED;
    const size_t wanted = member->as & COUNTED ? count_of(member, place) : (size_t)member->most;
    if (exact ? found == wanted : found <= wanted || wanted == 0)
        return true;
    return wrong_count(member->name, found, exact ? "not" : "more than", wanted);
}

static bool read_list(const struct json_member *member, const json_t *value,
                      const struct json_place *place)
{
    char *item = (char *)place->item;
    const size_t count = json_array_size(value);
    if (json_is_null(value) && member->as & LIST_NULLABLE) {
        if (member->shape == SHAPE_FIXED)
            memset(item + member->offset, 0xFF, member->most * member->size);
        return true;
    }
    if (!json_is_array(value))
        return wrong(member->name, value, "list");
    if (!check_count(member, count, place))
        return false;
    char *values = make_room(member, count, item);
    if (values && member->has)
        *(bool *)(item + member->has) = true;
    for (size_t i = 0; values && i < count; i++) {
        if (member->count_size && !(member->as & COUNTED))
            put_whole(item + member->count, member->count_size, i + 1);
        if (!read_value(member, json_array_get(value, i), values + i * member->size, i, place))
            return false;
    }
    return values != NULL;
}

/* Reads the members of an object that `rows` does not name. */
static bool read_map(const struct json_member *member, json_t *from, const struct json_member *rows,
                     const struct json_place *place)
{
    const struct json_member *name = &member->members[0];
    const char *key;
    json_t *value;
    size_t count = 0;
    if (!json_is_object(from))
        return wrong(member->name, from, "JSON object");
    char *item = make_room(member, json_object_size(from), (void *)place->item);
    json_object_foreach(from, key, value) if (item && !json_has_row(rows, key))
    {
        struct json_member row = member->members[1];
        json_t *text = json_string(key);
        row.name = key;
        put_whole((char *)place->item + member->count, member->count_size, ++count);
        const char *wanted = read_simple(name, text, item + name->offset);
        const bool good = wanted ? wrong(key, text, wanted)
                                 : read_value(&row, value, item + row.offset, 0, place);
        json_decref(text);
        if (!good)
            return false;
        item += member->size;
    }
    return item != NULL;
}

static bool read_member(const struct json_member *member, json_t *value,
                        const struct json_place *place)
{
    char *item = (char *)place->item;
    if (!value && member->as & OPTIONAL)
        json_clear_member(member, item);
    if (!value)
        return member->as & OPTIONAL || wrong(member->name, NULL, NULL);
    if (member->shape == SHAPE_MAP)
        return read_map(member, value, json_no_rows, place);
    if (member->shape != SHAPE_ONE)
        return read_list(member, value, place);
    return read_value(member, value, item + member->offset, 0, place);
}

/* Compares a text with the one that the rest of the object gives. */
static bool check_derived(const struct json_member *member, const json_t *value,
                          const struct json_place *place)
{
    if (member->as & UNREAD)
        return true;
    char *wanted = member->derive(place);
    const char *found = json_string_value(value);
    const bool same = found && strcmp(found, wanted) == 0;
    if (!same)
        status_fail(STATUS_IO, "'%s' is '%s', but the other members imply '%s'", member->name,
                    found ? found : "no text", wanted);
    free(wanted);
    return same;
}

/* Refuses an object with a member that the table does not name. */
static bool check_names(const struct json_member *members, json_t *object)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) if (!json_has_row(members, key))
    {
        struct suggestion suggestion = {.word = key};
        for (const struct json_member *member = members; member->name; member++)
            suggest_offer(&suggestion, member->name);
        status_fail(STATUS_IO, "'%s' is not a member known to this gravreel%s", key,
                    suggest_text(&suggestion));
        return false;
    }
    return true;
}

static bool read_members(const struct json_member *members, bool tuple, json_t *from,
                         const struct json_place *place)
{
    const struct json_member *rest = NULL, *member;
    for (member = members; member->name; member++) {
        json_t *value = tuple ? json_array_get(from, (size_t)(member - members))
                              : json_object_get(from, member->name);
        if (!*member->name)
            rest = member;
        else if (!read_member(member, value, place))
            return false;
    }
    if (tuple && json_array_size(from) != (size_t)(member - members))
        return wrong_count("list", json_array_size(from), "not", (size_t)(member - members));
    for (member = members; member->name; member++)
        if (json_kind(member) == AS_DERIVED &&
            !check_derived(member, json_object_get(from, member->name), place))
            return false;
    return rest ? read_map(rest, from, members, place)
                : tuple || place->form->open || check_names(members, from);
}

/* ---- whole texts ---- */

/* Checks that the text has a format that can be read, if the table has one. */
static enum status check_format(const struct json_form *form, const json_t *root, int *format)
{
    const struct json_member *row = form->members;
    while (row->name && json_kind(row) != AS_FORMAT)
        row++;
    if (!row->name)
        return STATUS_OK;
    const json_t *found = json_object_get(root, row->name);
    if (!is_within(found, 1, INT32_MAX) && !wrong(row->name, found, "format's number"))
        return STATUS_IO;
    *format = (int)json_integer_value(found);
    if (*format >= (int)row->least && *format <= (int)row->most)
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "it has format %d, and this gravreel reads format %d; use the gravreel that "
                       "wrote it",
                       *format, (int)row->most);
}

enum status json_read(const struct json_form *form, const char *text, size_t size, void *to,
                      void *user, int *format)
{
    json_error_t error;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    *format = 0;
    if (!root)
        return status_fail(STATUS_IO, "it is not JSON at line %d: %s", error.line, error.text);
    enum status status = check_format(form, root, format);
    const struct json_place whole = {.item = to, .form = form, .user = user};
    if (status == STATUS_OK && !read_members(form->members, false, root, &whole))
        status = STATUS_IO;
    json_decref(root);
    return status;
}
