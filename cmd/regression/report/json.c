#include "cmd/regression/report/json.h"

#include "base/file.h"
#include "base/memory.h"
#include "cmd/regression/report/escape.h"
#include "cmd/regression/report/names.h"
#include "cmd/regression/report/draft.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Far more than a report has; what is read is at most a few times the size of what was given. */
enum { FILE_MAX = 1 << 27, CASES_MAX = 1 << 12, ENTRIES_MAX = 1 << 16, FRAMES_MAX = 1 << 22 };

static const char *const mark_names[] = {"missing star", "added star", "tile", "pixel"};
static const char *const step_names[] = {"pair", "dropped", "added", "repeated", "swapped"};
enum {
    MARKS = sizeof mark_names / sizeof *mark_names,
    STEPS = sizeof step_names / sizeof *step_names
};

/* ---- writing ---- */

static json_t *text_json(const char *text)
{
    if (!text)
        return json_null();
    char *valid = escape_utf8(text);
    json_t *value = json_string_nocheck(valid);
    free(valid);
    return value;
}

static json_t *real_json(double value)
{
    if (isnan(value))
        return json_null();
    return isinf(value) ? json_string(value > 0 ? "inf" : "-inf") : json_real(value);
}

static json_t *frame_json(int64_t frame)
{
    return frame < 0 ? json_null() : json_integer(frame);
}

static json_t *pair_json(int32_t x, int32_t y)
{
    return x < 0 || y < 0 ? json_null() : json_pack("[i, i]", x, y);
}

static json_t *colour_json(const uint16_t value[3])
{
    return json_pack("[i, i, i]", value[0], value[1], value[2]);
}

static json_t *finding_json(const struct finding *finding, const char *of_case)
{
    char *id = names_finding(of_case, finding);
    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "id", id, "rule",
        finding->rule->name, "verdict", verdict_name(finding->verdict), "value",
        real_json(finding->value), "unit", finding->rule->unit, "warn", real_json(finding->warn),
        "fail", real_json(finding->fail), "because", text_json(finding->because), "frame",
        frame_json(finding->frame), "pixel", pair_json(finding->x, finding->y), "tile",
        pair_json(finding->tile_x, finding->tile_y), "a", colour_json(finding->a), "b",
        colour_json(finding->b), "text", text_json(finding->text));
    free(id);
    return object;
}

static json_t *stage_json(const struct stage_report *stage, const char *name, const char *of_case)
{
    json_t *findings = json_array();
    for (uint32_t f = 0; f < stage->finding_count; f++)
        json_array_append_new(findings, finding_json(&stage->findings[f], of_case));
    return json_pack("{s:s, s:s, s:b, s:b, s:b, s:o, s:I, s:I, s:o, s:o}", "stage", name, "verdict",
                     verdict_name(stage->verdict), "substituted", stage->substituted, "follows",
                     stage->follows, "same_platform", stage->same_platform, "first_frame",
                     frame_json(stage->first_frame), "planned", (json_int_t)stage->planned,
                     "compared", (json_int_t)stage->compared, "sentence",
                     text_json(stage->sentence), "findings", findings);
}

static json_t *stages_json(const struct case_report *one, const char *id)
{
    json_t *array = json_array();
    for (int s = 0; s < JUDGED_COUNT; s++)
        json_array_append_new(array, stage_json(&one->stages[s], judged_name((enum judged)s), id));
    return array;
}

static json_t *values_json(const double *values, uint64_t count)
{
    json_t *array = json_array();
    for (uint64_t f = 0; f < count; f++)
        json_array_append_new(array, real_json(values[f]));
    return array;
}

static json_t *series_json(const struct case_report *one)
{
    json_t *array = json_array();
    for (uint32_t s = 0; s < one->series_count; s++) {
        const struct series *series = &one->series[s];
        json_array_append_new(
            array, json_pack("{s:s, s:o, s:o}", "rule", series->rule->name, "values",
                             values_json(series->value, one->frames), "band",
                             series->band ? values_json(series->band, one->frames) : json_null()));
    }
    return array;
}

