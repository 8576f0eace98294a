/* What the whole says of itself, from what its parts say. */
#include "cmd/join/inputs.h"

#include "base/log.h"
#include "base/text.h"
#include "cmd/job/tags.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What the container adds by itself. */
static bool is_containers(const char *key)
{
    static const char *const own[] = {"major_brand", "minor_version", "compatible_brands",
                                      "encoder", "duration"};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (strcasecmp(own[i], key) == 0)
            return true;
    return false;
}

/* The parts' values, each once: "cpu, avx2; NVIDIA H200". */
static char *list_values(const struct join_parts *parts, const char *key, bool *differ)
{
    char *all = NULL;
    *differ = false;
    for (size_t i = 0; i < parts->count; i++) {
        const char *value = film_info_tag(&parts->list[i].info, key);
        bool known = false;
        for (size_t j = 0; value && j < i; j++) {
            const char *before = film_info_tag(&parts->list[j].info, key);
            known |= before && strcmp(before, value) == 0;
        }
        if (!value || known)
            continue;
        *differ |= all != NULL;
        char *longer = all ? text_format("%s; %s", all, value) : strdup(value);
        free(all);
        all = longer;
        if (!all)
            return NULL;
    }
    return all;
}

static char *latest(const struct join_parts *parts, const char *key)
{
    const char *found = "";
    for (size_t i = 0; i < parts->count; i++) {
        const char *value = film_info_tag(&parts->list[i].info, key);
        found = value && strcmp(value, found) > 0 ? value : found;
    }
    return strdup(found);
}

static void warn_of(const char *key, const char *values)
{
    static const char *const matter[] = {"gravreel_device", "gravreel_renderer",
                                         "gravreel_version"};
    for (size_t i = 0; i < sizeof matter / sizeof matter[0]; i++)
        if (strcmp(key, matter[i]) == 0)
            log_warning("the parts differ in %s (%s): bodies or light may jump where they meet",
                        key, values);
}

static char *value_of(const struct join_parts *parts, const char *key)
{
    if (strcmp(key, "creation_time") == 0)
        return latest(parts, key);
    if (strcmp(key, FILM_TAG_FRAMES) == 0) {
        char frames[FILM_FRAMES_TEXT];
        film_frames_print(parts->list[0].first, parts->list[parts->count - 1].last, parts->of,
                          frames);
        return strdup(frames);
    }
    bool differ;
    char *values = list_values(parts, key, &differ);
    if (values && differ)
        warn_of(key, values);
    return values;
}

/* Takes key and value. */
static enum status add(struct join_parts *parts, char *key, char *value)
{
    if (key && value) {
        parts->tags[parts->tag_count++] = (struct sink_tag){key, value};
        return STATUS_OK;
    }
    free(key);
    free(value);
    return status_fail(STATUS_RUNTIME, "no memory left to describe the film");
}

/* Matroska keeps them in upper case. */
static char *lower(const char *text)
{
    char *copy = strdup(text);
    for (char *at = copy; at && *at; at++)
        *at = (char)tolower((unsigned char)*at);
    return copy;
}

enum status join_parts_tag(struct join_parts *parts)
{
    const struct film_info *info = &parts->list[0].info;
    const char *state = film_info_tag(&parts->list[parts->count - 1].info, FILM_TAG_LAST_STATE);
    parts->tags = calloc((size_t)info->tag_count + 1, sizeof *parts->tags);
    enum status status = parts->tags
                             ? STATUS_OK
                             : status_fail(STATUS_RUNTIME, "no memory left to describe the film");
    for (int i = 0; status == STATUS_OK && i < info->tag_count; i++) {
        char *key = lower(info->tags[i].key);
        bool ends = key && strcmp(key, FILM_TAG_LAST_STATE) == 0;
        if (key && (is_containers(key) || (ends && !state)))
            free(key);
        else
            status = add(parts, key, !key ? NULL : ends ? strdup(state) : value_of(parts, key));
    }
    if (status == STATUS_OK && state && !film_info_tag(info, FILM_TAG_LAST_STATE))
        status = add(parts, strdup(FILM_TAG_LAST_STATE), strdup(state));
    return status;
}
