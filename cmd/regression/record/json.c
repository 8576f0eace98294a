#include "cmd/regression/record/json.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char format_key[] = "gravreel_manifest", checksum_key[] = "xxh3_128",
                  shows_key[] = "shows", boxes_key[] = "boxes";

/* ---- the one form of a text ---- */

static void print_value(FILE *out, const json_t *value, int level, bool compact);

/* As short as it can be read back; always with a point or an exponent, by which it is a real. */
static void print_real(FILE *out, double value)
{
    char digits[40];
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value)
            break;
    }
    fprintf(out, "%s%s", digits, strpbrk(digits, ".e") ? "" : ".0");
}

static void print_text(FILE *out, const json_t *value)
{
    char *text = json_dumps(value, JSON_ENCODE_ANY);
    fputs(text ? text : "\"\"", out);
    free(text);
}

static void break_line(FILE *out, int level, bool compact, bool first)
{
    if (compact)
        fputs(first ? "" : ", ", out);
    else
        fprintf(out, "%s\n%*s", first ? "" : ",", level, "");
}

static void print_object(FILE *out, const json_t *object, int level, bool compact)
{
    const char *key;
    json_t *value;
    bool first = true;
    fputc('{', out);
    json_object_foreach((json_t *)object, key, value)
    {
        break_line(out, level + 1, compact, first);
        json_t *name = json_string(key);
        print_text(out, name);
        json_decref(name);
        fputs(": ", out);
        print_value(out, value, level + 1, compact);
        first = false;
    }
    if (!first && !compact)
        fprintf(out, "\n%*s", level, "");
    fputc('}', out);
}

static bool holds_numbers(const json_t *array)
{
    size_t at;
    json_t *value;
    json_array_foreach(array, at,
                       value) if (!json_is_number(value) && !json_is_null(value)) return false;
    return true;
}

static void print_array(FILE *out, const json_t *array, int level, bool compact)
{
    size_t at;
    json_t *value;
    compact = compact || holds_numbers(array);
    fputc('[', out);
    json_array_foreach(array, at, value)
    {
        break_line(out, level + 1, compact, at == 0);
        print_value(out, value, level + 1, true);
    }
    if (json_array_size(array) > 0 && !compact)
        fprintf(out, "\n%*s", level, "");
    fputc(']', out);
}

static void print_value(FILE *out, const json_t *value, int level, bool compact)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        print_object(out, value, level, compact);
        break;
    case JSON_ARRAY:
        print_array(out, value, level, compact);
        break;
    case JSON_STRING:
        print_text(out, value);
        break;
    case JSON_INTEGER:
        fprintf(out, "%lld", (long long)json_integer_value(value));
        break;
    case JSON_REAL:
        print_real(out, json_real_value(value));
        break;
    default:
        fputs(json_is_true(value) ? "true" : json_is_false(value) ? "false" : "null", out);
    }
}

static char *print(const json_t *value)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        memory_exhausted();
    print_value(out, value, 0, false);
    if (fclose(out) != 0)
        memory_exhausted();
    return text;
}

/* ---- the names of what a record holds ---- */

enum kind { TEXT, HASH, WHOLE32, WHOLE64, FLAG, REAL, REALS, DECIBEL, CODES };

struct field {
    const char *name;
    enum kind kind;
    size_t at;
    size_t count; /* of REALS and CODES; for the others 1: written even if it is 0 */
};

static const struct field head[] = {
    {"program", TEXT, offsetof(struct record, program), 1},
    {"commit", TEXT, offsetof(struct record, commit), 0},
    {"scene_hash", TEXT, offsetof(struct record, scene_hash), 1},
    {"output_format", TEXT, offsetof(struct record, output_format), 1},
    {"bodies", WHOLE64, offsetof(struct record, bodies), 1},
    {"softening", REAL, offsetof(struct record, softening), 1},
    {"simulation_2_panel", TEXT, offsetof(struct record, other_panel[0]), 0},
    {"simulation_3_panel", TEXT, offsetof(struct record, other_panel[1]), 0},
    {"simulation_4_panel", TEXT, offsetof(struct record, other_panel[2]), 0},
    {"renderer_class", TEXT, offsetof(struct record, renderer_class), 1},
    {"device", TEXT, offsetof(struct record, device), 1},
    {"libraries", TEXT, offsetof(struct record, libraries), 1},
    {"encoding", TEXT, offsetof(struct record, encoding), 0},
    {0},
};

