#include "cmd/view/describe.h"

#include "base/json/facts.h"
#include "scenes/scene_check.h"
#include "scenes/print.h"
#include "scenes/value.h"

#include <stdlib.h>
#include <string.h>

static const char *type_of(const struct key *key)
{
    static const char *const names[] = {
        [KEY_NUMBER] = "number",     [KEY_U32] = "whole",   [KEY_U64] = "whole",
        [KEY_FLAG] = "flag",         [KEY_TEXT] = "text",   [KEY_CHOICE] = "choice",
        [KEY_MOMENT] = "moment",     [KEY_SIZE] = "size",   [KEY_RATE] = "rate",
        [KEY_EXPOSURE] = "exposure", [KEY_COLOR] = "color", [KEY_VECTOR] = "vector",
        [KEY_TINTS] = "tints",       [KEY_LIST] = "list",
    };
    return names[key->type];
}

static void put_key(struct facts *facts, const struct key *key)
{
    const struct choice *entry;
    char range[EXPECTED_MAX];
    facts_text(facts, "name", key->name);
    facts_text(facts, "type", type_of(key));
    facts_text(facts, "doc", key->doc);
    if (key->fallback)
        facts_text(facts, "default", key->fallback);
    if (key->unit)
        facts_text(facts, "unit", key->unit);
    value_range(key, range, sizeof range);
    if (*range && key->type != KEY_CHOICE)
        facts_text(facts, "range", range);
    if (key->max > key->min && key->type <= KEY_U64) {
        facts_number(facts, "least", key->min); /* null: no limit */
        facts_number(facts, "most", key->max);
    }
    if (key->choices)
        facts_text(facts, "choices", key->choices);
    if (key->lines)
        facts_flag(facts, "lines", true);
    if (key->names_file)
        facts_flag(facts, "fixed", true);
    for (size_t i = 0; key->registry && (entry = choice_at(key->registry, i)); i++) {
        struct facts *item = facts_item(facts, "options");
        facts_text(item, "name", entry->name);
        facts_text(item, "doc", entry->doc);
    }
    if (key->type != KEY_LIST)
        return;
    facts_whole(facts, "items", key->list->item_max);
    facts_text(facts, "example", key->list->example);
    for (size_t i = 0; i < key->list->key_count; i++)
        put_key(facts_item(facts, "keys"), &key->list->keys[i]);
}

char *describe_keys(void)
{
    struct facts *facts = facts_open();
    for (size_t s = 0; s < SECTION_COUNT; s++) {
        struct facts *section = facts_item(facts, "sections");
        facts_text(section, "name", scene_sections[s].name);
        facts_text(section, "doc", scene_sections[s].doc);
        for (size_t i = 0; i < scene_key_count; i++)
            if (strcmp(scene_keys[i].section, scene_sections[s].name) == 0)
                put_key(facts_item(section, "keys"), &scene_keys[i]);
    }
    return facts_written(&facts, 0, 17);
}

static void put_value(struct facts *facts, const struct key *key, const void *base)
{
    char *text = value_text(key, (const char *)base + key->offset);
    facts_text(facts, key->name, text);
    free(text);
}

/* A value, which may be keyframes. */
static void put_number(struct facts *facts, const struct key *key, const struct scene *scene)
{
    char *text = value_in_scene(key, scene);
    facts_text(facts, key->name, text);
    free(text);
}

static void put_list(struct facts *facts, const struct key *key, const struct scene *scene)
{
    const struct key_list *list = key->list;
    const char *items = list_items(key, scene);
    facts_list(facts, key->name);
    for (uint32_t i = 0; i < *list_count(key, scene); i++) {
        struct facts *item = facts_item(facts, key->name);
        for (size_t k = 0; k < list->key_count; k++)
            put_value(item, &list->keys[k], items + i * list->item_size);
    }
}

static void put_section(struct facts *facts, struct facts *given, const char *name,
                        const struct scene *scene)
{
    for (size_t i = 0; i < scene_key_count; i++) {
        const struct key *key = &scene_keys[i];
        if (strcmp(key->section, name) != 0)
            continue;
        char path[KEY_PATH];
        key_path(key, path);
        if (key->type == KEY_LIST)
            put_list(facts, key, scene);
        else
            put_number(facts, key, scene);
        if (scene_is_given(scene, path))
            facts_flag(given, path, true);
    }
}

char *describe_scene(const struct described *described)
{
    const struct scene *scene = described->scene;
    struct facts *facts = facts_open(), *values = facts_object(facts, "values");
    struct facts *given = facts_object(facts, "given");
    for (size_t s = 0; s < SECTION_COUNT; s++)
        put_section(facts_object(values, scene_sections[s].name), given, scene_sections[s].name,
                    scene);
    const struct output_params *output = &scene->output;
    char *yaml = scene_print_short(scene, (const char *const[]){NULL});
    facts_text(facts, "yaml", yaml);
    free(yaml);
    facts_whole(facts, "width", output->size.width);
    facts_whole(facts, "height", output->size.height);
    facts_whole(facts, "frames", output->frames);
    facts_number(facts, "fps", (double)output->fps.num / output->fps.den);
    facts_text(facts, "command", described->command);
    facts_text(facts, "name", described->name);
    facts_text(facts, "save", described->save);
    facts_text(facts, "film", described->film);
    return facts_written(&facts, 0, 17);
}
