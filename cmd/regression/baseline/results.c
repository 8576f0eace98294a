#include "cmd/regression/baseline/results.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/part.h"
#include "base/text.h"
#include "cmd/regression/baseline/baseline.h"
#include "cmd/regression/report/report_json.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- a process of this program ---- */

static bool is_changed(const char *entry, const char *const *changes)
{
    const size_t name = strcspn(entry, "=") + 1;
    for (; *changes; changes++)
        if (strncmp(entry, *changes, name) == 0)
            return true;
    return false;
}

/* Makes the environment with the changes; does not copy the texts. */
static char **environment(const char *const *changes)
{
    char **out = NULL;
    size_t count = 0;
    for (char **entry = environ; *entry; entry++)
        if (!is_changed(*entry, changes)) {
            *MEMORY_ADD(out, count) = *entry;
        }
    for (bool more = true; more; changes++) {
        *MEMORY_ADD(out, count) = (char *)*changes;
        more = *changes != NULL;
    }
    return out;
}

enum status child_start(const char *const *arguments, const char *const *changes, const char *log,
                        pid_t *child)
{
    posix_spawn_file_actions_t files;
    char **given = environment(changes);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC,
                                     0666);
    const int error =
        posix_spawn(child, "/proc/self/exe", &files, NULL, (char *const *)arguments, given);
    posix_spawn_file_actions_destroy(&files);
    free(given);
    return error
               ? status_fail(STATUS_RUNTIME, "cannot start the program again: %s", strerror(error))
               : STATUS_OK;
}

enum status child_wait(pid_t child, int *code)
{
    int state;
    while (waitpid(child, &state, 0) < 0)
        if (errno != EINTR)
            return status_fail(STATUS_RUNTIME, "cannot wait for process %d: %s", (int)child,
                               strerror(errno));
    *code = WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state);
    return STATUS_OK;
}

char *child_said(const char *log)
{
    char *said = NULL;
    if (file_read(log, 1 << 16, &said, NULL) != STATUS_OK)
        said = memory_text("");
    said[strcspn(said, "\n")] = '\0';
    return said;
}

/* ---- a process per baseline ---- */

struct child {
    pid_t process;
    const struct listed *listed;
    char *json, *log;
};

static enum status start(const struct check_pool *pool, const struct temporary *scratch,
                         size_t which, struct child *child)
{
    static const char *const no_update[] = {"GRAVREEL_TEST_UPDATE=", NULL};
    const struct listed *listed = &pool->list->items[which];
    *child = (struct child){.listed = listed,
                            .json = text_format("%s/%zu.json", scratch->folder, which),
                            .log = text_format("%s/%zu.log", scratch->folder, which)};
    /* Each child has its own output if it is kept at the end. */
    char *device = text_format("%d", pool->device),
         *output = !pool->output      ? NULL
                   : pool->is_scratch ? text_format("%s/%zu", pool->output, which)
                                      : listed_output(listed, pool->output);
    const char *const always[] = {"gravreel",    "check",     "--one-of-several",
                                  "--json",      child->json, "--backend",
                                  pool->backend, "--device",  device};
    size_t n = sizeof always / sizeof *always;
    const char **arguments = memory_new(n + (size_t)pool->passed_on_count + 5, sizeof *arguments);
    memcpy(arguments, always, sizeof always);
    if (output) {
        arguments[n++] = "--output";
        arguments[n++] = output;
    }
    for (int i = 0; i < pool->passed_on_count; i++)
        arguments[n++] = pool->passed_on[i];
    arguments[n++] = "--";
    arguments[n++] = listed->path;
    const enum status status = child_start(arguments, no_update, child->log, &child->process);
    free(arguments);
    free(device);
    free(output);
    return status;
}

/* Reads the case from the child's report; a child without a report has crashed. */
static void take_child(struct report *report, struct failure *failure, const struct child *child,
                       int code)
{
    struct report told = {0};
    const struct listed *listed = child->listed;
    struct case_report *one = report_add_case(report, listed->below);
    if (report_read_json(&told, child->json) == STATUS_OK && told.case_count == 1) {
        free(one->name);
        *one = told.cases[0];
        told.case_count = 0;
        listed_name_case(listed, one);
        if (code != STATUS_OK && code != STATUS_MISMATCH && code <= STATUS_IO)
            failure_keep(failure, status_fail((enum status)code, "%s", one->sentence));
    } else {
        char *said = child_said(child->log);
        one->a = memory_text(listed->path);
        failure_keep(failure, status_fail(STATUS_RUNTIME, "the check of '%s' ended with %s %d%s%s",
                                          listed->path, code > 128 ? "signal" : "exit code",
                                          code > 128 ? code - 128 : code, *said ? ": " : "", said));
        case_give_up(one, status_text());
        free(said);
    }
    report_free(&told);
}

static void end(struct report *report, struct failure *failure, struct child *child)
{
    int code = 1;
    failure_keep(failure, child_wait(child->process, &code));
    take_child(report, failure, child, code);
    free(child->json);
    free(child->log);
}

void check_pool_run(const struct check_pool *pool, struct report *report, struct failure *failure)
{
    struct temporary scratch;
    const size_t room = pool->room;
    struct child *children = memory_new(room, sizeof *children);
    size_t begun = 0, ended = 0;
    enum status status = temporary_open(&scratch);
    while (status == STATUS_OK && begun < pool->list->count && !*pool->stop) {
        if (begun - ended == room)
            end(report, failure, &children[ended++ % room]);
        status = start(pool, &scratch, begun, &children[begun % room]);
        begun += status == STATUS_OK;
    }
    while (ended < begun)
        end(report, failure, &children[ended++ % room]);
    failure_keep(failure, status);
    temporary_close(&scratch);
    free(children);
}

/* ---- reports of earlier checks ---- */

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static bool is_report(const FTSENT *entry)
{
    return entry->fts_level == 0
               ? entry->fts_info != FTS_D && entry->fts_info != FTS_DP
               : entry->fts_info == FTS_F && strcmp(entry->fts_name, "report.json") == 0;
}

static void find_reports(const char *given, const char *own, char ***paths, size_t *count)
{
    char *const roots[] = {(char *)given, NULL};
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, by_name);
    const FTSENT *entry;
    while (tree && (entry = fts_read(tree))) {
        if (!is_report(entry) || (own && entry->fts_level > 0 && file_same(entry->fts_path, own)))
            continue;
        *MEMORY_ADD(*paths, *count) = memory_text(entry->fts_path);
    }
    if (tree)
        fts_close(tree);
}

void report_merge_find(const char *const *given, size_t given_count, const char *own, char ***paths,
                       size_t *count)
{
    *paths = NULL;
    *count = 0;
    for (size_t i = 0; i < given_count; i++)
        find_reports(given[i], own, paths, count);
}

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
