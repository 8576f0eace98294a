#include "cmd/film/manifest/json.h"

#include "base/memory.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char checksum[] = "xxh3_128";

/* The canonical text of a manifest, which is hashed and written. */
static char *dump(const json_t *root)
{
    return json_dumps(root, JSON_INDENT(1) | JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
}

static bool hash_of(const json_t *root, char out[HASH_TEXT])
{
    char *text = dump(root);
    if (text)
        hash_parts(&(struct hash_part){text, strlen(text)}, 1, out);
    free(text);
    return text != NULL;
}

/* ---- writing ---- */

static json_t *number(uint64_t value)
{
    return json_integer((json_int_t)value);
}

/* Turns an incompletely filled value, which contains a text that is not UTF-8, into NULL. */
static json_t *whole(json_t *value, int error)
{
    if (!error)
        return value;
    json_decref(value);
    return NULL;
}

static json_t *values_json(const struct manifest *manifest)
{
    json_t *object = json_object();
    int error = 0;
    for (size_t v = 0; v < manifest->value_count; v++)
        error |= json_object_set_new(object, manifest->values[v].name,
                                     json_real(manifest->values[v].value));
    return whole(object, error);
}

static json_t *segments_json(const struct manifest_segment *list, size_t count)
{
    json_t *array = json_array();
    int error = 0;
    for (size_t p = 0; p < count; p++) {
        const struct manifest_segment *segment = &list[p];
        error |= json_array_append_new(
            array,
            json_pack("{s:o, s:o, s:o, s:s, s:o, s:s}", "index", number(segment->index), "first",
                      number(segment->first), "count", number(segment->count), "file",
                      segment->file, "bytes", number(segment->bytes), checksum, segment->hash));
    }
    return whole(array, error);
}

static json_t *checkpoints_json(const struct manifest *manifest)
{
    json_t *array = json_array();
    int error = 0;
    for (size_t c = 0; c < manifest->checkpoint_count; c++) {
        const struct manifest_checkpoint *checkpoint = &manifest->checkpoints[c];
        error |= json_array_append_new(
            array, json_pack("{s:o, s:s, s:o, s:s}", "frame", number(checkpoint->frame), "file",
                             checkpoint->file, "bytes", number(checkpoint->bytes), checksum,
                             checkpoint->hash));
    }
    return whole(array, error);
}

char *manifest_to_json(const struct manifest *manifest)
{
    const struct manifest_plan *plan = &manifest->plan;
    char hash[HASH_TEXT];
    json_t *root = json_pack(
        "{s:i, s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "format",
        MANIFEST_FORMAT, "program", plan->program, "scene", plan->scene, "scene_hash",
        plan->scene_hash, "start", plan->start, "codec", plan->codec, "container", plan->container,
        "frames", number(plan->frames), "first", number(plan->first), "last", number(plan->last),
        "segment_length", number(plan->segment_length), "values", values_json(manifest), "segments",
        segments_json(manifest->segments, manifest->segment_count), "pictures",
        segments_json(manifest->pictures, manifest->picture_count), "checkpoints",
        checkpoints_json(manifest));
    bool good =
        root && hash_of(root, hash) && json_object_set_new(root, checksum, json_string(hash)) == 0;
    char *text = good ? dump(root) : NULL;
    json_decref(root);
    return text;
}

/* ---- reading: the checksum proves a text intact; a wrong shape is refused even so ---- */

static bool get_number(const json_t *object, const char *key, uint64_t *out)
{
    const json_t *found = json_object_get(object, key);
    *out = (uint64_t)json_integer_value(found);
    return json_is_integer(found) && json_integer_value(found) >= 0;
}

static bool get_text(const json_t *object, const char *key, const char **out)
{
    const char *found = json_string_value(json_object_get(object, key));
    *out = found ? memory_text(found) : NULL;
    return *out != NULL;
}

static bool get_name(const json_t *object, const char *key, char *out, size_t size)
{
    const char *found = json_string_value(json_object_get(object, key));
    if (!found || strlen(found) >= size || strchr(found, '/'))
        return false;
    memcpy(out, found, strlen(found) + 1);
    return true;
}

/* Whether it has `count` keys, all of them known and distinct. */
static bool has_keys(const json_t *object, size_t count)
{
    return json_object_size(object) == count;
}

static bool get_plan(const json_t *root, struct manifest_plan *plan)
{
    return get_text(root, "program", &plan->program) && get_text(root, "scene", &plan->scene) &&
           get_text(root, "scene_hash", &plan->scene_hash) &&
           get_text(root, "start", &plan->start) && get_text(root, "codec", &plan->codec) &&
           get_text(root, "container", &plan->container) &&
           get_number(root, "frames", &plan->frames) && get_number(root, "first", &plan->first) &&
           get_number(root, "last", &plan->last) &&
           get_number(root, "segment_length", &plan->segment_length);
}

static bool get_values(json_t *object, struct manifest *manifest)
{
    const char *name;
    json_t *value;
    if (!json_is_object(object))
        return false;
    manifest->values = memory_new(json_object_size(object), sizeof *manifest->values);
    json_object_foreach(object, name, value)
    {
        struct manifest_value *out = &manifest->values[manifest->value_count++];
        if (!json_is_real(value) || strlen(name) >= sizeof out->name)
            return false;
        memcpy(out->name, name, strlen(name) + 1);
        out->value = json_real_value(value);
    }
    return true;
}

static bool get_segments(const json_t *array, struct manifest_segment **list, size_t *count)
{
    size_t at;
    json_t *entry;
    if (!json_is_array(array))
        return false;
    *list = memory_new(json_array_size(array), sizeof **list);
    json_array_foreach(array, at, entry)
    {
        struct manifest_segment *segment = &(*list)[(*count)++];
        if (!has_keys(entry, 6) || !get_number(entry, "index", &segment->index) ||
            !get_number(entry, "first", &segment->first) ||
            !get_number(entry, "count", &segment->count) ||
            !get_name(entry, "file", segment->file, sizeof segment->file) ||
            !get_number(entry, "bytes", &segment->bytes) ||
            !get_name(entry, checksum, segment->hash, sizeof segment->hash))
            return false;
    }
    return true;
}

static bool get_checkpoints(const json_t *array, struct manifest *manifest)
{
    size_t at;
    json_t *entry;
    if (!json_is_array(array))
        return false;
    manifest->checkpoints = memory_new(json_array_size(array), sizeof *manifest->checkpoints);
    json_array_foreach(array, at, entry)
    {
        struct manifest_checkpoint *checkpoint =
            &manifest->checkpoints[manifest->checkpoint_count++];
        if (!has_keys(entry, 4) || !get_number(entry, "frame", &checkpoint->frame) ||
            !get_name(entry, "file", checkpoint->file, sizeof checkpoint->file) ||
            !get_number(entry, "bytes", &checkpoint->bytes) ||
            !get_name(entry, checksum, checkpoint->hash, sizeof checkpoint->hash))
            return false;
    }
    return true;
}

/* Whether the text matches this object's checksum; removes the checksum from the object. */
static bool is_whole(json_t *root, const char *text, size_t size)
{
    char hash[HASH_TEXT], written[HASH_TEXT];
    char *again = dump(root);
    bool same = again && strlen(again) == size && memcmp(again, text, size) == 0 &&
                get_name(root, checksum, written, sizeof written);
    free(again);
    return same && json_object_del(root, checksum) == 0 && hash_of(root, hash) &&
           strcmp(hash, written) == 0;
}

bool manifest_from_json(struct manifest *manifest, const char *text, size_t size, int *format)
{
    uint64_t found = 0;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
    bool good =
        json_is_object(root) && is_whole(root, text, size) && get_number(root, "format", &found);
    *format = good ? (int)found : MANIFEST_FORMAT;
    good = good && found == MANIFEST_FORMAT && has_keys(root, 15) &&
           get_plan(root, &manifest->plan) &&
           get_values(json_object_get(root, "values"), manifest) &&
           get_segments(json_object_get(root, "segments"), &manifest->segments,
                        &manifest->segment_count) &&
           get_segments(json_object_get(root, "pictures"), &manifest->pictures,
                        &manifest->picture_count) &&
           get_checkpoints(json_object_get(root, "checkpoints"), manifest);
    json_decref(root);
    return good;
}