static const struct field platform[] = {
    {"start", TEXT, offsetof(struct platform, start), 0},
    {"physics", TEXT, offsetof(struct platform, physics), 1},
    {"drawing", TEXT, offsetof(struct platform, drawing), 1},
    {"encoder", TEXT, offsetof(struct platform, encoder), 1},
    {"muxer", TEXT, offsetof(struct platform, muxer), 1},
    {0},
};

static const struct field container[] = {
    {"format", TEXT, offsetof(struct container_record, format), 0},
    {"codec", TEXT, offsetof(struct container_record, codec), 0},
    {"profile", TEXT, offsetof(struct container_record, profile), 0},
    {"pixel_format", TEXT, offsetof(struct container_record, pixel_format), 0},
    {"range", TEXT, offsetof(struct container_record, range), 0},
    {"matrix", TEXT, offsetof(struct container_record, matrix), 0},
    {"transfer", TEXT, offsetof(struct container_record, transfer), 0},
    {"primaries", TEXT, offsetof(struct container_record, primaries), 0},
    {"chroma_site", TEXT, offsetof(struct container_record, chroma_site), 0},
    {"time_base", TEXT, offsetof(struct container_record, time_base), 0},
    {"pixel_aspect", TEXT, offsetof(struct container_record, pixel_aspect), 0},
    {"width", WHOLE32, offsetof(struct container_record, width), 0},
    {"height", WHOLE32, offsetof(struct container_record, height), 0},
    {"fps_num", WHOLE32, offsetof(struct container_record, fps_num), 0},
    {"fps_den", WHOLE32, offsetof(struct container_record, fps_den), 0},
    {"frames", WHOLE64, offsetof(struct container_record, frames), 0},
    {"bytes", WHOLE64, offsetof(struct container_record, bytes), 0},
    {"hidden", WHOLE64, offsetof(struct container_record, hidden), 0},
    {"duration", REAL, offsetof(struct container_record, duration), 1},
    {"times", HASH, offsetof(struct container_record, times), 0},
    {0},
};

static const struct field frame[] = {
    {"frame", WHOLE64, offsetof(struct frame_record, frame), 1},
    {"time", REAL, offsetof(struct frame_record, time), 1},
    {"state", HASH, offsetof(struct frame_record, state), 0},
    {"light", HASH, offsetof(struct frame_record, light), 0},
    {"light_sum", REALS, offsetof(struct frame_record, light_sum), 3},
    {"light_broken", WHOLE64, offsetof(struct frame_record, light_broken), 0},
    {"picture", HASH, offsetof(struct frame_record, picture), 0},
    {"picture_light", REAL, offsetof(struct frame_record, picture_light), 1},
    {"packet", HASH, offsetof(struct frame_record, packet), 0},
    {"packet_bytes", WHOLE64, offsetof(struct frame_record, packet_bytes), 0},
    {"key", FLAG, offsetof(struct frame_record, key), 0},
    {"decoded", HASH, offsetof(struct frame_record, decoded), 0},
    {"psnr_y", DECIBEL, offsetof(struct frame_record, psnr_y), 1},
    {"psnr_cb", DECIBEL, offsetof(struct frame_record, psnr_cb), 1},
    {"psnr_cr", DECIBEL, offsetof(struct frame_record, psnr_cr), 1},
    {"ssim", REAL, offsetof(struct frame_record, ssim), 1},
    {"bias", REAL, offsetof(struct frame_record, bias), 1},
    {"mass", REAL, offsetof(struct frame_record, diagnostics.mass), 1},
    {"kinetic", REAL, offsetof(struct frame_record, diagnostics.kinetic), 1},
    {"potential", REAL, offsetof(struct frame_record, diagnostics.potential), 1},
    {"energy", REAL, offsetof(struct frame_record, diagnostics.energy), 1},
    {"virial", REAL, offsetof(struct frame_record, diagnostics.virial), 1},
    {"centre", REALS, offsetof(struct frame_record, diagnostics.centre), 3},
    {"momentum", REALS, offsetof(struct frame_record, diagnostics.momentum), 3},
    {"angular_momentum", REALS, offsetof(struct frame_record, diagnostics.angular_momentum), 3},
    {"half_mass", REAL, offsetof(struct frame_record, half_mass), 1},
    {"sketch", REALS, offsetof(struct frame_record, sketch), RECORD_SKETCH},
    {"thumbnail", CODES, offsetof(struct frame_record, thumbnail),
     RECORD_THUMBNAIL_WIDTH *RECORD_THUMBNAIL_HEIGHT},
    {0},
};

