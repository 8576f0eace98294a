#include "base/json/facts.h"

#include "base/memory.h"
#include "base/text.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A struct facts is a value of the library. */
static json_t *object_of(struct facts *facts)
{
    return (json_t *)facts;
}

/* Adds a value to an object, or to the end of a list. */
static struct facts *put(struct facts *facts, const char *name, json_t *value)
{
    json_t *to = object_of(facts);
    if ((json_is_array(to) ? json_array_append_new(to, value)
                           : json_object_set_new(to, name, value)) != 0)
        memory_exhausted();
    return (struct facts *)value;
}

struct facts *facts_open(void)
{
    json_t *object = json_object();
    if (!object)
        memory_exhausted();
    return (struct facts *)object;
}

struct facts *facts_object(struct facts *facts, const char *name)
{
    return put(facts, name, json_object());
}

struct facts *facts_list(struct facts *facts, const char *name)
{
    json_t *found = name ? json_object_get(object_of(facts), name) : NULL;
    return found ? (struct facts *)found : put(facts, name, json_array());
}

struct facts *facts_item(struct facts *facts, const char *list)
{
    return facts_object(facts_list(facts, list), NULL);
}

void facts_text(struct facts *facts, const char *name, const char *value)
{
    json_t *text = value ? json_string(value) : NULL;
    put(facts, name, text ? text : json_null());
}

void facts_number(struct facts *facts, const char *name, double value)
{
    put(facts, name, isfinite(value) ? json_real(value) : json_null());
}

void facts_whole(struct facts *facts, const char *name, uint64_t value)
{
    put(facts, name, json_integer((json_int_t)value));
}

void facts_flag(struct facts *facts, const char *name, bool value)
{
    put(facts, name, json_boolean(value));
}

void facts_vector(struct facts *facts, const char *name, const double value[3])
{
    struct facts *list = facts_list(facts, name);
    for (int k = 0; k < 3; k++)
        facts_number(list, NULL, value[k]);
}

char *facts_written(struct facts **facts, int indent, int digits)
{
    char *text = json_dumps(object_of(*facts),
                            JSON_INDENT((size_t)indent) | JSON_REAL_PRECISION((size_t)digits));
    if (!text)
        memory_exhausted();
    facts_free(facts);
    return text;
}

/* Escapes the control characters that JSON permits in strings and a terminal would obey. */
static void put_escaped(const char *text)
{
    for (int size; *text; text += size > 0 ? size : 1) {
        const unsigned char *at = (const unsigned char *)text;
        size = *text == '\n' ? 0 : text_control(text);
        if (size == 0)
            putchar(*text);
        else
            printf("\\u%04x", size == 1 ? at[0]
                              : size == 2
                                  ? (at[0] & 0x1Fu) << 6 | (at[1] & 0x3Fu)
                                  : (at[0] & 0xFu) << 12 | (at[1] & 0x3Fu) << 6 | (at[2] & 0x3Fu));
    }
}

void facts_print(struct facts **facts)
{
    if (!*facts)
        return;
    char *text = facts_written(facts, 2, 17);
    put_escaped(text); /* main looks at the stream */
    putchar('\n');
    free(text);
}

void facts_free(struct facts **facts)
{
    if (*facts)
        json_decref(object_of(*facts));
    *facts = NULL;
}
