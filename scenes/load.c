#include "scenes/load.h"

#include <cyaml/cyaml.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The schemas of one load; they point into each other. */
struct schemas {
    cyaml_schema_field_t sections[SECTION_COUNT + 1];
    cyaml_schema_field_t fields[SECTION_COUNT][KEYS_MAX + 1];
    cyaml_schema_field_t item_fields[KEYS_MAX][LIST_KEYS_MAX + 1];
    cyaml_schema_value_t items[KEYS_MAX];
    cyaml_schema_value_t root;
};

static const cyaml_schema_value_t number_schema = {CYAML_VALUE_FLOAT(CYAML_FLAG_DEFAULT, double)};

static void make_field(cyaml_schema_field_t *field, const struct key *key, size_t base)
{
    field->key = key->name;
    field->data_offset = (uint32_t)(key->offset - base);
    cyaml_schema_value_t *value = &field->value;
    value->flags = CYAML_FLAG_OPTIONAL;
    switch (key->type) {
    case KEY_NUMBER:
        value->type = CYAML_FLOAT;
        value->data_size = sizeof(double);
        break;
    case KEY_U32:
        value->type = CYAML_UINT;
        value->data_size = sizeof(uint32_t);
        break;
    case KEY_U64:
        value->type = CYAML_UINT;
        value->data_size = sizeof(uint64_t);
        break;
    case KEY_FLAG:
        value->type = CYAML_BOOL;
        value->data_size = sizeof(bool);
        break;
    case KEY_TEXT:
    case KEY_SIZE:
    case KEY_RATE:
        value->type = CYAML_STRING;
        value->flags |= CYAML_FLAG_POINTER;
        value->data_size = sizeof(char);
        value->string.max = CYAML_UNLIMITED;
        break;
    case KEY_CHOICE: /* the outline has it */
        value->type = CYAML_IGNORE;
        break;
    case KEY_VECTOR:
        value->type = CYAML_SEQUENCE_FIXED;
        value->data_size = sizeof(double);
        value->sequence.entry = &number_schema;
        value->sequence.min = value->sequence.max = 3;
        break;
    case KEY_LIST:
        value->type = CYAML_SEQUENCE;
        value->flags |= CYAML_FLAG_POINTER;
        value->data_size = (uint32_t)key->list->item_size;
        field->count_offset = (uint32_t)(key->list->count_offset - base);
        field->count_size = sizeof(uint32_t);
        value->sequence.max = (uint32_t)key->list->item_max;
        break;
    }
}

static void make_item_schema(struct schemas *schemas, size_t index)
{
    const struct key_list *list = scene_keys[index].list;
    for (size_t i = 0; i < list->key_count; i++)
        make_field(&schemas->item_fields[index][i], &list->keys[i], 0);
    schemas->items[index] = (cyaml_schema_value_t){
        .type = CYAML_MAPPING,
        .data_size = (uint32_t)list->item_size,
        .mapping.fields = schemas->item_fields[index],
    };
}

static struct schemas *make_schemas(const struct outline *outline)
{
    struct schemas *schemas = calloc(1, sizeof *schemas);
    if (!schemas)
        return NULL;
    for (size_t s = 0; s < SECTION_COUNT; s++) {
        const struct key_section *section = &scene_sections[s];
        cyaml_schema_field_t *next = schemas->fields[s];
        for (size_t i = 0; i < scene_key_count; i++) {
            if (strcmp(scene_keys[i].section, section->name) != 0)
                continue;
            make_field(next, &scene_keys[i], section->offset);
            if (scene_keys[i].type == KEY_LIST) {
                make_item_schema(schemas, i);
                next->value.sequence.entry = &schemas->items[i];
            }
            next++;
        }
        cyaml_schema_field_t *field = &schemas->sections[s];
        field->key = section->name;
        field->data_offset = (uint32_t)section->offset;
        /* A section's name with nothing below it is no mapping to libcyaml. */
        field->value.type = outline->section_filled[s] ? CYAML_MAPPING : CYAML_IGNORE;
        field->value.flags = CYAML_FLAG_OPTIONAL;
        if (outline->section_filled[s]) {
            field->value.data_size = (uint32_t)section->size;
            field->value.mapping.fields = schemas->fields[s];
        }
    }
    schemas->root = (cyaml_schema_value_t){
        .type = CYAML_MAPPING,
        .flags = CYAML_FLAG_POINTER,
        .data_size = sizeof(struct scene),
        .mapping.fields = schemas->sections,
    };
    return schemas;
}

