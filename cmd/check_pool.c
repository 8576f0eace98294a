#include "cmd/check_pool.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/part.h"
#include "base/text.h"
#include "cmd/regression/baseline/scratch.h"
#include "cmd/regression/report/json.h"

#include <stdlib.h>
#include <string.h>

struct child {
    pid_t process; /* 0: not running */
    size_t which;
    char *json, *log, *output; /* output NULL: none */
};

static enum status start(const struct check_pool *pool, const struct temporary *scratch,
                         size_t which, struct child *child)
{
    char *device = text_format("%d", pool->device);
    const char **arguments = memory_new(32 + (size_t)pool->passed_on_count, sizeof *arguments);
    static const char *const no_update[] = {"GRAVREEL_TEST_UPDATE=", NULL};
    *child = (struct child){.which = which,
                            .json = text_format("%s/%zu.json", scratch->folder, which),
                            .log = text_format("%s/%zu.log", scratch->folder, which)};
    if (pool->output) /* each child has its own output if it is kept at the end */
        child->output = pool->is_scratch ? text_format("%s/%zu", pool->output, which)
                                         : listed_output(&pool->list->items[which], pool->output);
    const char *const always[] = {"gravreel",    "check",     "--one-of-several",
                                  "--json",      child->json, "--backend",
                                  pool->backend, "--device",  device};
    size_t n = sizeof always / sizeof *always;
    memcpy(arguments, always, sizeof always);
    if (child->output) {
        arguments[n++] = "--output";
        arguments[n++] = child->output;
    }
    for (int i = 0; i < pool->passed_on_count; i++)
        arguments[n++] = pool->passed_on[i];
    arguments[n++] = "--";
    arguments[n++] = pool->list->items[which].path;
    enum status status = scratch_start(arguments, no_update, child->log, &child->process);
    free(arguments);
    free(device);
    return status;
}

/* Reads the case from the child's report; a child without a report has crashed. */
static void take_case(struct report *report, struct failure *failure, const struct listed *own,
                      const struct child *child, int code)
{
    struct report told = {0};
    char *said = NULL;
    if (report_read_json(&told, child->json) == STATUS_OK && told.case_count == 1) {
        report->cases = memory_grow(report->cases, report->case_count + 1, sizeof *report->cases);
        report->cases[report->case_count++] = told.cases[0];
        listed_name_case(own, &report->cases[report->case_count - 1]);
        told.case_count = 0;
        if (code != STATUS_OK && code != STATUS_MISMATCH && code <= STATUS_IO)
            failure_keep(failure, status_fail((enum status)code, "%s",
                                              report->cases[report->case_count - 1].sentence));
    } else {
        struct case_report *one = report_add_case(report, own->below);
        one->a = memory_text(own->path);
        if (file_read(child->log, 1 << 16, &said, NULL) != STATUS_OK)
            said = memory_text("");
        said[strcspn(said, "\n")] = '\0';
        failure_keep(failure, status_fail(STATUS_RUNTIME, "the check of '%s' ended with %s %d%s%s",
                                          own->path, code > 128 ? "signal" : "exit code",
                                          code > 128 ? code - 128 : code, *said ? ": " : "", said));
        case_give_up(one, status_text());
    }
    report_free(&told);
    free(said);
}

static void end(const struct check_pool *pool, struct report *report, struct failure *failure,
                struct child *child)
{
    int code = 1;
    enum status status = scratch_wait(child->process, &code);
    if (status != STATUS_OK)
        failure_keep(failure, status);
    take_case(report, failure, &pool->list->items[child->which], child, code);
    free(child->json);
    free(child->log);
    free(child->output);
    *child = (struct child){0};
}

void check_pool_run(const struct check_pool *pool, struct report *report, struct failure *failure)
{
    struct temporary scratch;
    const size_t room = pool->room;
    struct child *children = memory_new(room, sizeof *children);
    size_t begun = 0, ended = 0;
    enum status status = temporary_open(&scratch);
    while (status == STATUS_OK && (begun < pool->list->count || ended < begun)) {
        if (begun < pool->list->count && begun - ended < room && !*pool->stop) {
            status = start(pool, &scratch, begun, &children[begun % room]);
            begun += status == STATUS_OK;
        } else if (ended < begun) {
            end(pool, report, failure, &children[ended++ % room]);
        } else {
            break;
        }
    }
    while (ended < begun)
        end(pool, report, failure, &children[ended++ % room]);
    failure_keep(failure, status);
    temporary_close(&scratch);
    free(children);
}