static json_t *environment_json(const struct case_report *one)
{
    json_t *array = json_array();
    for (uint32_t e = 0; e < one->environment_count; e++) {
        const struct environment_change *change = &one->environment[e];
        json_array_append_new(array, json_pack("{s:o, s:o, s:o}", "what", text_json(change->what),
                                               "before", text_json(change->before), "now",
                                               text_json(change->now)));
    }
    return array;
}

static json_t *alignment_json(const struct case_report *one)
{
    json_t *array = json_array();
    for (uint32_t s = 0; s < one->alignment_count; s++) {
        const struct alignment_step *step = &one->alignment[s];
        json_array_append_new(array, json_pack("[s, o, o]", step_names[step->kind],
                                               frame_json(step->a), frame_json(step->b)));
    }
    return array;
}

static json_t *marks_json(const struct shown_frame *shown)
{
    json_t *array = json_array();
    for (uint32_t m = 0; m < shown->mark_count; m++) {
        const struct mark *mark = &shown->marks[m];
        json_array_append_new(array,
                              json_pack("{s:s, s:i, s:i, s:o, s:o}", "kind", mark_names[mark->kind],
                                        "x", mark->x, "y", mark->y, "size", real_json(mark->size),
                                        "value", real_json(mark->value)));
    }
    return array;
}

static json_t *clip_json(const struct clip *clip, bool fleeting)
{
    json_t *array = json_array();
    for (uint32_t f = 0; f < clip->count && !fleeting; f++)
        json_array_append_new(array, json_pack("[o, o]", frame_json(clip->frames[f].a),
                                               frame_json(clip->frames[f].b)));
    return json_pack("{s:o, s:o, s:o, s:o}", "path", text_json(fleeting ? NULL : clip->path), "fps",
                     real_json(fleeting ? 0 : clip->fps), "gain",
                     real_json(fleeting ? 0 : clip->gain), "frames", array);
}

static json_t *shown_json(const struct case_report *one, bool fleeting)
{
    json_t *array = json_array();
    for (uint32_t s = 0; s < one->shown_count; s++) {
        const struct shown_frame *shown = &one->shown[s];
        json_array_append_new(array, json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "frame",
                                               frame_json(shown->frame), "a",
                                               text_json(fleeting ? NULL : shown->a), "b",
                                               text_json(fleeting ? NULL : shown->b), "difference",
                                               text_json(fleeting ? NULL : shown->difference),
                                               "worst", real_json(shown->worst), "why",
                                               text_json(shown->why), "marks", marks_json(shown)));
    }
    return array;
}

static json_t *sensitivity_json(const struct case_report *one)
{
    json_t *array = json_array();
    for (uint32_t s = 0; s < one->sensitivity_count; s++) {
        const struct sensitivity *seen = &one->sensitivity[s];
        json_array_append_new(array, json_pack("{s:o, s:o, s:s}", "what", text_json(seen->what),
                                               "smallest", text_json(seen->smallest), "stage",
                                               judged_name(seen->stage)));
    }
    return array;
}

static json_t *case_json(const struct report *report, uint32_t index)
{
    const struct case_report *one = &report->cases[index];
    char *id = names_case(report, index);
    json_t *object = json_pack(
        "{s:s, s:o, s:o, s:o, s:s, s:s?, s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "id", id,
        "name", text_json(one->name), "a", text_json(one->a), "b", text_json(one->b), "verdict",
        verdict_name(one->verdict), "stage",
        one->stage < 0 ? NULL : judged_name((enum judged)one->stage), "sentence",
        text_json(one->sentence), "frames", (json_int_t)one->frames, "fps", real_json(one->fps),
        "seconds", real_json(one->seconds), "stages", stages_json(one, id), "environment",
        environment_json(one), "sensitivity", sensitivity_json(one), "reproduce",
        text_json(one->reproduce), "accept", text_json(one->accept));
    json_object_set_new(object, "baseline",
                        json_pack("{s:o, s:s, s:o, s:o, s:o, s:o}", "path",
                                  text_json(one->baseline), "hash", one->baseline_hash, "author",
                                  text_json(one->author), "reason", text_json(one->reason), "date",
                                  text_json(one->date), "anchor", text_json(one->anchor)));
    json_object_set_new(object, "candidate",
                        json_pack("{s:o, s:s}", "path",
                                  text_json(report->fleeting ? NULL : one->candidate), "hash",
                                  report->fleeting ? "" : one->candidate_hash));
    json_object_set_new(object, "clip", clip_json(&one->clip, report->fleeting));
    json_object_set_new(object, "shown", shown_json(one, report->fleeting));
    json_object_set_new(object, "alignment", alignment_json(one));
    json_object_set_new(object, "series", series_json(one));
    free(id);
    return object;
}

