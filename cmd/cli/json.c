#include "cmd/cli/json.h"

#include "base/memory.h"
#include "base/text.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A struct facts is a JSON object of the library. */
static json_t *object_of(struct facts *facts)
{
    return (json_t *)facts;
}

static struct facts *new_object(void)
{
    json_t *object = json_object();
    if (!object)
        memory_exhausted();
    return (struct facts *)object;
}

static void set(struct facts *facts, const char *name, json_t *value)
{
    if (json_object_set_new(object_of(facts), name, value ? value : json_null()) != 0)
        memory_exhausted();
}

struct facts *facts_open(void)
{
    return new_object();
}

struct facts *facts_object(struct facts *facts, const char *name)
{
    struct facts *inner = new_object();
    set(facts, name, object_of(inner));
    return inner;
}

void facts_list(struct facts *facts, const char *list)
{
    if (!json_object_get(object_of(facts), list))
        set(facts, list, json_array());
}

struct facts *facts_item(struct facts *facts, const char *list)
{
    facts_list(facts, list);
    json_t *items = json_object_get(object_of(facts), list);
    struct facts *item = new_object();
    if (json_array_append_new(items, object_of(item)) != 0)
        memory_exhausted();
    return item;
}

void facts_text(struct facts *facts, const char *name, const char *value)
{
    set(facts, name, value ? json_string(value) : NULL);
}

void facts_number(struct facts *facts, const char *name, double value)
{
    set(facts, name, isfinite(value) ? json_real(value) : json_null());
}

void facts_whole(struct facts *facts, const char *name, uint64_t value)
{
    set(facts, name, json_integer((json_int_t)value));
}

void facts_flag(struct facts *facts, const char *name, bool value)
{
    set(facts, name, json_boolean(value));
}

void facts_vector(struct facts *facts, const char *name, const double value[3])
{
    json_t *array = json_array();
    for (int k = 0; array && k < 3; k++)
        if (json_array_append_new(array, isfinite(value[k]) ? json_real(value[k]) : json_null()))
            memory_exhausted();
    set(facts, name, array);
}

/* JSON may hold any character in its strings, and a terminal obeys some of them. */
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
    char *text = json_dumps(object_of(*facts), JSON_INDENT(2));
    if (!text)
        memory_exhausted();
    put_escaped(text); /* main looks at the stream */
    putchar('\n');
    free(text);
    facts_free(facts);
}

void facts_free(struct facts **facts)
{
    if (*facts)
        json_decref(object_of(*facts));
    *facts = NULL;
}
