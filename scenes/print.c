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

char *scene_print(const struct scene *scene)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        memory_exhausted();
    const char *section = "";
    for (size_t i = 0; i < scene_key_count; i++) {
        const struct key *key = &scene_keys[i];
        if (strcmp(section, key->section) != 0)
            fprintf(file, "%s:\n", key->section);
        section = key->section;
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

void scene_hash(const struct scene *scene, char out[17])
{
    char *text = scene_print(scene);
    snprintf(out, 17, "%016" PRIx64, (uint64_t)XXH3_64bits(text, strlen(text)));
    free(text);
}