enum status report_write_json(const struct report *report, const char *path)
{
    json_t *cases = json_array();
    for (uint32_t c = 0; c < report->case_count; c++)
        json_array_append_new(cases, case_json(report, c));
    json_t *root = json_pack("{s:i, s:o, s:o, s:s, s:o}", "format", REPORT_FORMAT, "program",
                             text_json(report->program), "command", text_json(report->command),
                             "verdict", verdict_name(report->verdict), "cases", cases);
    char *text = root ? json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(root);
    if (!text)
        return status_fail(STATUS_RUNTIME, "the report does not fit in memory as JSON");
    struct draft draft;
    draft_open(&draft);
    fprintf(draft.file, "%s\n", text);
    free(text);
    return draft_save(&draft, path);
}

/* ---- reading: every value is asked for by name and type, and counted, so that none is left ----
 */

/* An object on the way in: what it is for the sentence, and how many keys were taken. */
struct object {
    const json_t *json;
    const char *where;
    size_t taken;
};

static bool wrong(const struct object *object, const char *key, const char *what)
{
    status_fail(STATUS_USAGE, "%s: '%s' %s", object->where, key, what);
    return false;
}

static const json_t *take(struct object *object, const char *key)
{
    const json_t *value = json_object_get(object->json, key);
    object->taken += value != NULL;
    return value;
}

/* Whether nothing of the object is left. */
static bool whole(const struct object *object)
{
    if (json_is_object(object->json) && json_object_size(object->json) == object->taken)
        return true;
    status_fail(STATUS_USAGE, "%s has a key too many or is no object", object->where);
    return false;
}

static bool get_text(struct object *object, const char *key, char **out)
{
    const json_t *value = take(object, key);
    if (json_is_null(value))
        return true;
    if (!json_is_string(value))
        return wrong(object, key, "is not a text");
    *out = memory_text(json_string_value(value));
    return true;
}

/* The index of a text among names. */
static bool get_word(struct object *object, const char *key, const char *const *names, int count,
                     int *out)
{
    const char *value = json_string_value(take(object, key));
    for (*out = 0; value && *out < count; ++*out)
        if (strcmp(names[*out], value) == 0)
            return true;
    return wrong(object, key, "is not a word that it may be");
}

static bool get_verdict(struct object *object, enum verdict *out)
{
    const char *value = json_string_value(take(object, "verdict"));
    return (value && names_verdict(value, out)) || wrong(object, "verdict", "is not a verdict");
}

static bool get_stage(struct object *object, int *out)
{
    const json_t *value = take(object, "stage");
    *out = -1;
    if (json_is_null(value))
        return true;
    for (int s = 0; json_is_string(value) && s < JUDGED_COUNT; s++)
        if (strcmp(judged_name((enum judged)s), json_string_value(value)) == 0)
            *out = s;
    return *out >= 0 || wrong(object, "stage", "is not a stage");
}

static bool get_flag(struct object *object, const char *key, bool *out)
{
    const json_t *value = take(object, key);
    *out = json_is_true(value);
    return json_is_boolean(value) || wrong(object, key, "is neither true nor false");
}

static bool is_within(const json_t *value, int64_t least, int64_t most)
{
    return json_is_integer(value) && json_integer_value(value) >= least &&
           json_integer_value(value) <= most;
}

