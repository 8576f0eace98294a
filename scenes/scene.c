#include "scenes/scene.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "scenes/read.h"
#include "scenes/value.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { SCENE_BYTES_MAX = 1 << 20 };

/* A scene, and where its values come from. */
struct scene_state {
    struct scene scene; /* first, so that a struct scene created here can be cast to this */
    struct {
        char *origin;  /* file or option; NULL: the default */
        uint32_t line; /* 0: the origin has no lines */
        struct item_lines *items;
    } from[KEYS_MAX];
};

static void take_given(struct scene_state *state, struct given *given, const char *origin,
                       bool numbered)
{
    for (size_t i = 0; i < scene_key_count; i++) {
        if (!given->line[i])
            continue;
        value_swap(&scene_keys[i], &state->scene, &given->scene);
        free(state->from[i].origin);
        free(state->from[i].items);
        state->from[i].origin = memory_text(origin);
        state->from[i].line = numbered ? given->line[i] : 0;
        state->from[i].items = given->items[i];
        given->items[i] = NULL;
    }
}

/* Leaves the scene unchanged on failure. */
static enum status read_text(struct scene *scene, const char *text, size_t size, const char *origin,
                             const char *setting)
{
    struct given given;
    enum status status = given_read(&given, text, size, origin, setting);
    if (status == STATUS_OK)
        take_given((struct scene_state *)scene, &given, origin, !setting);
    given_free(&given);
    return status;
}

static enum status parse(struct scene **out, const char *text, size_t size, const char *origin)
{
    *out = NULL;
    if (size > SCENE_BYTES_MAX)
        return status_fail(STATUS_USAGE, "%s: a scene of %zu bytes is too large; at most %d",
                           origin, size, SCENE_BYTES_MAX);
    struct scene_state *state = memory_new(1, sizeof *state);
    for (size_t i = 0; i < scene_key_count; i++)
        value_default(&scene_keys[i], (char *)&state->scene + scene_keys[i].offset);
    *out = &state->scene;
    enum status status = read_text(*out, text, size, origin, NULL);
    if (status != STATUS_OK)
        scene_close(out);
    return status;
}

enum status scene_parse(struct scene **out, const char *text, const char *origin)
{
    return parse(out, text, strlen(text), origin);
}

void scene_close(struct scene **scene)
{
    struct scene_state *state = (struct scene_state *)*scene;
    for (size_t i = 0; state && i < scene_key_count; i++) {
        value_free(&scene_keys[i], &state->scene);
        free(state->from[i].origin);
        free(state->from[i].items);
    }
    if (state && state->scene.close_run)
        state->scene.close_run(&state->scene.run);
    free(state);
    *scene = NULL;
}

void scene_take_origins(struct scene *scene, const struct scene *source)
{
    struct scene_state *to = (struct scene_state *)scene;
    const struct scene_state *from = (const struct scene_state *)source;
    for (size_t i = 0; i < scene_key_count; i++) {
        const struct item_lines *items = from->from[i].items;
        free(to->from[i].origin);
        free(to->from[i].items);
        to->from[i].origin = from->from[i].origin ? memory_text(from->from[i].origin) : NULL;
        to->from[i].line = from->from[i].line;
        to->from[i].items = NULL;
        if (!items)
            continue;
        const struct track *track = key_track_of(&scene_keys[i], source);
        const uint32_t count = track ? track->count : *list_count(&scene_keys[i], source);
        to->from[i].items = memory_new(count, sizeof *items);
        memcpy(to->from[i].items, items, count * sizeof *items);
    }
}

/* Whether the file exists, or for bodies, files whose names begin with it. */
static bool is_there(const char *path, bool bodies)
{
    static const char *const endings[] = {"", ".0", ".0.*", ".hdf5", ".h5"};
    bool found = false;
    for (size_t i = 0; i < (bodies ? sizeof endings / sizeof *endings : 1) && !found; i++) {
        char *pattern = text_format("%s%s", path, endings[i]);
        found = file_any_matches(pattern);
        free(pattern);
    }
    return found;
}

/* Whether the folder has the scene's file; if so, changes the name to that path. */
static bool look_in(char **file, const char *folder, bool bodies)
{
    const char *name = *file;
    char *path = strcmp(folder, ".") == 0 ? memory_text(name) : text_format("%s/%s", folder, name);
    const bool found = is_there(path, bodies);
    free(found ? *file : path);
    if (found)
        *file = path;
    return found;
}

/* Uses the first of `folder`, the current folder and $GRAVREEL_DATA's folders that has the file;
 * otherwise the name stays, and opening it will report that it does not exist. */
static void find(char **file, const char *folder, bool bodies)
{
    bool found = **file == '\0' || **file == '/' || look_in(file, folder, bodies) ||
                 look_in(file, ".", bodies);
    const char *data = getenv("GRAVREEL_DATA");
    char *folders = memory_text(data ? data : ""), *rest = NULL;
    for (char *at = strtok_r(folders, ":", &rest); at && !found; at = strtok_r(NULL, ":", &rest))
        found = look_in(file, at, bodies);
    free(folders);
}

