#include "cmd/film/farm/plan.h"

#include "base/file.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum status farm_check_name(const char *name)
{
    for (const char *at = name; *at; at++)
        if (text_control(at))
            return status_fail(STATUS_USAGE,
                               "a job file cannot name '%s', which has a line feed or another "
                               "control character; rename it",
                               name);
    return STATUS_OK;
}

static void take_resources(struct farm_plan *plan, const struct farm_request *request,
                           const struct farm_need *need)
{
    const uint64_t unit = (uint64_t)256 << 20;
    plan->cpus = request->cpus ? request->cpus : machine_processors();
    plan->gpus = request->gpus ? request->gpus : need->device && !request->one_machine;
    const uint64_t bytes =
        request->memory ? request->memory : ((uint64_t)need->memory + unit - 1) / unit * unit;
    plan->mebibytes = (bytes + (1 << 20) - 1) >> 20;
    plan->minutes = request->minutes ? request->minutes : need->minutes;
    plan->partition = request->partition;
}

void farm_plan_start(struct farm_plan *plan, const struct farm_request *request, size_t tasks,
                     const struct farm_need *need)
{
    *plan = (struct farm_plan){.name = file_stem(request->output),
                               .output = memory_text(request->output),
                               .folder = text_format("%s.farm", request->output),
                               .tasks = tasks,
                               .draw = memory_new(tasks, sizeof *plan->draw)};
    take_resources(plan, request, need);
}

char *farm_device_options(const struct farm_request *request, size_t task)
{
    char *device = request->one_machine && request->gpus
                       ? text_format(" --device %zu", task % request->gpus)
                       : memory_text("");
    const bool automatic = strcmp(request->backend, "auto") == 0;
    char *options = text_format("%s%s%s", automatic ? "" : " --backend ",
                                automatic ? "" : request->backend, device);
    free(device);
    return options;
}

char *farm_append(char *words, const char *word)
{
    char *quoted = text_quoted(word), *out = text_format("%s %s", words, quoted);
    free(words);
    free(quoted);
    return out;
}

void farm_plan_free(struct farm_plan *plan)
{
    for (size_t i = 0; i < plan->tasks; i++) {
        if (plan->simulate)
            free(plan->simulate[i]);
        free(plan->draw[i]);
    }
    free(plan->simulate);
    free(plan->draw);
    free(plan->begin);
    free(plan->finish);
    free(plan->name);
    free(plan->output);
    free(plan->folder);
}