static bool get_count(struct object *object, const char *key, uint64_t *out)
{
    const json_t *value = take(object, key);
    if (!is_within(value, 0, INT64_MAX))
        return wrong(object, key, "is not a number of frames");
    *out = (uint64_t)json_integer_value(value);
    return true;
}

static bool is_frame(const json_t *value, int64_t *out)
{
    *out = json_is_null(value) ? -1 : json_integer_value(value);
    return json_is_null(value) || is_within(value, 0, INT64_MAX);
}

static bool get_frame(struct object *object, const char *key, int64_t *out)
{
    return is_frame(take(object, key), out) || wrong(object, key, "is not a frame");
}

static bool is_real(const json_t *value, double *out)
{
    const char *word = json_string_value(value);
    *out = json_is_null(value) ? NAN : json_real_value(value);
    if (word)
        *out = strcmp(word, "inf") == 0 ? INFINITY : -INFINITY;
    return json_is_null(value) || json_is_real(value) ||
           (word && (strcmp(word, "inf") == 0 || strcmp(word, "-inf") == 0));
}

static bool get_real(struct object *object, const char *key, double *out)
{
    return is_real(take(object, key), out) || wrong(object, key, "is not a number");
}

static bool get_pair(struct object *object, const char *key, int32_t *x, int32_t *y)
{
    const json_t *value = take(object, key);
    *x = *y = -1;
    if (json_is_null(value))
        return true;
    if (json_array_size(value) != 2 || !is_within(json_array_get(value, 0), 0, INT32_MAX) ||
        !is_within(json_array_get(value, 1), 0, INT32_MAX))
        return wrong(object, key, "is not a place in a picture");
    *x = (int32_t)json_integer_value(json_array_get(value, 0));
    *y = (int32_t)json_integer_value(json_array_get(value, 1));
    return true;
}

static bool get_coordinate(struct object *object, const char *key, int32_t *out)
{
    const json_t *value = take(object, key);
    *out = (int32_t)json_integer_value(value);
    return is_within(value, INT32_MIN, INT32_MAX) || wrong(object, key, "is not a coordinate");
}

static bool get_colour(struct object *object, const char *key, uint16_t out[3])
{
    const json_t *value = take(object, key);
    bool good = json_array_size(value) == 3;
    for (size_t i = 0; good && i < 3; i++) {
        good = is_within(json_array_get(value, i), 0, UINT16_MAX);
        out[i] = (uint16_t)json_integer_value(json_array_get(value, i));
    }
    return good || wrong(object, key, "is not a colour of 16 bits");
}

static bool get_hash(struct object *object, const char *key, char out[HASH_TEXT])
{
    const char *value = json_string_value(take(object, key));
    if (!value || strspn(value, "0123456789abcdef") != strlen(value) ||
        (*value && strlen(value) != HASH_TEXT - 1))
        return wrong(object, key, "is not a hash");
    memcpy(out, value, strlen(value) + 1);
    return true;
}

static bool get_rule(struct object *object, const struct rule **out)
{
    const char *value = json_string_value(take(object, "rule"));
    *out = value ? choice_find(&rule_registry, value) : NULL;
    return *out || wrong(object, "rule", "is not a rule of this program");
}

static bool get_id(struct object *object, char *want)
{
    const char *value = json_string_value(take(object, "id"));
    bool same = value && strcmp(value, want) == 0;
    free(want);
    return same || wrong(object, "id", "is not the one that follows from the rest");
}

/* The array of that key, with room for `size` bytes per entry in *out; NULL when it is none. */
static const json_t *get_array(struct object *object, const char *key, size_t most, size_t size,
                               void *out)
{
    const json_t *value = take(object, key);
    if (!json_is_array(value) || json_array_size(value) > most) {
        wrong(object, key, json_is_array(value) ? "is too long" : "is not a list");
        return NULL;
    }
    void *items = memory_new(json_array_size(value), size);
    memcpy(out, &items, sizeof items);
    return value;
}