void scene_find_files(struct scene *scene, const char *folder)
{
    for (uint32_t n = 0; n < scene->look.panel_count; n++) {
        struct panel_params *panel = &scene->look.panels[n];
        find(&panel->snapshots, folder, true);
        if (strpbrk(panel->scene, "./")) /* otherwise it is a built-in scene's name */
            find(&panel->scene, folder, false);
    }
    find(&scene->bodies.file, folder, true);
    find(&scene->output.audio, folder, false);
}

static enum status unknown_scene(const char *name)
{
    struct suggestion near = {name, NULL, 0};
    const struct scene_builtin *builtin;
    char names[256];
    for (size_t i = 0; (builtin = choice_at(&builtin_registry, i)); i++)
        suggest_offer(&near, builtin->name);
    choice_names(&builtin_registry, names, sizeof names);
    return status_fail(STATUS_USAGE,
                       "there is no scene '%.64s'%s the built-in ones are %s; the name of a scene "
                       "file ends in .yaml or contains a slash",
                       name, near.best ? suggest_text(&near) : ";", names);
}

/* Suggests the scene file in the same folder with the most similar name, such as mine.yaml for
 * mine.yml. */
static enum status suggest_file(enum status status, const char *path)
{
    const char *file = file_base(path);
    char *folder = file_folder(path), nearest[NAME_MAX + 1] = "";
    struct suggestion near = {file, NULL, 0};
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        const struct suggestion before = near;
        const char *extension = file_extension(entry->d_name);
        if (strcmp(extension, "yaml") == 0 || strcmp(extension, "yml") == 0)
            suggest_offer(&near, entry->d_name);
        if (near.best != before.best)
            near.best = strcpy(nearest, entry->d_name);
    }
    if (entries)
        closedir(entries);
    free(folder);
    return near.best ? status_fail(status, "%s; did you mean '%.*s%s'?", status_text(),
                                   (int)(file - path), path, near.best)
                     : status;
}

static enum status open_file(struct scene **out, const char *path)
{
    char *text;
    size_t size;
    enum status status = file_read(path, SCENE_BYTES_MAX, &text, &size);
    if (status != STATUS_OK)
        return file_exists(path) ? status : suggest_file(status, path);
    status = parse(out, text, size, path);
    free(text);
    if (status == STATUS_OK) {
        char *folder = file_folder(path);
        scene_find_files(*out, folder);
        free(folder);
    }
    return status;
}

enum status scene_open(struct scene **out, const char *name)
{
    *out = NULL;
    const char *extension = file_extension(name);
    if (strchr(name, '/') || strcmp(extension, "yaml") == 0 || strcmp(extension, "yml") == 0)
        return open_file(out, name);
    const struct scene_builtin *builtin = choice_find(&builtin_registry, name);
    if (!builtin)
        return unknown_scene(name);
    enum status status = scene_parse(out, builtin->text, name);
    if (status == STATUS_OK)
        scene_find_files(*out, ".");
    return status;
}

/* The key of the section that accepts the word, like look.preset for look=cinema; NULL: none. */
static const struct key *key_with_choice(const char *section, const char *word)
{
    for (size_t i = 0; i < scene_key_count; i++)
        if (strcmp(scene_keys[i].section, section) == 0 && scene_keys[i].registry &&
            choice_find(scene_keys[i].registry, word))
            return &scene_keys[i];
    return NULL;
}

static enum status unknown_setting(const char *name, const char *value, const char *origin)
{
    const char *dot = strchr(name, '.');
    const char *last = dot ? dot + 1 : name;
    int section = key_section_find(name, dot ? (size_t)(dot - name) : strlen(name));
    char full[KEYS_MAX][KEY_PATH], names[512];
    struct suggestion near = {name, NULL, 0};
    for (size_t i = 0; i < scene_key_count; i++) {
        key_path(&scene_keys[i], full[i]);
        if (dot || section < 0)
            suggest_offer(&near, full[i]);
        if (strcmp(scene_keys[i].name, last) == 0) /* the right key without its section */
            near = (struct suggestion){name, full[i], 0};
    }
    const char *where = section >= 0 ? scene_sections[section].name : NULL;
    const struct key *meant = where && !dot ? key_with_choice(where, value) : NULL;
    if (meant)
        return status_fail(STATUS_USAGE,
                           "%s: '%.64s' is a section and has no value of its own; did you mean "
                           "%s.%s=%.64s?",
                           origin, name, where, meant->name, value);
    key_names(where, names, sizeof names);
    return status_fail(STATUS_USAGE, "%s: unknown key '%.64s'%s the %s%s are %s", origin, name,
                       near.best ? suggest_text(&near) : "; keys are written section.key;",
                       where ? "keys of " : "sections", where ? where : "", names);
}

