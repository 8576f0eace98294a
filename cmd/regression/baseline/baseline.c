#include "cmd/regression/baseline/baseline.h"

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "base/text.h"
#include "cmd/regression/baseline/objects.h"
#include "scenes/scene_check.h"
#include "scenes/print.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char section[] = "baseline", extension[] = ".json";
enum { TEXT_READ_MOST = 64 << 20, LIST_MOST = 1000 };

/* ---- the section of the text that is the baseline's own: everything but the record ---- */

static const struct json_member setting[] = {
    {"append", AS_TEXT | OPTIONAL | NULLABLE, MEMBER_AT(struct origin_setting, append)},
    {"key", AS_TEXT | OPTIONAL | NULLABLE, MEMBER_AT(struct origin_setting, key)},
    {"value", AS_TEXT, MEMBER_AT(struct origin_setting, value)},
    {0},
};

static const struct json_member origin_members[] = {
    {"scene", AS_TEXT, MEMBER_AT(struct origin, scene)},
    {"bodies_from", AS_TEXT | OPTIONAL | NULLABLE, MEMBER_AT(struct origin, bodies_from)},
    {"settings", AS_OBJECT, MEMBER_LIST(struct origin, settings, setting_count),
     .most = SETTINGS_MAX, .members = setting},
    {0},
};

static const struct json_member stored[] = {
    {"frame", AS_WHOLE, MEMBER_AT(struct stored, frame)},
    {"object", AS_HASH, MEMBER_AT(struct stored, object)},
    {"renderer", AS_REAL | OPTIONAL | NULLABLE,
     MEMBER_SHORT_LIST(struct stored, renderer, renderer_count),
     .has = offsetof(struct stored, has_renderer)},
    {0},
};

static const struct json_member accepted[] = {
    {"date", AS_TEXT, MEMBER_AT(struct accepted, date)},
    {"author", AS_TEXT, MEMBER_AT(struct accepted, author)},
    {"because", AS_TEXT, MEMBER_AT(struct accepted, because)},
    {"stages", AS_TEXT, MEMBER_AT(struct accepted, stages)},
    {0},
};

static const struct json_member baseline_members[] = {
    {"format", AS_FORMAT, .least = 1, .most = BASELINE_FORMAT},
    {"source", AS_OBJECT, MEMBER_AT(struct baseline, origin), .members = origin_members},
    {"states", AS_OBJECT, MEMBER_SHORT_LIST(struct baseline, states, state_count),
     .members = stored},
    {"pictures", AS_OBJECT, MEMBER_SHORT_LIST(struct baseline, pictures, picture_count),
     .members = stored},
    {"encoding", AS_HASH | OPTIONAL, MEMBER_AT(struct baseline, encoding)},
    {"anchor", AS_HASH | OPTIONAL, MEMBER_AT(struct baseline, anchor)},
    {"history", AS_OBJECT, MEMBER_LIST(struct baseline, history, history_count), .most = LIST_MOST,
     .members = accepted},
    {0},
};

void baseline_start(struct baseline *out, const char *path)
{
    const char *file = file_base(path);
    size_t length = strlen(file);
    if (length > strlen(extension) && strcmp(file + length - strlen(extension), extension) == 0)
        length -= strlen(extension);
    *out = (struct baseline){
        .path = memory_text(path),
        .name = text_format("%.*s", (int)length, file),
        .folder = text_format("%.*s%.*s.objects", (int)(file - path), path, (int)length, file),
    };
}

void baseline_free(struct baseline *baseline)
{
    free(baseline->path);
    free(baseline->name);
    free(baseline->folder);
    record_free(&baseline->record);
    json_free(baseline_members, baseline);
    *baseline = (struct baseline){0};
}

void baseline_add_history(struct baseline *baseline, const char *date, const char *author,
                          const char *because, const char *stages)
{
    *MEMORY_ADD(baseline->history, baseline->history_count) = (struct accepted){
        memory_text(date), memory_text(author), memory_text(because), memory_text(stages)};
}

bool baseline_names(const struct baseline *baseline, const char *object)
{
    for (uint32_t i = 0; i < baseline->state_count; i++)
        if (strcmp(baseline->states[i].object, object) == 0)
            return true;
    for (uint32_t i = 0; i < baseline->picture_count; i++)
        if (strcmp(baseline->pictures[i].object, object) == 0)
            return true;
    return strcmp(baseline->encoding, object) == 0 || strcmp(baseline->anchor, object) == 0;
}