static bool read_finding(const json_t *json, const char *of_case, struct finding *out)
{
    struct object object = {json, "a finding", 0};
    return get_rule(&object, &out->rule) && get_verdict(&object, &out->verdict) &&
           get_real(&object, "value", &out->value) && take(&object, "unit") &&
           get_real(&object, "warn", &out->warn) && get_real(&object, "fail", &out->fail) &&
           get_text(&object, "because", &out->because) &&
           get_frame(&object, "frame", &out->frame) &&
           get_pair(&object, "pixel", &out->x, &out->y) &&
           get_pair(&object, "tile", &out->tile_x, &out->tile_y) &&
           get_colour(&object, "a", out->a) && get_colour(&object, "b", out->b) &&
           get_text(&object, "text", &out->text) && get_id(&object, names_finding(of_case, out)) &&
           whole(&object);
}

static bool read_stage(const json_t *json, int wanted, const char *of_case,
                       struct stage_report *out)
{
    struct object object = {json, judged_name((enum judged)wanted), 0};
    const json_t *findings;
    json_t *each;
    size_t at;
    int stage;
    if (!get_stage(&object, &stage) ||
        (stage != wanted && !wrong(&object, "stage", "is not the next one")) ||
        !get_verdict(&object, &out->verdict) ||
        !get_flag(&object, "substituted", &out->substituted) ||
        !get_flag(&object, "follows", &out->follows) ||
        !get_flag(&object, "same_platform", &out->same_platform) ||
        !get_frame(&object, "first_frame", &out->first_frame) ||
        !get_count(&object, "planned", &out->planned) ||
        !get_count(&object, "compared", &out->compared) ||
        !get_text(&object, "sentence", &out->sentence) ||
        !(findings =
              get_array(&object, "findings", ENTRIES_MAX, sizeof *out->findings, &out->findings)))
        return false;
    json_array_foreach((json_t *)findings, at, each)
    {
        if (!read_finding(each, of_case, &out->findings[out->finding_count++]))
            return false;
    }
    return whole(&object);
}

static bool read_stages(struct object *object, const char *of_case, struct case_report *out)
{
    const json_t *array = take(object, "stages");
    if (json_array_size(array) != JUDGED_COUNT)
        return wrong(object, "stages", "does not list every stage");
    for (int s = 0; s < JUDGED_COUNT; s++)
        if (!read_stage(json_array_get(array, (size_t)s), s, of_case, &out->stages[s]))
            return false;
    return true;
}

static bool read_environment(struct object *object, struct case_report *out)
{
    json_t *each;
    size_t at;
    const json_t *array =
        get_array(object, "environment", ENTRIES_MAX, sizeof *out->environment, &out->environment);
    json_array_foreach((json_t *)array, at, each)
    {
        struct object one = {each, "environment", 0};
        struct environment_change *change = &out->environment[out->environment_count++];
        if (!get_text(&one, "what", &change->what) || !get_text(&one, "before", &change->before) ||
            !get_text(&one, "now", &change->now) || !whole(&one))
            return false;
    }
    return array != NULL;
}

static bool read_sensitivity(struct object *object, struct case_report *out)
{
    json_t *each;
    size_t at;
    const json_t *array =
        get_array(object, "sensitivity", ENTRIES_MAX, sizeof *out->sensitivity, &out->sensitivity);
    json_array_foreach((json_t *)array, at, each)
    {
        struct object one = {each, "sensitivity", 0};
        struct sensitivity *seen = &out->sensitivity[out->sensitivity_count++];
        int stage;
        if (!get_text(&one, "what", &seen->what) || !get_text(&one, "smallest", &seen->smallest) ||
            !get_stage(&one, &stage) || (stage < 0 && !wrong(&one, "stage", "is not a stage")) ||
            !whole(&one))
            return false;
        seen->stage = (enum judged)stage;
    }
    return array != NULL;
}

static bool read_mark(const json_t *json, struct mark *out)
{
    struct object object = {json, "a mark", 0};
    int kind;
    if (!get_word(&object, "kind", mark_names, MARKS, &kind) ||
        !get_coordinate(&object, "x", &out->x) || !get_coordinate(&object, "y", &out->y) ||
        !get_real(&object, "size", &out->size) || !get_real(&object, "value", &out->value) ||
        !whole(&object))
        return false;
    out->kind = kind;
    return true;
}

