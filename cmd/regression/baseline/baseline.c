#include "cmd/regression/baseline/baseline.h"

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/regression/baseline/objects.h"
#include "cmd/regression/judge/report.h"
#include "cmd/regression/record/record.h"
#include "scenes/scene.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char section[] = "baseline", extension[] = ".json", objects[] = ".objects";
enum { TEXT_READ_MOST = 64 << 20 };

/* ---- the section of the text that is the baseline's own ---- */

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

static bool names_keys(const struct source *from)
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
    if (!names_keys(&baseline->source))
        return status_fail(STATUS_IO, "a setting has not exactly one of \"key\" and \"append\"");
    if (!source_is_safe(&baseline->source))
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
                       "there is no baseline in '%s', so that nothing was compared; name another "
                       "folder, or record one with `gravreel baseline`",
                       path);
}

enum status baseline_read(struct baseline *out, const char *path)
{
    char *text;
    size_t size;
    struct stat found;
    baseline_start(out, path);
    const bool there = stat(path, &found) == 0;
    if (there && S_ISDIR(found.st_mode))
        return read_folder(path);
    if (there && !S_ISREG(found.st_mode))
        return status_fail(STATUS_IO, "'%s' is not a file", path);
    enum status status = file_read(path, TEXT_READ_MOST, &text, &size);
    if (status != STATUS_OK)
        return status_fail(STATUS_IO, "%s", status_text());
    size = text_end_lines(text, size);
    hash_parts(&(struct hash_part){text, size}, 1, out->hash);
    status = record_from_json(&out->record, text, size, path);
    free(text);
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

/* ---- finding ---- */

/* The paths found so far, and the folders being searched, outermost last. A link may lead back to
 * one of those folders. */
struct search {
    char **paths;
    size_t count;
};

struct visited {
    const struct visited *up;
    dev_t device;
    ino_t inode;
};

static void add_path(struct search *search, char *path)
{
    search->paths = memory_grow(search->paths, search->count + 1, sizeof *search->paths);
    search->paths[search->count++] = path;
}

static char *without_slashes(const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    return text_format("%.*s", (int)length, path);
}

static int is_visible(const struct dirent *entry)
{
    return *entry->d_name != '.';
}

/* Returns whether the folder has the report of a check. Its candidates look like baselines. */
static bool is_of_check(const char *folder)
{
    char head[sizeof REPORT_BEGINS] = "", *path = text_format("%s/report.json", folder);
    size_t size = 0;
    const bool is = file_read_head(path, head, sizeof head - 1, &size) == STATUS_OK &&
                    strcmp(head, REPORT_BEGINS) == 0;
    free(path);
    return is;
}

static bool is_visited(const struct visited *visited, const struct stat *found)
{
    while (visited && (visited->device != found->st_dev || visited->inode != found->st_ino))
        visited = visited->up;
    return visited != NULL;
}

static void search_folder(struct search *search, const char *folder, const struct visited *up);

/* Adds the path of a baseline whose text is missing but whose objects exist; baseline_read says
 * that the text is missing. */
static void search_objects(struct search *search, const char *path)
{
    char *baseline = text_format("%.*s%s", (int)(strlen(path) - strlen(objects)), path, extension);
    if (file_exists(baseline))
        free(baseline);
    else
        add_path(search, baseline);
}

static void search_entry(struct search *search, char *path, const struct visited *visited)
{
    struct stat found;
    const bool folder = stat(path, &found) == 0 && S_ISDIR(found.st_mode);
    if (folder && is_of_check(path))
        log_info("'%s' is skipped: a check keeps its report there", path);
    else if (folder && text_ends_with(path, objects))
        search_objects(search, path);
    else if (folder && !is_visited(visited, &found))
        search_folder(search, path, visited);
    if (!folder && text_ends_with(path, extension))
        add_path(search, path);
    else
        free(path);
}

static void search_folder(struct search *search, const char *folder, const struct visited *up)
{
    struct stat found = {0};
    struct dirent **entries = NULL;
    const int count = scandir(folder, &entries, is_visible, alphasort);
    if (count < 0 || stat(folder, &found) != 0) /* baseline_read reports the reason */
        add_path(search, without_slashes(folder));
    const struct visited visited = {up, found.st_dev, found.st_ino};
    for (int i = 0; i < count; i++) {
        const char *slash = text_ends_with(folder, "/") || strcmp(folder, "/") == 0 ? "" : "/";
        search_entry(search, text_format("%s%s%s", folder, slash, entries[i]->d_name), &visited);
        free(entries[i]);
    }
    free(entries);
}

void baseline_find(const char *path, char ***paths, size_t *count)
{
    struct search search = {0};
    struct stat found;
    if (stat(path, &found) == 0 && S_ISDIR(found.st_mode))
        search_folder(&search, path, NULL);
    if (search.count == 0)
        add_path(&search, without_slashes(path));
    *paths = search.paths;
    *count = search.count;
}

static void see_source(const struct baseline *baseline, const char *folder,
                       void (*see)(void *user, const char *what, const char *path), void *user)
{
    const struct source *source = &baseline->source;
    struct scene *scene;
    if (!choice_find(&builtin_registry, source->scene)) {
        char *path = source_path(folder, source->scene);
        see(user, "the scene of a baseline that is checked", path);
        free(path);
    }
    if (source_open(source, folder, &scene) != STATUS_OK)
        return;
    if (scene->bodies.file && *scene->bodies.file)
        see(user, "the table of bodies of a baseline that is checked", scene->bodies.file);
    scene_close(&scene);
}

void inputs_see(const char *path, void (*see)(void *user, const char *what, const char *path),
                void *user)
{
    struct baseline baseline, empty;
    char *folder = file_folder(path);
    baseline_start(&empty, path);
    see(user, "one of the baselines that are checked", path);
    see(user, "in the folder of a baseline's objects", empty.folder);
    if (baseline_read(&baseline, path) == STATUS_OK)
        see_source(&baseline, folder, see, user);
    baseline_free(&baseline);
    baseline_free(&empty);
    free(folder);
}
