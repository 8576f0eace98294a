#include "scenes/print.h"

#include "base/memory.h"
#include "scenes/value.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static void print_list(FILE *file, const struct scene *scene, const struct key *key)
{
    const struct key_list *list = key->list;
    const char *items = list_items(key, scene);
    const uint32_t count = *list_count(key, scene);
    fputs(count ? "\n" : " []\n", file);
    for (uint32_t n = 0; n < count; n++) {
        for (size_t i = 0; i < list->key_count; i++) {
            fprintf(file, "    %c %s: ", i ? ' ' : '-', list->keys[i].name);
            value_print(file, &list->keys[i], items + n * list->item_size + list->keys[i].offset);
            fputc('\n', file);
        }
    }
}

static bool is_default(const struct scene *scene, const struct key *key)
{
    const char *value = (const char *)scene + key->offset;
    double fallback = 0;
    if (key->type == KEY_CHOICE) {
        const struct choice *const chosen = *(const struct choice *const *)(const void *)value;
        return strcmp(chosen->name, key->fallback) == 0;
    }
    value_default(key, &fallback);
    return *(const double *)value == fallback;
}

/* Whether a section that may be left out has nothing to say. */
static bool is_left_out(const struct scene *scene, const char *section)
{
    if (!scene_sections[key_section_find(section, strlen(section))].limits)
        return false;
    for (size_t i = 0; i < scene_key_count; i++)
        if (strcmp(scene_keys[i].section, section) == 0 && !is_default(scene, &scene_keys[i]))
            return false;
    return true;
}

char *scene_print(const struct scene *scene)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        memory_exhausted();
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
        fprintf(file, "  %s:", key->name);
        if (key->type == KEY_LIST) {
            print_list(file, scene, key);
            continue;
        }
        fputc(' ', file);
        value_print(file, key, (const char *)scene + key->offset);
        fputc('\n', file);
    }
    if (fclose(file) != 0)
        memory_exhausted();
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