static const struct json_form form = {
    .members = baseline_members, .style = STYLE_LINES, .open = true};

/* Counts the numbers to write: the renderer leaves those it does not use 0, and zeros at the end
 * are omitted. */
static void count_used(struct stored *state)
{
    state->renderer_count = RENDERER_STATE;
    while (state->renderer_count > 0 && state->renderer[state->renderer_count - 1] == 0)
        state->renderer_count--;
}

char *baseline_to_json(const struct baseline *baseline)
{
    struct baseline counted = *baseline;
    for (uint32_t i = 0; i < counted.state_count; i++)
        count_used(&counted.states[i]);
    return json_write(&form, &counted, NULL);
}

static bool is_ascending(const struct stored *list, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (list[i].frame <= list[i - 1].frame)
            return false;
    return true;
}

static bool names_keys(const struct origin *from)
{
    for (uint32_t i = 0; i < from->setting_count; i++)
        if (!from->settings[i].key == !from->settings[i].append)
            return false;
    return true;
}

enum status baseline_from_json(struct baseline *baseline, const char *text)
{
    int format;
    const enum status status = json_read(&form, text, strlen(text), baseline, NULL, &format);
    if (status != STATUS_OK)
        return status;
    if (!is_ascending(baseline->states, baseline->state_count) ||
        !is_ascending(baseline->pictures, baseline->picture_count))
        return status_fail(STATUS_IO, "its frames are not in order");
    if (!names_keys(&baseline->origin))
        return status_fail(STATUS_IO, "a setting must have exactly one of \"key\" and \"append\"");
    if (*baseline->origin.scene == '/' ||
        (baseline->origin.bodies_from && *baseline->origin.bodies_from == '/'))
        return status_fail(STATUS_IO, "a path of its source is not relative");
    return STATUS_OK;
}

/* ---- the text ---- */

static enum status read_section(struct baseline *baseline)
{
    const char *text = record_section(&baseline->record, section);
    if (!text)
        return status_fail(
            STATUS_USAGE,
            "'%s' is a film's manifest and not a baseline; `gravreel baseline` makes one",
            baseline->path);
    const enum status status = baseline_from_json(baseline, text);
    const char *variants = strstr(text, "\"variants\": [");
    if (variants && status == STATUS_OK && variants[strlen("\"variants\": [")] != ']')
        log_warning("'%s' has variants, which are no longer read: keep a baseline for each of the "
                    "results, in folders of their own",
                    baseline->path);
    if (status == STATUS_OK)
        return status;
    return status_prefix(status, "the section \"%s\" of '%s' cannot be read", section,
                         baseline->path);
}

static enum status read_folder(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder)
        return status_fail(STATUS_IO, "cannot read '%s': %s", path, strerror(errno));
    closedir(folder);
    return status_fail(STATUS_MISMATCH,
                       "there is no baseline in '%s', so nothing was compared; name another "
                       "folder, or record one with `gravreel baseline`",
                       path);
}

static enum status read_text(const char *path, char **text, size_t *size)
{
    struct stat found;
    const bool there = stat(path, &found) == 0;
    if (there && S_ISDIR(found.st_mode))
        return read_folder(path);
    if (there && !S_ISREG(found.st_mode))
        return status_fail(STATUS_IO, "'%s' is not a file", path);
    return file_read(path, TEXT_READ_MOST, text, size) == STATUS_OK
               ? STATUS_OK
               : status_fail(STATUS_IO, "%s", status_text());
}

static bool is_scene(const char *path)
{
    return text_ends_with(path, ".yaml") || text_ends_with(path, ".yml");
}

enum status baseline_read(struct baseline *out, const char *path)
{
    char *text = NULL;
    size_t size = 0;
    enum status status = STATUS_OK;
    baseline_start(out, path);
    if (ranks_begin_first())
        status = read_text(path, &text, &size);
    status = ranks_end_first(status);
    if (status == STATUS_OK)
        status = ranks_first_text(&text);
    if (status != STATUS_OK) {
        free(text);
        return status;
    }
    size = text_end_lines(text, size > 0 ? size : strlen(text));
    hash_parts(&(struct hash_part){text, size}, 1, out->hash);
    status = record_from_json(&out->record, text, size, path);
    free(text);
    if (status != STATUS_OK && is_scene(path))
        return status_fail(STATUS_USAGE,
                           "'%s' is a scene and not a baseline; record one with `gravreel baseline "
                           "%s -o FOLDER`, then check FOLDER",
                           path, path);
    return status == STATUS_OK ? read_section(out) : status;
}