static const struct field other[] = {
    {"state", HASH, offsetof(struct bodies_record, state), 0},
    {"mass", REAL, offsetof(struct bodies_record, diagnostics.mass), 1},
    {"kinetic", REAL, offsetof(struct bodies_record, diagnostics.kinetic), 1},
    {"potential", REAL, offsetof(struct bodies_record, diagnostics.potential), 1},
    {"energy", REAL, offsetof(struct bodies_record, diagnostics.energy), 1},
    {"virial", REAL, offsetof(struct bodies_record, diagnostics.virial), 1},
    {"centre", REALS, offsetof(struct bodies_record, diagnostics.centre), 3},
    {"momentum", REALS, offsetof(struct bodies_record, diagnostics.momentum), 3},
    {"angular_momentum", REALS, offsetof(struct bodies_record, diagnostics.angular_momentum), 3},
    {"half_mass", REAL, offsetof(struct bodies_record, half_mass), 1},
    {"sketch", REALS, offsetof(struct bodies_record, sketch), RECORD_SKETCH},
    {0},
};

static const char *const other_keys[RECORD_OTHERS] = {"simulation_2", "simulation_3",
                                                      "simulation_4"};

/* ---- writing ---- */

static json_t *real_json(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *reals_json(const double *value, size_t count)
{
    json_t *array = json_array();
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        any = any || !isnan(value[i]);
        json_array_append_new(array, real_json(value[i]));
    }
    if (any)
        return array;
    json_decref(array);
    return NULL;
}

static json_t *codes_json(const uint8_t *code, size_t count)
{
    char *digits = memory_new(2 * count + 1, 1);
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        any = any || code[i] != 0;
        snprintf(digits + 2 * i, 3, "%02x", code[i]);
    }
    json_t *value = any ? json_string(digits) : NULL;
    free(digits);
    return value;
}

/* NULL for what is left out; *error for a text that is not UTF-8. */
static json_t *field_json(const struct field *field, const void *from, bool *error)
{
    const void *at = (const char *)from + field->at;
    const char *text = NULL;
    uint64_t whole = 0;
    json_t *value = NULL;
    switch (field->kind) {
    case TEXT:
        memcpy(&text, at, sizeof text);
        text = text ? text : "";
        break;
    case HASH:
        text = at;
        break;
    case WHOLE32:
        whole = *(const uint32_t *)at;
        break;
    case WHOLE64:
        whole = *(const uint64_t *)at;
        break;
    case FLAG:
        return *(const bool *)at ? json_true() : NULL;
    case REAL:
        return isfinite(*(const double *)at) ? json_real(*(const double *)at) : NULL;
    case DECIBEL:
        return isinf(*(const double *)at)      ? json_string("equal")
               : isfinite(*(const double *)at) ? json_real(*(const double *)at)
                                               : NULL;
    case REALS:
        return reals_json(at, field->count);
    case CODES:
        return codes_json(at, field->count);
    }
    if (text && (*text || field->count))
        value = json_string(text);
    else if (!text && (whole || field->count))
        value = json_integer((json_int_t)whole);
    *error = *error || (text && *text && !value) || whole > INT64_MAX;
    return value;
}

static json_t *fields_json(json_t *object, const struct field *fields, const void *from,
                           bool *error)
{
    for (const struct field *field = fields; field->name; field++) {
        json_t *value = field_json(field, from, error);
        if (value)
            json_object_set_new(object, field->name, value);
    }
    return object;
}

static json_t *scene_json(const char *scene, bool *error)
{
    json_t *lines = json_array();
    for (const char *line = scene ? scene : "", *end; *line; line = end + (*end == '\n')) {
        end = strchrnul(line, '\n');
        *error |= json_array_append_new(lines, json_stringn(line, (size_t)(end - line))) != 0;
    }
    return lines;
}

