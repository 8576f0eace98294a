#include "cmd/farm_checks.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/baseline_list.h"
#include "cmd/regression/baseline/baseline.h"

#include <inttypes.h>
#include <stdlib.h>

/* A folder for each baseline, so that its report is not another's. */
static char *folder_of(const struct farm_request *request, const struct listed *listed)
{
    char *name = listed_name(listed), *folder = text_format("%s/%s", request->output, name);
    free(name);
    return folder;
}

static char *report_of(const struct farm_request *request, const struct listed *listed)
{
    char *folder = folder_of(request, listed), *report = text_format("%s/report.json", folder);
    free(folder);
    return report;
}

/* ---- the request ---- */

static enum status check_baseline(const struct farm_request *request, const struct listed *listed)
{
    struct baseline baseline = {0};
    char *report = report_of(request, listed);
    enum status status = farm_check_name(listed->path);
    if (status == STATUS_OK)
        status = baseline_read(&baseline, listed->path);
    if (status == STATUS_OK)
        status = listed_check_output(listed, request->output);
    if (status == STATUS_OK)
        status = baseline_list_check_own(report, REPORT_BEGINS);
    baseline_free(&baseline);
    free(report);
    return status;
}

static enum status check_request(const struct farm_request *request,
                                 const struct baseline_list *list)
{
    enum status status = farm_check_name(request->output);
    if (status == STATUS_OK)
        status = baseline_list_check_names(list);
    for (size_t i = 0; i < list->count && status == STATUS_OK; i++)
        status = check_baseline(request, &list->items[i]);
    return status;
}

/* ---- the lines ---- */

static char *check_line(const struct farm_request *request, const struct listed *listed,
                        size_t task)
{
    char *folder = folder_of(request, listed), *device = farm_device_options(request, task);
    char *line = farm_append(memory_text("gravreel check"), listed->path);
    char *out = text_format("%s%s -o", line, device);
    free(line);
    free(device);
    line = farm_append(out, folder);
    free(folder);
    return line;
}

static char *merge_line(const struct farm_request *request)
{
    char *line = memory_text("gravreel check");
    for (size_t i = 0; i < request->count; i++)
        line = farm_append(line, request->inputs[i]);
    char *output = text_quoted(request->output),
         *page = text_format("%s/report.html", request->output), *quoted_page = text_quoted(page);
    char *out = text_format("%s --merge %s -o %s --html %s -y", line, output, output, quoted_page);
    free(line);
    free(output);
    free(page);
    free(quoted_page);
    return out;
}

static void plan_lines(struct farm_plan *plan, const struct farm_request *request,
                       const struct baseline_list *list)
{
    /* a task that never begins must not leave the report of an earlier job to be merged */
    plan->begin = memory_text("rm -f");
    for (size_t i = 0; i < list->count; i++) {
        char *report = report_of(request, &list->items[i]);
        plan->begin = farm_append(plan->begin, report);
        free(report);
        plan->draw[i] = check_line(request, &list->items[i], i);
    }
    plan->finish = merge_line(request);
    plan->report = plan->checks = true;
}

/* ---- the whole ---- */

enum status farm_checks_plan(struct farm_plan *plan, const struct farm_request *request)
{
    static const struct farm_need need = {.memory = (double)((uint64_t)4 << 30), .minutes = 60};
    struct baseline_list list;
    enum status status = baseline_list_find(&list, request->inputs, request->count);
    if (status == STATUS_OK)
        status = check_request(request, &list);
    if (status == STATUS_OK) {
        farm_plan_start(plan, request, list.count, &need);
        plan_lines(plan, request, &list);
        log_info("%zu baseline%s, a task each, with %u cores, %" PRIu64 " MiB and at most %" PRIu64
                 " minutes; change these with --cpus, --mem and --time",
                 list.count, list.count == 1 ? "" : "s", plan->cpus, plan->mebibytes,
                 plan->minutes);
    }
    baseline_list_free(&list);
    return status;
}
