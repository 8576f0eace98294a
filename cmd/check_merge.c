#include "cmd/check_merge.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/regression/baseline/baseline.h"
#include "cmd/regression/report/json.h"

#include <fts.h>
#include <stdlib.h>
#include <string.h>

/* ---- finding ---- */

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static void add_path(char ***paths, size_t *count, const char *path)
{
    *paths = memory_grow(*paths, *count + 1, sizeof **paths);
    (*paths)[(*count)++] = memory_text(path);
}

static bool is_report(const FTSENT *entry)
{
    return entry->fts_level == 0
               ? entry->fts_info != FTS_D && entry->fts_info != FTS_DP
               : entry->fts_info == FTS_F && strcmp(entry->fts_name, "report.json") == 0;
}

static void find_one(const char *given, const char *own, char ***paths, size_t *count)
{
    char *const roots[] = {(char *)given, NULL};
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, by_name);
    const FTSENT *entry;
    while (tree && (entry = fts_read(tree)))
        if (is_report(entry) && !(own && entry->fts_level > 0 && file_same(entry->fts_path, own)))
            add_path(paths, count, entry->fts_path);
    if (tree)
        fts_close(tree);
}

void report_merge_find(const char *const *given, size_t given_count, const char *own, char ***paths,
                       size_t *count)
{
    *paths = NULL;
    *count = 0;
    for (size_t i = 0; i < given_count; i++)
        find_one(given[i], own, paths, count);
}

/* ---- merging ---- */

/* The result of a baseline of the list, as found in the reports. */
struct merged {
    char *path;         /* of the baseline, without links */
    const char *report; /* the path of the report that has its case; NULL: none yet */
    struct case_report one;
};

static enum status read_report(struct report *out, const char *path, const char *program)
{
    enum status status = report_read_json(out, path);
    if (status != STATUS_OK)
        return status;
    if (!out->command || strcmp(out->command, "check") != 0)
        return status_fail(STATUS_USAGE,
                           "'%s' is a report of `gravreel %s`; only those of `gravreel check` can "
                           "be merged",
                           path, out->command ? out->command : "?");
    if (!out->program || strcmp(out->program, program) != 0)
        return status_fail(STATUS_USAGE,
                           "'%s' is a report of %s, and this is %s; check its baselines again with "
                           "this version",
                           path, out->program ? out->program : "an unknown version", program);
    return STATUS_OK;
}

/* Moves a case of the report `path` to its baseline. */
static enum status take_case(struct merged *merged, size_t count, struct case_report *one,
                             const char *path)
{
    const char *baseline = one->a ? one->a : one->name;
    char *resolved = file_resolve(baseline);
    size_t i = 0;
    while (i < count && strcmp(merged[i].path, resolved) != 0)
        i++;
    free(resolved);
    if (i == count)
        return status_fail(STATUS_USAGE,
                           "'%s' has a result of '%s', which is not one of the baselines given; "
                           "name the baseline too, or leave out the report",
                           path, baseline);
    if (merged[i].report)
        return status_fail(STATUS_USAGE,
                           "'%s' and '%s' both have a result of '%s'; merge only one of them",
                           merged[i].report, path, baseline);
    merged[i].report = path;
    merged[i].one = *one;
    *one = (struct case_report){0};
    return STATUS_OK;
}

static enum status take_report(struct merged *merged, size_t count, const char *path,
                               const char *program)
{
    struct report report = {0};
    enum status status = read_report(&report, path, program);
    for (uint32_t c = 0; c < report.case_count && status == STATUS_OK; c++)
        status = take_case(merged, count, &report.cases[c], path);
    report_free(&report);
    return status;
}

/* Whether the case was judged by another text of the baseline than the present one. */
static bool is_outdated(const struct case_report *one, const char *path)
{
    struct baseline now;
    const bool read = baseline_read(&now, path) == STATUS_OK;
    const bool same = read && strcmp(one->baseline_hash, now.hash) == 0;
    baseline_free(&now);
    return *one->baseline_hash && !same;
}

static void add_case(struct report *report, const struct listed *listed, struct merged *own)
{
    char *why = NULL;
    struct case_report *one = report_add_case(report, listed->path);
    if (own->report) {
        free(one->name);
        *one = own->one;
        own->one = (struct case_report){0};
        if (is_outdated(one, listed->path))
            why = text_format("'%s' has changed since '%s' was written; check it again",
                              listed->path, own->report);
    } else {
        one->a = memory_text(listed->path);
        why = text_format("no report has a result of '%s'; check it again", listed->path);
    }
    listed_name_case(listed, one);
    if (why)
        case_give_up(one, why);
    free(why);
}

enum status report_merge(struct report *report, const struct baseline_list *list,
                         char *const *paths, size_t count)
{
    struct merged *merged = memory_new(list->count + 1, sizeof *merged);
    struct report left = {.cases = memory_new(list->count + 1, sizeof *left.cases)};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < list->count; i++)
        merged[i].path = file_resolve(list->items[i].path);
    for (size_t r = 0; r < count && status == STATUS_OK; r++)
        status = take_report(merged, list->count, paths[r], report->program);
    for (size_t i = 0; i < list->count; i++) {
        if (status == STATUS_OK)
            add_case(report, &list->items[i], &merged[i]);
        left.cases[left.case_count++] = merged[i].one;
        free(merged[i].path);
    }
    report_free(&left);
    free(merged);
    return status;
}
