#include "cmd/regression/baseline/json.h"

#include "base/memory.h"
#include "cmd/regression/baseline/objects.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_MOST = 1000 };

/* ---- writing ---- */

static json_t *numbers_json(const double *values, uint64_t count)
{
    json_t *array = json_array();
    for (uint64_t i = 0; i < count; i++)
        json_array_append_new(array, isfinite(values[i]) ? json_real(values[i]) : json_null());
    return array;
}

/* Numbers that the renderer does not use are 0, and left out at the end. */
static uint64_t used_numbers(const double *state)
{
    uint64_t count = RENDERER_STATE;
    while (count > 0 && state[count - 1] == 0)
        count--;
    return count;
}

static json_t *stored_json(const struct stored *stored, uint32_t count)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < count; i++) {
        json_t *one = json_pack("{s:I, s:s}", "frame", (json_int_t)stored[i].frame, "object",
                                stored[i].object);
        if (stored[i].has_renderer)
            json_object_set_new(one, "renderer",
                                numbers_json(stored[i].renderer, used_numbers(stored[i].renderer)));
        json_array_append_new(array, one);
    }
    return array;
}

static json_t *ensemble_json(const struct ensemble *ensemble)
{
    return json_pack("{s:I, s:f, s:o, s:o, s:o}", "members", (json_int_t)ensemble->members,
                     "perturbation", ensemble->perturbation, "distance",
                     numbers_json(ensemble->distance, ensemble->count), "energy",
                     numbers_json(ensemble->energy, ensemble->count), "half_mass",
                     numbers_json(ensemble->half_mass, ensemble->count));
}

static json_t *sees_json(const struct baseline *baseline)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < baseline->sees_count; i++) {
        const struct sensitivity *one = &baseline->sees[i];
        const struct choice *stage = choice_at(&judged_registry, one->stage);
        json_array_append_new(array, json_pack("{s:s, s:s, s:s}", "what", one->what, "smallest",
                                               one->smallest, "stage", stage->name));
    }
    return array;
}

static json_t *source_json(const struct source *source, int *error)
{
    json_t *settings = json_array(), *object = json_object();
    for (uint32_t i = 0; i < source->setting_count; i++) {
        const struct source_setting *one = &source->settings[i];
        *error |=
            json_array_append_new(settings, json_pack("{s:s, s:s}", one->append ? "append" : "key",
                                                      one->key, "value", one->value));
    }
    *error |= json_object_set_new(object, "scene", json_string(source->scene));
    if (source->bodies_from)
        *error |= json_object_set_new(object, "bodies_from", json_string(source->bodies_from));
    *error |= json_object_set_new(object, "settings", settings);
    return object;
}

/* A list of which one entry is NULL becomes NULL: a text in it is not UTF-8. */
static json_t *history_json(const struct baseline *baseline, int *error)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < baseline->history_count; i++) {
        const struct accepted *one = &baseline->history[i];
        *error |= json_array_append_new(array, json_pack("{s:s, s:s, s:s, s:s}", "date", one->date,
                                                         "author", one->author, "because",
                                                         one->because, "stages", one->stages));
    }
    return array;
}

static json_t *variants_json(const struct baseline *baseline, int *error)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < baseline->variant_count; i++) {
        const struct variant *one = &baseline->variants[i];
        *error |=
            json_array_append_new(array, json_pack("{s:s, s:s, s:s, s:s, s:s}", "date", one->date,
                                                   "author", one->author, "because", one->because,
                                                   "expires", one->expires, "record", one->object));
    }
    return array;
}

char *baseline_to_json(const struct baseline *baseline)
{
    int error = 0;
    json_t *root = json_object(), *source = source_json(&baseline->source, &error),
           *history = history_json(baseline, &error), *variants = variants_json(baseline, &error);
    json_object_set_new(root, "format", json_integer(BASELINE_FORMAT));
    json_object_set_new(root, "source", source);
    json_object_set_new(root, "states", stored_json(baseline->states, baseline->state_count));
    json_object_set_new(root, "pictures", stored_json(baseline->pictures, baseline->picture_count));
    if (*baseline->encoding)
        json_object_set_new(root, "encoding", json_string(baseline->encoding));
    if (*baseline->anchor)
        json_object_set_new(root, "anchor", json_string(baseline->anchor));
    if (baseline->ensemble.members)
        json_object_set_new(root, "ensemble", ensemble_json(&baseline->ensemble));
    json_object_set_new(root, "sees", sees_json(baseline));
    json_object_set_new(root, "history", history);
    json_object_set_new(root, "variants", variants);
    char *text = error ? NULL : json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(root);
    return text;
}

/* ---- reading ---- */

static bool get_object(const json_t *from, const char *key, char out[HASH_TEXT])
{
    const json_t *found = json_object_get(from, key);
    const char *text = json_string_value(found);
    if (!text || !object_is_name(text))
        return false;
    memcpy(out, text, HASH_TEXT);
    return true;
}

/* An object that may be left out. */
static bool find_object(const json_t *from, const char *key, char out[HASH_TEXT])
{
    *out = '\0';
    return !json_object_get(from, key) || get_object(from, key, out);
}

static bool get_text(const json_t *from, const char *key, char **out)
{
    const char *found = json_string_value(json_object_get(from, key));
    *out = found ? memory_text(found) : NULL;
    return found != NULL;
}

static bool get_numbers(const json_t *array, double *out, uint64_t count)
{
    if (!json_is_array(array) || json_array_size(array) != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        const json_t *one = json_array_get(array, i);
        if (!json_is_number(one) && !json_is_null(one))
            return false;
        out[i] = json_is_null(one) ? (double)NAN : json_number_value(one);
    }
    return true;
}

