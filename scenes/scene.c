#include "scenes/scene.h"

#include "base/file.h"
#include "base/suggest.h"
#include "base/text.h"
#include "scenes/load.h"
#include "scenes/state.h"

#include <stdlib.h>
#include <string.h>

enum { SCENE_BYTES_MAX = 1 << 20 };

static enum status no_memory(void)
{
    return status_fail(STATUS_RUNTIME, "no memory left for the scene");
}

static enum status remember(struct scene_state *state, struct outline *outline, const char *origin,
                            bool numbered)
{
    for (size_t i = 0; i < scene_key_count; i++) {
        if (!outline->line[i])
            continue;
        char *copy = strdup(origin);
        if (!copy)
            return no_memory();
        free(state->from[i].origin);
        state->from[i].origin = copy;
        state->from[i].line = numbered ? outline->line[i] : 0;
        free(state->items[i]);
        state->items[i] = outline->items[i];
        outline->items[i] = NULL;
    }
    return STATUS_OK;
}

/* Reads text into a scene that is complete or about to be. origin NULL: the defaults. */
static enum status read_text(struct scene *scene, const char *text, size_t size, const char *origin,
                             const char *setting)
{
    struct outline outline;
    const char *name = origin ? origin : "defaults";
    enum status status = outline_read(&outline, text, size, name, setting);
    if (status == STATUS_OK)
        status = load_values(scene, text, size, &outline, name);
    if (status == STATUS_OK && origin)
        status = remember((struct scene_state *)scene, &outline, origin, !setting);
    outline_free(&outline);
    return status;
}

static char *default_text(void)
{
    char *text = strdup("");
    const char *section = "";
    for (size_t i = 0; i < scene_key_count && text; i++) {
        const struct key *key = &scene_keys[i];
        const bool same = strcmp(section, key->section) == 0;
        char *longer = text_format("%s%s%s  %s: %s\n", text, same ? "" : key->section,
                                   same ? "" : ":\n", key->name, key->fallback);
        section = key->section;
        free(text);
        text = longer;
    }
    return text;
}

static enum status scene_create(struct scene **out)
{
    *out = NULL;
    struct scene_state *state = calloc(1, sizeof *state);
    char *text = default_text();
    enum status status =
        state && text ? read_text(&state->scene, text, strlen(text), NULL, NULL) : no_memory();
    free(text);
    if (status == STATUS_OK)
        *out = &state->scene;
    else
        free(state); /* values come all or none */
    return status;
}

static enum status parse(struct scene **out, const char *text, size_t size, const char *origin)
{
    *out = NULL;
    if (size > SCENE_BYTES_MAX)
        return status_fail(STATUS_USAGE, "%s: a scene of %zu bytes is too large; at most %d",
                           origin, size, SCENE_BYTES_MAX);
    struct scene *scene;
    enum status status = scene_create(&scene);
    if (status == STATUS_OK)
        status = read_text(scene, text, size, origin, NULL);
    if (status != STATUS_OK)
        scene_close(&scene);
    *out = scene;
    return status;
}

enum status scene_parse(struct scene **out, const char *text, const char *origin)
{
    return parse(out, text, strlen(text), origin);
}

void scene_close(struct scene **scene)
{
    if (!*scene)
        return;
    struct scene_state *state = (struct scene_state *)*scene;
    for (size_t i = 0; i < scene_key_count; i++) {
        const struct key *key = &scene_keys[i];
        if (key->type == KEY_LIST)
            load_free_list(*scene, key);
        else if (key->type == KEY_TEXT || key->type == KEY_SIZE || key->type == KEY_RATE)
            free(*(char **)((char *)*scene + key->offset));
        free(state->from[i].origin);
        free(state->items[i]);
    }
    free(state);
    *scene = NULL;
}

/* Whether the folder has the scene's bodies file; then the scene names it there. */
static enum status look_in(struct scene *scene, const char *folder, bool *found)
{
    const char *name = scene->bodies.file;
    char *path = strcmp(folder, ".") == 0 ? strdup(name) : text_format("%s/%s", folder, name);
    if (!path)
        return no_memory();
    *found = file_exists(path);
    char *spare = path;
    if (*found) {
        spare = scene->bodies.file;
        scene->bodies.file = path;
    }
    free(spare);
    return STATUS_OK;
}

/* First of folder, the current folder and $GRAVREEL_DATA's folders that has the file; else the name
 * stays, and opening the bodies will say that it is not there. */
static enum status find_bodies(struct scene *scene, const char *folder)
{
    bool found = scene->bodies.file[0] == '\0' || scene->bodies.file[0] == '/';
    enum status status = found ? STATUS_OK : look_in(scene, folder, &found);
    if (status == STATUS_OK && !found)
        status = look_in(scene, ".", &found);
    const char *data = getenv("GRAVREEL_DATA");
    char *folders = strdup(data ? data : ""), *rest = NULL;
    if (!folders)
        return no_memory();
    for (char *at = strtok_r(folders, ":", &rest); at && !found && status == STATUS_OK;
         at = strtok_r(NULL, ":", &rest))
        status = look_in(scene, at, &found);
    free(folders);
    return status;
}

static enum status unknown_scene(const char *name)
{
    struct suggestion near = {name, NULL, 0};
    char names[256] = "";
    for (const struct scene_builtin *at = scene_builtins; at->name; at++) {
        suggest_offer(&near, at->name);
        text_list(names, sizeof names, at->name);
    }
    return status_fail(STATUS_USAGE,
                       "no scene is called '%.64s'%s the built-in ones are %s; a scene file's name "
                       "ends in .yaml or has a slash",
                       name, near.best ? suggest_text(&near) : ";", names);
}