/* Keeps libcyaml's first complaint; the ones after it only say where. */
__attribute__((format(printf, 3, 0))) static void keep_message(cyaml_log_t level, void *context,
                                                               const char *format, va_list args)
{
    char *kept = context;
    if (level == CYAML_LOG_ERROR && kept[0] == '\0') {
        vsnprintf(kept, STATUS_TEXT_MAX / 2, format, args);
        kept[strcspn(kept, "\n")] = '\0';
    }
}

/* Memory from libcyaml becomes the scene's and ends in free(). */
static void *take_memory(void *context, void *memory, size_t size)
{
    (void)context;
    if (size == 0) {
        free(memory);
        return NULL;
    }
    return realloc(memory, size);
}

static void swap_bytes(void *a, void *b, size_t size)
{
    char kept[sizeof(double[3])];
    memcpy(kept, a, size);
    memcpy(a, b, size);
    memcpy(b, kept, size);
}

static size_t value_size(const struct key *key)
{
    switch (key->type) {
    case KEY_NUMBER:
        return sizeof(double);
    case KEY_U32:
        return sizeof(uint32_t);
    case KEY_U64:
        return sizeof(uint64_t);
    case KEY_FLAG:
        return sizeof(bool);
    case KEY_VECTOR:
        return sizeof(double[3]);
    case KEY_TEXT:
    case KEY_CHOICE:
    case KEY_SIZE:
    case KEY_RATE:
    case KEY_LIST:
        break;
    }
    return sizeof(void *);
}

enum status load_item_defaults(const struct key_list *list, void *item)
{
    for (size_t i = 0; i < list->key_count; i++) {
        const struct key *key = &list->keys[i];
        const char *text = key->fallback ? key->fallback : "";
        char *at = (char *)item + key->offset;
        if (key->type == KEY_NUMBER) {
            *(double *)at = strtod(text, NULL);
        } else if (key->type == KEY_FLAG) {
            *(bool *)at = strcmp(text, "true") == 0;
        } else if (key->type == KEY_U32) {
            *(uint32_t *)at = (uint32_t)strtoul(text, NULL, 10);
        } else if (key->type == KEY_VECTOR && key->fallback) {
            double *vector = (double *)at;
            sscanf(text, "[%lf, %lf, %lf]", &vector[0], &vector[1], &vector[2]);
        } else if (key->type == KEY_CHOICE) {
            *(const struct choice **)at = key->fallback ? choice_find(key->registry, text) : NULL;
        } else if (key->type == KEY_TEXT) {
            char *copy = strdup(strcmp(text, "\"\"") == 0 ? "" : text);
            if (!copy)
                return status_fail(STATUS_RUNTIME, "no memory left for the scene");
            free(*(char **)at);
            *(char **)at = copy;
        }
    }
    return STATUS_OK;
}