static bool is_named(void *user, const char *object)
{
    return baseline_names(user, object);
}

enum status baseline_write(struct baseline *baseline)
{
    char *own = baseline_to_json(baseline);
    if (!own)
        return status_fail(STATUS_USAGE, "a text of the baseline '%s' is not UTF-8",
                           baseline->name);
    record_set_section(&baseline->record, section, own);
    free(own);
    char *text = record_to_json(&baseline->record);
    if (!text)
        return status_fail(STATUS_USAGE, "the record of '%s' has a text that is not UTF-8",
                           baseline->name);
    const size_t size = strlen(text);
    enum status status =
        size <= BASELINE_TEXT_MOST
            ? file_write(baseline->path, text, size)
            : status_fail(STATUS_USAGE,
                          "the text of '%s' would have %zu bytes, more than the %d that a "
                          "repository should keep of a film; record fewer frames with --frames",
                          baseline->name, size, BASELINE_TEXT_MOST);
    hash_parts(&(struct hash_part){text, size}, 1, baseline->hash);
    free(text);
    if (status == STATUS_OK)
        objects_sweep(baseline->folder, is_named, baseline);
    return status;
}

enum status baseline_put_record(const struct baseline *baseline, const struct record *record,
                                char object[HASH_TEXT])
{
    char *text = record_to_json(record);
    if (!text)
        return status_fail(STATUS_USAGE, "the record of '%s' has a text that is not UTF-8",
                           baseline->name);
    enum status status = object_put(baseline->folder, text, strlen(text), object);
    free(text);
    return status;
}

enum status baseline_get_record(const struct baseline *baseline, const char *object,
                                struct record *out)
{
    void *text;
    size_t size;
    enum object_state state;
    *out = (struct record){0};
    enum status status = object_get(baseline->folder, object, TEXT_READ_MOST, &text, &size, &state);
    if (status != STATUS_OK)
        return status;
    char *name = text_format("%s/%s", baseline->folder, object);
    status = record_from_json(out, text, size, name);
    free(name);
    free(text);
    return status;
}

enum status baseline_keep_anchor(struct baseline *baseline, const struct baseline *before)
{
    if (*before->anchor) {
        memcpy(baseline->anchor, before->anchor, HASH_TEXT);
        return STATUS_OK;
    }
    /* Leaves the sections out: the objects that they name do not belong to the anchor. */
    struct record record = before->record;
    record.section_count = 0;
    record.sections = NULL;
    return baseline_put_record(baseline, &record, baseline->anchor);
}

/* ---- the scene ---- */

/* Returns `path` relative to `folder`; both must exist. */
static char *seen_from(const char *folder, const char *path)
{
    char *from = realpath(folder, NULL), *to = realpath(path, NULL), *out = NULL;
    if (from && to) {
        size_t same = 0;
        for (size_t i = 0; from[i] == to[i] || (!from[i] && to[i] == '/'); i++) {
            if (!from[i] || from[i] == '/')
                same = i;
            if (!from[i])
                break;
        }
        size_t ups = 0;
        for (const char *at = from + same; *at; at++)
            ups += *at == '/' && at[1];
        char *up = memory_new(3 * ups + 1, 1);
        for (size_t u = 0; u < ups; u++)
            memcpy(up + 3 * u, "../", 4);
        out = text_format("%s%s", up, to + same + 1);
        free(up);
    }
    free(from);
    free(to);
    return out;
}

static enum status take_path(char **out, const char *path, const char *folder)
{
    *out = seen_from(folder, path);
    return *out ? STATUS_OK : status_fail(STATUS_IO, "cannot read '%s': %s", path, strerror(errno));
}

char *origin_path(const char *folder, const char *path)
{
    return *path == '/' ? memory_text(path) : text_format("%s/%s", folder, path);
}

void origin_add(struct origin *origin, const char *key, const char *value, bool append)
{
    *MEMORY_ADD(origin->settings, origin->setting_count) = (struct origin_setting){
        append ? NULL : memory_text(key), append ? memory_text(key) : NULL, memory_text(value)};
}

enum status origin_take(struct origin *out, const struct scene_request *request, const char *folder)
{
    *out = (struct origin){0};
    enum status status = STATUS_OK;
    if (choice_find(&builtin_registry, request->scene))
        out->scene = memory_text(request->scene);
    else
        status = take_path(&out->scene, request->scene, folder);
    if (status == STATUS_OK && request->bodies_from)
        status = take_path(&out->bodies_from, request->bodies_from, folder);
    for (int i = 0; i < request->setting_count; i++)
        origin_add(out, request->settings[i].key, request->settings[i].value,
                   request->settings[i].append);
    return status;
}

