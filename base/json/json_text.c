#include "base/json/json_text.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- STYLE_LINES ---- */

static void print_value(FILE *out, json_t *value, int level, bool compact);

/* Prints the shortest digits that read back the same, with a point or an exponent. */
static void print_real(FILE *out, double value)
{
    char digits[40];
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value)
            break;
    }
    fprintf(out, "%s%s", digits, strpbrk(digits, ".e") ? "" : ".0");
}

static void print_plain(FILE *out, const json_t *value)
{
    char *text = json_dumps(value, JSON_ENCODE_ANY);
    fputs(text ? text : "null", out);
    free(text);
}

static void print_name(FILE *out, const char *name)
{
    json_t *value = json_string(name);
    print_plain(out, value);
    fputs(": ", out);
    json_decref(value);
}

static bool holds_numbers(const json_t *array)
{
    for (size_t i = 0; i < json_array_size(array); i++)
        if (!json_is_number(json_array_get(array, i)) && !json_is_null(json_array_get(array, i)))
            return false;
    return true;
}

/* The entries of a list, or the members of an object. */
static void print_items(FILE *out, json_t *value, int level, bool compact)
{
    const bool list = json_is_array(value), in_line = compact || (list && holds_numbers(value));
    const size_t count = list ? json_array_size(value) : json_object_size(value);
    void *member = json_object_iter(value);
    fputc(list ? '[' : '{', out);
    for (size_t i = 0; i < count; i++, member = json_object_iter_next(value, member)) {
        if (in_line)
            fputs(i ? ", " : "", out);
        else
            fprintf(out, "%s\n%*s", i ? "," : "", level + 1, "");
        if (!list)
            print_name(out, json_object_iter_key(member));
        print_value(out, list ? json_array_get(value, i) : json_object_iter_value(member),
                    level + 1, compact || list);
    }
    if (count > 0 && !in_line)
        fprintf(out, "\n%*s", level, "");
    fputc(list ? ']' : '}', out);
}

static void print_value(FILE *out, json_t *value, int level, bool compact)
{
    if (json_is_object(value) || json_is_array(value))
        print_items(out, value, level, compact);
    else if (json_is_real(value))
        print_real(out, json_real_value(value));
    else
        print_plain(out, value);
}

static char *print_lines(json_t *value)
{
    char *text = NULL;
    size_t size;
    FILE *out = text_begin(&text, &size);
    print_value(out, value, 0, false);
    text_end(out);
    return text;
}

/* ---- shared ---- */

const struct json_member json_no_rows[] = {{0}};

bool json_has_row(const struct json_member *members, const char *name)
{
    for (const struct json_member *member = members; member->name; member++)
        if (strcmp(member->name, name) == 0)
            return true;
    return false;
}

char *json_text(json_t *value, int style)
{
    if (!value || style == STYLE_LINES)
        return value ? print_lines(value) : NULL;
    return json_dumps(value, JSON_INDENT(1) | JSON_REAL_PRECISION(17) |
                                 (style == STYLE_SORTED ? JSON_SORT_KEYS : 0));
}

char *json_seal(const char *text, size_t hashed)
{
    char hash[HASH_TEXT];
    hash_parts(&(struct hash_part){text, hashed}, 1, hash);
    return text_format("%.*s,\n \"" JSON_SEAL "\": \"%s\"\n}", (int)strlen(text) - 2, text, hash);
}

bool json_is_sealed(const char *text, size_t size)
{
    const size_t seal = strlen(",\n \"" JSON_SEAL "\": \"\"\n}") + HASH_TEXT - 1;
    if (size < seal)
        return false;
    char *plain = text_format("%.*s\n}", (int)(size - seal), text);
    char *sealed = json_seal(plain, strlen(plain));
    const bool same = strlen(sealed) == size && memcmp(sealed, text, size) == 0;
    free(plain);
    free(sealed);
    return same;
}