static bool get_renderer(const json_t *array, struct stored *out)
{
    out->has_renderer = array != NULL;
    return !array || (json_array_size(array) <= RENDERER_STATE &&
                      get_numbers(array, out->renderer, json_array_size(array)));
}

static bool get_stored(const json_t *array, struct stored *out, uint32_t most, uint32_t *count)
{
    const size_t size = json_array_size(array);
    if (!json_is_array(array) || size > most)
        return false;
    for (size_t i = 0; i < size; i++) {
        const json_t *one = json_array_get(array, i), *frame = json_object_get(one, "frame");
        out[i].frame = (uint64_t)json_integer_value(frame);
        if (!json_is_integer(frame) || json_integer_value(frame) < 0 ||
            !get_object(one, "object", out[i].object) ||
            !get_renderer(json_object_get(one, "renderer"), &out[i]) ||
            (i > 0 && out[i].frame <= out[i - 1].frame))
            return false;
    }
    *count = (uint32_t)size;
    return true;
}

static bool get_ensemble(const json_t *object, struct ensemble *out)
{
    if (!object)
        return true;
    const json_int_t members = json_integer_value(json_object_get(object, "members"));
    const json_t *distance = json_object_get(object, "distance");
    if (members < 1 || members > ENSEMBLE_MEMBERS_MOST || !json_is_array(distance))
        return false;
    ensemble_create(out, (uint32_t)members, json_array_size(distance));
    out->perturbation = json_number_value(json_object_get(object, "perturbation"));
    return get_numbers(distance, out->distance, out->count) &&
           get_numbers(json_object_get(object, "energy"), out->energy, out->count) &&
           get_numbers(json_object_get(object, "half_mass"), out->half_mass, out->count);
}

static bool get_setting(const json_t *from, struct source *out)
{
    const bool append = json_object_get(from, "append") != NULL;
    const char *key = json_string_value(json_object_get(from, append ? "append" : "key")),
               *value = json_string_value(json_object_get(from, "value"));
    if (key && value)
        source_add(out, key, value, append);
    return key && value;
}

static bool get_source(const json_t *object, struct source *out)
{
    const json_t *bodies = json_object_get(object, "bodies_from"),
                 *settings = json_object_get(object, "settings");
    bool good = get_text(object, "scene", &out->scene) && json_is_array(settings) &&
                json_array_size(settings) <= SETTINGS_MAX &&
                (!bodies || get_text(object, "bodies_from", &out->bodies_from));
    for (size_t i = 0; good && i < json_array_size(settings); i++)
        good = get_setting(json_array_get(settings, i), out);
    return good && source_is_safe(out);
}

static bool get_sees(const json_t *array, struct baseline *baseline)
{
    if (!json_is_array(array) || json_array_size(array) > LIST_MOST)
        return false;
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *one = json_array_get(array, i);
        const char *what = json_string_value(json_object_get(one, "what")),
                   *smallest = json_string_value(json_object_get(one, "smallest")),
                   *stage = json_string_value(json_object_get(one, "stage"));
        const struct choice *found = stage ? choice_find(&judged_registry, stage) : NULL;
        if (!what || !smallest || !found)
            return false;
        const struct choice *first = choice_at(&judged_registry, 0);
        baseline_add_sensitivity(baseline, what, smallest, (enum judged)(found - first));
    }
    return true;
}

static bool get_history(const json_t *array, struct baseline *baseline)
{
    const size_t size = json_array_size(array);
    if (!json_is_array(array) || size > LIST_MOST)
        return false;
    baseline->history = memory_new(size, sizeof *baseline->history);
    for (size_t i = 0; i < size; i++) {
        const json_t *one = json_array_get(array, i);
        struct accepted *out = &baseline->history[baseline->history_count++];
        if (!get_text(one, "date", &out->date) | !get_text(one, "author", &out->author) |
            !get_text(one, "because", &out->because) | !get_text(one, "stages", &out->stages))
            return false;
    }
    return true;
}

static bool get_variants(const json_t *array, struct baseline *baseline)
{
    const size_t size = json_array_size(array);
    if (!json_is_array(array) || size > LIST_MOST)
        return false;
    baseline->variants = memory_new(size, sizeof *baseline->variants);
    for (size_t i = 0; i < size; i++) {
        const json_t *one = json_array_get(array, i);
        struct variant *out = &baseline->variants[baseline->variant_count++];
        if (!get_text(one, "date", &out->date) | !get_text(one, "author", &out->author) |
            !get_text(one, "because", &out->because) | !get_text(one, "expires", &out->expires) |
            !get_object(one, "record", out->object))
            return false;
    }
    return true;
}

bool baseline_from_json(struct baseline *baseline, const char *text, int *format)
{
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    const json_int_t found = json_integer_value(json_object_get(root, "format"));
    *format = found > 0 && found < 1000000 ? (int)found : 0;
    const bool good = *format >= 1 && *format <= BASELINE_FORMAT &&
                      get_source(json_object_get(root, "source"), &baseline->source) &&
                      get_stored(json_object_get(root, "states"), baseline->states,
                                 BASELINE_STATES_MAX, &baseline->state_count) &&
                      get_stored(json_object_get(root, "pictures"), baseline->pictures,
                                 BASELINE_PICTURES_MAX, &baseline->picture_count) &&
                      find_object(root, "encoding", baseline->encoding) &&
                      find_object(root, "anchor", baseline->anchor) &&
                      get_ensemble(json_object_get(root, "ensemble"), &baseline->ensemble) &&
                      get_sees(json_object_get(root, "sees"), baseline) &&
                      get_history(json_object_get(root, "history"), baseline) &&
                      get_variants(json_object_get(root, "variants"), baseline);
    json_decref(root);
    return good;
}
