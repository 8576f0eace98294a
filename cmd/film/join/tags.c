#include "cmd/film/join/tags.h"

#include "base/log.h"
#include "base/packed_tags.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/film/tags.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Matroska keeps names in upper case. */
static char *lower(const char *name)
{
    char *copy = memory_text(name);
    for (char *at = copy; *at; at++)
        *at = (char)tolower((unsigned char)*at);
    return copy;
}

/* Whether the container adds this tag to every file. */
static bool is_containers(const char *name)
{
    static const char *const own[] = {"major_brand", "minor_version", "compatible_brands",
                                      "encoder", "duration"};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (strcmp(own[i], name) == 0)
            return true;
    return false;
}

/* The segments' distinct values: "cpu, avx2; NVIDIA H200". */
static char *list_values(const struct inputs *inputs, const char *name, bool *differ)
{
    char *all = NULL;
    *differ = false;
    for (size_t i = 0; i < inputs->count; i++) {
        const char *value = tags_find(&inputs->list[i].info.tags, name);
        bool known = false;
        for (size_t j = 0; value && j < i; j++) {
            const char *before = tags_find(&inputs->list[j].info.tags, name);
            known |= before && strcmp(before, value) == 0;
        }
        if (!value || known)
            continue;
        *differ |= all != NULL;
        text_append(&all, "; ", "%s", value);
    }
    return all;
}

static const char *latest(const struct inputs *inputs, const char *name)
{
    const char *found = "";
    for (size_t i = 0; i < inputs->count; i++) {
        const char *value = tags_find(&inputs->list[i].info.tags, name);
        found = value && strcmp(value, found) > 0 ? value : found;
    }
    return found;
}

static void warn_of(const char *name, const char *values)
{
    static const char *const matter[] = {"gravreel_device", "gravreel_renderer",
                                         "gravreel_version"};
    for (size_t i = 0; i < sizeof matter / sizeof matter[0]; i++)
        if (strcmp(name, matter[i]) == 0)
            log_warning("the segments differ in %s (%s); bodies or light may jump where they meet",
                        name, values);
}

static void add_values(const struct inputs *inputs, const char *name, struct tags *tags)
{
    bool differ;
    char *values = list_values(inputs, name, &differ);
    if (differ)
        warn_of(name, values);
    tags_add(tags, name, values);
    free(values);
}

void join_tags(const struct inputs *inputs, struct tags *tags)
{
    const struct input *first = &inputs->list[0], *last = &inputs->list[inputs->count - 1];
    const char *state = tags_find(&last->info.tags, FILM_TAG_LAST_STATE);
    char frames[FILM_FRAMES_TEXT];
    film_frames_print(first->first, last->last, inputs->of, frames);
    for (size_t i = 0; i < first->info.tags.count; i++) {
        char *name = lower(first->info.tags.list[i].name);
        if (strcmp(name, FILM_TAG_LAST_STATE) == 0 && state)
            tags_add(tags, name, state);
        else if (strcmp(name, FILM_TAG_FRAMES) == 0)
            tags_add(tags, name, frames);
        else if (strcmp(name, "creation_time") == 0)
            tags_add(tags, name, latest(inputs, name));
        else if (strcmp(name, FILM_TAG_LAST_STATE) != 0 && !is_containers(name))
            add_values(inputs, name, tags);
        free(name);
    }
    if (state && !tags_find(&first->info.tags, FILM_TAG_LAST_STATE))
        tags_add(tags, FILM_TAG_LAST_STATE, state);
    if (first->info.packed)
        tags_pack(tags);
}
