#include "cmd/regression/baseline/list.h"

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/regression/baseline/baseline.h"
#include "scenes/scene.h"

#include <fts.h>
#include <stdlib.h>
#include <string.h>

static const char extension[] = ".json", objects[] = ".objects";
enum { COUNT_MAX = 1000 };

/* ---- finding ---- */

/* The part of a path below the folder `given`, or else the name of its file. */
static const char *below(const char *path, const char *given)
{
    const size_t length = strlen(given);
    if (strncmp(path, given, length) != 0 || !path[length] ||
        (path[length] != '/' && path[length - 1] != '/'))
        return file_base(path);
    return path + length + strspn(path + length, "/");
}

static void add_path(struct baseline_list *list, const char *given, char *path)
{
    *MEMORY_ADD(list->items, list->count) = (struct listed){path, below(path, given)};
}

static char *without_slashes(const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    return text_format("%.*s", (int)length, path);
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

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* Returns whether the folder is searched. */
static bool enters(struct baseline_list *list, const char *given, const FTSENT *folder)
{
    const char *path = folder->fts_path;
    if (folder->fts_level == 0)
        return true;
    if (*folder->fts_name == '.')
        return false;
    if (is_of_check(path)) {
        log_info("'%s' is skipped: a check keeps its report there", path);
        return false;
    }
    if (!text_ends_with(path, objects))
        return true;
    /* Objects without their text: baseline_read says that it is missing. */
    char *text = text_format("%.*s%s", (int)(strlen(path) - strlen(objects)), path, extension);
    if (file_exists(text))
        free(text);
    else
        add_path(list, given, text);
    return false;
}

/* Searches a folder. Follows links, except to a folder that contains the link. */
static void search_folder(struct baseline_list *list, const char *given)
{
    char *top = without_slashes(given), *const roots[] = {top, NULL};
    FTS *tree = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, by_name);
    FTSENT *entry;
    while (tree && (entry = fts_read(tree))) {
        const bool file = entry->fts_info != FTS_D && entry->fts_info != FTS_DP &&
                          entry->fts_info != FTS_DC && entry->fts_info != FTS_DNR;
        if (entry->fts_info == FTS_D && !enters(list, given, entry))
            fts_set(tree, entry, FTS_SKIP);
        if (entry->fts_info == FTS_DNR || /* baseline_read reports the reason */
            (file && *entry->fts_name != '.' && text_ends_with(entry->fts_name, extension)))
            add_path(list, given, memory_text(entry->fts_path));
    }
    if (tree)
        fts_close(tree);
    free(top);
}

enum status baseline_list_find(struct baseline_list *list, const char *const *given, size_t count)
{
    *list = (struct baseline_list){0};
    for (size_t i = 0; i < count; i++) {
        const size_t before = list->count;
        if (file_is_folder(given[i]))
            search_folder(list, given[i]);
        if (list->count == before)
            add_path(list, given[i], without_slashes(given[i]));
    }
    if (count == 0)
        return status_fail(STATUS_USAGE, "no baseline given; for example gravreel check baselines");
    if (list->count > COUNT_MAX)
        return status_fail(STATUS_USAGE,
                           "%zu baselines are more than the %d that are checked at "
                           "once; name fewer",
                           list->count, COUNT_MAX);
    return STATUS_OK;
}

void baseline_list_free(struct baseline_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i].path);
    free(list->items);
}

/* ---- output ---- */

enum status baseline_list_check_names(const struct baseline_list *list)
{
    for (size_t a = 0; a < list->count; a++)
        for (size_t b = a + 1; b < list->count; b++)
            if (strcmp(list->items[a].below, list->items[b].below) == 0)
                return status_fail(STATUS_USAGE,
                                   "'%s' and '%s' have the same name, so --output would keep both "
                                   "in the same place; check them one by one",
                                   list->items[a].path, list->items[b].path);
    return STATUS_OK;
}

/* If the folder of the baselines is the current directory, it is a project's and may contain other
 * folders. */
enum status listed_check_output(const struct listed *listed, const char *output)
{
    char *folder = file_folder(listed->path);
    struct baseline named;
    baseline_start(&named, listed->path);
    const bool inside = file_is_inside(output, folder),
               equal = inside && file_is_inside(folder, output);
    enum status status = STATUS_OK;
    if (equal || (inside && !file_same(folder, ".")) || file_is_inside(output, named.folder))
        status = status_fail(STATUS_USAGE,
                             "'%s' lies in '%s', the folder of a baseline; keep the report in "
                             "another with --output",
                             output, folder);
    baseline_free(&named);
    free(folder);
    return status;
}

enum status baseline_list_check_own(const char *path, const char *begins)
{
    char head[32] = "";
    size_t size = 0;
    if (!file_exists(path))
        return STATUS_OK;
    enum status status = file_read_head(path, head, sizeof head - 1, &size);
    if (status == STATUS_OK && strncmp(head, begins, strlen(begins)) != 0)
        status = status_fail(STATUS_USAGE,
                             "'%s' was not written by a check, so --output does not replace it; "
                             "choose another folder",
                             path);
    return status;
}

char *listed_output(const struct listed *listed, const char *output)
{
    const char *name = listed->below, *slash = strrchr(name, '/');
    return slash ? text_format("%s/%.*s", output, (int)(slash - name), name) : memory_text(output);
}

char *listed_name(const struct listed *listed)
{
    const char *name = listed->below, *slash = strrchr(name, '/');
    struct baseline named;
    baseline_start(&named, name);
    char *out = slash ? text_format("%.*s/%s", (int)(slash - name), name, named.name)
                      : memory_text(named.name);
    baseline_free(&named);
    return out;
}

void listed_name_case(const struct listed *listed, struct case_report *one)
{
    free(one->name);
    one->name = listed_name(listed);
}

/* ---- what a check reads ---- */

static void see_origin(const struct baseline *baseline, const char *folder,
                       void (*see)(void *user, const char *what, const char *path), void *user)
{
    const struct origin *origin = &baseline->origin;
    struct scene *scene;
    if (!choice_find(&builtin_registry, origin->scene)) {
        char *path = origin_path(folder, origin->scene);
        see(user, "the scene of a baseline that is checked", path);
        free(path);
    }
    if (origin_open(origin, folder, &scene) != STATUS_OK)
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
        see_origin(&baseline, folder, see, user);
    baseline_free(&baseline);
    baseline_free(&empty);
    free(folder);
}