static bool read_shown(const json_t *json, struct shown_frame *out)
{
    struct object object = {json, "a picture", 0};
    const json_t *marks;
    json_t *each;
    size_t at;
    if (!get_frame(&object, "frame", &out->frame) || !get_text(&object, "a", &out->a) ||
        !get_text(&object, "b", &out->b) || !get_text(&object, "difference", &out->difference) ||
        !get_real(&object, "worst", &out->worst) || !get_text(&object, "why", &out->why) ||
        !(marks = get_array(&object, "marks", ENTRIES_MAX, sizeof *out->marks, &out->marks)))
        return false;
    json_array_foreach((json_t *)marks, at, each)
    {
        if (!read_mark(each, &out->marks[out->mark_count++]))
            return false;
    }
    return whole(&object);
}

static bool read_clip(struct object *parent, struct clip *out)
{
    struct object object = {take(parent, "clip"), "clip", 0};
    json_t *each;
    size_t at;
    const json_t *array;
    if (!get_text(&object, "path", &out->path) || !get_real(&object, "fps", &out->fps) ||
        !get_real(&object, "gain", &out->gain) ||
        !(array = get_array(&object, "frames", ENTRIES_MAX, sizeof *out->frames, &out->frames)))
        return false;
    json_array_foreach((json_t *)array, at, each)
    {
        struct clip_frame *frame = &out->frames[out->count++];
        if (json_array_size(each) != 2 || !is_frame(json_array_get(each, 0), &frame->a) ||
            !is_frame(json_array_get(each, 1), &frame->b))
            return wrong(&object, "frames", "has something that is no pair of frames");
    }
    return whole(&object);
}

static bool read_pictures(struct object *object, struct case_report *out)
{
    json_t *each;
    size_t at;
    const json_t *array = get_array(object, "shown", ENTRIES_MAX, sizeof *out->shown, &out->shown);
    json_array_foreach((json_t *)array, at, each)
    {
        if (!read_shown(each, &out->shown[out->shown_count++]))
            return false;
    }
    return array != NULL;
}

static bool read_alignment(struct object *object, struct case_report *out)
{
    json_t *each;
    size_t at;
    const json_t *array =
        get_array(object, "alignment", FRAMES_MAX, sizeof *out->alignment, &out->alignment);
    json_array_foreach((json_t *)array, at, each)
    {
        struct alignment_step *step = &out->alignment[out->alignment_count++];
        const char *kind = json_string_value(json_array_get(each, 0));
        int found = 0;
        while (kind && found < STEPS && strcmp(step_names[found], kind) != 0)
            found++;
        if (!kind || found == STEPS || json_array_size(each) != 3 ||
            !is_frame(json_array_get(each, 1), &step->a) ||
            !is_frame(json_array_get(each, 2), &step->b))
            return wrong(object, "alignment", "has a step that is none");
        step->kind = found;
    }
    return array != NULL;
}

/* A number per frame. */
static bool get_values(struct object *object, const char *key, uint64_t frames, double **out)
{
    const json_t *values = get_array(object, key, FRAMES_MAX, sizeof **out, out);
    if (!values)
        return false;
    if (json_array_size(values) != frames)
        return wrong(object, key, "does not have a number for every frame");
    for (size_t f = 0; f < json_array_size(values); f++)
        if (!is_real(json_array_get(values, f), &(*out)[f]))
            return wrong(object, key, "has something that is not a number");
    return true;
}

static bool get_band(struct object *object, uint64_t frames, double **out)
{
    if (!json_is_null(json_object_get(object->json, "band")))
        return get_values(object, "band", frames, out);
    object->taken++;
    return true;
}

static bool read_series(struct object *object, struct case_report *out)
{
    json_t *each;
    size_t at;
    const json_t *array =
        get_array(object, "series", ENTRIES_MAX, sizeof *out->series, &out->series);
    json_array_foreach((json_t *)array, at, each)
    {
        struct object one = {each, "a series", 0};
        struct series *series = &out->series[out->series_count++];
        if (!get_rule(&one, &series->rule) ||
            !get_values(&one, "values", out->frames, &series->value) ||
            !get_band(&one, out->frames, &series->band) || !whole(&one))
            return false;
    }
    return array != NULL;
}