enum status scene_open(struct scene **out, const char *name)
{
    *out = NULL;
    const char *extension = file_extension(name);
    enum status status;
    if (strchr(name, '/') || strcmp(extension, "yaml") == 0 || strcmp(extension, "yml") == 0) {
        char *text, *folder = file_folder(name);
        size_t size;
        if (!folder)
            return no_memory();
        status = file_read(name, SCENE_BYTES_MAX, &text, &size);
        if (status == STATUS_OK) {
            status = parse(out, text, size, name);
            free(text);
        }
        if (status == STATUS_OK)
            status = find_bodies(*out, folder);
        free(folder);
    } else {
        const struct scene_builtin *builtin = scene_builtins;
        while (builtin->name && strcmp(builtin->name, name) != 0)
            builtin++;
        if (!builtin->name)
            return unknown_scene(name);
        status = scene_parse(out, builtin->text, name);
        if (status == STATUS_OK)
            status = find_bodies(*out, ".");
    }
    if (status != STATUS_OK)
        scene_close(out);
    return status;
}

static enum status unknown_setting(const char *name, const char *origin)
{
    const char *dot = strchr(name, '.');
    const char *last = dot ? dot + 1 : name;
    int section = key_section_find(name, dot ? (size_t)(dot - name) : strlen(name));
    char full[KEYS_MAX][64], names[512];
    struct suggestion near = {name, NULL, 0};
    for (size_t i = 0; i < scene_key_count; i++) {
        snprintf(full[i], sizeof full[i], "%s.%s", scene_keys[i].section, scene_keys[i].name);
        if (dot || section < 0)
            suggest_offer(&near, full[i]);
        if (strcmp(scene_keys[i].name, last) == 0) /* the right key without its section */
            near = (struct suggestion){name, full[i], 0};
    }
    const char *where = section >= 0 ? scene_sections[section].name : NULL;
    key_names(where, names, sizeof names);
    return status_fail(STATUS_USAGE, "%s: unknown key '%.64s'%s the %s%s are %s", origin, name,
                       near.best ? suggest_text(&near) : "; keys are written section.key;",
                       where ? "keys of " : "sections", where ? where : "", names);
}

/* The value as a double-quoted YAML scalar. */
static char *quote(const char *value)
{
    char *text = malloc(2 * strlen(value) + 3), *at = text;
    if (!text)
        return NULL;
    *at++ = '"';
    for (; *value; value++) {
        if (*value == '"' || *value == '\\')
            *at++ = '\\';
        *at++ = *value;
    }
    *at++ = '"';
    *at = '\0';
    return text;
}

enum status scene_set(struct scene *scene, const char *key, const char *value, const char *origin)
{
    const char *dot = strchr(key, '.');
    char section[64] = "";
    if (dot && (size_t)(dot - key) < sizeof section)
        memcpy(section, key, (size_t)(dot - key));
    const int index = dot ? key_find(section, dot + 1) : -1;
    if (index < 0)
        return unknown_setting(key, origin);
    for (const char *at = value; *at; at++)
        if ((unsigned char)*at < ' ')
            return status_fail(STATUS_USAGE, "%s: %s: the value holds a control character", origin,
                               key);
    const enum key_type type = scene_keys[index].type;
    const bool is_text =
        type == KEY_TEXT || type == KEY_CHOICE || type == KEY_SIZE || type == KEY_RATE;
    /* Text needs no quotes on a command line, whatever YAML would make of it. */
    char *quoted = is_text && value[0] != '"' && value[0] != '\'' ? quote(value) : strdup(value);
    char *text = quoted ? text_format("%s:\n  %s: %s\n", section, dot + 1, quoted) : NULL;
    enum status status = text ? read_text(scene, text, strlen(text), origin, key) : no_memory();
    free(quoted);
    free(text);
    if (status == STATUS_OK && strcmp(key, "bodies.file") == 0)
        status = find_bodies(scene, ".");
    return status;
}

enum status scene_blame_key(const struct scene *scene, int key, uint32_t item, int field)
{
    const struct scene_state *state = (const struct scene_state *)scene;
    const struct key *row = &scene_keys[key];
    uint32_t line = state->from[key].line;
    char path[160];
    size_t used = (size_t)snprintf(path, sizeof path, "%s.%s", row->section, row->name);
    if (item) {
        used += (size_t)snprintf(path + used, sizeof path - used, "[%u]", item);
        if (field >= 0)
            snprintf(path + used, sizeof path - used, ".%s", row->list->keys[field].name);
        const struct outline_item *lines = state->items[key];
        if (line && lines && lines[item - 1].start)
            line = field >= 0 && lines[item - 1].line[field] ? lines[item - 1].line[field]
                                                             : lines[item - 1].start;
    }
    if (!state->from[key].origin)
        return status_prefix(STATUS_USAGE, "%s", path);
    if (!line)
        return status_prefix(STATUS_USAGE, "%s: %s", state->from[key].origin, path);
    return status_prefix(STATUS_USAGE, "%s:%u: %s", state->from[key].origin, line, path);
}

static int find_field(const struct key_list *list, const char *name)
{
    for (size_t i = 0; list && i < list->key_count; i++)
        if (strcmp(list->keys[i].name, name) == 0)
            return (int)i;
    return -1;
}

enum status scene_blame(const struct scene *scene, const char *key)
{
    char section[64] = "", name[64] = "", field[64] = "";
    unsigned item = 0;
    sscanf(key, "%63[^.].%63[^[][%u].%63s", section, name, &item, field);
    const int index = key_find(section, name);
    if (index < 0)
        return status_prefix(STATUS_USAGE, "%s", key);
    return scene_blame_key(scene, index, item, find_field(scene_keys[index].list, field));
}