static json_t *frame_json(const struct frame_record *from, bool *error)
{
    json_t *object = fields_json(json_object(), frame, from, error);
    for (int o = 0; o < RECORD_OTHERS; o++)
        if (*from->others[o].state)
            json_object_set_new(object, other_keys[o],
                                fields_json(json_object(), other, &from->others[o], error));
    return object;
}

static json_t *frames_json(const struct record *record, bool *error)
{
    json_t *frames = json_array();
    for (uint64_t i = 0; i < record->count; i++)
        json_array_append_new(frames, frame_json(&record->frames[i], error));
    return frames;
}

/* NULL where every frame shows its own picture. */
static json_t *shows_json(const struct record *record)
{
    json_t *array = record->shows ? json_array() : NULL;
    for (uint64_t i = 0; array && i < record->shown; i++)
        json_array_append_new(array, record->shows[i] == RECORD_NO_FRAME
                                         ? json_null()
                                         : json_integer((json_int_t)record->shows[i]));
    return array;
}

static json_t *boxes_json(const struct record *record, bool *error)
{
    json_t *object = json_object();
    for (uint32_t i = 0; i < record->box_count; i++)
        *error |= json_object_set_new(object, record->boxes[i].name,
                                      json_string(record->boxes[i].hash)) != 0;
    return object;
}

static void add_sections(json_t *root, const struct record *record, bool *error)
{
    for (size_t s = 0; s < record->section_count; s++) {
        const struct record_section *section = &record->sections[s];
        const bool taken =
            json_object_get(root, section->name) || strcmp(section->name, checksum_key) == 0;
        json_t *value = json_loads(section->text, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL);
        *error |= taken || !value || json_object_set(root, section->name, value) != 0;
        json_decref(value);
    }
}

/* The text ends with "\n}", in front of which the checksum goes. */
static char *seal(const json_t *root)
{
    char hash[HASH_TEXT], *text = print(root), *sealed = NULL;
    const size_t size = strlen(text) - 2;
    hash_parts(&(struct hash_part){text, size}, 1, hash);
    if (asprintf(&sealed, "%.*s,\n \"%s\": \"%s\"\n}\n", (int)size, text, checksum_key, hash) < 0)
        memory_exhausted();
    free(text);
    return sealed;
}

char *record_to_json(const struct record *record)
{
    bool error = false;
    json_t *root = json_object();
    json_object_set_new(root, format_key, json_integer(RECORD_FORMAT));
    fields_json(root, head, record, &error);
    json_object_set_new(root, "platform",
                        fields_json(json_object(), platform, &record->platform, &error));
    json_object_set_new(root, "container",
                        fields_json(json_object(), container, &record->container, &error));
    json_object_set_new(root, "scene", scene_json(record->scene, &error));
    if (record->box_count > 0)
        json_object_set_new(root, boxes_key, boxes_json(record, &error));
    if (record->shows)
        json_object_set_new(root, shows_key, shows_json(record));
    json_object_set_new(root, "frames", frames_json(record, &error));
    add_sections(root, record, &error);
    char *text = error ? NULL : seal(root);
    json_decref(root);
    return text;
}

enum status record_write(const struct record *record, const char *path)
{
    char *text = record_to_json(record);
    if (!text)
        return status_fail(STATUS_RUNTIME,
                           "the manifest '%s' cannot be written, because a text in it is not UTF-8",
                           path);
    char *folder = file_folder(path);
    enum status status = file_make_folder(folder);
    if (status == STATUS_OK)
        status = file_write(path, text, strlen(text));
    free(folder);
    free(text);
    return status;
}

/* ---- reading ---- */

static bool get_hash(const json_t *value, char out[HASH_TEXT])
{
    const char *text = json_string_value(value);
    if (!text || strlen(text) != HASH_TEXT - 1 || strspn(text, "0123456789abcdef") != HASH_TEXT - 1)
        return false;
    memcpy(out, text, HASH_TEXT);
    return true;
}