static bool read_baseline(struct object *parent, struct case_report *out)
{
    struct object object = {take(parent, "baseline"), "baseline", 0};
    return get_text(&object, "path", &out->baseline) &&
           get_hash(&object, "hash", out->baseline_hash) &&
           get_text(&object, "author", &out->author) && get_text(&object, "reason", &out->reason) &&
           get_text(&object, "date", &out->date) && get_text(&object, "anchor", &out->anchor) &&
           whole(&object);
}

static bool read_candidate(struct object *parent, struct case_report *out)
{
    struct object object = {take(parent, "candidate"), "candidate", 0};
    return get_text(&object, "path", &out->candidate) &&
           get_hash(&object, "hash", out->candidate_hash) && whole(&object);
}

static bool read_parts(struct object *object, const char *id, struct case_report *out)
{
    return get_text(object, "a", &out->a) && get_text(object, "b", &out->b) &&
           get_verdict(object, &out->verdict) && get_stage(object, &out->stage) &&
           get_text(object, "sentence", &out->sentence) &&
           get_count(object, "frames", &out->frames) && get_real(object, "fps", &out->fps) &&
           get_real(object, "seconds", &out->seconds) && read_stages(object, id, out) &&
           read_environment(object, out) && read_sensitivity(object, out) &&
           get_text(object, "reproduce", &out->reproduce) &&
           get_text(object, "accept", &out->accept) && read_baseline(object, out) &&
           read_candidate(object, out) && read_clip(object, &out->clip) &&
           read_pictures(object, out) && read_alignment(object, out) && read_series(object, out);
}

static bool read_case(const json_t *json, struct report *report)
{
    struct case_report *out = &report->cases[report->case_count];
    struct object object = {json, "a case", 0};
    out->stage = -1;
    if (!get_text(&object, "name", &out->name) ||
        (!out->name && !wrong(&object, "name", "is missing")))
        return false;
    char *id = names_case(report, report->case_count++);
    bool good = get_id(&object, memory_text(id)) && read_parts(&object, id, out) && whole(&object);
    free(id);
    return good || status_prefix(STATUS_USAGE, "case %u", report->case_count) == STATUS_OK;
}

static bool read_report(const json_t *root, struct report *out)
{
    struct object object = {root, "the report", 0};
    const json_t *cases;
    json_t *each;
    size_t at;
    const json_t *format = take(&object, "format");
    if (!is_within(format, 1, INT64_MAX))
        return wrong(&object, "format", "is not a number, so this is no report of gravreel");
    if (json_integer_value(format) != REPORT_FORMAT) {
        status_fail(STATUS_USAGE,
                    "it has format %lld, and this program reads format %d; use the gravreel that "
                    "wrote it",
                    (long long)json_integer_value(format), REPORT_FORMAT);
        return false;
    }
    if (!get_text(&object, "program", &out->program) ||
        !get_text(&object, "command", &out->command) || !get_verdict(&object, &out->verdict) ||
        !(cases = get_array(&object, "cases", CASES_MAX, sizeof *out->cases, &out->cases)))
        return false;
    json_array_foreach((json_t *)cases, at, each)
    {
        if (!read_case(each, out))
            return false;
    }
    return whole(&object);
}

enum status report_read_json(struct report *report, const char *path)
{
    char *text;
    size_t size;
    json_error_t error;
    *report = (struct report){0};
    enum status status = file_read(path, FILE_MAX, &text, &size);
    if (status != STATUS_OK)
        return status;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    free(text);
    if (!root)
        return status_fail(STATUS_USAGE, "the report '%s' is not JSON at line %d: %s", path,
                           error.line, error.text);
    if (!read_report(root, report)) {
        report_free(report);
        *report = (struct report){0};
        status = status_prefix(STATUS_USAGE, "the report '%s'", path);
    }
    json_decref(root);
    return status;
}
