#include "base/json/text.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- the style of lines ---- */

static void print_value(FILE *out, const json_t *value, int level, bool compact);

/* As short as it can be read back; always with a point or an exponent, by which it is a real. */
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

static void print_text(FILE *out, const char *text)
{
    json_t *value = json_string(text);
    char *quoted = json_dumps(value, JSON_ENCODE_ANY);
    fputs(quoted ? quoted : "\"\"", out);
    free(quoted);
    json_decref(value);
}

static void break_line(FILE *out, int level, bool compact, bool first)
{
    if (compact)
        fputs(first ? "" : ", ", out);
    else
        fprintf(out, "%s\n%*s", first ? "" : ",", level, "");
}

static void print_object(FILE *out, const json_t *object, int level, bool compact)
{
    const char *key;
    json_t *value;
    bool first = true;
    fputc('{', out);
    json_object_foreach((json_t *)object, key, value)
    {
        break_line(out, level + 1, compact, first);
        print_text(out, key);
        fputs(": ", out);
        print_value(out, value, level + 1, compact);
        first = false;
    }
    if (!first && !compact)
        fprintf(out, "\n%*s", level, "");
    fputc('}', out);
}

static bool holds_numbers(const json_t *array)
{
    size_t at;
    json_t *value;
    json_array_foreach(array, at, value)
    {
        if (!json_is_number(value) && !json_is_null(value))
            return false;
    }
    return true;
}

static void print_array(FILE *out, const json_t *array, int level, bool compact)
{
    size_t at;
    json_t *value;
    compact = compact || holds_numbers(array);
    fputc('[', out);
    json_array_foreach(array, at, value)
    {
        break_line(out, level + 1, compact, at == 0);
        print_value(out, value, level + 1, true);
    }
    if (json_array_size(array) > 0 && !compact)
        fprintf(out, "\n%*s", level, "");
    fputc(']', out);
}

static void print_value(FILE *out, const json_t *value, int level, bool compact)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        print_object(out, value, level, compact);
        break;
    case JSON_ARRAY:
        print_array(out, value, level, compact);
        break;
    case JSON_STRING:
        print_text(out, json_string_value(value));
        break;
    case JSON_INTEGER:
        fprintf(out, "%lld", (long long)json_integer_value(value));
        break;
    case JSON_REAL:
        print_real(out, json_real_value(value));
        break;
    default:
        fputs(json_is_true(value) ? "true" : json_is_false(value) ? "false" : "null", out);
    }
}

static char *print_lines(const json_t *value)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        memory_exhausted();
    print_value(out, value, 0, false);
    if (fclose(out) != 0)
        memory_exhausted();
    return text;
}

/* ---- */

bool json_has_row(const struct json_member *members, const char *name)
{
    for (const struct json_member *member = members; member->name; member++)
        if (strcmp(member->name, name) == 0)
            return true;
    return false;
}

char *json_text(const json_t *value, int style)
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
