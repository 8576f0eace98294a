#include "cmd/film/scene/own_scene.h"

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/film/tags.h"
#include "render/reader/stream.h"
#include "render/video/codecs.h"
#include "render/video/picture_file.h"
#include "scenes/print.h"
#include "sim/run/run.h"

#include <stdlib.h>
#include <string.h>

bool own_scene_possible(const char *path)
{
    return film_info_is_film(path) || picture_file_of(path) || container_find(file_extension(path));
}

enum status own_scene_tags(const char *path, struct tags *out)
{
    const struct picture_file *picture = picture_file_of(path);
    return picture ? picture->tags(path, out) : film_info_read_tags(path, out);
}

/* Leaves out component ranges that do not fit the bodies file, like the run that made the file. */
enum status own_scene_parse(struct scene **out, const char *text, const char *path)
{
    enum status status = scene_parse(out, text, path);
    if (status != STATUS_OK)
        return status;
    char *folder = file_folder(path);
    scene_find_files(*out, folder);
    free(folder);
    (*out)->bodies.components_optional = true;
    return STATUS_OK;
}

enum status own_scene_check(const struct tags *tags, const char *path)
{
    const char *damaged = tags_damaged(tags);
    return damaged ? status_fail(STATUS_MISMATCH,
                                 "the tag '%s' of '%s' is damaged; restore the file, or name the "
                                 "scene itself, such as the .scene.yaml beside a film",
                                 damaged, path)
                   : STATUS_OK;
}

enum status own_scene_open(struct scene **out, const char *path)
{
    struct tags tags;
    *out = NULL;
    enum status status = own_scene_tags(path, &tags);
    const char *text = status == STATUS_OK ? tags_find(&tags, FILM_TAG_SCENE) : NULL;
    const enum status whole = status == STATUS_OK ? own_scene_check(&tags, path) : status;
    if (whole != STATUS_OK)
        status = whole;
    else if (text)
        status = own_scene_parse(out, text, path);
    else if (status == STATUS_OK)
        status = status_fail(STATUS_USAGE,
                             "'%s' does not say which scene it was made from: it has no tag %s; "
                             "name the scene itself",
                             path, FILM_TAG_SCENE);
    tags_free(&tags);
    return status;
}

/* Whether a text is the program's own print of a scene, with every key. */
static bool is_printed(const char *text, const char *path)
{
    struct scene *scene;
    char *again = scene_parse(&scene, text, path) == STATUS_OK ? scene_print(scene) : NULL;
    const bool same = again && strcmp(again, text) == 0;
    scene_close(&scene);
    free(again);
    return same;
}

/* Whether the film's tags have exactly this scene text. For a film without such a tag (GIF, WebP,
 * Y4M, --metadata none) any text printed by the program counts, but not for a picture, which may
 * come from anywhere. */
static bool is_made_of(const char *film, const char *scene)
{
    struct tags tags = {0};
    if (!file_exists(film))
        return false;
    const bool read = own_scene_possible(film) && own_scene_tags(film, &tags) == STATUS_OK;
    const char *own = read ? tags_find(&tags, FILM_TAG_SCENE) : NULL;
    const bool same =
        own ? strcmp(own, scene) == 0 : !picture_file_of(film) && is_printed(scene, film);
    tags_free(&tags);
    return same;
}

/* A picture of the scene in its folder, named with `stem` and a number; NULL: none. */
static char *find_picture(const char *stem, const char *scene)
{
    enum { LOOKED_AT = 32 };
    const struct picture_file *file;
    char *found = NULL;
    for (size_t f = 0; !found && (file = choice_at(&picture_file_registry, f)); f++) {
        char **names, *pattern = text_format("%s*[0-9]*.%s", stem, file->name);
        const size_t count = file_matches(pattern, &names);
        for (size_t i = 0; i < count; i++)
            if (!found && i < LOOKED_AT && is_made_of(names[i], scene))
                found = names[i];
            else
                free(names[i]);
        free(names);
        free(pattern);
    }
    return found;
}

/* `stem` itself, or with the extension of a film. */
static char *find_film(const char *stem, const char *scene)
{
    static const struct registry *const registries[] = {&container_registry, &loop_registry};
    const struct choice *format;
    char *film = memory_text(stem);
    bool found = is_made_of(film, scene);
    for (size_t r = 0; r < sizeof registries / sizeof *registries; r++)
        for (size_t i = 0; !found && (format = choice_at(registries[r], i)); i++) {
            free(film);
            film = text_format("%s.%s", stem, format->name);
            found = is_made_of(film, scene);
        }
    if (!found)
        free(film);
    return found ? film : NULL;
}

/* The path without this suffix, "" for scene.yaml itself; NULL: it has another name. */
static char *stem_of(const char *path)
{
    static const char end[] = "scene.yaml";
    const size_t length = strlen(path), own = sizeof end - 1;
    if (length < own || strcmp(path + length - own, end) != 0)
        return NULL;
    const char before = length > own ? path[length - own - 1] : '/';
    const size_t dot = before == '.' ? 1 : 0;
    return dot || before == '/' ? text_format("%.*s", (int)(length - own - dot), path) : NULL;
}

char *own_scene_film(const char *path)
{
    enum { LIMIT = 1 << 24 };
    char *scene = NULL, *stem = stem_of(path), *film = NULL;
    size_t size = 0;
    if (stem && file_read(path, LIMIT, &scene, &size) == STATUS_OK && strlen(scene) == size) {
        const bool is_name = *stem && stem[strlen(stem) - 1] != '/';
        film = is_name ? find_film(stem, scene) : NULL;
        film = film ? film : find_picture(stem, scene);
    }
    free(scene);
    free(stem);
    return film;
}