/* Sets the key to the value `yaml`, which is on one line. */
static enum status set(struct scene *scene, const struct key *key, const char *yaml,
                       const char *origin)
{
    char path[KEY_PATH];
    key_path(key, path);
    char *text = text_format("%s:\n  %s: %s\n", key->section, key->name, yaml);
    enum status status = read_text(scene, text, strlen(text), origin, path);
    free(text);
    if (status == STATUS_OK &&
        (strcmp(path, "bodies.file") == 0 || strcmp(path, "look.panels") == 0))
        scene_find_files(scene, ".");
    return status;
}

/* Replaces \n, as in "A\nB" typed into a shell, by line feeds. The caller frees the result. */
static char *break_lines(const char *text)
{
    char *broken = memory_new(strlen(text) + 1, 1), *to = broken;
    for (const char *at = text; *at; at++) {
        const bool breaks = at[0] == '\\' && at[1] == 'n';
        *to++ = breaks ? '\n' : *at;
        at += breaks;
    }
    *to = '\0';
    return broken;
}

static enum status set_checked(struct scene *scene, const char *path, const char *value,
                               const char *origin, bool quote)
{
    const struct key *key = key_path_find(path);
    if (!key)
        return unknown_setting(path, value, origin);
    for (const char *at = value; *at; at++)
        if ((unsigned char)*at < ' ' && !(key->lines && *at == '\n'))
            return status_fail(STATUS_USAGE, "%s: %s: the value contains a control character",
                               origin, path);
    const bool bare = quote || (key_is_word(key) && value[0] != '"' && value[0] != '\'' &&
                                !(key->keyed != KEYED_NOT && value[0] == '['));
    char *lines = bare && key->lines ? break_lines(value) : memory_text(value);
    char *quoted = bare ? quote_text(lines) : memory_text(lines);
    free(lines);
    enum status status = set(scene, key, quoted, origin);
    free(quoted);
    return status;
}

enum status scene_set(struct scene *scene, const char *path, const char *value, const char *origin)
{
    return set_checked(scene, path, value, origin, false);
}

enum status scene_set_text(struct scene *scene, const char *path, const char *text,
                           const char *origin)
{
    return set_checked(scene, path, text, origin, true);
}

bool scene_is_given(const struct scene *scene, const char *path)
{
    const struct key *key = key_path_find(path);
    return key && ((const struct scene_state *)scene)->from[key - scene_keys].origin;
}

double scene_seconds(const struct scene *scene, uint64_t frames)
{
    return (double)frames * scene->output.fps.den / scene->output.fps.num;
}

bool scene_is_option(const struct scene *scene, const char *path)
{
    const struct key *key = key_path_find(path);
    const char *origin =
        key ? ((const struct scene_state *)scene)->from[key - scene_keys].origin : NULL;
    return origin && strncmp(origin, "--", 2) == 0;
}

void scene_forget(struct scene *scene, const char *path)
{
    struct scene_state *state = (struct scene_state *)scene;
    const struct key *key = key_path_find(path);
    if (!key)
        return;
    const size_t i = (size_t)(key - scene_keys);
    struct scene *fresh = memory_new(1, sizeof *fresh);
    value_default(key, (char *)fresh + key->offset);
    value_swap(key, scene, fresh);
    value_free(key, fresh);
    free(fresh);
    free(state->from[i].origin);
    free(state->from[i].items);
    state->from[i].origin = NULL;
    state->from[i].items = NULL;
}

enum status scene_blame(const struct scene *scene, const char *path)
{
    const struct scene_state *state = (const struct scene_state *)scene;
    char section[64] = "", name[64] = "", field[64] = "";
    unsigned item = 0;
    sscanf(path, "%63[^.].%63[^[][%u].%63s", section, name, &item, field);
    const int key = key_find(section, name);
    if (key < 0 || !state->from[key].origin)
        return status_prefix(STATUS_USAGE, "%s", path);
    const struct item_lines *items = state->from[key].items;
    const int place = key_list_find(key_list_of(&scene_keys[key]), field);
    uint32_t line = state->from[key].line;
    if (line && items && item && items[item - 1].start)
        line = place >= 0 && items[item - 1].line[place] ? items[item - 1].line[place]
                                                         : items[item - 1].start;
    if (!line)
        return status_prefix(STATUS_USAGE, "%s: %s", state->from[key].origin, path);
    return status_prefix(STATUS_USAGE, "%s:%u: %s", state->from[key].origin, line, path);
}

enum { FRAMES_LEAST = 12, SEGMENTS_MOST = 2000 };

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

uint64_t scene_segment_length(const struct scene *scene)
{
    const struct output_params *output = &scene->output;
    if (output->segment > 0)
        return output->segment;
    const uint64_t second = (output->fps.num + output->fps.den / 2) / output->fps.den;
    const uint64_t few = (output->frames + SEGMENTS_MOST - 1) / SEGMENTS_MOST;
    return larger(larger(second, FRAMES_LEAST), few);
}