static bool get_reals(const json_t *array, double *out, size_t count)
{
    bool good = json_is_array(array) && json_array_size(array) == count;
    for (size_t i = 0; good && i < count; i++) {
        const json_t *value = json_array_get(array, i);
        out[i] = json_is_real(value) ? json_real_value(value) : NAN;
        good = json_is_real(value) || json_is_null(value);
    }
    return good;
}

static bool get_codes(const json_t *value, uint8_t *out, size_t count)
{
    const char *digits = json_string_value(value);
    bool good =
        digits && strlen(digits) == 2 * count && strspn(digits, "0123456789abcdef") == 2 * count;
    for (size_t i = 0; good && i < count; i++) {
        const char pair[] = {digits[2 * i], digits[2 * i + 1], '\0'};
        out[i] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return good;
}

static bool get_decibel(const json_t *value, double *out)
{
    const char *text = json_string_value(value);
    *out = text ? INFINITY : json_real_value(value);
    return text ? strcmp(text, "equal") == 0 : json_is_real(value);
}

static bool get_field(const struct field *field, const json_t *value, void *to)
{
    void *at = (char *)to + field->at;
    const json_int_t whole = json_integer_value(value);
    const bool counts = json_is_integer(value) && whole >= 0;
    switch (field->kind) {
    case TEXT:
        free(*(char **)at);
        *(char **)at = memory_text(json_is_string(value) ? json_string_value(value) : "");
        return json_is_string(value);
    case HASH:
        return get_hash(value, at);
    case WHOLE32:
        *(uint32_t *)at = (uint32_t)whole;
        return counts && whole <= UINT32_MAX;
    case WHOLE64:
        *(uint64_t *)at = (uint64_t)whole;
        return counts;
    case FLAG:
        *(bool *)at = true;
        return json_is_true(value);
    case REAL:
        *(double *)at = json_real_value(value);
        return json_is_real(value);
    case DECIBEL:
        return get_decibel(value, at);
    case REALS:
        return get_reals(value, at, field->count);
    case CODES:
        return get_codes(value, at, field->count);
    }
    return false;
}

/* What is left out stays as it is, but texts become "" and numbers NAN. */
static bool get_fields(const json_t *object, const struct field *fields, void *to)
{
    bool good = json_is_object(object);
    for (const struct field *field = fields; field->name; field++) {
        const json_t *value = json_object_get(object, field->name);
        if (field->kind == TEXT)
            *(char **)((char *)to + field->at) = memory_text("");
        else if (field->kind == REAL)
            *(double *)((char *)to + field->at) = NAN;
        good = good && (!value || get_field(field, value, to));
    }
    return good;
}

static bool get_scene(const json_t *lines, struct record *record)
{
    size_t at, size;
    json_t *line;
    bool good = json_is_array(lines);
    FILE *text = open_memstream(&record->scene, &size);
    if (!text)
        memory_exhausted();
    json_array_foreach(lines, at, line)
    {
        good = good && json_is_string(line) && !strchr(json_string_value(line), '\n');
        if (good)
            fprintf(text, "%s\n", json_string_value(line));
    }
    if (fclose(text) != 0)
        memory_exhausted();
    return good;
}

static bool get_frame(const json_t *object, struct frame_record *to)
{
    bool good = get_fields(object, frame, to);
    for (int o = 0; o < RECORD_OTHERS && good; o++) {
        const json_t *value = json_object_get(object, other_keys[o]);
        good = !value || get_fields(value, other, &to->others[o]);
    }
    return good;
}

static bool get_frames(const json_t *frames, struct record *record)
{
    struct record room;
    if (!json_is_array(frames) || record_create(&room, 0, json_array_size(frames)) != STATUS_OK)
        return false;
    record->frames = room.frames;
    record->count = room.count;
    for (size_t i = 0; i < record->count; i++) {
        struct frame_record *one = &record->frames[i];
        if (!get_frame(json_array_get(frames, i), one) || (i > 0 && one->frame <= one[-1].frame))
            return false;
    }
    return true;
}

static bool get_shows(const json_t *array, struct record *record)
{
    bool good = !array || json_is_array(array);
    if (!array || !good)
        return good;
    record->shown = json_array_size(array);
    record->shows = memory_new(record->shown + 1, sizeof *record->shows);
    for (size_t i = 0; i < record->shown && good; i++) {
        const json_t *value = json_array_get(array, i);
        good = json_is_null(value) || (json_is_integer(value) && json_integer_value(value) >= 0);
        record->shows[i] =
            json_is_null(value) ? RECORD_NO_FRAME : (uint64_t)json_integer_value(value);
    }
    return good;
}

static bool get_boxes(json_t *object, struct record *record)
{
    const char *name;
    json_t *value;
    bool good = !object || json_is_object(object);
    if (!object || !good)
        return good;
    record->boxes = memory_new(json_object_size(object) + 1, sizeof *record->boxes);
    json_object_foreach(object, name, value)
    {
        struct box_record *box = &record->boxes[record->box_count++];
        box->name = memory_text(name);
        good = good && get_hash(value, box->hash);
    }
    return good;
}

static bool is_known(const char *key)
{
    static const char *const keys[] = {format_key, "platform", "container", "scene",
                                       "frames",   shows_key,  boxes_key,   checksum_key};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    for (const struct field *field = head; field->name; field++)
        if (strcmp(key, field->name) == 0)
            return true;
    return false;
}

static void get_sections(json_t *root, struct record *record)
{
    const char *key;
    json_t *value;
    json_object_foreach(root, key, value) if (!is_known(key))
    {
        char *text = print(value);
        record_set_section(record, key, text);
        free(text);
    }
}

static bool get_record(json_t *root, struct record *record)
{
    return get_fields(root, head, record) &
               get_fields(json_object_get(root, "platform"), platform, &record->platform) &
               get_fields(json_object_get(root, "container"), container, &record->container) &
               get_scene(json_object_get(root, "scene"), record) &
               get_boxes(json_object_get(root, boxes_key), record) &
               get_shows(json_object_get(root, shows_key), record) &&
           get_frames(json_object_get(root, "frames"), record);
}

/* The line in which two texts part. */
static size_t first_difference(const char *a, const char *b, size_t size)
{
    size_t line = 1;
    for (size_t i = 0; i < size && a[i] == b[i] && a[i]; i++)
        line += a[i] == '\n';
    return line;
}

static enum status check_text(const struct record *record, const char *text, size_t size,
                              const char *name)
{
    char *again = record_to_json(record);
    const bool same = again && strlen(again) == size && memcmp(again, text, size) == 0;
    const size_t line = again ? first_difference(text, again, size) : 1;
    free(again);
    return same
               ? STATUS_OK
               : status_fail(STATUS_IO,
                             "the manifest '%s' is damaged, or was edited by hand: line %zu is not "
                             "as gravreel wrote it; record it again, or bring the file back",
                             name, line);
}

enum status record_from_json(struct record *record, const char *text, size_t size, const char *name)
{
    json_error_t error;
    *record = (struct record){0};
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    const json_t *format = json_object_get(root, format_key);
    enum status status = STATUS_OK;
    if (!root)
        status = status_fail(STATUS_IO, "'%s' is no manifest of a film: line %d: %s", name,
                             error.line, error.text);
    else if (!json_is_integer(format) || json_integer_value(format) < 1)
        status = status_fail(STATUS_IO, "'%s' is no manifest of a film: it has no \"%s\" number",
                             name, format_key);
    else if (json_integer_value(format) != RECORD_FORMAT)
        status = status_fail(STATUS_USAGE,
                             "the manifest '%s' has format %lld, and this gravreel reads format "
                             "%d; use a newer gravreel, or record it again",
                             name, (long long)json_integer_value(format), RECORD_FORMAT);
    else if (!get_record(root, record))
        status = status_fail(
            STATUS_IO, "the manifest '%s' is damaged: a value is missing or not of its kind", name);
    if (status == STATUS_OK) {
        get_sections(root, record);
        status = check_text(record, text, size, name);
    }
    json_decref(root);
    return status;
}

enum status record_read(struct record *record, const char *path)
{
    enum { LIMIT = 1 << 28 };
    char *text;
    size_t size;
    *record = (struct record){0};
    enum status status = file_read(path, LIMIT, &text, &size);
    if (status != STATUS_OK)
        return status;
    status = record_from_json(record, text, text_end_lines(text, size), path);
    free(text);
    return status;
}