/* ==== panels with scenes of their own ==== */

char *panel_source(const struct panel_params *panel)
{
    return text_format("# %s|%s|%s\n", panel->scene, panel->snapshots, panel->set);
}

/* Whether two names can mean the same file: one may have more folders in front than the other. */
static bool same_name(const char *a, size_t length, const char *b)
{
    const size_t other = strlen(b), less = length < other ? length : other;
    const char *rest = length < other ? b : a;
    return memcmp(a + length - less, b + other - less, less) == 0 &&
           (length == other ||
            (less > 0 && rest[(length < other ? other : length) - less - 1] == '/'));
}

bool panel_is_resolved(const struct panel_params *panel)
{
    const char *text = panel->scene_text, *end = text + strcspn(text, "\n");
    if (strncmp(text, "# ", 2) != 0)
        return false;
    const char *scene = text + 2, *scene_end = memchr(scene, '|', (size_t)(end - scene));
    if (!scene_end)
        return false;
    const char *snapshots = scene_end + 1;
    const char *snapshots_end = memchr(snapshots, '|', (size_t)(end - snapshots));
    if (!snapshots_end)
        return false;
    const char *set = snapshots_end + 1;
    return same_name(scene, (size_t)(scene_end - scene), panel->scene) &&
           same_name(snapshots, (size_t)(snapshots_end - snapshots), panel->snapshots) &&
           strlen(panel->set) == (size_t)(end - set) &&
           memcmp(panel->set, set, (size_t)(end - set)) == 0;
}

/* ==== files beside the scene ==== */

void own_files_note(struct own_files *files, const struct scene *scene)
{
    *files = (struct own_files){memory_text(scene->bodies.file), memory_text(scene->output.audio)};
}

void own_files_free(struct own_files *files)
{
    free(files->bodies);
    free(files->audio);
    *files = (struct own_files){0};
}

/* Detects "..", which a pattern may contain after a folder with a pattern in its name. */
static bool goes_up(const char *path)
{
    for (const char *at = path; (at = strstr(at, "..")); at += 2)
        if ((at == path || at[-1] == '/') && (at[2] == '/' || at[2] == '\0'))
            return true;
    return false;
}

/* Whether the file, and every match if it is a pattern, is below the folder. */
static bool all_inside(const char *file, const char *folder)
{
    char **names;
    const size_t count = file_matches(file, &names);
    bool inside = count > 0 || (!goes_up(file) && file_is_inside(file, folder));
    for (size_t i = 0; i < count; i++) {
        inside = inside && file_is_inside(names[i], folder);
        free(names[i]);
    }
    free(names);
    return inside;
}

static bool in_data_folder(const char *file)
{
    const char *data = getenv("GRAVREEL_DATA");
    char *folders = memory_text(data ? data : ""), *rest = NULL;
    bool inside = false;
    for (char *at = strtok_r(folders, ":", &rest); at && !inside; at = strtok_r(NULL, ":", &rest))
        inside = all_inside(file, at);
    free(folders);
    return inside;
}

static enum status check(const char *file, const char *path, const char *what, const char *option)
{
    char *folder = file_folder(path);
    const bool good = all_inside(file, folder) || in_data_folder(file);
    free(folder);
    if (!good)
        return status_fail(STATUS_USAGE,
                           "the scene in '%s' reads its %s from '%s', which is refused because it "
                           "is outside the film's folder; if you trust that file, name it with %s",
                           path, what, file, option);
    log_info("the %s %s read from '%s', as the scene in '%s' says", what,
             strcmp(what, "bodies") == 0 ? "are" : "is", file, path);
    return STATUS_OK;
}

/* The files of panels with scenes of their own. */
static enum status check_panel(const struct panel_params *panel, const char *path)
{
    struct scene *own = NULL;
    enum status status = STATUS_OK;
    if (strstr(panel->set, "bodies.file") || strstr(panel->set, "look.halos"))
        return status_fail(STATUS_USAGE,
                           "a panel of the scene in '%s' names a file in `set`, which is refused; "
                           "if you trust it, give --set look.panels",
                           path);
    if (!panel_is_resolved(panel) && strpbrk(panel->scene, "./"))
        return check(panel->scene, path, "panel", "--set look.panels");
    if (strcmp(file_extension(panel->scene), RUN_EXTENSION) == 0)
        status = check(panel->scene, path, "panel", "--set look.panels");
    if (status == STATUS_OK && !panel_is_resolved(panel) && *panel->snapshots)
        status = check(panel->snapshots, path, "panel", "--set look.panels");
    if (status == STATUS_OK && *panel->scene_text)
        status = scene_parse(&own, panel->scene_text, "a panel's scene");
    if (own && own->bodies.model->reads_file)
        status = check(own->bodies.file, path, "bodies", "--set look.panels");
    scene_close(&own);
    return status;
}

enum status own_files_check(const struct own_files *files, const struct scene *scene,
                            const char *path, bool given)
{
    const char *bodies = scene->bodies.model->reads_file && !given ? scene->bodies.file : "";
    enum status status = STATUS_OK;
    if (*bodies && strcmp(bodies, files->bodies) == 0)
        status = check(bodies, path, "bodies",
                       scene->bodies.model->plays ? "--snapshots" : "--bodies-from");
    if (status == STATUS_OK && *scene->output.audio &&
        strcmp(scene->output.audio, files->audio) == 0)
        status = check(scene->output.audio, path, "sound", "--set output.audio=FILE");
    const bool replaced = scene_is_option(scene, "look.panels");
    for (uint32_t i = 0; i < scene->look.panel_count && status == STATUS_OK && !replaced; i++)
        status = check_panel(&scene->look.panels[i], path);
    return status;
}
