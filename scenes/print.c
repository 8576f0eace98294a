#include "scenes/print.h"

#include "base/memory.h"
#include "base/text.h"
#include "scenes/value.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* For the scene or the list's item `base`. */
static bool is_default(const void *base, const struct key *key)
{
    enum { VALUE_MAX = sizeof(struct moment) };
    if (key->type == KEY_LIST)
        return *list_count(key, base) == 0;
    char *fresh = memory_new(1, key->offset + VALUE_MAX);
    value_default(key, fresh + key->offset);
    char *usual = value_text(key, fresh + key->offset);
    char *found = value_text(key, (const char *)base + key->offset);
    const bool same = strcmp(usual, found) == 0;
    free(usual);
    free(found);
    value_free(key, fresh);
    free(fresh);
    return same;
}

static void print_item(FILE *file, const char *item, const struct key_list *list)
{
    char mark = '-';
    for (size_t i = 0; i < list->key_count; i++) {
        const struct key *key = &list->keys[i];
        if (key->rare && is_default(item, key))
            continue;
        fprintf(file, "    %c %s: ", mark, key->name);
        value_print(file, key, item + key->offset);
        fputc('\n', file);
        mark = ' ';
    }
}

static void print_list(FILE *file, const struct scene *scene, const struct key *key)
{
    const struct key_list *list = key->list;
    const char *items = list_items(key, scene);
    const uint32_t count = *list_count(key, scene);
    fputs(count ? "\n" : " []\n", file);
    for (uint32_t n = 0; n < count; n++)
        print_item(file, items + n * list->item_size, list);
}

/* Whether a section that is printed only when needed has nothing to print. */
static bool is_left_out(const struct scene *scene, const char *section)
{
    if (!scene_sections[key_section_find(section, strlen(section))].limits)
        return false;
    for (size_t i = 0; i < scene_key_count; i++)
        if (strcmp(scene_keys[i].section, section) == 0 && !is_default(scene, &scene_keys[i]))
            return false;
    return true;
}

static bool is_listed(const char *const *list, const struct key *key)
{
    char path[64];
    snprintf(path, sizeof path, "%s.%s", key->section, key->name);
    while (*list && strcmp(*list, path) != 0)
        list++;
    return *list != NULL;
}

static void print_key(FILE *file, const struct scene *scene, const struct key *key)
{
    fprintf(file, "  %s:", key->name);
    if (key->type == KEY_LIST) {
        print_list(file, scene, key);
        return;
    }
    fputc(' ', file);
    value_print(file, key, (const char *)scene + key->offset);
    fputc('\n', file);
}

char *scene_print_short(const struct scene *scene, const char *const *also)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = text_begin(&text, &size);
    const char *section = "";
    for (size_t i = 0; i < scene_key_count; i++) {
        const struct key *key = &scene_keys[i];
        if (is_default(scene, key) && !is_listed(also, key))
            continue;
        if (strcmp(section, key->section) != 0)
            fprintf(file, "%s%s:\n", *section ? "\n" : "", key->section);
        section = key->section;
        print_key(file, scene, key);
    }
    text_end(file);
    return text;
}

char *scene_print(const struct scene *scene)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = text_begin(&text, &size);
    const char *section = "";
    bool left_out = false;
    for (size_t i = 0; i < scene_key_count; i++) {
        const struct key *key = &scene_keys[i];
        const bool begins = strcmp(section, key->section) != 0;
        section = key->section;
        left_out = begins ? is_left_out(scene, section) : left_out;
        if (left_out)
            continue;
        if (begins)
            fprintf(file, "%s:\n", section);
        if (key->rare && is_default(scene, key))
            continue;
        print_key(file, scene, key);
    }
    text_end(file);
    return text;
}

void scene_text_hash(const char *text, char out[17])
{
    snprintf(out, 17, "%016" PRIx64, (uint64_t)XXH3_64bits(text, strlen(text)));
}

void scene_hash(const struct scene *scene, char out[17])
{
    char *text = scene_print(scene);
    scene_text_hash(text, out);
    free(text);
}