enum status origin_open(const struct origin *origin, const char *folder, struct scene **out)
{
    char *bodies = origin->bodies_from ? origin_path(folder, origin->bodies_from) : NULL;
    char *scene = choice_find(&builtin_registry, origin->scene)
                      ? memory_text(origin->scene)
                      : origin_path(folder, origin->scene);
    struct scene_request *request = memory_new(1, sizeof *request);
    *request = (struct scene_request){.scene = scene, .bodies_from = bodies};
    for (uint32_t i = 0; i < origin->setting_count && i < SETTINGS_MAX; i++) {
        const struct origin_setting *from = &origin->settings[i];
        request->settings[request->setting_count++] =
            (struct setting){from->append ? from->append : from->key, from->value,
                             "the baseline's source", from->append != NULL};
    }
    *out = NULL;
    enum status status = scene_request_open(request, out);
    if (status != STATUS_OK)
        scene_close(out);
    free(request);
    free(scene);
    free(bodies);
    return status;
}

/* Like seen_from, for a file or a pattern of files of a panel's scene. */
static char *pattern_seen_from(const char *folder, const char *pattern)
{
    const char *name = file_base(pattern);
    char *own = file_folder(pattern);
    const bool same = file_same(own, folder);
    char *there = same ? NULL : seen_from(folder, own);
    char *out = same ? memory_text(name) : there ? text_format("%s/%s", there, name) : NULL;
    free(own);
    free(there);
    return out;
}

/* The path of a file or pattern in the baseline's folder; NULL: nothing matches it there. */
static char *pattern_in(const char *folder, const char *pattern)
{
    char *path = origin_path(folder, pattern);
    if (file_any_matches(path))
        return path;
    free(path);
    return NULL;
}

static void move_name(char **file, const char *folder, char *(*move)(const char *, const char *))
{
    char *moved = **file ? move(folder, *file) : NULL;
    if (!moved)
        return;
    free(*file);
    *file = moved;
}

/* Renames the files of panels with scenes of their own. */
static void move_panels(struct scene *scene, const char *folder,
                        char *(*move)(const char *, const char *))
{
    for (uint32_t i = 0; i < scene->look.panel_count; i++) {
        struct panel_params *panel = &scene->look.panels[i];
        struct scene *own;
        move_name(&panel->snapshots, folder, move);
        if (strpbrk(panel->scene, "./")) /* otherwise it is a built-in scene's name */
            move_name(&panel->scene, folder, move);
        if (!*panel->scene_text || scene_parse(&own, panel->scene_text, "a panel") != STATUS_OK)
            continue;
        move_name(&own->bodies.file, folder, move);
        free(panel->scene_text);
        panel->scene_text = scene_print(own);
        scene_close(&own);
    }
}

enum status origin_open_text(const char *text, const char *folder, const char *name,
                             struct scene **out)
{
    enum status status = scene_parse(out, text, name);
    if (status != STATUS_OK) {
        *out = NULL;
        return status;
    }
    const char *file = (*out)->bodies.file;
    if (*file && *file != '/') {
        char *path = origin_path(folder, file);
        if (file_exists(path))
            status = scene_set_text(*out, "bodies.file", path, name);
        free(path);
    }
    if (status == STATUS_OK)
        status = scene_validate(*out);
    if (status != STATUS_OK)
        scene_close(out);
    else
        move_panels(*out, folder, pattern_in);
    return status;
}

static char *print_panels(const struct scene *scene, const char *folder, char hash[17])
{
    struct scene *copy;
    char *text = NULL;
    if (scene_copy(&copy, scene) != STATUS_OK)
        return NULL;
    move_panels(copy, folder, pattern_seen_from);
    text = scene_print(copy);
    scene_hash(copy, hash);
    scene_close(&copy);
    return text;
}

char *origin_print(struct scene *scene, const char *folder, char hash[17])
{
    if (look_is_montage(&scene->look))
        return print_panels(scene, folder, hash);
    char *before = scene->bodies.file;
    char *seen = *before ? seen_from(folder, before) : NULL;
    if (seen)
        scene->bodies.file = seen;
    char *text = scene_print(scene);
    scene_hash(scene, hash);
    scene->bodies.file = before;
    free(seen);
    return text;
}