/* What an item does not give is zero after loading; put its default there. */
static enum status complete_items(struct scene *loaded, const struct key *key,
                                  const struct outline_item *items, uint32_t count)
{
    const struct key_list *list = key->list;
    char *data = *(char **)((char *)loaded + key->offset);
    enum status status = STATUS_OK;
    void *blank = calloc(1, list->item_size);
    if (!blank)
        return status_fail(STATUS_RUNTIME, "no memory left for the scene");
    for (uint32_t n = 0; n < count && status == STATUS_OK; n++) {
        char *item = data + n * list->item_size;
        status = load_item_defaults(list, blank);
        for (size_t i = 0; i < list->key_count; i++)
            if (list->keys[i].type == KEY_CHOICE)
                *(const struct choice **)(item + list->keys[i].offset) = items[n].choice[i];
        for (size_t i = 0; i < list->key_count && status == STATUS_OK; i++)
            if (!items[n].line[i])
                swap_bytes(item + list->keys[i].offset, (char *)blank + list->keys[i].offset,
                           value_size(&list->keys[i]));
    }
    for (size_t i = 0; i < list->key_count; i++)
        if (list->keys[i].type == KEY_TEXT)
            free(*(char **)((char *)blank + list->keys[i].offset));
    free(blank);
    return status;
}

static void move_values(struct scene *scene, struct scene *loaded, const struct outline *outline)
{
    for (size_t i = 0; i < scene_key_count; i++) {
        const struct key *key = &scene_keys[i];
        if (!outline->line[i])
            continue;
        swap_bytes((char *)scene + key->offset, (char *)loaded + key->offset, value_size(key));
        if (key->type == KEY_LIST)
            swap_bytes((char *)scene + key->list->count_offset,
                       (char *)loaded + key->list->count_offset, sizeof(uint32_t));
    }
}

enum status load_values(struct scene *scene, const char *text, size_t size,
                        const struct outline *outline, const char *origin)
{
    bool any = false;
    for (size_t i = 0; i < scene_key_count; i++)
        any = any || outline->line[i];
    if (!any)
        return STATUS_OK;
    struct schemas *schemas = make_schemas(outline);
    if (!schemas)
        return status_fail(STATUS_RUNTIME, "no memory left for the scene");
    char message[STATUS_TEXT_MAX / 2] = "";
    const cyaml_config_t config = {
        .log_fn = keep_message,
        .log_ctx = message,
        .log_level = CYAML_LOG_ERROR,
        .mem_fn = take_memory,
        .flags = CYAML_CFG_NO_ALIAS,
    };
    cyaml_data_t *data = NULL;
    enum status status = STATUS_OK;
    cyaml_err_t error =
        cyaml_load_data((const uint8_t *)text, size, &config, &schemas->root, &data, NULL);
    /* The text was parsed before, for the outline: only a lack of memory makes libyaml fail now. */
    if (error == CYAML_ERR_OOM || error == CYAML_ERR_LIBYAML_PARSER ||
        error == CYAML_ERR_LIBYAML_PARSER_INIT || (error == CYAML_OK && !data)) {
        status = status_fail(STATUS_RUNTIME, "no memory left for the scene");
    } else if (error != CYAML_OK) {
        status = status_fail(STATUS_USAGE, "%s: the scene cannot be loaded: %s", origin,
                             message[0] ? message : cyaml_strerror(error));
    } else {
        for (size_t i = 0; i < scene_key_count && status == STATUS_OK; i++)
            if (outline->item_count[i])
                status =
                    complete_items(data, &scene_keys[i], outline->items[i], outline->item_count[i]);
        for (size_t i = 0; i < scene_key_count; i++)
            if (scene_keys[i].type == KEY_CHOICE)
                *(const struct choice **)((char *)data + scene_keys[i].offset) = outline->choice[i];
        if (status == STATUS_OK)
            move_values(scene, data, outline);
        cyaml_free(&config, &schemas->root, data, 0);
    }
    free(schemas);
    return status;
}

void load_free_list(struct scene *scene, const struct key *key)
{
    char **items = (char **)((char *)scene + key->offset);
    uint32_t *count = (uint32_t *)((char *)scene + key->list->count_offset);
    for (uint32_t n = 0; n < *count; n++)
        for (size_t i = 0; i < key->list->key_count; i++)
            if (key->list->keys[i].type == KEY_TEXT)
                free(*(char **)(*items + n * key->list->item_size + key->list->keys[i].offset));
    free(*items);
    *items = NULL;
    *count = 0;
}
