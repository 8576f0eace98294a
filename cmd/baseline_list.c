#include "cmd/baseline_list.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/regression/baseline/baseline.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT_MAX = 1000 };

/* ---- finding ---- */

/* The part of a path below the folder `given`, or else the name of its file. */
static const char *below(const char *path, const char *given)
{
    const size_t length = strlen(given);
    const char *slash = strrchr(path, '/');
    if (strncmp(path, given, length) != 0 || !path[length] ||
        (path[length] != '/' && path[length - 1] != '/'))
        return slash ? slash + 1 : path;
    return path + length + strspn(path + length, "/");
}

static void find_one(struct baseline_list *list, const char *given)
{
    char **paths;
    size_t count;
    baseline_find(given, &paths, &count);
    list->items = memory_grow(list->items, list->count + count + 1, sizeof *list->items);
    for (size_t i = 0; i < count; i++)
        list->items[list->count++] = (struct listed){paths[i], below(paths[i], given)};
    free(paths);
}

enum status baseline_list_find(struct baseline_list *list, const char *const *given, size_t count)
{
    *list = (struct baseline_list){0};
    for (size_t i = 0; i < count; i++)
        find_one(list, given[i]);
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
